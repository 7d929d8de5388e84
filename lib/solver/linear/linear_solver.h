// Sparse Cholesky solvers behind one interface: analyse a pattern, factor values, solve.
#pragma once

#include <memory>
#include <string>

#include "core/solver_choices.h"
#include "solver/linear/block_matrix.h"

namespace csim {

/// States: created -> analysed (pattern known) -> factored. One object serves one matrix at a time and is
/// reused across iterations and steps; `analyze` with the pattern it already has costs a comparison. No
/// allocation once it has seen its largest pattern.
class LinearSolver {
 public:
  virtual ~LinearSolver() = default;

  /// Symbolic analysis of the pattern of H; values are not read.
  virtual void analyze(const BlockSymmetricMatrix& H) = 0;

  /// H = L L^T. Returns false when a pivot is not positive or not finite (then `solve` may not be called).
  [[nodiscard]] virtual bool factor(const BlockSymmetricMatrix& H) = 0;

  /// Solves H x = b in place, x of length H.rows().
  virtual void solve(double* x) = 0;

  /// Both, to the same bits as one after the other. When it returns false, x is undefined.
  [[nodiscard]] virtual bool factor_and_solve(const BlockSymmetricMatrix& H, double* x) {
    if (!factor(H)) return false;
    solve(x);
    return true;
  }

  /// Entries of L (lower triangle, diagonal included) of the present pattern, as scalars.
  [[nodiscard]] virtual long factor_nonzeros() const = 0;
};

/// kAuto is the block Cholesky: the fastest on contact graphs of every size (docs/evidence/performance.md,
/// "Linear solvers"). kSupernodal where load_supernodal() fails: nullptr (the scene's reader says so to the
/// user).
[[nodiscard]] std::unique_ptr<LinearSolver> make_linear_solver(LinearSolverKind kind);

/// Whether the build knows CHOLMOD.
[[nodiscard]] bool has_supernodal();

/// Loads CHOLMOD, and with it the BLAS, which no other solver uses: at the first call, since it takes as long
/// as the start of the whole program. Returns why kSupernodal cannot be had, "" when it can.
[[nodiscard]] std::string load_supernodal();

}  // namespace csim
