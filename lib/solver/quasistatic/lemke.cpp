#include "solver/quasistatic/lemke.h"

#include <Eigen/LU>

#include <cmath>

namespace csim {
namespace {

constexpr double kPivot = 1e-9;  // entries of the entering column below are taken for 0
constexpr double kTie = 1e-10;   // of ratios, relative to the largest entry of the compared columns
constexpr int kPivotsPerRow = 20;

/// The tableau [w | z | z0 | q] in the present basis: its columns of w are the inverse of the basis.
class Tableau {
 public:
  Tableau(const MatrixX& M, const VectorX& q, const VectorX& cover) : n_(static_cast<int>(q.size())) {
    rows_.resize(n_, 2 * n_ + 2);
    rows_.leftCols(n_).setIdentity();
    rows_.middleCols(n_, n_) = -M;
    rows_.col(2 * n_) = -cover;
    rows_.col(2 * n_ + 1) = q;
    basis_.resize(n_);
    for (int i = 0; i < n_; ++i) basis_[i] = i;
  }

  [[nodiscard]] int z0() const { return 2 * n_; }
  [[nodiscard]] int variable(int row) const { return basis_[row]; }
  [[nodiscard]] int complement(int variable) const { return variable < n_ ? variable + n_ : variable - n_; }

  void pivot(int row, int entering) {
    rows_.row(row) /= rows_(row, entering);
    for (int i = 0; i < n_; ++i) {
      const double factor = rows_(i, entering);
      if (i != row && factor != 0.0) rows_.row(i) -= factor * rows_.row(row);
    }
    rows_.col(entering).setZero();
    rows_(row, entering) = 1.0;
    basis_[row] = entering;
  }

  /// The row that blocks `entering` first; -1: none. Ties: z0, else the lexicographically smallest of (q,
  /// B^-1) over the pivot.
  [[nodiscard]] int blocking_row(int entering) const {
    int best = -1;
    for (int i = 0; i < n_; ++i) {
      if (rows_(i, entering) > kPivot && (best < 0 || precedes(i, best, entering))) best = i;
    }
    if (best < 0) return best;
    for (int i = 0; i < n_; ++i) {
      if (basis_[i] == z0() && rows_(i, entering) > kPivot &&
          ratio(i, entering, 2 * n_ + 1) <= ratio(best, entering, 2 * n_ + 1) + kTie)
        return i;
    }
    return best;
  }

 private:
  [[nodiscard]] double ratio(int row, int entering, int column) const {
    return rows_(row, column) / rows_(row, entering);
  }
  [[nodiscard]] bool precedes(int i, int j, int entering) const {
    for (int c = -1; c < n_; ++c) {
      const int column = c < 0 ? 2 * n_ + 1 : c;
      const double a = ratio(i, entering, column), b = ratio(j, entering, column);
      if (std::abs(a - b) > kTie * (1.0 + std::max(std::abs(a), std::abs(b)))) return a < b;
    }
    return i > j;
  }

  int n_;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows_;
  std::vector<int> basis_;
};

/// z and w of the basis, from M and q themselves.
void solve_basis(const MatrixX& M, const VectorX& q, const Tableau& tableau, LemkeResult* result) {
  const auto n = q.size();
  MatrixX B = MatrixX::Zero(n, n);
  for (int i = 0; i < n; ++i) {
    const int variable = tableau.variable(i);
    if (variable < n) {
      B(variable, i) = 1.0;
    } else {
      B.col(i) = -M.col(variable - n);
    }
  }
  const VectorX x = B.partialPivLu().solve(q);
  result->z.setZero(n);
  result->w.setZero(n);
  for (int i = 0; i < n; ++i) {
    const int variable = tableau.variable(i);
    (variable < n ? result->w[variable] : result->z[variable - n]) = x[i];
  }
}

}  // namespace

void solve_lemke(const MatrixX& M, const VectorX& q, const VectorX& cover, LemkeResult* result) {
  const int n = static_cast<int>(q.size());
  result->pivots = 0;
  result->status = LemkeStatus::kSolved;
  Tableau tableau(M, q, cover);
  if (n == 0 || q.minCoeff() >= 0.0) return solve_basis(M, q, tableau, result);
  // The first row to leave: the last of the smallest q_i/d_i.
  int row = 0;
  for (int i = 1; i < n; ++i)
    if (q[i] / cover[i] <= q[row] / cover[row]) row = i;
  int entering = tableau.z0();
  for (;;) {
    const int leaving = tableau.variable(row);
    tableau.pivot(row, entering);
    ++result->pivots;
    if (leaving == tableau.z0()) return solve_basis(M, q, tableau, result);
    if (result->pivots > kPivotsPerRow * n) {
      result->status = LemkeStatus::kPivotLimit;
      return;
    }
    entering = tableau.complement(leaving);
    row = tableau.blocking_row(entering);
    if (row < 0) {
      result->status = LemkeStatus::kRay;
      return;
    }
  }
}

}  // namespace csim
