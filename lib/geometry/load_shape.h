// Shapes from files and points: surface meshes (OBJ, STL, PLY) and convex hulls.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "geometry/shape.h"

namespace csim {

/// Either the value or a sentence that says what is wrong: file, line or element number, value, remedy.
template <typename T>
struct LoadResult {
  std::optional<T> value;
  std::string error;
  [[nodiscard]] bool ok() const { return value.has_value(); }
};

/// Whether bodies touch a surface, or it is only seen (contact: none).
enum class SurfaceUse { kTouched, kSeen };

/// Reads an OBJ (triangles and polygons, fan-triangulated), STL (ASCII and binary) or PLY (ASCII and binary,
/// both endians) surface by its extension, scaled per axis; a mirroring scale (negative determinant) turns
/// the triangles over. Vertices within 1e-9 of the extent of each
/// other are merged where that closes the surface. Triangles without area are left out; a sentence with the
/// file, their number and the place of the first goes to *notes (null: none), as does what keeps it open.
/// Checks: no triangles, index out of range, non-finite numbers; `closed` is found from the edges; a closed
/// mesh whose volume is negative (inside out) is an error, as are neighbours wound in opposite senses. One
/// that is only seen needs neither sense nor inside: with these faults it is an open one.
[[nodiscard]] LoadResult<TriangleMesh> load_triangle_mesh(const std::string& file, const Vector3& scale,
                                                          std::vector<std::string>* notes = nullptr,
                                                          SurfaceUse use = SurfaceUse::kTouched);

/// The convex hull of points (m): at least four, not coplanar.
[[nodiscard]] LoadResult<ConvexPolytope> convex_hull(const std::vector<Vector3>& points);

/// The hull of the vertices of a surface file. Where vertices that no face uses are corners of it, a sentence
/// with their number and the first goes to *notes (null: none).
[[nodiscard]] LoadResult<ConvexPolytope> load_convex(const std::string& file, const Vector3& scale,
                                                     std::vector<std::string>* notes = nullptr);

}  // namespace csim
