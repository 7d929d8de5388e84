#include "cli/view_film.h"

#include <chrono>
#include <cstdio>
#include <optional>

#include "core/counted.h"
#include "core/number_format.h"
#include "export/output_folder.h"
#include "record/output_file.h"
#include "run/signals.h"
#include "view/film.h"
#include "view/frame_at.h"

namespace csim::cli {
namespace {

constexpr std::chrono::seconds kSilent{3};  // progress is told of what takes longer

/// At each tenth of the pictures.
class Progress {
 public:
  explicit Progress(std::size_t count) : count_(count) {}

  void done(std::size_t pictures) {
    const std::size_t tenth = 10 * pictures / count_;
    if (tenth == told_ || std::chrono::steady_clock::now() - start_ < kSilent) return;
    told_ = tenth;
    std::fprintf(stderr, "csim: %3zu %%  %zu of %zu pictures\n", 10 * tenth, pictures, count_);
  }

 private:
  std::size_t count_, told_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

void check_film(const FilmOptions& options, bool force, const std::string& input) {
  if (!options.mp4.empty()) check_output(options.mp4, force, {input});
}

void write_film(const FilmOptions& options, const ViewScene& scene, const StillOptions& picture, double rate,
                bool force) {
  const std::vector<double> times =
      film_times(scene.frames.front().time, scene.frames.back().time, options.speed / rate);
  std::optional<OutputFolder> folder;
  std::optional<Film> film;
  if (!options.mp4.empty()) film.emplace(options.mp4, picture.width, picture.height, rate, force);
  if (!options.frames.empty()) folder.emplace(options.frames, force);
  const Framing framing = frame_scene(scene);
  Progress progress(times.size());
  for (std::size_t k = 0; k < times.size(); ++k) {
    stop_when_asked();
    const Still still = render_still(scene, frame_at(scene, times[k]), framing, picture);
    if (k == 0 && !still.annotated && !picture.plain)
      std::fprintf(stderr, "csim: note: %d x %d pixels are too few for time, scale and legend\n",
                   picture.width, picture.height);
    if (folder) write_file(folder->place(format_text("frame_%05zu.png", k)), png_bytes(still.picture), true);
    if (film) film->add(still.picture);
    progress.done(k + 1);
  }
  stop_when_asked();
  const std::string what = counted(times.size(), "picture") + ", " + format_number(rate) + " a second";
  if (film) {
    film->close();
    std::printf("wrote %s (%s)\n", options.mp4.c_str(), what.c_str());
  }
  if (folder) {
    folder->commit();
    std::printf("wrote %s (%s): frame_00000.png ...\n", options.frames.c_str(), what.c_str());
  }
}

}  // namespace csim::cli
