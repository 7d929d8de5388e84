// Dense Cholesky of a block matrix: the twin that every sparse solver is tested against, and the solver of
// tiny or nearly full systems.
#pragma once

#include <vector>

#include "solver/linear/linear_solver.h"

namespace csim {

/// H = L L^T by Eigen's blocked LLT on a dense copy of H: O(rows^3), no ordering.
class DenseCholesky final : public LinearSolver {
 public:
  void analyze(const BlockSymmetricMatrix& H) override;
  [[nodiscard]] bool factor(const BlockSymmetricMatrix& H) override;
  void solve(double* x) override;
  [[nodiscard]] long factor_nonzeros() const override;

 private:
  KnownPattern pattern_;
  int rows_ = 0;
  bool factored_ = false;
  std::vector<double> factor_;  // column-major rows_ x rows_, lower triangle is L; keeps its largest size
};

}  // namespace csim
