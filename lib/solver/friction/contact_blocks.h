// W plus one block a contact, factorised.
#pragma once

#include <Eigen/SparseLU>

#include <functional>
#include <vector>

#include "solver/friction/friction_system.h"

namespace csim {

/// Rows and columns of a contact; 5 at most.
using ContactBlock = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 5, 5>;

/// W + E with the pattern of W and of full blocks E, ordered once. Sparse LU: neither W (of measured data)
/// nor E has to be symmetric.
class ContactBlocks {
 public:
  explicit ContactBlocks(const FrictionSystem& system);

  /// `fill` adds a contact's block to zeros. False where the matrix is singular to rounding.
  bool factorize(const std::function<void(int contact, ContactBlock*)>& fill);

  /// (W + E)^-1 right, with one step of iterative refinement.
  [[nodiscard]] VectorX solve(const VectorX& right) const;

 private:
  using ColumnMatrix = Eigen::SparseMatrix<double>;

  const FrictionSystem& system_;
  ColumnMatrix W_, matrix_;  // of the same pattern
  std::vector<int> place_;   // of the blocks' entries in the values, contact by contact, column-major
  Eigen::SparseLU<ColumnMatrix> factor_;
};

}  // namespace csim
