// Block matrices with the patterns of contact problems, for tests and benchmarks of the linear solvers.
#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include "solver/linear/block_matrix.h"

namespace csim::test {

using Edges = std::vector<BlockSymmetricMatrix::Edge>;

/// Touching pairs of a jittered pile: bodies on a cubic lattice of spacing 1 (as cubic a box as n allows,
/// filled layer by layer), each moved by up to 0.1 in every direction; two bodies touch where their centres
/// are nearer than 1.19: about 2.7 pairs a body.
inline Edges jittered_pile(int num_bodies, unsigned seed = 1) {
  constexpr double kReach = 1.19;
  std::mt19937 generator(seed);
  const auto jitter = [&] { return 0.2 * (generator() / 4294967296.0 - 0.5); };
  int side = 1;
  while (side * side * side < num_bodies) ++side;
  std::vector<Vector3> center;
  for (int i = 0; i < num_bodies; ++i) {
    const Vector3 site(i % side, i / side % side, i / (side * side));
    const double x = jitter(), y = jitter(), z = jitter();
    center.push_back(site + Vector3(x, y, z));
  }
  Edges edges;
  for (int i = 0; i < num_bodies; ++i)
    for (int j = 0; j < i; ++j)
      if ((center[i] - center[j]).squaredNorm() < kReach * kReach) edges.push_back({i, j});
  return edges;
}

/// Fills H's pattern with a positive definite sum like that of Newton's method, A + J^T G J: per block a
/// matrix D^T D + 0.1 I, per edge [Ji Jj]^T [Ji Jj] with three rows. Entries of D and J are uniform in (-1,
/// 1).
inline void fill_contact_like(BlockSymmetricMatrix* H, unsigned seed) {
  std::mt19937 generator(seed);
  const auto random = [&](int rows, int cols) {
    MatrixX m(rows, cols);
    for (int j = 0; j < cols; ++j)
      for (int i = 0; i < rows; ++i) m(i, j) = generator() / 2147483648.0 - 1.0;
    return m;
  };
  using Block = Eigen::Map<MatrixX>;
  std::fill(H->diagonal.begin(), H->diagonal.end(), 0.0);
  std::fill(H->off_diagonal.begin(), H->off_diagonal.end(), 0.0);
  const auto diagonal = [&](int i) { return Block(H->diagonal_block(i), H->size[i], H->size[i]); };
  const auto add_square = [&](int i, const MatrixX& J) {
    const MatrixX square = J.transpose() * J;
    diagonal(i) += 0.5 * (square + square.transpose());  // to the last bit
  };
  for (int i = 0; i < H->num_blocks(); ++i) {
    const MatrixX D = random(H->size[i], H->size[i]);
    add_square(i, D);
    diagonal(i).diagonal().array() += 0.1;
  }
  for (int e = 0; e < H->num_edges(); ++e) {
    const auto [i, j] = H->edges[e];
    const MatrixX Ji = random(3, H->size[i]), Jj = random(3, H->size[j]);
    add_square(i, Ji);
    add_square(j, Jj);
    Block(H->edge_block(e), H->size[i], H->size[j]) = Ji.transpose() * Jj;
  }
}

/// A pile of free bodies, filled.
inline BlockSymmetricMatrix pile_matrix(int num_bodies, unsigned seed = 1) {
  BlockSymmetricMatrix H;
  H.set_pattern(std::vector<int>(num_bodies, 6), jittered_pile(num_bodies, seed));
  fill_contact_like(&H, seed + 1);
  return H;
}

}  // namespace csim::test
