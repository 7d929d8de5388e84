// Two triangles that cross, now or on the way of one of them along a line.
#pragma once

#include <array>
#include <limits>

#include "contact/mesh/mesh_surface.h"

namespace csim {

using Triangle = std::array<Vector3, 3>;  // corners (m)

[[nodiscard]] inline Triangle triangle_of(const MeshSurface& surface, int t) {
  return {surface.corner(t, 0), surface.corner(t, 1), surface.corner(t, 2)};
}
[[nodiscard]] inline Triangle triangle_of(const MeshSurface& surface, int t, const RigidTransform& X) {
  return {X * surface.corner(t, 0), X * surface.corner(t, 1), X * surface.corner(t, 2)};
}

[[nodiscard]] inline Aabb box_of(const Triangle& triangle) {
  Aabb box;
  for (const Vector3& x : triangle) box.add(x);
  return box;
}

struct CrossingInterval {
  double low = -std::numeric_limits<double>::infinity();  // m along the line
  double high = std::numeric_limits<double>::infinity();
  Vector3 normal;  // of the plane between the two at the upper end, not normalised
  [[nodiscard]] bool empty() const { return !(low < high); }
};

/// The t for which triangle q, moved by t * d, crosses p by more than `margin` (m) along every axis that
/// could separate the two. A negative margin lets them cross that far apart. Triangles of one plane do not
/// cross, but with a negative margin they do.
[[nodiscard]] CrossingInterval crossing_interval(const Triangle& p, const Triangle& q, const Vector3& d,
                                                 double margin);

/// The same where they are.
[[nodiscard]] bool cross(const Triangle& p, const Triangle& q, double margin);

}  // namespace csim
