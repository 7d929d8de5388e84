#include "step/discrete/solved_step.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/timer.h"
#include "step/account/step_statistics.h"
#include "step/discrete/corrections.h"
#include "step/discrete/step_bias.h"
#include "step/discrete/step_constants.h"

namespace csim {
namespace {

/// Minimises to the tolerance, and adds to the statistics.
void minimize_problem(const PreparedStep& prepared, double tolerance, SolveWorkspace* work,
                      StepStatistics* statistics, SolvedStep* solved) {
  const ConvexProblem& problem = prepared.data.problem;
  NewtonOptions options = prepared.options.newton;
  if (!problem.law->has_potential) {
    solve_tamsi(problem, options, &work->tamsi, &solved->iterate, &solved->report);
  } else {
    options.relative_tolerance = tolerance;
    minimize(problem, options, &work->newton, &solved->iterate, &solved->report,
             solved->changed.empty() ? nullptr : &solved->changed);
  }
  add_solve(solved->report, statistics);
  solved->used_interior_point = solved->used_interior_point || solved->report.interior_point_iterations > 0;
}

void find_contact_forces(const PreparedStep& p, SolvedStep* s) {
  compute_contact_forces(p.data, p.model, p.contacts, s->iterate.v, &s->forces);
}

/// In the model's coordinates, and what acts at them.
void find_velocities(const PreparedStep& p, SolvedStep* s) {
  s->v = p.free_motion.v_star;
  scatter_velocities(p.data.problem, s->iterate.v, &s->v);
  find_contact_forces(p, s);
}

}  // namespace

void begin_solution(const PreparedStep& prepared, const SolverMemory& memory, SolvedStep* solved) {
  const ConvexProblem& problem = prepared.data.problem;
  SolvedStep& s = *solved;
  s.iterate.v = problem.v0;
  s.iterate.v_before.resize(memory.v_before.size());
  for (std::size_t i = 0; i < s.iterate.v_before.size(); ++i)
    gather_velocities(problem, memory.v_before[i], &s.iterate.v_before[i]);
  s.iterate.history = s.history_before = memory.history;
  s.used_interior_point = false;
  s.changed.clear();
  s.corrections.fill(0);
  s.velocity_residual = 0.0;
  s.has_begun = false;
  s.friction.clear();
  s.coupled.condition = std::numeric_limits<double>::quiet_NaN();
}

bool couple_lagging_friction(PreparedStep* prepared, SolveWorkspace* work, StepStatistics* statistics,
                             SolvedStep* solved) {
  ConvexProblem& problem = prepared->data.problem;
  const StepOptions& options = prepared->options;
  FrictionRepetition& friction = solved->friction;
  if (!find_lagging_islands(problem, solved->forces.gamma, options.friction_tolerance, &friction.islands))
    return false;
  if (problem.law->has_domain) return true;
  friction.coupled = friction.islands;
  couple_friction(options.newton, &problem, &work->newton, &friction.coupled, &solved->iterate,
                  &solved->coupled);
  add_solve(solved->coupled, statistics);
  for (std::size_t k = 0; k < friction.islands.size(); ++k)
    friction.islands[k] = friction.islands[k] && !friction.coupled[k];
  return true;
}

void solve(PreparedStep* prepared, SolveWorkspace* work, StepStatistics* statistics, SolvedStep* solved) {
  const PreparedStep& p = *prepared;
  SolvedStep& s = *solved;
  const double tolerance = p.options.newton.relative_tolerance;
  if (!s.has_begun) {
    s.has_begun = true;
    if (has_large_bias(p)) {
      minimize_problem(p, std::max(kLooseForBias, tolerance), work, statistics, solved);
      if (!is_usable(p.options, s.report)) return;
      find_velocities(p, solved);
      if (update_bias(s.v, s.forces, prepared, nullptr))
        ++s.corrections[static_cast<std::size_t>(CorrectionKind::kContactBias)];
      // On from the velocities found; the step counts once in the history of `auto`.
      std::fill(s.iterate.v_before.begin(), s.iterate.v_before.end(), s.iterate.v);
      s.iterate.history = s.history_before;
    }
    if (p.options.repeats_friction) {
      minimize_problem(p, std::max(kLooseTolerance, tolerance), work, statistics, solved);
      if (!is_usable(p.options, s.report)) return;
      find_contact_forces(p, solved);
      couple_lagging_friction(prepared, work, statistics, solved);
    }
  }
  minimize_problem(p, tolerance, work, statistics, solved);
  s.report.condition = std::fmax(s.report.condition, s.coupled.condition);
  if (!is_usable(p.options, s.report)) return;
  ScopedTimer timer(&statistics->seconds.assembly);
  find_velocities(p, solved);
  compute_row_forces(p.data, p.model, s.iterate.v, &s.row_forces);
}

bool is_usable(const StepOptions& options, const SolveReport& report) {
  const bool only_short = report.status == SolveStatus::kIterationLimit ||
                          report.status == SolveStatus::kCostIncrease ||
                          report.status == SolveStatus::kNotDescent;
  return succeeded(report.status) ||
         (options.accepts_inexact && only_short && std::isfinite(report.residual));
}

}  // namespace csim
