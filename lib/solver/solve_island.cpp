#include "solver/solve_island.h"

#include <algorithm>

namespace csim {
namespace {

/// Iterations of Newton's method that `auto` allows before it turns to the interior point. Clutter, Similar,
/// k = 1e7 | 1e9 | 1e11 N/m, mean factorisations of the first second: 8: 11.5 | 13.8 | 16.3.
constexpr int kNewtonTrial = 8;

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
  const auto finish = [&](int most) {
    newton.max_iterations = std::min(options.max_iterations - solve->iterations, most);
    minimize_island(problem, island, newton, columns, iterate, solve);
    return solve->status != SolveStatus::kIterationLimit || solve->iterations >= options.max_iterations;
  };
  if (options.method == MethodKind::kAuto && !options.interior_point_first) {
    finish(kNewtonTrial);
    if (succeeded(solve->status) || solve->status == SolveStatus::kNotFinite ||
        solve->iterations >= options.max_iterations) {
      return;
    }
    solve->newton_failed = true;
  }
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
