#include "solver/linear_solver.h"

#include "solver/dense_cholesky.h"

namespace csim {

std::unique_ptr<LinearSolver> make_linear_solver(LinearSolverKind kind) {
  if (kind == LinearSolverKind::kSupernodal) return nullptr;
  return std::make_unique<DenseCholesky>();
}

bool has_supernodal() {
  return false;
}

}  // namespace csim
