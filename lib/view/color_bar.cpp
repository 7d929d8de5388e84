#include "view/color_bar.h"

#include "view/annotations.h"

namespace csim {

void draw_color_bar(const ColorBar& bar, Canvas* canvas) {
  const double letters = letter_height(canvas->height());
  const int margin = static_cast<int>(1.4 * letters), width = static_cast<int>(1.2 * letters);
  const int right = canvas->width() - margin, left = right - width;
  const int top = static_cast<int>((bar.beyond.empty() ? 3.8 : 6.0) * letters);
  const int bottom = top + static_cast<int>(0.4 * canvas->height());
  canvas->text(right, 2.0 * letters, letters, "pressure, " + bar.unit, color_of(kInk), true);
  canvas->text(right, 4.1 * letters, letters, bar.beyond, color_of(kQuietInk), true);
  for (int j = top; j < bottom; ++j) {
    const double u = (bottom - 0.5 - j) / (bottom - top);
    const auto& [r, g, b] = color_map()[color_index(u, 1.0)];
    canvas->box(left, j, right, j + 1, Color(r, g, b) / 255.0);
  }
  for (const ColorBar::Tick& tick : bar.ticks) {
    const double y = bottom - tick.at * (bottom - top);
    const int row = static_cast<int>(y);
    canvas->box(left - width / 3, row, left, row + 1, color_of(kInk));
    canvas->text(left - 0.7 * width, y + 0.5 * letters, letters, tick.label, color_of(kInk), true);
  }
}

}  // namespace csim
