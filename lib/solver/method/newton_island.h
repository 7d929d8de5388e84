// Newton's method on one island.
#pragma once

#include <limits>

#include "solver/linear/condition_number.h"
#include "solver/linear/conjugate_gradients.h"
#include "solver/method/assemble_hessian.h"
#include "solver/method/island_value.h"
#include "solver/method/newton.h"
#include "solver/solve_report.h"

namespace csim {

/// How an island's solve ended, and what it keeps between solves: its matrix and its factorisation.
struct IslandSolve {
  // Kept.
  BlockSymmetricMatrix H;
  EdgePlaces places;  // of the island's edges in H where it holds only some
  std::unique_ptr<LinearSolver> linear_solver;
  LinearSolverKind requested_kind = LinearSolverKind::kAuto;
  HessianBuffer buffer;
  std::vector<double> krylov;  // vectors of GMRES (coulomb_newton.h)
  ConditionEstimator condition_estimator;
  ConjugateGradients conjugate_gradients;
  bool has_factor = false;  // linear_solver holds the factor of an H of this solve

  // The outcome.
  SolveStatus status = SolveStatus::kIterationLimit;
  int iterations = 0, line_search_iterations = 0, factorizations = 0;
  int interior_point_iterations = 0;  // of the iterations
  int contact = -1;                   // the contact that has no feasible start
  double cost = 0.0;                  // J
  double last_decrease = 0.0;         // J
  double condition = 0.0;             // NaN before it is estimated
  MomentumNorms norms;
  SolveSeconds seconds;
  std::vector<IterationRecord> history;
};

struct InteriorPointColumns;

/// An island to solve, what it works on, and its outcome.
struct IslandTask {
  const ConvexProblem& problem;
  const Island& island;
  const NewtonOptions& options;
  NewtonColumns& columns;
  InteriorPointColumns& cone_columns;
  Iterate& iterate;
  IslandSolve& solve;
};

/// Sets the outcome to that of a solve that did not begin.
void start_report(IslandSolve* solve);

/// A guess with a residual below this is near the minimum, and friction starts from its direction there
/// (start_dual). From any guess the first second of the clutter of 40 bodies takes a tenth more iterations.
inline constexpr double kCalmResidual = 0.1;

/// The dual direction of the friction at the velocities of `columns`, w = v_t/W, in place of 0, with which H
/// is that of Newton's method itself. Right where contacts go on to slide or stick as they do; in a landing
/// it costs iterations. Of laws with a dual direction.
void start_dual(const ConvexProblem& problem, const Island& island, NewtonColumns* columns,
                Vector3Columns* dual);

/// The condition number of the last matrix, as options.condition asks; it has a factor.
void estimate_condition(const NewtonOptions& options, bool is_large, IslandSolve* solve);

/// Minimises ell over the island's rows of iterate.v by Newton's method with `options`. Counts and seconds
/// add to those of `solve`. Where the first step is predicted (expects_velocities) and changes the active set
/// by more than `most_changes` times the number of contacts that were expected to press, the iterations end
/// there, with kIterationLimit.
void minimize_island(const IslandTask& task, const NewtonOptions& options,
                     double most_changes = std::numeric_limits<double>::infinity());

}  // namespace csim
