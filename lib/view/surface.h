// Triangle surfaces of the shapes, to be seen.
#pragma once

#include <array>
#include <vector>

#include "core/types.h"

namespace csim {

/// Triangles with a normal at every vertex; counterclockwise seen from outside. Shapes of one kind share a
/// unit surface and differ by a scale: a point x of it is drawn at scale * x (per axis), its normal along n /
/// scale.
struct Surface {
  std::vector<Vector3> vertices;  // m, or 1 for a unit surface
  std::vector<Vector3> normals;   // unit, one a vertex
  std::vector<std::array<int, 3>> triangles;
  bool round = false;  // of revolution: a mark shows how it turns
};

/// Cube of edge 1.
[[nodiscard]] Surface box_surface();

/// Sphere of radius 1, with `segments` around its axis (z) and half as many from pole to pole.
[[nodiscard]] Surface sphere_surface(int segments);

/// Cylinder of radius 1 and length 1 along z, flat ends.
[[nodiscard]] Surface cylinder_surface(int segments);

/// Capsule of radius 1 along z; `length` of the cylindrical part in radii.
[[nodiscard]] Surface capsule_surface(double length, int segments);

/// Cone of radius 1 and height 1, its base at z = 0.
[[nodiscard]] Surface cone_surface(int segments);

/// A mesh: faces that meet at less than 40 degrees are shaded as one smooth surface, others meet at an edge.
[[nodiscard]] Surface creased_surface(const std::vector<Vector3>& vertices,
                                      const std::vector<std::array<int, 3>>& triangles);

/// Largest distance of a vertex from the origin after scaling.
[[nodiscard]] double radius_of(const Surface& surface, const Vector3& scale);

}  // namespace csim
