// Tetrahedral meshes: volumes, faces, neighbours and the surface.
#pragma once

#include <array>
#include <vector>

#include "core/types.h"
#include "geometry/shape.h"

namespace csim {

/// Four-node tetrahedra. A tet (a, b, c, d) is positive when (b - a) x (c - a) . (d - a) > 0, which is the
/// convention of VTK's cell type 10 and Gmsh's element type 4; exchanging two of its vertices changes the
/// sign.
struct TetMesh {
  std::vector<Vector3> vertices;  // m
  std::vector<std::array<int, 4>> tets;
};

/// Face i of a tet lies opposite its vertex i; counterclockwise seen from outside a positive tet.
inline constexpr std::array<std::array<int, 3>, 4> kTetFaces{{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};

/// A triangle of a tet: the vertices as kTetFaces orders them.
struct TetFace {
  std::array<int, 3> vertices;
  int tet;
  int face;  // 0..3
};

/// Signed volume (m^3) of the tet (a, b, c, d).
[[nodiscard]] inline double tet_volume(const Vector3& a, const Vector3& b, const Vector3& c,
                                       const Vector3& d) {
  return (b - a).cross(c - a).dot(d - a) / 6.0;
}
[[nodiscard]] inline double tet_volume(const TetMesh& mesh, int tet) {
  const auto& [a, b, c, d] = mesh.tets[tet];
  return tet_volume(mesh.vertices[a], mesh.vertices[b], mesh.vertices[c], mesh.vertices[d]);
}

/// Sum of the signed volumes, m^3.
[[nodiscard]] double volume(const TetMesh& mesh);

/// The vertices of face `face` of a tet, counterclockwise seen from outside.
[[nodiscard]] inline TetFace tet_face(const TetMesh& mesh, int tet, int face) {
  const auto& t = mesh.tets[tet];
  const auto& f = kTetFaces[face];
  return {{t[f[0]], t[f[1]], t[f[2]]}, tet, face};
}

/// The faces that belong to one tet only, in the order (tet, face).
[[nodiscard]] std::vector<TetFace> boundary_faces(const TetMesh& mesh);

/// [tet][face]: the tet on the other side of the face, -1 at the boundary and where three or more tets share
/// the face.
[[nodiscard]] std::vector<std::array<int, 4>> neighbour_tets(const TetMesh& mesh);

/// The tets with a face that three or more have, ascending: a defect.
[[nodiscard]] std::vector<int> crowded_tets(const TetMesh& mesh);

/// [vertex]: true for the vertices of boundary faces.
[[nodiscard]] std::vector<bool> boundary_vertices(const TetMesh& mesh);

/// The boundary as a surface, outward, triangles in the order of boundary_faces. Its vertices are those of
/// the boundary, in the mesh's order; `closed` says whether every edge joins two triangles of opposite sense.
[[nodiscard]] TriangleMesh boundary_surface(const TetMesh& mesh);

}  // namespace csim
