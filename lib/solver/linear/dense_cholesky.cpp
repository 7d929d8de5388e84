#include "solver/linear/dense_cholesky.h"

#include <Eigen/Cholesky>
#include <cmath>

#include "core/require.h"

namespace csim {

void DenseCholesky::analyze(const BlockSymmetricMatrix& H) {
  if (!pattern_.change_to(H)) return;
  rows_ = H.rows();
  factored_ = false;
  const auto entries = static_cast<std::size_t>(rows_) * rows_;
  if (factor_.size() < entries) factor_.resize(entries);
}

bool DenseCholesky::factor(const BlockSymmetricMatrix& H) {
  CSIM_REQUIRE(pattern_.fits(H), H.num_blocks(), H.num_edges());
  factored_ = false;
  H.copy_to_dense(factor_.data());
  Eigen::Map<MatrixX> matrix(factor_.data(), rows_, rows_);
  Eigen::Ref<MatrixX> in_place(matrix);
  if (Eigen::LLT<Eigen::Ref<MatrixX>>(in_place).info() != Eigen::Success) return false;
  // Eigen's test `pivot <= 0` lets a NaN pass.
  factored_ = matrix.diagonal().allFinite();
  return factored_;
}

void DenseCholesky::solve(double* x) {
  CSIM_REQUIRE(factored_);
  const Eigen::Map<const MatrixX> matrix(factor_.data(), rows_, rows_);
  Eigen::Map<VectorX> vector(x, rows_);
  matrix.triangularView<Eigen::Lower>().solveInPlace(vector);
  matrix.triangularView<Eigen::Lower>().transpose().solveInPlace(vector);
}

long DenseCholesky::factor_nonzeros() const {
  return static_cast<long>(rows_) * (rows_ + 1) / 2;
}

}  // namespace csim
