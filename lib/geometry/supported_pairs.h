// Which pairs of shapes the point-contact query answers.
#pragma once

#include "geometry/shape.h"

namespace csim {

/// True when two shapes can meet as points, in either order. Half space with half space and mesh with mesh
/// cannot.
[[nodiscard]] inline bool has_point_contact(const Shape& a, const Shape& b) {
  const bool both_meshes = std::holds_alternative<Mesh>(a) && std::holds_alternative<Mesh>(b);
  const bool both_half_spaces = std::holds_alternative<HalfSpace>(a) && std::holds_alternative<HalfSpace>(b);
  return !both_meshes && !both_half_spaces;
}

}  // namespace csim
