#include "step/discrete/solved_step.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/timer.h"
#include "step/discrete/corrections.h"
#include "step/discrete/foretold_velocities.h"
#include "step/discrete/step_bias.h"
#include "step/discrete/step_constants.h"
#include "step/discrete/step_statistics.h"

namespace csim {
namespace {

/// Minimises to the tolerance, and adds to the statistics.
void minimize_problem(const PreparedStep& prepared, double tolerance, bool others_are_solved,
                      SolveWorkspace* work, StepStatistics* statistics, SolvedStep* solved) {
  const ConvexProblem& problem = prepared.data.problem;
  NewtonOptions options = prepared.options.newton;
  if (!problem.law->has_potential) {
    solve_tamsi(problem, options, &work->tamsi, &solved->iterate, &solved->report);
  } else {
    options.relative_tolerance = tolerance;
    minimize(problem, options, &work->newton, &solved->iterate, &solved->report,
             solved->changed.empty() ? nullptr : &solved->changed, others_are_solved);
  }
  add_solve(solved->report, statistics);
  solved->used_interior_point = solved->used_interior_point || solved->report.interior_point_iterations > 0;
}

/// Marks the trees of the islands just solved.
void mark_fresh(const ConvexProblem& problem, SolvedStep* s) {
  for (std::size_t k = 0; k < problem.islands.size(); ++k) {
    if (!s->changed.empty() && !s->changed[k]) continue;
    for (int t = problem.islands[k].tree_begin; t < problem.islands[k].tree_end; ++t)
      s->is_fresh[problem.trees[t].model_tree] = 1;
  }
}

/// Marks the islands with contacts; whether there are any.
bool mark_touching(const ConvexProblem& problem, std::vector<char>* islands) {
  islands->resize(problem.islands.size());
  std::transform(problem.islands.begin(), problem.islands.end(), islands->begin(),
                 [](const Island& island) { return island.contacts.begin < island.contacts.end; });
  return problem.num_contacts() > 0;
}

/// In the model's coordinates, and the contacts of the islands just solved at them; null: of all.
void find_velocities(const PreparedStep& p, const std::vector<char>* islands, SolvedStep* s) {
  copy_velocities(p.model, trees_to_fill(p, &s->v_number), p.free_motion.v_star, &s->v);
  scatter_velocities(p.data.problem, s->iterate.v, &s->v);
  evaluate_contacts(p.data, s->iterate.v, islands, &s->forces);
}

/// Takes the bias of contacts at the velocities found in the islands `changed`, and goes on from there: the
/// step counts once in the history of `auto`. With the friction of the start alone, which Coulomb's law
/// changes, it is but a guess at the bias.
void take_bias_found(PreparedStep* prepared, SolvedStep* solved) {
  SolvedStep& s = *solved;
  const ConvexProblem& problem = prepared->data.problem;
  constexpr int kBias = static_cast<int>(CorrectionKind::kContactBias);
  s.may_change = s.changed;
  std::fill(s.changed.begin(), s.changed.end(), 0);
  static_cast<void>(update_bias(s.v, s.forces, s.may_change, prepared, &s.changed));
  for (std::size_t k = 0; k < problem.islands.size(); ++k) {
    if (!s.may_change[k]) continue;
    const Island& island = problem.islands[k];
    if (s.changed[k] && !prepared->options.repeats_friction) ++count_of(kBias, problem, k, solved);
    for (VectorX& v : s.iterate.v_before)
      v.segment(island.v_begin, island.nv()) = s.iterate.v.segment(island.v_begin, island.nv());
    for (int t = island.tree_begin; t < island.tree_end; ++t) {
      const auto tree = static_cast<std::size_t>(problem.trees[t].model_tree);
      if (tree < s.history_before.size()) s.iterate.history[tree] = s.history_before[tree];
    }
  }
}

/// Laws with cones predict velocities themselves, and TAMSI starts from v0.
void set_guess(const ConvexProblem& problem, SolvedStep* s) {
  s->iterate.is_foretold.clear();
  s->iterate.v = problem.v0;
  if (!problem.law->has_dual) return;
  gather_velocities(problem, s->guess, &s->iterate.v);
  s->iterate.is_foretold = s->is_foretold;
}

}  // namespace

void begin_solution(const PreparedStep& prepared, const SolverMemory& memory, SolvedStep* solved) {
  const ConvexProblem& problem = prepared.data.problem;
  SolvedStep& s = *solved;
  foretell_velocities(prepared, memory, solved);
  set_guess(problem, solved);
  s.iterate.v_before.resize(memory.v_before.size());
  for (std::size_t i = 0; i < s.iterate.v_before.size(); ++i)
    gather_velocities(problem, memory.v_before[i], &s.iterate.v_before[i]);
  s.iterate.history = s.history_before = memory.history;
  s.used_interior_point = false;
  s.changed.clear();
  s.corrections.assign(prepared.model.trees.size(), {});
  s.is_fresh.assign(prepared.model.trees.size(), 0);
  s.unsettled.assign(prepared.model.trees.size(), 0.0);
  s.velocity_residual = 0.0;
  s.unsettled_tree = -1;
  s.has_begun = false;
  s.friction.clear();
  s.coupled.condition = std::numeric_limits<double>::quiet_NaN();
}

void couple_lagging_friction(PreparedStep* prepared, SolveWorkspace* work, StepStatistics* statistics,
                             SolvedStep* solved) {
  ConvexProblem& problem = prepared->data.problem;
  FrictionRepetition& friction = solved->friction;
  if (problem.law->has_domain) return;
  couple_friction(prepared->options.newton, &problem, &work->newton, &friction.coupled, &solved->iterate,
                  &solved->coupled);
  add_solve(solved->coupled, statistics);
  for (std::size_t k = 0; k < friction.islands.size(); ++k)
    friction.islands[k] = friction.islands[k] && !friction.coupled[k];
}

int& count_of(int correction, const ConvexProblem& problem, std::size_t island, SolvedStep* solved) {
  const int tree = problem.trees[problem.islands[island].tree_begin].model_tree;
  return solved->corrections[static_cast<std::size_t>(tree)][static_cast<std::size_t>(correction)];
}

void solve(PreparedStep* prepared, SolveWorkspace* work, StepStatistics* statistics, SolvedStep* solved) {
  const PreparedStep& p = *prepared;
  SolvedStep& s = *solved;
  const double tolerance = p.options.newton.relative_tolerance;
  if (!s.has_begun) {
    s.has_begun = true;
    if (find_large_bias(p, &s.changed)) {
      minimize_problem(p, std::max(kLooseForBias, tolerance), false, work, statistics, solved);
      if (!is_usable(p.options, s.report)) return;
      find_velocities(p, &s.changed, solved);
      take_bias_found(prepared, solved);
    }
    if (p.options.repeats_friction && mark_touching(p.data.problem, &s.changed)) {
      minimize_problem(p, std::max(kLooseTolerance, tolerance), false, work, statistics, solved);
      if (!is_usable(p.options, s.report)) return;
      evaluate_contacts(p.data, s.iterate.v, &s.changed, &s.forces);
      if (find_lagging_islands(p.data.problem, s.forces.gamma, p.options.friction_tolerance,
                               &s.friction.islands)) {
        s.friction.coupled = s.friction.islands;
        couple_lagging_friction(prepared, work, statistics, solved);
      }
    }
    s.changed.clear();
  }
  minimize_problem(p, tolerance, true, work, statistics, solved);
  mark_fresh(p.data.problem, solved);
  if (!is_usable(p.options, s.report)) return;
  ScopedTimer timer(&statistics->seconds.assembly);
  find_velocities(p, s.changed.empty() ? nullptr : &s.changed, solved);
}

void describe_matrices(const PreparedStep& prepared, SolveWorkspace* work, StepStatistics* statistics,
                       SolvedStep* solved) {
  const ConvexProblem& problem = prepared.data.problem;
  if (!problem.law->has_potential) return;
  ScopedTimer timer(&statistics->seconds.solve);
  estimate_conditions(problem, prepared.options.newton, &work->newton, &solved->report);
  solved->report.condition = std::fmax(solved->report.condition, solved->coupled.condition);
}

void find_twists(const PreparedStep& prepared, SolvedStep* solved) {
  const TreeSet& trees = trees_to_fill(prepared, &solved->twists_number);
  compute_twists(prepared.model, prepared.kinematics, solved->v, &solved->twists, trees);
}

void find_forces(const PreparedStep& prepared, SolvedStep* solved) {
  const PreparedStep& p = prepared;
  compute_contact_forces(p.data, p.model, p.contacts, solved->iterate.v, &solved->forces);
  compute_row_forces(p.data, p.model, solved->iterate.v, &solved->row_forces);
}

bool is_usable(const StepOptions& options, const SolveReport& report) {
  const bool only_short = report.status == SolveStatus::kIterationLimit ||
                          report.status == SolveStatus::kCostIncrease ||
                          report.status == SolveStatus::kNotDescent;
  return succeeded(report.status) ||
         (options.accepts_inexact && only_short && std::isfinite(report.residual));
}

}  // namespace csim
