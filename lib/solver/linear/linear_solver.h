// Sparse Cholesky solvers behind one interface: analyse a pattern, factor values, solve. The factor answers
// for its own condition.
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

  /// Lower bound of the 2-norm condition number from the diagonal of L, (max l_ii / min l_ii)^2: free, and
  /// often far too low; `ConditionEstimator` is the better one.
  [[nodiscard]] virtual double condition_estimate() const = 0;

  [[nodiscard]] virtual LinearSolverKind kind() const = 0;
};

/// kAuto is the block Cholesky for every pattern: measured on contact graphs it is the fastest at all sizes,
/// so there is no crossover to choose by. CPU time of one numeric factorisation in ms, one thread (AMD Zen 4,
/// GCC 12, -march=native, OpenBLAS 0.3.21; tests/bench/linear_solver_bench.cpp, piles of free bodies;
/// `direct` is CHOLMOD's own choice of order, AMD or METIS):
///
///   bodies  pairs |  block   supernodal  direct   dense
///        1      0 |  0.0001  0.002       -        0.0001
///       10     13 |  0.0016  0.017       0.020    0.011
///       40     82 |  0.018   0.16        0.18     0.21
///      100    233 |  0.10    0.80        0.79     2.3
///      300    757 |  0.97    3.7         4.2      65
///     1000   2697 |  11      23          29       2400
///     2000   5516 |  54      72          -        -
///     4000  11229 |  249     266         257      -
///
/// -march=x86-64-v3 gives the same times for `block` on this processor.
/// kSupernodal where load_supernodal() fails: returns nullptr (the scene's reader says so to the user).
[[nodiscard]] std::unique_ptr<LinearSolver> make_linear_solver(LinearSolverKind kind);

/// Whether the build knows CHOLMOD.
[[nodiscard]] bool has_supernodal();

/// Loads CHOLMOD, and with it the BLAS, which no other solver uses: at the first call, since it takes as long
/// as the start of the whole program. Returns why kSupernodal cannot be had, "" when it can.
[[nodiscard]] std::string load_supernodal();

}  // namespace csim
