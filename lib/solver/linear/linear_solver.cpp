#include "solver/linear/linear_solver.h"

#include "solver/linear/block_cholesky.h"
#include "solver/linear/dense_cholesky.h"
#ifdef CSIM_HAS_CHOLMOD
#include "solver/linear/supernodal.h"
#endif

namespace csim {

std::unique_ptr<LinearSolver> make_linear_solver(LinearSolverKind kind) {
  switch (kind) {
    case LinearSolverKind::kDense:
      return std::make_unique<DenseCholesky>();
    case LinearSolverKind::kSupernodal:
#ifdef CSIM_HAS_CHOLMOD
      if (!load_supernodal().empty()) return nullptr;
      return std::make_unique<SupernodalCholesky>();
#else
      return nullptr;
#endif
    case LinearSolverKind::kBlock:
    case LinearSolverKind::kAuto:  // the fastest at every size, see the table in the header
      break;
  }
  return std::make_unique<BlockCholesky>();
}

bool has_supernodal() {
#ifdef CSIM_HAS_CHOLMOD
  return true;
#else
  return false;
#endif
}

std::string load_supernodal() {
#ifdef CSIM_HAS_CHOLMOD
  return load_cholmod();
#else
  return "this build leaves CHOLMOD out (CSIM_WITH_CHOLMOD=OFF)";
#endif
}

}  // namespace csim
