#include "solver/solve_island.h"

#include <algorithm>

namespace csim {
namespace {

/// Iterations of Newton's method that `auto` allows before it turns to the interior point. Clutter, Similar,
/// k = 1e7 | 1e9 | 1e11 N/m, mean factorisations of the first second: 8: 11.7 | 14.0 | 17.9, 12: 12.6 | 14.6
/// | 18.3, 16: 13.1 | 15.2 | 18.8, 20: 13.6 | 15.6 | 19.3, 30: 15.7 | 16.9 | 20.5; in calmer motion 8 turns
/// too often.
constexpr int kNewtonTrial = 12;

/// Positions of the course at which Newton's method is tried: after 1, 2, 4, 8 steps of the interior point.
constexpr long kTrials[] = {0, 2, 5, 10, 19};
constexpr long kLastTrial = 19, kLongestRun = 8;

bool is_trial(long position) {
  return std::find(std::begin(kTrials), std::end(kTrials), position) != std::end(kTrials);
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
  if (options.method == MethodKind::kNewton || problem.law->fill_cones == nullptr)
    return minimize_island(problem, island, options, columns, iterate, solve);

  NewtonOptions newton = options;
  double* const v = iterate->v.data() + island.v_begin;
  if (options.method == MethodKind::kAuto && !options.interior_point_first) {
    double* const guess = cone_columns->guess.data() + island.v_begin;
    std::copy_n(v, island.nv(), guess);
    newton.max_iterations = std::min(options.max_iterations, kNewtonTrial);
    minimize_island(problem, island, newton, columns, iterate, solve);
    if (succeeded(solve->status) || solve->status == SolveStatus::kNotFinite ||
        solve->iterations >= options.max_iterations) {
      return;
    }
    solve->newton_failed = true;
    std::copy_n(guess, island.nv(), v);
  }
  approach_by_interior_point(problem, island, options, columns, cone_columns, iterate, solve);
  newton.max_iterations = options.max_iterations - solve->iterations;
  minimize_island(problem, island, newton, columns, iterate, solve);
  if (solve->status == SolveStatus::kCostIncrease || solve->status == SolveStatus::kNotDescent) {
    // The loose line search went uphill in the rounding of a stiff contact: on with the exact one.
    newton.line_search = LineSearchKind::kExact;
    newton.max_iterations = options.max_iterations - solve->iterations;
    minimize_island(problem, island, newton, columns, iterate, solve);
  }
}

}  // namespace csim
