#include "solver/linear_solver.h"

#include "solver/block_cholesky.h"
#include "solver/dense_cholesky.h"

namespace csim {

std::unique_ptr<LinearSolver> make_linear_solver(LinearSolverKind kind) {
  switch (kind) {
    case LinearSolverKind::kDense:
      return std::make_unique<DenseCholesky>();
    case LinearSolverKind::kSupernodal:
      return nullptr;
    case LinearSolverKind::kBlock:
    case LinearSolverKind::kAuto:
      break;
  }
  return std::make_unique<BlockCholesky>();
}

bool has_supernodal() {
  return false;
}

}  // namespace csim
