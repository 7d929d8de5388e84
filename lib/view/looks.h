// The colours of bodies, the same in the page, the still and the export.
#pragma once

#include <optional>
#include <vector>

#include "core/types.h"

namespace csim {

using Color = Vector3;  // red, green, blue, 0 to 1

/// 0xrrggbb as a colour.
[[nodiscard]] inline Color color_of(unsigned rgb) {
  return Color(rgb >> 16 & 255, rgb >> 8 & 255, rgb & 255) / 255.0;
}

constexpr unsigned kFixedColor = 0xd3d7dc, kGroundColor = 0xe2e6ea;  // fixed parts; tops of half spaces
constexpr unsigned kBackground = 0xeef1f4;

/// That of a body while it sleeps: nearer to the background.
[[nodiscard]] inline Color asleep_color(const Color& color) {
  constexpr double kAsleepDimming = 0.6;  // as ASLEEP_DIMMING in page/surfaces.js
  return color + kAsleepDimming * (color_of(kBackground) - color);
}

struct Look {
  Color color;
  double opacity = 1.0;
};

/// What the bodies look like of which the scene says nothing: those that move take the colours of a palette
/// in turn, the others are grey.
[[nodiscard]] std::vector<Color> body_colors(const std::vector<char>& moves);

/// With what the scene says of a part (red, green, blue, opacity), or without.
[[nodiscard]] inline Look look_of(const std::optional<Vector4>& given, const Color& otherwise) {
  return given ? Look{given->head<3>(), given->w()} : Look{otherwise};
}

}  // namespace csim
