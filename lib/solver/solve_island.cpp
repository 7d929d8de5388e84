#include "solver/solve_island.h"

#include <algorithm>

namespace csim {
namespace {

/// Iterations of Newton's method that `auto` allows before it turns to the interior point. Clutter, Similar,
/// k = 1e9 | 1e10 | 1e11 N/m, mean factorisations after 6 s, eight runs: 8: 3.3 | 4.6 | 5.5, 12: 3.5 | 4.3 |
/// 4.9; the first second takes one or two more with 12.
constexpr int kNewtonTrial = 12;

/// Lagged: contacts that do otherwise than expected in the first step, as a part of those that were expected
/// to press, from which on the interior point is faster. Silo of 1000 bodies while it fills: with 0.25 of
/// them Newton's method takes 30 iterations, with 0.12 18 to 21, with 0.03 12, at rest 7 with less than 0.01;
/// the interior point takes 17 whatever their number, of twice the time each.
constexpr double kManySurprises = 0.15;

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

/// Guesses from the velocities v0 and v1, v2, v3, those one, two and three steps before them: coefficients.
struct Guess {
  double v0, v1, v2, v3;
};
constexpr Guess kV0 = {1, 0, 0, 0};
constexpr Guess kGuesses[] = {
    {2, -1, 0, 0},  // exact where the velocity changes evenly
    {1, 1, -1, 0},  // where it swings from step to step as well
    {2, 0, -2, 1},  // where it swings and its change changes evenly
    {0, 1, 0, 0},   // a swing alone, one that has just begun too
};

/// Whether v0 is the minimum already, as at rest; if not, iterate->v becomes the guess of least ell, and
/// where that is within the tolerance, Newton's next iterate.
bool choose_start(const ConvexProblem& problem, const Island& island, const NewtonOptions& options,
                  NewtonColumns* columns, Iterate* iterate, IslandSolve* solve) {
  if (iterate->v_before[2].size() == 0) return false;
  multiply_A(problem, island, problem.v_star, &columns->A_v_star);
  const IslandValue at_v0 = evaluate_island(problem, island, iterate->v, columns);
  if (at_v0.norms.converged(options.relative_tolerance, options.absolute_tolerance)) {
    solve->status = SolveStatus::kConverged;
    solve->norms = at_v0.norms;
    solve->cost = at_v0.cost;
    return true;
  }
  double* const v = iterate->v.data() + island.v_begin;
  double* const v0 = columns->dv.data() + island.v_begin;  // work space here
  const double* const v1 = iterate->v_before[0].data() + island.v_begin;
  const double* const v2 = iterate->v_before[1].data() + island.v_begin;
  const double* const v3 = iterate->v_before[2].data() + island.v_begin;
  std::copy_n(v, island.nv(), v0);
  const auto take = [&](const Guess& guess) {
    for (int i = 0; i < island.nv(); ++i)
      v[i] = guess.v0 * v0[i] + guess.v1 * v1[i] + guess.v2 * v2[i] + guess.v3 * v3[i];
  };
  Guess best = kV0;
  double least_cost = at_v0.cost;
  bool best_converged = false;
  for (const Guess& guess : kGuesses) {
    take(guess);
    const IslandValue value = evaluate_island(problem, island, iterate->v, columns);
    if (!(value.cost < least_cost)) continue;
    best = guess;
    least_cost = value.cost;
    best_converged = value.norms.converged(options.relative_tolerance, options.absolute_tolerance);
  }
  take(best);
  if (best_converged) {
    // Motion that goes on of itself within the tolerance could gain energy: one iteration at least.
    NewtonOptions one = options;
    one.max_iterations = std::min(1, options.max_iterations);
    one.relative_tolerance = one.absolute_tolerance = 0.0;
    minimize_island(problem, island, one, columns, iterate, solve);
  }
  return false;
}

/// Lagged: Newton's method, and where its first step ends in many surprises (or where it is asked for), the
/// interior point of the normals and Newton's to finish.
void solve_by_normals(const ConvexProblem& problem, const Island& island, const NewtonOptions& options,
                      NewtonColumns* columns, NormalPathColumns* normal_columns, Iterate* iterate,
                      IslandSolve* solve) {
  NewtonOptions newton = options;
  if (options.method == MethodKind::kAuto) {
    minimize_island(problem, island, newton, columns, iterate, solve, kManySurprises);
    if (solve->status != SolveStatus::kIterationLimit || solve->iterations >= options.max_iterations) return;
  }
  approach_by_normals(problem, island, options, columns, normal_columns, iterate, solve);
  newton.max_iterations = options.max_iterations - solve->iterations;
  minimize_island(problem, island, newton, columns, iterate, solve);
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

bool has_normal_path(const ContactLaw& law, const NewtonOptions& options) {
  return law.fill_normals != nullptr && options.method != MethodKind::kNewton &&
         options.hessian == HessianKind::kPrimalDual;
}

void solve_island(const ConvexProblem& problem, const Island& island, const NewtonOptions& options,
                  NewtonColumns* columns, InteriorPointColumns* cone_columns,
                  NormalPathColumns* normal_columns, Iterate* iterate, IslandSolve* solve) {
  start_report(solve);
  if (has_normal_path(*problem.law, options))
    return solve_by_normals(problem, island, options, columns, normal_columns, iterate, solve);
  if (problem.law->fill_cones == nullptr)
    return minimize_island(problem, island, options, columns, iterate, solve);
  if (choose_start(problem, island, options, columns, iterate, solve))
    return remember(problem, island, false, iterate);

  NewtonOptions newton = options;
  const auto finish = [&](int most) {
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
  if (!finish(kNewtonFinish)) {
    approach_by_interior_point(problem, island, options, nearest, columns, cone_columns, iterate, solve);
    finish(options.max_iterations);
  }
  if (solve->status == SolveStatus::kCostIncrease || solve->status == SolveStatus::kNotDescent) {
    // The loose line search went uphill in the rounding of a stiff contact: on with the exact one.
    newton.line_search = LineSearchKind::kExact;
    finish(options.max_iterations);
  }
}

}  // namespace csim
