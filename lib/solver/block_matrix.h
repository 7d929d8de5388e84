// A symmetric positive definite matrix in blocks: one row of blocks a tree, an off-diagonal block for every two trees in contact.
#pragma once

#include <vector>

#include "core/types.h"

namespace csim {

/// The lower triangle of a symmetric block matrix. Block (i, i) is size[i] x size[i]; edge e is the block (row, col) with row > col,
/// size[row] x size[col]. All blocks are column-major, contiguous, one after the other.
struct BlockSymmetricMatrix {
  struct Edge {
    int row, col;
    friend bool operator==(const Edge&, const Edge&) = default;
  };

  std::vector<int> size;              // [N], 1..: rows of a block row
  std::vector<int> begin;             // [N+1], first scalar row of a block row
  std::vector<int> diagonal_begin;    // [N+1], first entry of a diagonal block in `diagonal`
  std::vector<Edge> edges;            // unique, sorted by (col, row)
  std::vector<int> edge_begin;        // [E+1], first entry of an edge's block in `off_diagonal`
  std::vector<double> diagonal;       // full blocks (both triangles are stored and kept symmetric)
  std::vector<double> off_diagonal;

  [[nodiscard]] int num_blocks() const { return static_cast<int>(size.size()); }
  [[nodiscard]] int rows() const { return begin.empty() ? 0 : begin.back(); }

  /// Sets sizes and edges (sorted and made unique here), lays out the storage and zeroes it. Allocates only when it must grow.
  void set_pattern(const std::vector<int>& block_sizes, std::vector<Edge> pattern_edges);

  /// Whether sizes and edges are the same.
  [[nodiscard]] bool same_pattern(const BlockSymmetricMatrix& other) const;

  /// Index of the edge of blocks i and j (any order), -1 if there is none. O(log E).
  [[nodiscard]] int find_edge(int i, int j) const;

  /// y = H x.
  void multiply(const double* x, double* y) const;
};

}  // namespace csim
