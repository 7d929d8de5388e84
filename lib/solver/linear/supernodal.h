// Sparse Cholesky of a block matrix by SuiteSparse's supernodal CHOLMOD; compiled only with
// CSIM_WITH_CHOLMOD. GPL-2+ applies to it.
#pragma once

#include <memory>
#include <string>

#include "solver/linear/linear_solver.h"

namespace csim {

/// Loads the library, with the BLAS behind it on one thread, at the first call; gives the loader's reason
/// where that fails, else "".
[[nodiscard]] std::string load_cholmod();

/// P H P^T = L L^T by CHOLMOD's supernodal left-looking method on the BLAS that is loaded (one thread:
/// `use_one_blas_thread`), in our own order of the graph of trees (`SymbolicCholesky`). Needs load_cholmod()
/// to have succeeded. One cholmod_common an object: objects are independent and may live on different
/// threads. CHOLMOD allocates a workspace in every factorisation.
class SupernodalCholesky final : public LinearSolver {
 public:
  SupernodalCholesky();
  ~SupernodalCholesky() override;
  void analyze(const BlockSymmetricMatrix& H) override;
  [[nodiscard]] bool factor(const BlockSymmetricMatrix& H) override;
  void solve(double* x) override;
  [[nodiscard]] long factor_nonzeros() const override;

 private:
  struct Implementation;  // keeps cholmod.h out of the header
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace csim
