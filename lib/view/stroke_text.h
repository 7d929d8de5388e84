// Short labels on a picture: a font of strokes.
#pragma once

#include <string>

#include "view/color_map.h"
#include "view/png.h"

namespace csim {

/// Letters that stand for themselves; others are drawn as an empty box.
constexpr const char* kStrokeLetters =
    "0123456789 ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz.,:-+=/()_\u00b5";

constexpr Rgb8 kInk = {0x1d, 0x27, 0x33}, kQuietInk = {0x66, 0x72, 0x7f};

/// Height of the capitals on a picture so many pixels high.
[[nodiscard]] double letter_height(int picture_height);

/// Draws UTF-8 text with its baseline at y, capitals `height` pixels high; x is its left end, or its right
/// end with `from_right`.
void draw_text(Picture* picture, double x, double y, double height, const std::string& text,
               const Rgb8& color, bool from_right = false);

/// Width that draw_text() takes, pixels.
[[nodiscard]] double text_width(const std::string& text, double height);

/// Fills the pixels of [x0, x1) x [y0, y1) that lie in the picture.
void fill_box(Picture* picture, int x0, int y0, int x1, int y1, const Rgb8& color);

}  // namespace csim
