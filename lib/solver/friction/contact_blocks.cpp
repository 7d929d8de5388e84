#include "solver/friction/contact_blocks.h"

namespace csim {

ContactBlocks::ContactBlocks(const FrictionSystem& system) : system_(system) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < system.num_rows(); ++i)
    for (SparseMatrix::InnerIterator entry(system.W, i); entry; ++entry)
      entries.emplace_back(i, entry.col(), entry.value());
  for (int c = 0; c < system.num_contacts(); ++c)
    for (int j = system.row_begin[c]; j < system.row_begin[c + 1]; ++j)
      for (int i = system.row_begin[c]; i < system.row_begin[c + 1]; ++i) entries.emplace_back(i, j, 0.0);
  W_.resize(system.num_rows(), system.num_rows());
  W_.setFromTriplets(entries.begin(), entries.end());
  matrix_ = W_;
  for (int c = 0; c < system.num_contacts(); ++c)
    for (int j = system.row_begin[c]; j < system.row_begin[c + 1]; ++j)
      for (int i = system.row_begin[c]; i < system.row_begin[c + 1]; ++i)
        place_.push_back(static_cast<int>(&W_.coeffRef(i, j) - W_.valuePtr()));
  factor_.analyzePattern(W_);
}

bool ContactBlocks::factorize(const std::function<void(int contact, ContactBlock*)>& fill) {
  std::copy(W_.valuePtr(), W_.valuePtr() + W_.nonZeros(), matrix_.valuePtr());
  std::size_t next = 0;
  ContactBlock block;
  for (int c = 0; c < system_.num_contacts(); ++c) {
    const int rows = system_.row_begin[c + 1] - system_.row_begin[c];
    block.setZero(rows, rows);
    fill(c, &block);
    for (int i = 0; i < rows * rows; ++i) matrix_.valuePtr()[place_[next++]] += block.data()[i];
  }
  factor_.factorize(matrix_);
  return factor_.info() == Eigen::Success;
}

VectorX ContactBlocks::solve(const VectorX& right) const {
  VectorX x = factor_.solve(right);
  x += factor_.solve(VectorX(right - matrix_ * x));
  return x;
}

}  // namespace csim
