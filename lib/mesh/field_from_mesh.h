// Pressure fields of general tetrahedral meshes: from the distance to the surface, or from values that the
// mesh's file carries.
#pragma once

#include "geometry/load_shape.h"
#include "mesh/mesh_numbers.h"
#include "mesh/pressure_field.h"

namespace csim {

/// Distance (m) of every vertex to the boundary: exactly 0 on it.
[[nodiscard]] std::vector<double> distance_to_boundary(const TetMesh& mesh);

/// pressure = modulus distance/H, H the largest distance of a vertex; positive tets. With a margin (m) the
/// boundary vertices move out, each by the shortest way that leaves all of its faces' planes by the margin,
/// and get the pressure -modulus margin/H. Errors: no vertex inside; a margin for which there is no such way
/// (a vertex whose faces look in opposite directions) or that would turn a tet over. `numbers`: for
/// complaints.
[[nodiscard]] LoadResult<CompliantMesh> field_from_distance(TetMesh mesh, const MeshNumbers& numbers,
                                                            double modulus, double margin);

/// The shortest u with u . n >= 1 for all the unit vectors n; none when there is no such u.
[[nodiscard]] std::optional<Vector3> shortest_way_out(const std::vector<Vector3>& normals);

/// pressure = factor value. Values: finite, 0 on the boundary (1e-9 of the largest counts as 0) and not
/// negative inside, or, for a mesh that includes a margin, negative on the boundary; positive somewhere.
[[nodiscard]] LoadResult<CompliantMesh> field_from_values(TetMesh mesh, const MeshNumbers& numbers,
                                                          std::vector<double> values, double factor);

}  // namespace csim
