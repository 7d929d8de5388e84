// The colours of pressures and the bar that explains them, the same in the page and in the still.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "view/read_patches.h"

namespace csim {

using Rgb8 = std::array<std::uint8_t, 3>;  // sRGB

/// 256 colours from dark violet over green to yellow: lightness grows, and neighbours are equally far apart
/// in Oklab (Ottosson 2020, A perceptual color space for image processing).
[[nodiscard]] const std::array<Rgb8, 256>& color_map();

/// Index into color_map() of a pressure; those outside 0 to `top` take the end that is near.
[[nodiscard]] std::uint8_t color_index(double pressure, double top);

struct ColorBar {
  struct Tick {
    double at;          // 0 at the bottom of the bar, 1 at its top
    std::string label;  // in `unit`
  };
  std::string unit;         // Pa with an SI prefix
  double top = 1.0;         // Pa: pressure at the top of the bar, the last tick
  std::vector<Tick> ticks;  // at round numbers, from 0
  std::string beyond;       // "up to 8.7 MPa" when the largest pressure lies beyond the top, else empty
};

/// The bar of a range of pressures; its top is `range.top` rounded up to a tick.
[[nodiscard]] ColorBar make_color_bar(const PressureRange& range);

/// A quantity (>= 0, in `unit`) for a person: three digits at most, with an SI prefix before the unit.
[[nodiscard]] std::string shown_quantity(double value, const char* unit);

}  // namespace csim
