// Newton's method on one island. The columns are of the whole problem; islands touch disjoint ranges of them,
// so that threads may share them.
#pragma once

#include <limits>

#include "solver/assemble_hessian.h"
#include "solver/condition_number.h"
#include "solver/conjugate_gradients.h"
#include "solver/newton.h"
#include "solver/velocity_recurrence.h"

namespace csim {

/// Work space by row or contact of the whole problem.
struct NewtonColumns {
  VectorX A_v;       // A v
  VectorX A_v_star;  // A v*
  VectorX impulse;   // J^T gamma
  VectorX gradient;  // g
  VectorX dv;
  VectorX A_dv;
  ContactVelocities v_c, dv_c;
  Vector3Columns gamma;
  ContactHessians G;
  ContactLines lines;
  std::array<VectorX, kMaxOrder + 1> recurrence;  // work space of fit_recurrence

  void resize(const ConvexProblem& problem);
};

/// How an island's solve ended, and what it keeps between solves: its matrix and its factorisation.
struct IslandSolve {
  // Kept.
  BlockSymmetricMatrix H;
  EdgePlaces places;  // of the island's edges in H where it holds only some
  std::unique_ptr<LinearSolver> linear_solver;
  LinearSolverKind requested_kind = LinearSolverKind::kAuto;
  std::vector<double> buffer;
  ConditionEstimator condition_estimator;
  ConjugateGradients conjugate_gradients;

  // The outcome.
  SolveStatus status = SolveStatus::kIterationLimit;
  int iterations = 0, line_search_iterations = 0, factorizations = 0;
  int interior_point_iterations = 0;  // of the iterations
  int contact = -1;                   // the contact that has no feasible start
  double cost = 0.0;                  // J
  double last_decrease = 0.0;         // J
  double condition = 0.0;             // NaN without a factorisation
  MomentumNorms norms;
  SolveSeconds seconds;
  std::vector<IterationRecord> history;
};

/// What the methods ask of a point v.
struct IslandValue {
  MomentumNorms norms;
  double cost_A = 0.0;   // J, 1/2 |v - v*|_A^2
  double cost = 0.0;     // J, ell
  double v_norm2 = 0.0;  // J, |v|_A^2
};

/// Value at v: fills v_c, gamma, A v, J^T gamma and the gradient of the columns; A v* is there already.
[[nodiscard]] IslandValue evaluate_island(const ConvexProblem& problem, const Island& island,
                                          const VectorX& v, NewtonColumns* columns);

/// Sets the outcome to that of a solve that did not begin.
void start_report(IslandSolve* solve);

/// Minimises ell over the island's rows of iterate->v by Newton's method. Counts and seconds add to those of
/// `solve`. Where the first step is predicted and more than `most_surprises` times as many contacts as were
/// expected to press do otherwise after it, the iterations end there, with kIterationLimit.
void minimize_island(const ConvexProblem& problem, const Island& island, const NewtonOptions& options,
                     NewtonColumns* columns, Iterate* iterate, IslandSolve* solve,
                     double most_surprises = std::numeric_limits<double>::infinity());

}  // namespace csim
