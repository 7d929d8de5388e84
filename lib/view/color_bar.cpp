#include "view/color_bar.h"

#include <algorithm>

#include "view/stroke_text.h"

namespace csim {

void draw_color_bar(const ColorBar& bar, Picture* picture) {
  const double letters = letter_height(picture->height);
  const int margin = static_cast<int>(1.4 * letters), width = static_cast<int>(1.2 * letters);
  const int right = picture->width - margin, left = right - width;
  const int top = static_cast<int>((bar.beyond.empty() ? 3.8 : 6.0) * letters);
  const int bottom = top + static_cast<int>(0.4 * picture->height);
  draw_text(picture, right, 2.0 * letters, letters, "pressure, " + bar.unit, kInk, true);
  draw_text(picture, right, 4.1 * letters, letters, bar.beyond, kQuietInk, true);
  for (int j = top; j < bottom; ++j) {
    const double u = (bottom - 0.5 - j) / (bottom - top);
    fill_box(picture, left, j, right, j + 1, color_map()[color_index(u, 1.0)]);
  }
  for (const ColorBar::Tick& tick : bar.ticks) {
    const double y = bottom - tick.at * (bottom - top);
    const int row = static_cast<int>(y);
    fill_box(picture, left - width / 3, row, left, row + 1, kInk);
    draw_text(picture, left - 0.7 * width, y + 0.5 * letters, letters, tick.label, kInk, true);
  }
}

}  // namespace csim
