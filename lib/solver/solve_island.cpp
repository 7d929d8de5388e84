#include "solver/solve_island.h"

#include <algorithm>

#include "solver/lap_timer.h"

namespace csim {
namespace {

/// Iterations of Newton's method that `auto` allows before it turns to the interior point. Clutter, Similar,
/// plain Similar at k = 1e11 N/m, mean factorisations at rest and in the first second, eight runs: 6: 3.6 and
/// 11.7, 5.4 and 10.7, 8: 3.8 and 12.2, 4.6 and 11.2, 12: 3.5 and 13.1, 4.5 and 12.4.
constexpr int kNewtonTrial = 8;

/// Lagged: changes of the active set in the first step, relative to the number of contacts that were expected
/// to press, from which on the interior point is faster. Silo of 1000 bodies while it fills: with 0.25 of
/// them Newton's method takes 30 iterations, with 0.12 18 to 21, with 0.03 12, at rest 7 with less than 0.01;
/// the interior point takes 17 whatever their number, of twice the time each.
constexpr double kManyChanges = 0.15;

/// Iterations of Newton's method after the interior point; 1 to 3 are usual. Where they are not enough a
/// second approach, to a gap just above the round-off level, takes fewer than Newton's method does at the
/// edge of stiction (86 at k = 1e11 N/m).
constexpr int kNewtonFinish = 4;
constexpr double kNearestGap = 1e-12;

/// Positions at which Newton's method is tried: after 1, 2, 4, 8 steps of the interior point.
constexpr long kTrials[] = {0, 2, 5, 10, 19};
constexpr long kLastTrial = 19, kLongestRun = 8;

long position_of(const IslandTask& task) {
  const std::vector<long>& history = task.iterate.history;
  long position = 0;
  for (int t = task.island.tree_begin; t < task.island.tree_end && !history.empty(); ++t)
    position = std::max(position, history[task.problem.trees[t].model_tree]);
  return position;
}

/// Moves the island on in the history of `auto`.
void remember(const IslandTask& task, bool newton_failed) {
  std::vector<long>& history = task.iterate.history;
  const long position = next_position(position_of(task), newton_failed);
  for (int t = task.island.tree_begin; t < task.island.tree_end && !history.empty(); ++t)
    history[task.problem.trees[t].model_tree] = position;
}

/// Whether v0 is the minimum already, as at rest; if not, iterate.v becomes the one of least ell of v0 and
/// the predictions from earlier velocities, and where that is within the tolerance, Newton's next iterate.
bool choose_start(const IslandTask& task) {
  const auto& [problem, island, options, columns, cone_columns, iterate, solve] = task;
  if (iterate.v_before.empty()) return false;
  LapTimer timer;
  begin_island(problem, island, &columns);
  const IslandValue at_v0 = evaluate_island(problem, island, iterate.v, &columns);
  if (at_v0.norms.converged(options.relative_tolerance, options.absolute_tolerance)) {
    solve.status = SolveStatus::kConverged;
    solve.norms = at_v0.norms;
    solve.cost = at_v0.cost;
    timer.lap(&solve.seconds.assembly);
    return true;
  }
  const VelocityRecurrence recurrence = fit_recurrence(problem, island, iterate, &columns.recurrence);
  const int n = island.nv();
  double* const v = iterate.v.data() + island.v_begin;
  double* const v0 = columns.dv.data() + island.v_begin;  // work space here
  std::copy_n(v, n, v0);
  const auto predict = [&](int order) {  // order 0: v0 itself
    const double* const c = order > 0 ? recurrence.coefficients[order - 1] : nullptr;
    for (int i = 0; i < n; ++i) v[i] = (order > 0 ? c[0] : 1.0) * v0[i];
    for (int k = 1; k < order; ++k) {
      const double* const v_k = iterate.v_before[k - 1].data() + island.v_begin;
      for (int i = 0; i < n; ++i) v[i] += c[k] * v_k[i];
    }
  };
  int best = 0;
  double least_cost = at_v0.cost;
  bool best_converged = false;
  for (int order = 1; order <= recurrence.order; ++order) {
    predict(order);
    const IslandValue value = evaluate_island(problem, island, iterate.v, &columns);
    if (!(value.cost < least_cost)) continue;
    best = order;
    least_cost = value.cost;
    best_converged = value.norms.converged(options.relative_tolerance, options.absolute_tolerance);
  }
  predict(best);
  timer.lap(&solve.seconds.assembly);
  if (best_converged) {
    // A motion that is predicted within the tolerance again and again could gain energy: one iteration at
    // least.
    NewtonOptions one = options;
    one.max_iterations = std::min(1, options.max_iterations);
    one.relative_tolerance = one.absolute_tolerance = 0.0;
    minimize_island(task, one);
  }
  return false;
}

/// Lagged: Newton's method, and where the active set changes much in its first step (or where it is asked
/// for), the interior point and Newton's to finish.
void solve_lagged(const IslandTask& task) {
  NewtonOptions newton = task.options;
  if (newton.method == MethodKind::kAuto) {
    minimize_island(task, newton, kManyChanges);
    if (task.solve.status != SolveStatus::kIterationLimit || task.solve.iterations >= newton.max_iterations)
      return;
  }
  approach_by_interior_point(task, InteriorPointGoal{});
  newton.max_iterations -= task.solve.iterations;
  minimize_island(task, newton);
}

/// SAP and Similar: Newton's method and the interior point, in the order that the history of `auto` asks for;
/// Newton's method finishes.
void solve_cones(const IslandTask& task) {
  const NewtonOptions& options = task.options;
  const IslandSolve& solve = task.solve;
  if (choose_start(task)) return remember(task, false);
  // Newton's method for a number of iterations; whether that is the end.
  const auto finish = [&](int most) {
    NewtonOptions newton = options;
    newton.max_iterations = std::min(options.max_iterations - solve.iterations, most);
    minimize_island(task, newton);
    return solve.status != SolveStatus::kIterationLimit || solve.iterations >= options.max_iterations;
  };
  if (options.method == MethodKind::kNewton) {
    finish(options.max_iterations);
    return;
  }
  const bool newton_first =
      options.method == MethodKind::kAuto && !asks_interior_point_first(position_of(task));
  if (newton_first) {
    finish(kNewtonTrial);
    if (succeeded(solve.status) || solve.status == SolveStatus::kNotFinite ||
        solve.iterations >= options.max_iterations) {
      return remember(task, false);
    }
  }
  remember(task, newton_first);
  approach_by_interior_point(task, InteriorPointGoal{});
  if (finish(kNewtonFinish)) return;
  approach_by_interior_point(task, InteriorPointGoal{options.relative_tolerance, kNearestGap});
  finish(options.max_iterations);
}

}  // namespace

bool asks_interior_point_first(long position) {
  return std::find(std::begin(kTrials), std::end(kTrials), position) == std::end(kTrials);
}

long next_position(long position, bool newton_failed) {
  if (asks_interior_point_first(position)) return position + 1;
  if (!newton_failed) return 0;
  return position == kLastTrial ? kLastTrial - kLongestRun : position + 1;
}

void solve_island(const IslandTask& task) {
  const ContactLaw& law = *task.problem.law;
  const NewtonOptions& options = task.options;
  IslandSolve& solve = task.solve;
  start_report(&solve);
  const bool is_newton_alone =
      law.fill_cones == nullptr ||
      (law.has_dual && (options.method == MethodKind::kNewton || options.hessian == HessianKind::kNewton));
  if (is_newton_alone) {
    minimize_island(task, options);
  } else if (law.has_dual) {
    solve_lagged(task);
  } else {
    solve_cones(task);
  }
  const bool lost_descent =
      solve.status == SolveStatus::kCostIncrease || solve.status == SolveStatus::kNotDescent;
  if (lost_descent && options.line_search == LineSearchKind::kLoose) {
    // By round-off the loose line search no longer descends where a contact is stiff; the exact one does.
    NewtonOptions exact = options;
    exact.line_search = LineSearchKind::kExact;
    exact.max_iterations -= solve.iterations;
    minimize_island(task, exact);
  }
}

}  // namespace csim
