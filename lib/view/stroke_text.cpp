#include "view/stroke_text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <vector>

#include "core/types.h"

namespace csim {
namespace {

/// Strokes as digits x, y on a grid of 0 to 4 (right) by 0 to 8 (up; baseline at 2, capitals to 8); a space
/// lifts the pen. The last entry of a glyph's width is the way to the next one.
struct Glyph {
  std::string_view strokes;
  double advance;  // grid units
};

const std::map<char, Glyph>& glyphs() {
  static const std::map<char, Glyph> all = {
      {'0', {"12 03 07 18 38 47 43 32 12", 6}},
      {'1', {"07 28 22 02 42", 6}},
      {'2', {"07 18 38 47 45 02 42", 6}},
      {'3', {"07 18 38 47 46 35 25 35 44 43 32 12 03", 6}},
      {'4', {"32 38 04 44", 6}},
      {'5', {"48 08 05 35 44 43 32 12 03", 6}},
      {'6', {"38 18 06 03 12 32 43 44 35 15 04", 6}},
      {'7', {"08 48 47 12", 6}},
      {'8', {"15 06 07 18 38 47 46 35 15 04 03 12 32 43 44 35", 6}},
      {'9', {"12 32 44 47 38 18 07 06 15 35 46", 6}},
      {'.', {"02 02", 2.5}},
      {'-', {"05 35", 5}},
      {'+', {"05 45 25 27 23", 6}},
      {' ', {"", 3}},
      {'e', {"04 44 45 36 16 05 03 12 32 43", 6}},
      {'P', {"02 08 38 47 46 35 05", 6}},
      {'a', {"15 16 36 45 42 44 14 03 12 32 43", 6}},
      {'G', {"47 38 18 07 03 12 32 43 45 25", 6}},
      {'M', {"02 08 25 48 42", 6}},
      {'N', {"02 08 42 48", 6}},
      {'k', {"02 08 04 36 15 32", 5}},
      {'m', {"02 06 05 16 25 22 25 36 45 42", 6}},
      {'u', {"06 03 12 32 43 46 42", 6}},
      {'\xb5', {"00 06 03 12 32 43 46 42", 6}},
      {'p', {"00 06 36 45 43 32 02", 6}},
      {'t', {"18 13 22 32 06 36", 5}},
      {'o', {"12 03 05 16 36 45 43 32 12", 6}},
  };
  return all;
}

const Glyph& glyph_of(char letter) {
  static const Glyph missing = {"02 08 48 42 02", 6};
  const auto found = glyphs().find(letter);
  return found == glyphs().end() ? missing : found->second;
}

/// One byte a letter: the micro sign's first byte of two is left out.
std::string letters_of(const std::string& text) {
  std::string letters;
  std::copy_if(text.begin(), text.end(), std::back_inserter(letters), [](char c) { return c != '\xc2'; });
  return letters;
}

double distance_to_segment(const Vector2& p, const Vector2& a, const Vector2& b) {
  const Vector2 ab = b - a;
  const double length = ab.squaredNorm();
  const double u = length > 0.0 ? std::clamp((p - a).dot(ab) / length, 0.0, 1.0) : 0.0;
  return (p - a - u * ab).norm();
}

struct Segment {
  Vector2 a, b;
};

void add_segments(const Glyph& glyph, double x, double y, double unit, std::vector<Segment>* segments) {
  const std::string_view s = glyph.strokes;
  for (std::size_t i = 0; i + 4 < s.size(); i += 3) {
    const auto at = [&](std::size_t k) {
      return Vector2(x + unit * (s[k] - '0'), y - unit * (s[k + 1] - '2'));
    };
    segments->push_back({at(i), at(i + 3)});
  }
}

}  // namespace

double text_width(const std::string& text, double height) {
  double width = 0.0;
  for (const char letter : letters_of(text)) width += glyph_of(letter).advance;
  return width * height / 6.0;
}

void draw_text(Picture* picture, double x, double y, double height, const std::string& text,
               const Rgb8& color, bool from_right) {
  const double unit = height / 6.0, half_pen = std::max(0.45, 0.55 * unit);
  if (from_right) x -= text_width(text, height);
  std::vector<Segment> segments;
  for (const char letter : letters_of(text)) {
    const Glyph& glyph = glyph_of(letter);
    add_segments(glyph, x, y, unit, &segments);
    x += unit * glyph.advance;
  }
  if (segments.empty()) return;
  Vector2 low = segments[0].a, high = segments[0].a;
  for (const Segment& segment : segments) {
    low = low.cwiseMin(segment.a).cwiseMin(segment.b);
    high = high.cwiseMax(segment.a).cwiseMax(segment.b);
  }
  const int i0 = std::max(0, static_cast<int>(low.x() - half_pen - 1.0));
  const int i1 = std::min(picture->width - 1, static_cast<int>(high.x() + half_pen + 1.0));
  const int j0 = std::max(0, static_cast<int>(low.y() - half_pen - 1.0));
  const int j1 = std::min(picture->height - 1, static_cast<int>(high.y() + half_pen + 1.0));
  for (int j = j0; j <= j1; ++j) {
    for (int i = i0; i <= i1; ++i) {
      double nearest = INFINITY;
      for (const Segment& s : segments) {
        nearest = std::min(nearest, distance_to_segment({i + 0.5, j + 0.5}, s.a, s.b));
      }
      const double cover = std::clamp(half_pen + 0.5 - nearest, 0.0, 1.0);
      std::uint8_t* pixel = &picture->rgb[3 * (static_cast<std::size_t>(j) * picture->width + i)];
      for (int k = 0; k < 3; ++k) {
        pixel[k] = static_cast<std::uint8_t>(std::lround(pixel[k] + cover * (color[k] - pixel[k])));
      }
    }
  }
}

void fill_box(Picture* picture, int x0, int y0, int x1, int y1, const Rgb8& color) {
  for (int j = std::max(0, y0); j < std::min(picture->height, y1); ++j) {
    for (int i = std::max(0, x0); i < std::min(picture->width, x1); ++i) {
      std::copy(color.begin(), color.end(),
                &picture->rgb[3 * (static_cast<std::size_t>(j) * picture->width + i)]);
    }
  }
}

}  // namespace csim
