#include "solver/quasistatic/lemke.h"

#include <cmath>

namespace csim {
namespace {

constexpr double kPivot = 1e-9;  // entries of the entering column below are taken for 0
constexpr double kTie = 1e-10;   // of ratios
constexpr int kPivotsPerRow = 20;

bool are_tied(double a, double b) {
  return std::abs(a - b) <= kTie * (1.0 + std::max(std::abs(a), std::abs(b)));
}

}  // namespace

void Lemke::pivot(int row, int entering) {
  rows_.row(row) /= rows_(row, entering);
  for (int i = 0; i < n_; ++i) {
    const double factor = rows_(i, entering);
    if (i != row && factor != 0.0) rows_.row(i) -= factor * rows_.row(row);
  }
  rows_.col(entering).setZero();
  rows_(row, entering) = 1.0;
  basis_[row] = entering;
}

/// Whether row i is lexicographically smaller than row j, of (q, B^-1) over the pivot.
bool Lemke::precedes(int i, int j, int entering) const {
  for (int c = -1; c < n_; ++c) {
    const int column = c < 0 ? 2 * n_ + 1 : c;
    const double a = ratio(i, entering, column), b = ratio(j, entering, column);
    if (!are_tied(a, b)) return a < b;
  }
  return i > j;
}

/// The row that blocks `entering` first; -1: none. Ties: z0, else the lexicographically smallest.
int Lemke::blocking_row(int entering) const {
  const int z0 = 2 * n_, q = 2 * n_ + 1;
  int best = -1, row_of_z0 = -1;
  for (int i = 0; i < n_; ++i) {
    if (!(rows_(i, entering) > kPivot)) continue;
    if (best < 0 || precedes(i, best, entering)) best = i;
    if (basis_[i] == z0) row_of_z0 = i;
  }
  const bool z0_blocks = row_of_z0 >= 0 && are_tied(ratio(row_of_z0, entering, q), ratio(best, entering, q));
  return z0_blocks ? row_of_z0 : best;
}

/// z of the basis, from M and q themselves.
/// z anew with the basis found.
void Lemke::solve_basis(const MatrixX& M, const VectorX& q) {
  B_.setZero(n_, n_);
  for (int i = 0; i < n_; ++i) {
    if (basis_[i] < n_) {
      B_(basis_[i], i) = 1.0;
    } else {
      B_.col(i) = -M.col(basis_[i] - n_);
    }
  }
  lu_.compute(B_);
  x_ = lu_.solve(q);
  z_.setZero(n_);
  for (int i = 0; i < n_; ++i)
    if (basis_[i] >= n_) z_[basis_[i] - n_] = x_[i];
}

LemkeStatus Lemke::solve(const MatrixX& M, const VectorX& q, const VectorX& cover) {
  n_ = static_cast<int>(q.size());
  pivots_ = 0;
  z_.setZero(n_);
  if (n_ == 0 || q.minCoeff() >= 0.0) return LemkeStatus::kSolved;
  rows_.resize(n_, 2 * n_ + 2);
  rows_.leftCols(n_).setIdentity();
  rows_.middleCols(n_, n_) = -M;
  rows_.col(2 * n_) = -cover;
  rows_.col(2 * n_ + 1) = q / q.cwiseAbs().maxCoeff();
  basis_.resize(n_);
  for (int i = 0; i < n_; ++i) basis_[i] = i;
  // The first row to leave: the last of the smallest q_i/d_i.
  int row = 0;
  for (int i = 1; i < n_; ++i)
    if (q[i] / cover[i] <= q[row] / cover[row]) row = i;
  for (int entering = 2 * n_; pivots_ <= kPivotsPerRow * n_;) {
    const int leaving = basis_[row];
    pivot(row, entering);
    ++pivots_;
    if (leaving == 2 * n_) {
      solve_basis(M, q);
      return LemkeStatus::kSolved;
    }
    entering = leaving < n_ ? leaving + n_ : leaving - n_;  // its complement
    row = blocking_row(entering);
    if (row < 0) return LemkeStatus::kRay;
  }
  return LemkeStatus::kPivotLimit;
}

}  // namespace csim
