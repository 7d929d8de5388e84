#include "view/color_map.h"

#include <algorithm>
#include <cmath>

#include "core/number_format.h"

namespace csim {
namespace {

/// Corners of the way through Oklab (L, a, b); all of it lies within sRGB.
const std::array<Vector3, 6> kCorners = {Vector3(0.27, 0.06, -0.104),   Vector3(0.42, 0.0, -0.12),
                                         Vector3(0.56, -0.071, -0.071), Vector3(0.69, -0.126, 0.034),
                                         Vector3(0.81, -0.116, 0.138),  Vector3(0.93, -0.047, 0.174)};

/// Oklab to sRGB, 0 to 255.
Rgb8 srgb_of(const Vector3& lab) {
  Matrix3 to_cones, to_rgb;
  to_cones << 1.0, 0.3963377774, 0.2158037573, 1.0, -0.1055613458, -0.0638541728, 1.0, -0.0894841775,
      -1.2914855480;
  to_rgb << 4.0767416621, -3.3077115913, 0.2309699292, -1.2684380046, 2.6097574011, -0.3413193965,
      -0.0041960863, -0.7034186147, 1.7076147010;
  const Vector3 linear = to_rgb * (to_cones * lab).array().cube().matrix();
  Rgb8 color{};
  for (int k = 0; k < 3; ++k) {
    const double x = std::clamp(linear[k], 0.0, 1.0);
    const double encoded = x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1.0 / 2.4) - 0.055;
    color[k] = static_cast<std::uint8_t>(std::lround(255.0 * encoded));
  }
  return color;
}

/// Equal steps along the way.
std::array<Rgb8, 256> make_color_map() {
  double whole = 0.0;
  for (std::size_t c = 0; c + 1 < kCorners.size(); ++c) whole += (kCorners[c + 1] - kCorners[c]).norm();
  std::array<Rgb8, 256> map{};
  std::size_t corner = 0;
  double before = 0.0;  // length of the way up to `corner`
  for (int i = 0; i < 256; ++i) {
    const double place = whole * i / 255.0;
    const auto leg = [&] { return (kCorners[corner + 1] - kCorners[corner]).norm(); };
    while (corner + 2 < kCorners.size() && place > before + leg()) {
      before += leg();
      ++corner;
    }
    const double u = (place - before) / leg();
    map[i] = srgb_of(kCorners[corner] + u * (kCorners[corner + 1] - kCorners[corner]));
  }
  return map;
}

struct Prefix {
  double factor;
  const char* letter;
};

/// The largest of G, M, k, none, m, µ that is at most the value.
Prefix prefix_of(double value) {
  constexpr std::array<Prefix, 6> kPrefixes = {
      {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1.0, ""}, {1e-3, "m"}, {1e-6, "\u00b5"}}};
  for (const Prefix& prefix : kPrefixes) {
    if (value >= prefix.factor * (1.0 - 1e-9)) return prefix;
  }
  return kPrefixes.back();
}

}  // namespace

const std::array<Rgb8, 256>& color_map() {
  static const std::array<Rgb8, 256> map = make_color_map();
  return map;
}

std::uint8_t color_index(double pressure, double top) {
  return static_cast<std::uint8_t>(std::lround(255.0 * std::clamp(pressure / top, 0.0, 1.0)));
}

std::string shown_quantity(double value, const char* unit) {
  const Prefix prefix = prefix_of(value);
  return format_text("%.3g %s%s", value / prefix.factor, prefix.letter, unit);
}

ColorBar make_color_bar(const PressureRange& range) {
  // Four to eight steps of 1, 2 or 5 times a power of ten.
  const double power = std::pow(10.0, std::floor(std::log10(range.top / 4.0)));
  double step = power;
  for (const double digit : {2.0, 5.0}) {
    if (digit * power <= range.top / 4.0 * (1.0 + 1e-9)) step = digit * power;
  }
  const int count = static_cast<int>(std::ceil(range.top / step - 1e-9));
  ColorBar bar;
  bar.top = count * step;
  const Prefix prefix = prefix_of(bar.top);
  bar.unit = std::string(prefix.letter) + "Pa";
  for (int i = 0; i <= count; ++i) {
    bar.ticks.push_back({static_cast<double>(i) / count, format_text("%.3g", i * step / prefix.factor)});
  }
  if (range.largest > bar.top * (1.0 + 1e-9)) bar.beyond = "up to " + shown_quantity(range.largest, "Pa");
  return bar;
}

}  // namespace csim
