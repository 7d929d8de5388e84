// Text, boxes and polygons drawn on a picture, and the picture as PNG, by cairo. The library is loaded when
// the first canvas or PNG is made: with its fonts it is most of the libraries of the program, and only stills
// need it.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "core/types.h"
#include "view/looks.h"

namespace csim {

/// 0x..rrggbb of every pixel, rows from the top; the highest byte means nothing.
struct Picture {
  int width = 0, height = 0;
  std::vector<std::uint32_t> pixels;
};

/// Draws on a picture, which must outlive it. Pixels (i, j) cover [i, i+1) x [j, j+1), y down.
/// Text is in DejaVu Sans, where it is not installed in the nearest font, and without any font in cairo's own
/// of ASCII letters. Throws IoError where cairo cannot be loaded.
class Canvas {
 public:
  explicit Canvas(Picture* picture);
  ~Canvas();
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;

  [[nodiscard]] int width() const { return picture_->width; }
  [[nodiscard]] int height() const { return picture_->height; }

  /// Fills [x0, x1) x [y0, y1).
  void box(double x0, double y0, double x1, double y1, const Color& color, double opacity = 1.0);
  void polygon(std::initializer_list<Vector2> corners, const Color& color);

  /// UTF-8 text with its baseline at y, capitals `height` pixels high; x is its left end, or its right end
  /// with `from_right`.
  void text(double x, double y, double height, const std::string& text, const Color& color,
            bool from_right = false);
  /// Width that text() takes, pixels.
  [[nodiscard]] double text_width(const std::string& text, double height) const;

 private:
  class Pen;

  Picture* picture_;
  std::shared_ptr<void> surface_;
  double font_size_ = 1.0;  // of capitals one pixel high
};

/// The bytes of a PNG file; the same ones for the same picture and libraries. Throws IoError as Canvas does.
[[nodiscard]] std::string png_bytes(const Picture& picture);

}  // namespace csim
