// Conjugate gradients with the factor of a matrix that was near: for the last Newton steps of a large island,
// whose matrices hardly change.
#pragma once

#include <vector>

#include "solver/linear/block_matrix.h"
#include "solver/linear/linear_solver.h"

namespace csim {

/// Work space: the vectors of the method.
struct ConjugateGradients {
  std::vector<double> residual, preconditioned, direction, product;

  /// Solves H x = b (both of H.rows() entries, apart) with L L^T of `factor`, another matrix of the same
  /// rows, as the preconditioner, until |scale (b - H x)| <= tolerance; scale has an entry a row. Returns
  /// false when max_iterations do not get there. Deterministic; allocates only when it must grow.
  [[nodiscard]] bool solve(const BlockSymmetricMatrix& H, LinearSolver* factor, const double* scale,
                           const double* b, double tolerance, int max_iterations, double* x);
};

}  // namespace csim
