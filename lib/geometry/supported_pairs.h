// Which pairs of shapes the point-contact query answers.
#pragma once

#include "geometry/shape.h"

namespace csim {

/// True when two shapes can meet as points, in either order. Half space with half space cannot, nor an open
/// mesh with another: of two sheets nothing tells which side of the other one is on.
[[nodiscard]] inline bool has_point_contact(const Shape& a, const Shape& b) {
  const auto is_sheet = [](const Shape& shape) {
    const Mesh* mesh = std::get_if<Mesh>(&shape);
    return mesh != nullptr && !mesh->mesh->closed;
  };
  const bool both_half_spaces = std::holds_alternative<HalfSpace>(a) && std::holds_alternative<HalfSpace>(b);
  return !(is_sheet(a) && is_sheet(b)) && !both_half_spaces;
}

}  // namespace csim
