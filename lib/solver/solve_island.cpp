#include "solver/solve_island.h"

#include <algorithm>

#include "solver/lap_timer.h"

namespace csim {
namespace {

/// Iterations of Newton's method that `auto` allows before it turns to the interior point. Clutter, Similar,
/// plain Similar at k = 1e11 N/m, mean factorisations at rest and in the first second, eight runs: 6: 3.6 and
/// 11.7, 5.4 and 10.7, 8: 3.8 and 12.2, 4.6 and 11.2, 12: 3.5 and 13.1, 4.5 and 12.4.
constexpr int kNewtonTrial = 8;

/// Lagged: changes of the active set in the first step, as a part of the contacts that were expected to
/// press, from which on the interior point is faster. Silo of 1000 bodies while it fills: with 0.25 of them
/// Newton's method takes 30 iterations, with 0.12 18 to 21, with 0.03 12, at rest 7 with less than 0.01; the
/// interior point takes 17 whatever their number, of twice the time each.
constexpr double kManyChanges = 0.15;

/// Iterations of Newton's method after the interior point, which 1 to 3 are enough for. With more it crawls
/// along the edge of stiction (86 were seen at k = 1e11 N/m), and the interior point gets nearer in fewer.
constexpr int kNewtonFinish = 4;

/// Gap of that second approach, just above where rounding rules.
constexpr double kNearestGap = 1e-12;

/// Positions of the course at which Newton's method is tried: after 1, 2, 4, 8 steps of the interior point.
constexpr long kTrials[] = {0, 2, 5, 10, 19};
constexpr long kLastTrial = 19, kLongestRun = 8;

bool is_trial(long position) {
  return std::find(std::begin(kTrials), std::end(kTrials), position) != std::end(kTrials);
}

long position_of(const ConvexProblem& problem, const Island& island, const Iterate& iterate) {
  long position = 0;
  for (int t = island.tree_begin; t < island.tree_end && !iterate.course.empty(); ++t)
    position = std::max(position, iterate.course[problem.trees[t].model_tree]);
  return position;
}

/// Moves the island on in the course of `auto`.
void remember(const ConvexProblem& problem, const Island& island, bool newton_failed, Iterate* iterate) {
  const long position = next_position(position_of(problem, island, *iterate), newton_failed);
  for (int t = island.tree_begin; t < island.tree_end && !iterate->course.empty(); ++t)
    iterate->course[problem.trees[t].model_tree] = position;
}

/// Whether v0 is the minimum already, as at rest; if not, iterate->v becomes the one of least ell of v0 and
/// what the recurrences of earlier velocities continue with, and where that is within the tolerance, Newton's
/// next iterate.
bool choose_start(const ConvexProblem& problem, const Island& island, const NewtonOptions& options,
                  NewtonColumns* columns, Iterate* iterate, IslandSolve* solve) {
  if (iterate->v_before.empty()) return false;
  LapTimer timer;
  multiply_A(problem, island, problem.v_star, &columns->A_v_star);
  const IslandValue at_v0 = evaluate_island(problem, island, iterate->v, columns);
  if (at_v0.norms.converged(options.relative_tolerance, options.absolute_tolerance)) {
    solve->status = SolveStatus::kConverged;
    solve->norms = at_v0.norms;
    solve->cost = at_v0.cost;
    timer.lap(&solve->seconds.assembly);
    return true;
  }
  const VelocityRecurrence recurrence = fit_recurrence(problem, island, *iterate, &columns->recurrence);
  double* const v = iterate->v.data() + island.v_begin;
  double* const v0 = columns->dv.data() + island.v_begin;  // work space here
  std::copy_n(v, island.nv(), v0);
  const auto take = [&](int order) {
    if (order == 0) {
      std::copy_n(v0, island.nv(), v);
      return;
    }
    const auto& c = recurrence.coefficients[order - 1];
    for (int i = 0; i < island.nv(); ++i) v[i] = c[0] * v0[i];
    for (int k = 1; k < order; ++k) {
      const double* const v_k = iterate->v_before[k - 1].data() + island.v_begin;
      for (int i = 0; i < island.nv(); ++i) v[i] += c[k] * v_k[i];
    }
  };
  int best = 0;
  double least_cost = at_v0.cost;
  bool best_converged = false;
  for (int order = 1; order <= recurrence.order; ++order) {
    take(order);
    const IslandValue value = evaluate_island(problem, island, iterate->v, columns);
    if (!(value.cost < least_cost)) continue;
    best = order;
    least_cost = value.cost;
    best_converged = value.norms.converged(options.relative_tolerance, options.absolute_tolerance);
  }
  take(best);
  timer.lap(&solve->seconds.assembly);
  if (best_converged) {
    // Motion that goes on of itself within the tolerance could gain energy: one iteration at least.
    NewtonOptions one = options;
    one.max_iterations = std::min(1, options.max_iterations);
    one.relative_tolerance = one.absolute_tolerance = 0.0;
    minimize_island(problem, island, one, columns, iterate, solve);
  }
  return false;
}

/// Lagged: Newton's method, and where the active set changes much in its first step (or where it is asked
/// for), the interior point and Newton's to finish.
void solve_lagged(const ConvexProblem& problem, const Island& island, const NewtonOptions& options,
                  NewtonColumns* columns, InteriorPointColumns* cone_columns, Iterate* iterate,
                  IslandSolve* solve) {
  NewtonOptions newton = options;
  if (options.method == MethodKind::kAuto) {
    minimize_island(problem, island, newton, columns, iterate, solve, kManyChanges);
    if (solve->status != SolveStatus::kIterationLimit || solve->iterations >= options.max_iterations) return;
  }
  approach_by_interior_point(problem, island, options, InteriorPointGoal{}, columns, cone_columns, iterate,
                             solve);
  newton.max_iterations = options.max_iterations - solve->iterations;
  minimize_island(problem, island, newton, columns, iterate, solve);
}

/// SAP and Similar: Newton's method and the interior point, in the order that the history of `auto` asks for;
/// Newton's method finishes.
void solve_cones(const ConvexProblem& problem, const Island& island, const NewtonOptions& options,
                 NewtonColumns* columns, InteriorPointColumns* cone_columns, Iterate* iterate,
                 IslandSolve* solve) {
  if (choose_start(problem, island, options, columns, iterate, solve))
    return remember(problem, island, false, iterate);
  // Newton's method for a number of iterations; whether that is the end.
  const auto finish = [&](int most) {
    NewtonOptions newton = options;
    newton.max_iterations = std::min(options.max_iterations - solve->iterations, most);
    minimize_island(problem, island, newton, columns, iterate, solve);
    return solve->status != SolveStatus::kIterationLimit || solve->iterations >= options.max_iterations;
  };
  if (options.method == MethodKind::kNewton) {
    finish(options.max_iterations);
    return;
  }
  const bool newton_first = options.method == MethodKind::kAuto &&
                            !asks_interior_point_first(position_of(problem, island, *iterate));
  if (newton_first) {
    finish(kNewtonTrial);
    if (succeeded(solve->status) || solve->status == SolveStatus::kNotFinite ||
        solve->iterations >= options.max_iterations) {
      return remember(problem, island, false, iterate);
    }
  }
  remember(problem, island, newton_first, iterate);
  const InteriorPointGoal near, nearest{options.relative_tolerance, kNearestGap};
  approach_by_interior_point(problem, island, options, near, columns, cone_columns, iterate, solve);
  if (finish(kNewtonFinish)) return;
  approach_by_interior_point(problem, island, options, nearest, columns, cone_columns, iterate, solve);
  finish(options.max_iterations);
}

}  // namespace

bool asks_interior_point_first(long position) {
  return !is_trial(position);
}

long next_position(long position, bool newton_failed) {
  if (!is_trial(position)) return position + 1;
  if (!newton_failed) return 0;
  return position == kLastTrial ? kLastTrial - kLongestRun : position + 1;
}

void solve_island(const ConvexProblem& problem, const Island& island, const NewtonOptions& options,
                  NewtonColumns* columns, InteriorPointColumns* cone_columns, Iterate* iterate,
                  IslandSolve* solve) {
  start_report(solve);
  const bool is_lagged = problem.law->has_dual;
  const bool is_newton_alone =
      problem.law->fill_cones == nullptr ||
      (is_lagged && (options.method == MethodKind::kNewton || options.hessian == HessianKind::kNewton));
  if (is_newton_alone) {
    minimize_island(problem, island, options, columns, iterate, solve);
  } else if (is_lagged) {
    solve_lagged(problem, island, options, columns, cone_columns, iterate, solve);
  } else {
    solve_cones(problem, island, options, columns, cone_columns, iterate, solve);
  }
  const bool lost_descent =
      solve->status == SolveStatus::kCostIncrease || solve->status == SolveStatus::kNotDescent;
  if (lost_descent && options.line_search == LineSearchKind::kLoose) {
    // The loose line search went uphill by the round-off of a stiff contact: on with the exact one.
    NewtonOptions exact = options;
    exact.line_search = LineSearchKind::kExact;
    exact.max_iterations = options.max_iterations - solve->iterations;
    minimize_island(problem, island, exact, columns, iterate, solve);
  }
}

}  // namespace csim
