// Mends a triangle surface whose lists are wrong though its shape is right.
#pragma once

#include <string>
#include <vector>

#include "geometry/load_shape.h"
#include "geometry/surface_files.h"

namespace csim {

/// m. Vertices this near, as a fraction of the extent, are one, and lie on an edge: ten times the rounding of
/// coordinates in single precision.
inline constexpr double kMend = 1e-6;

/// Mends *surface within `tolerance` (m), in this order, and returns a sentence for each thing done:
///  - vertices of one place are merged, triangles without area absorbed (absorb_degenerate);
///  - of triangles with the same vertices one is kept, of two that face each other none;
///  - vertices that lie on an open edge cut the triangle there (T-junctions);
///  - triangles are turned so that neighbours run the same way, then each closed component outwards. One that
///    lies in the solid of another and ran inwards before is a cavity and stays as it is;
///  - vertices that no triangle uses are left out.
/// Holes are not filled.
std::vector<std::string> repair_surface(double tolerance, SurfaceData* surface);

struct RepairedSurface {
  TriangleMesh mesh;
  std::vector<std::string> done;
};

/// Reads an OBJ, STL or PLY file and mends it; `tolerance` (m) <= 0: kMend of the extent. Errors are those of
/// the file and of a surface without triangles.
[[nodiscard]] LoadResult<RepairedSurface> load_repaired(const std::string& file, const Vector3& scale,
                                                        double tolerance);

}  // namespace csim
