// What a user looks at before trusting a tetrahedral mesh.
#pragma once

#include <array>
#include <vector>

#include "geometry/bounds.h"
#include "mesh/tet_mesh.h"

namespace csim {

/// Interior edges, interior triangles and tets whose vertices all lie on the boundary: a pressure that
/// vanishes on the boundary vanishes all over them.
struct ProblemSimplices {
  std::vector<std::array<int, 2>> edges;      // sorted
  std::vector<std::array<int, 3>> triangles;  // sorted
  std::vector<int> tets;
  [[nodiscard]] bool empty() const { return edges.empty() && triangles.empty() && tets.empty(); }
};
[[nodiscard]] ProblemSimplices find_problem_simplices(const TetMesh& mesh);

/// A shape measure in (0, 1]: 12 (3V)^(2/3) / (sum of the six squared edges), 1 for the regular tetrahedron
/// (Liu and Joe 1994, mean ratio); 0 for tets that are not positive.
[[nodiscard]] double tet_quality(const TetMesh& mesh, int tet);

struct TetMeshReport {
  int num_vertices = 0, num_boundary_vertices = 0;
  int num_tets = 0, num_boundary_faces = 0;
  Aabb bounds;                                     // m
  double volume = 0.0;                             // m^3, signed sum
  double shortest_edge = 0.0, longest_edge = 0.0;  // m
  int smallest_tet = -1;                           // by volume
  int worst_tet = -1;                              // by quality
  double mean_quality = 0.0;

  std::vector<int> not_positive;               // tets whose volume is not > 0
  std::vector<int> crowded;                    // tets with a face that more than two share
  std::vector<std::array<int, 2>> coincident;  // pairs of tets with boundary faces in the same place
  int num_nonmanifold_edges = 0;  // boundary edges without exactly two triangles of opposite sense
  ProblemSimplices problem;
};

/// Needs a tet. Vertices that lie within 1e-9 of the mesh's extent along each axis count as one place.
[[nodiscard]] TetMeshReport inspect_tet_mesh(const TetMesh& mesh);

}  // namespace csim
