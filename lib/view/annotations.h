// What a still needs to be read without the file: time, scale, what its arrows stand for.
#pragma once

#include "view/canvas.h"
#include "view/color_map.h"
#include "view/framing.h"
#include "view/view_scene.h"

namespace csim {

constexpr unsigned kInk = 0x1d2733, kQuietInk = 0x66727f;

/// Height of the capitals on a picture so many pixels high.
[[nodiscard]] double letter_height(int picture_height);

/// What is annotated, and at which scale it was drawn.
struct Annotated {
  const ViewScene& scene;
  const ViewFrame& frame;
  const Framing& framing;
  double pixels_per_metre;  // across the view, at the depth of framing.target
  bool grid;                // a floor with grid lines is seen
};

/// Draws name and time at the upper left; at the lower left a bar of a round length at the depth of the
/// scene's centre and the grid's spacing; arrows of round forces and moments, as long as they are at that
/// depth. Returns false, and draws nothing, where the picture is too small for it.
[[nodiscard]] bool annotate(const Annotated& what, Canvas* canvas);

/// Draws the bar of the colours of pressures with its labels at the right edge, from the top down.
void draw_color_bar(const ColorBar& bar, Canvas* canvas);

}  // namespace csim
