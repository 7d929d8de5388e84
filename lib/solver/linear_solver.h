// Sparse Cholesky solvers behind one interface: analyse a pattern, factor values, solve. The factor answers
// for its own condition.
#pragma once

#include <memory>

#include "solver/block_matrix.h"

namespace csim {

enum class LinearSolverKind { kAuto, kBlock, kSupernodal, kDense };

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

  /// Entries of L (lower triangle, diagonal included) of the present pattern, as scalars.
  [[nodiscard]] virtual long factor_nonzeros() const = 0;

  /// Estimate of the 2-norm condition number from the diagonal of L: (max l_ii / min l_ii)^2, a lower bound.
  [[nodiscard]] virtual double condition_estimate() const = 0;

  [[nodiscard]] virtual LinearSolverKind kind() const = 0;
};

/// kAuto: dense for tiny systems, block up to the measured crossover, supernodal beyond; decided from the
/// pattern alone in `analyze`. kSupernodal without CHOLMOD in the build: returns nullptr (the scene's reader
/// says so to the user).
[[nodiscard]] std::unique_ptr<LinearSolver> make_linear_solver(LinearSolverKind kind);

/// Whether the build has CHOLMOD.
[[nodiscard]] bool has_supernodal();

}  // namespace csim
