// Lemke's method for linear complementarity problems: w = M z + q, w >= 0, z >= 0, w^T z = 0.
#pragma once

#include <Eigen/LU>
#include <vector>

#include "core/types.h"

namespace csim {

enum class LemkeStatus { kSolved, kRay, kPivotLimit };

/// Keeps its memory between problems of one size.
class Lemke {
 public:
  /// Complementary pivoting with the covering vector `cover` > 0 and lexicographic ratio tests, which do not
  /// cycle (Cottle, Pang & Stone 1992, The Linear Complementarity Problem, algorithm 4.4.5 and section 4.9).
  /// For copositive M it ends with a solution or on a secondary ray. A dense tableau of n x (2 n + 2). Ties
  /// and pivots are judged relative to entries of M of about 1; the size of q does not matter.
  LemkeStatus solve(const MatrixX& M, const VectorX& q, const VectorX& cover);

  /// Of a problem solved: computed anew from M and q with the basis found.
  [[nodiscard]] const VectorX& z() const { return z_; }
  [[nodiscard]] int pivots() const { return pivots_; }

 private:
  void solve_basis(const MatrixX& M, const VectorX& q);
  void pivot(int row, int entering);
  [[nodiscard]] int blocking_row(int entering) const;
  [[nodiscard]] bool precedes(int i, int j, int entering) const;
  [[nodiscard]] double ratio(int row, int entering, int column) const {
    return rows_(row, column) / rows_(row, entering);
  }

  int n_ = 0, pivots_ = 0;
  // The tableau [w | z | z0 | q] in the present basis: its columns of w are the inverse of the basis.
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows_;
  std::vector<int> basis_;  // [n], variable of a row
  MatrixX B_;
  Eigen::PartialPivLU<MatrixX> lu_;
  VectorX x_, z_;
};

}  // namespace csim
