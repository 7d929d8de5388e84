// Prisms and pyramids cut into tets by their vertices alone, so that neighbouring cells agree on the
// diagonals of the quads between them.
#pragma once

#include "mesh/tet_mesh.h"

namespace csim {

/// The triangles (a, b, c) and (d, e, f), d next to a and so on; (a, b, c) counterclockwise seen from the
/// other. Diagonals a-e, a-f, b-f.
inline void add_prism(int a, int b, int c, int d, int e, int f, TetMesh* mesh) {
  mesh->tets.push_back({d, e, a, f});
  mesh->tets.push_back({e, b, a, f});
  mesh->tets.push_back({b, c, a, f});
}

/// The quad (a, b, c, d), counterclockwise seen from the apex. Diagonal a-c.
inline void add_pyramid(int a, int b, int c, int d, int apex, TetMesh* mesh) {
  mesh->tets.push_back({d, apex, a, c});
  mesh->tets.push_back({apex, b, a, c});
}

/// A tet of four vertices given in any order, turned positive.
inline void add_oriented_tet(int a, int b, int c, int d, TetMesh* mesh) {
  const auto& v = mesh->vertices;
  if (tet_volume(v[a], v[b], v[c], v[d]) < 0) std::swap(a, b);
  mesh->tets.push_back({a, b, c, d});
}

}  // namespace csim
