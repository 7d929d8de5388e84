// A symmetric positive definite matrix in blocks: one row of blocks a tree, an off-diagonal block for every
// two trees in contact.
#pragma once

#include <vector>

#include "core/types.h"
#include "problem/block_edge.h"

namespace csim {

/// The lower triangle of a symmetric block matrix. Block (i, i) is size[i] x size[i]; edge e is the block
/// (row, col) with row > col, size[row] x size[col]. All blocks are column-major, contiguous, one after the
/// other.
struct BlockSymmetricMatrix {
  using Edge = BlockEdge;

  std::vector<int> size;            // [N], 1..: rows of a block row
  std::vector<int> begin;           // [N+1], first scalar row of a block row
  std::vector<int> diagonal_begin;  // [N+1], first entry of a diagonal block in `diagonal`
  std::vector<Edge> edges;          // unique, sorted
  std::vector<int> edge_begin;      // [E+1], first entry of an edge's block in `off_diagonal`
  std::vector<double> diagonal;     // full blocks (both triangles are stored and kept symmetric)
  std::vector<double> off_diagonal;

  [[nodiscard]] int num_blocks() const { return static_cast<int>(size.size()); }
  [[nodiscard]] int num_edges() const { return static_cast<int>(edges.size()); }
  [[nodiscard]] int rows() const { return begin.empty() ? 0 : begin.back(); }

  /// First entry of the diagonal block of block row i, column-major with size[i] rows.
  [[nodiscard]] double* diagonal_block(int i) { return diagonal.data() + diagonal_begin[i]; }
  [[nodiscard]] const double* diagonal_block(int i) const { return diagonal.data() + diagonal_begin[i]; }

  /// First entry of edge e's block, column-major with size[edges[e].row] rows.
  [[nodiscard]] double* edge_block(int e) { return off_diagonal.data() + edge_begin[e]; }
  [[nodiscard]] const double* edge_block(int e) const { return off_diagonal.data() + edge_begin[e]; }

  /// Sets sizes and edges, lays out the storage and zeroes it. Edges may come in any order, either way round
  /// (row and col are swapped where row < col) and more than once. Both may be the matrix's own. Allocates
  /// only when it must grow.
  void set_pattern(const std::vector<int>& block_sizes, const std::vector<Edge>& pattern_edges);

  /// y = H x; x and y have rows() entries and do not overlap.
  void multiply(const double* x, double* y) const;

  /// Writes all of H, both triangles, to a column-major array of rows() x rows().
  void copy_to_dense(double* dense) const;
};

/// The pattern that something was built for: its owner rebuilds when a matrix comes with another one.
class KnownPattern {
 public:
  /// Takes over H's pattern. Returns false when it is the one known already, which costs a comparison.
  [[nodiscard]] bool change_to(const BlockSymmetricMatrix& H);

  /// Whether H has as many blocks and edges as the pattern: cheap, for assertions.
  [[nodiscard]] bool fits(const BlockSymmetricMatrix& H) const;

 private:
  bool known_ = false;
  std::vector<int> size_;
  std::vector<BlockSymmetricMatrix::Edge> edges_;
};

}  // namespace csim
