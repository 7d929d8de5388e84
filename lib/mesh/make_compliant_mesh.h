// Tetrahedral meshes and pressure fields of the primitive shapes and of convex polytopes.
#pragma once

#include <string>
#include <vector>

#include "geometry/shape.h"
#include "mesh/pressure_field.h"

namespace csim {

/// How the inside of a ball is filled: one vertex at the centre, or tets as small as the surface's triangles.
enum class MeshStrategy { kSingle, kDense };

struct CompliantMeshOptions {
  double resolution = 0.02;  // m, edge length aimed at on curved surfaces; boxes and polytopes have none
  double modulus = 1e7;      // Pa, pressure at the deepest place
  double margin = 0.0;       // m, of a layer of negative pressure around the shape
  MeshStrategy strategy = MeshStrategy::kSingle;  // spheres and ellipsoids
};

/// Why a shape has no compliant mesh with these options: what is wrong, what is expected; empty when it has
/// one. Half spaces have no mesh (CompliantHalfSpace) and surfaces of mesh files no inside.
[[nodiscard]] std::string why_no_compliant_mesh(const Shape& shape, const CompliantMeshOptions& options);

/// What a user may not expect of the options for this shape: keys without effect, a resolution finer than the
/// finest mesh that is made.
[[nodiscard]] std::vector<std::string> compliant_mesh_notes(const Shape& shape,
                                                            const CompliantMeshOptions& options);

/// The mesh of a shape, in its frame, with a pressure that is 0 on the shape's surface and `modulus` at the
/// deepest place: positive tets, a closed boundary, the same bits for the same arguments. With a margin the
/// mesh is that of the shape grown by it, and the pressure keeps its zero on the original surface. Requires
/// that why_no_compliant_mesh() is empty.
[[nodiscard]] CompliantMesh make_compliant_mesh(const Shape& shape, const CompliantMeshOptions& options);

/// The surface of a shape as closed outward triangles, with the given edge length aimed at on curved
/// surfaces: the boundary of the compliant mesh (single strategy, no margin), the faces of a box as four
/// triangles each. The triangles of a mesh file are its own. Half spaces have none (an internal error).
[[nodiscard]] TriangleMesh make_rigid_surface(const Shape& shape, double resolution);

}  // namespace csim
