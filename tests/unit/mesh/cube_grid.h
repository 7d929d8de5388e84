// A mesh with problem simplices.
#pragma once

#include "mesh/tet_cells.h"
#include "mesh/tet_mesh.h"

namespace csim::testing {

/// A grid of cubes of side h, each cut into six tets around its diagonal: the mesh that theory warns of, with
/// tets in its corners that lie on the boundary with all their vertices. `keep(i, j, k)` chooses cubes.
template <typename Keep>
TetMesh cube_grid(int n, double h, Keep&& keep) {
  TetMesh mesh;
  const auto index = [&](int i, int j, int k) { return i + (n + 1) * (j + (n + 1) * k); };
  for (int k = 0; k <= n; ++k) {
    for (int j = 0; j <= n; ++j) {
      for (int i = 0; i <= n; ++i) mesh.vertices.emplace_back(h * i, h * j, h * k);
    }
  }
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        if (!keep(i, j, k)) continue;
        const int a = index(i, j, k), g = index(i + 1, j + 1, k + 1);
        const std::array<int, 7> ring{index(i + 1, j, k),     index(i + 1, j + 1, k), index(i, j + 1, k),
                                      index(i, j + 1, k + 1), index(i, j, k + 1),     index(i + 1, j, k + 1),
                                      index(i + 1, j, k)};
        for (int e = 0; e < 6; ++e) add_oriented_tet(a, ring[e], ring[e + 1], g, &mesh);
      }
    }
  }
  return mesh;
}

/// All of them, of the unit cube.
inline TetMesh cube_grid(int n) {
  return cube_grid(n, 1.0 / n, [](int, int, int) { return true; });
}

}  // namespace csim::testing
