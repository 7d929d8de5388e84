// Newton's method for the convex problem of a step, island by island (Castro et al. 2022, SAP, Sec. V; Castro
// et al. 2023, Sec. VI).
//
//   g = A (v - v*) - J^T gamma,   H = A + J^T G J,   H dv = -g,   v <- v + alpha dv
//
// Globally convergent for any positive definite H: ell is strongly convex. (A predicted first step is taken
// in full; the line search holds from there on.) For laws with a dual direction H may be the primal-dual
// matrix of Chan, Golub and Mulet 1999 (SIAM J. Sci. Comput. 20), which needs far fewer iterations where
// stiction is stiff; cost, gradient and line search stay exact, so the minimum is the same.
#pragma once

#include "core/solver_choices.h"
#include "core/workers.h"
#include "solver/linear/linear_solver.h"

namespace csim {

struct NewtonOptions {
  MethodKind method =
      MethodKind::kNewton;  // a law without cones and normals takes Newton's whatever is asked

  double relative_tolerance = 1e-5;   // e_r, see MomentumNorms::converged
  double absolute_tolerance = 1e-14;  // e_a, sqrt(J)
  int max_iterations = 500;
  LineSearchKind line_search = LineSearchKind::kLoose;
  HessianKind hessian = HessianKind::kPrimalDual;  // where the law offers it
  LinearSolverKind linear_solver = LinearSolverKind::kAuto;
  ConditionKind condition = ConditionKind::kEstimate;
  bool cost_criterion = true;  // stop when the cost stalls at round-off (twice in a row, alpha > 0.5)
  bool record_iterations = true;
  /// Edges of an island from which on H holds only those that act or are near to it. Below, an analysis takes
  /// about as long as the fewer entries save (estimated from operations and times of an analysis, silo of
  /// 1000 bodies while it fills: 0.25 ms for 0.3 at 1100 edges, 0.4 for 1.3 at 1600).
  int edges_of_large_island = 1200;
  /// Edges of an island from which on the first step of Lagged is predicted
  /// (IslandNewton::take_predicted_step), and the interior point follows where it changes much of the active
  /// set. Smaller islands take some 10 iterations from v0 and gain nothing.
  int edges_of_prediction = 300;
  Workers* workers = nullptr;  // share out the islands, whose bits do not depend on them; null: none
};

}  // namespace csim
