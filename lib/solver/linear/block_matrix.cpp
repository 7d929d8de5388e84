#include "solver/linear/block_matrix.h"

#include <algorithm>
#include <utility>

#include "core/require.h"

namespace csim {
namespace {

using ConstBlock = Eigen::Map<const MatrixX>;

// Loops in place of Eigen's products, whose order of sums depends on the alignment of the result.

// y = B x, column by column.
void multiply_diagonal(const double* block, int size, const double* x, double* y) {
  std::fill_n(y, size, 0.0);
  for (int j = 0; j < size; ++j)
    for (int i = 0; i < size; ++i) y[i] += block[j * size + i] * x[j];
}

// y_i += B x_j and y_j += B^T x_i in the same pass over B. The size of a free body is known to the compiler.
template <int kRows, int kCols>
void multiply_edge(const double* block, int rows, int cols, const double* x_row, const double* x_col,
                   double* y_row, double* y_col) {
  if constexpr (kRows > 0) rows = kRows;
  if constexpr (kCols > 0) cols = kCols;
  for (int j = 0; j < cols; ++j) {
    double sum = 0.0;
    for (int i = 0; i < rows; ++i) {
      const double entry = block[j * rows + i];
      y_row[i] += entry * x_col[j];
      sum += entry * x_row[i];
    }
    y_col[j] += sum;
  }
}

}  // namespace

void BlockSymmetricMatrix::set_pattern(const std::vector<int>& block_sizes,
                                       const std::vector<Edge>& pattern_edges) {
  size = block_sizes;
  const int n = num_blocks();
  begin.resize(n + 1);
  diagonal_begin.resize(n + 1);
  begin[0] = diagonal_begin[0] = 0;
  for (int i = 0; i < n; ++i) {
    CSIM_REQUIRE(size[i] > 0, i, size[i]);
    begin[i + 1] = begin[i] + size[i];
    diagonal_begin[i + 1] = diagonal_begin[i] + size[i] * size[i];
  }

  edges = pattern_edges;
  for (Edge& edge : edges) {
    CSIM_REQUIRE(
        edge.row != edge.col && std::min(edge.row, edge.col) >= 0 && std::max(edge.row, edge.col) < n,
        edge.row, edge.col, n);
    if (edge.row < edge.col) std::swap(edge.row, edge.col);
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  edge_begin.resize(edges.size() + 1);
  edge_begin[0] = 0;
  for (std::size_t e = 0; e < edges.size(); ++e)
    edge_begin[e + 1] = edge_begin[e] + size[edges[e].row] * size[edges[e].col];

  diagonal.assign(diagonal_begin[n], 0.0);
  off_diagonal.assign(edge_begin.back(), 0.0);
}

void BlockSymmetricMatrix::multiply(const double* x, double* y) const {
  for (int i = 0; i < num_blocks(); ++i)
    multiply_diagonal(diagonal_block(i), size[i], x + begin[i], y + begin[i]);
  for (int e = 0; e < num_edges(); ++e) {
    const auto [i, j] = edges[e];
    const auto multiply_block = size[i] == 6 && size[j] == 6 ? multiply_edge<6, 6> : multiply_edge<-1, -1>;
    multiply_block(edge_block(e), size[i], size[j], x + begin[i], x + begin[j], y + begin[i], y + begin[j]);
  }
}

void BlockSymmetricMatrix::copy_to_dense(double* dense) const {
  Eigen::Map<MatrixX> matrix(dense, rows(), rows());
  matrix.setZero();
  for (int i = 0; i < num_blocks(); ++i)
    matrix.block(begin[i], begin[i], size[i], size[i]) = ConstBlock(diagonal_block(i), size[i], size[i]);
  for (int e = 0; e < num_edges(); ++e) {
    const auto [i, j] = edges[e];
    const ConstBlock block(edge_block(e), size[i], size[j]);
    matrix.block(begin[i], begin[j], size[i], size[j]) = block;
    matrix.block(begin[j], begin[i], size[j], size[i]) = block.transpose();
  }
}

bool KnownPattern::change_to(const BlockSymmetricMatrix& H) {
  if (known_ && size_ == H.size && edges_ == H.edges) return false;
  known_ = true;
  size_ = H.size;
  edges_ = H.edges;
  return true;
}

bool KnownPattern::fits(const BlockSymmetricMatrix& H) const {
  return known_ && size_.size() == H.size.size() && edges_.size() == H.edges.size();
}

}  // namespace csim
