#include "view/stroke_text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <vector>

#include "core/types.h"

namespace csim {
namespace {

/// Strokes as digits x, y on a grid of 0 to 4 (right) by 0 to 8 (up; baseline at 2, capitals to 8). A space
/// leads on to the next point, a bar lifts the pen. The last entry is the way to the next glyph.
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
      {'A', {"02 28 42|14 34", 6}},
      {'B', {"02 08 38 47 46 35 05 35 44 43 32 02", 6}},
      {'C', {"47 38 18 07 03 12 32 43", 6}},
      {'D', {"02 08 28 47 43 22 02", 6}},
      {'E', {"48 08 02 42|05 35", 6}},
      {'F', {"48 08 02|05 35", 6}},
      {'G', {"47 38 18 07 03 12 32 43 45 25", 6}},
      {'H', {"02 08|42 48|05 45", 6}},
      {'I', {"08 28|18 12|02 22", 4}},
      {'J', {"48 43 32 12 03", 6}},
      {'K', {"02 08|48 05 42", 6}},
      {'L', {"08 02 42", 6}},
      {'M', {"02 08 25 48 42", 6}},
      {'N', {"02 08 42 48", 6}},
      {'O', {"18 06 04 12 32 44 46 38 18", 6}},
      {'P', {"02 08 38 47 46 35 05", 6}},
      {'Q', {"18 06 04 12 32 44 46 38 18|24 41", 6}},
      {'R', {"02 08 38 47 46 35 05|25 42", 6}},
      {'S', {"47 38 18 07 06 15 35 44 43 32 12 03", 6}},
      {'T', {"08 48|28 22", 6}},
      {'U', {"08 03 12 32 43 48", 6}},
      {'V', {"08 22 48", 6}},
      {'W', {"08 12 26 32 48", 6}},
      {'X', {"08 42|02 48", 6}},
      {'Y', {"08 25 48|25 22", 6}},
      {'Z', {"08 48 02 42", 6}},
      {'a', {"15 16 36 45 42 44 14 03 12 32 43", 6}},
      {'b', {"08 02 32 43 45 36 06", 6}},
      {'c', {"46 16 05 03 12 42", 6}},
      {'d', {"48 42 12 03 05 16 46", 6}},
      {'e', {"04 44 45 36 16 05 03 12 32 43", 6}},
      {'f', {"38 28 17 12|06 36", 4.5}},
      {'g', {"42 12 03 05 16 46 41 30 10", 6}},
      {'h', {"02 08|05 16 36 45 42", 6}},
      {'i', {"02 06|08 08", 2.5}},
      {'j', {"26 21 10 00|28 28", 4.5}},
      {'k', {"02 08 04 36 15 32", 5}},
      {'l', {"08 03 12", 3}},
      {'m', {"02 06 05 16 25 22 25 36 45 42", 6}},
      {'n', {"02 06 05 16 36 45 42", 6}},
      {'o', {"12 03 05 16 36 45 43 32 12", 6}},
      {'p', {"00 06 36 45 43 32 02", 6}},
      {'q', {"40 46 16 05 03 12 42", 6}},
      {'r', {"02 06 04 26 36", 4.5}},
      {'s', {"46 16 05 14 34 43 32 02", 6}},
      {'t', {"18 13 22 32 06 36", 5}},
      {'u', {"06 03 12 32 43 46 42", 6}},
      {'v', {"06 22 46", 6}},
      {'w', {"06 12 25 32 46", 6}},
      {'x', {"06 42|02 46", 6}},
      {'y', {"06 22|46 10", 6}},
      {'z', {"06 46 02 42", 6}},
      {'\xb5', {"00 06 03 12 32 43 46 42", 6}},
      {' ', {"", 3}},
      {'.', {"02 02", 2.5}},
      {',', {"12 01", 3}},
      {':', {"02 02|06 06", 2.5}},
      {'-', {"05 35", 5}},
      {'+', {"05 45 25 27 23", 6}},
      {'=', {"04 44|06 46", 6}},
      {'/', {"02 48", 6}},
      {'(', {"18 06 04 12", 3}},
      {')', {"08 16 14 02", 3}},
      {'_', {"01 41", 6}},
  };
  return all;
}

const Glyph& glyph_of(char letter) {
  static const Glyph missing = {"02 08 48 42 02", 6};
  const auto found = glyphs().find(letter);
  return found == glyphs().end() ? missing : found->second;
}

/// One byte a letter: the micro sign's last one, of any other letter of several bytes the first.
std::string letters_of(const std::string& text) {
  std::string letters;
  for (const char c : text) {
    const bool continues = (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
    if (!continues)
      letters += c;
    else if (c == '\xb5' && !letters.empty() && letters.back() == '\xc2')
      letters.back() = c;
  }
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
    if (s[i + 2] == '|') continue;
    const auto at = [&](std::size_t k) {
      return Vector2(x + unit * (s[k] - '0'), y - unit * (s[k + 1] - '2'));
    };
    segments->push_back({at(i), at(i + 3)});
  }
}

}  // namespace

double letter_height(int picture_height) {
  return std::clamp(picture_height / 55.0, 6.0, 40.0);
}

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
