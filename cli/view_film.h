// `csim view --frames DIR` and `--mp4 FILE`: a picture a time step of a film.
#pragma once

#include <string>

#include "view/still.h"

namespace csim::cli {

struct FilmOptions {
  std::string frames, mp4;  // folder and file; empty: not wanted
  double speed = 1.0;       // simulated seconds a second of the film
  [[nodiscard]] bool wanted() const { return !frames.empty() || !mp4.empty(); }
};

/// Throws what check_output() and OutputFolder throw where a place is taken, before a picture is drawn.
void check_film(const FilmOptions& options, bool force, const std::string& input);

/// Draws the pictures from the scene's first frame to its last, `rate` a second of the film, and writes them
/// as frame_00000.png and so on and as a film; tells of its progress on stderr. Interrupted, it throws
/// Interrupted and leaves nothing.
void write_film(const FilmOptions& options, const ViewScene& scene, const StillOptions& picture, double rate,
                bool force);

}  // namespace csim::cli
