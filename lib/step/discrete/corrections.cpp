#include "step/discrete/corrections.h"

#include <algorithm>
#include <limits>

#include "core/timer.h"
#include "problem/release_faces.h"
#include "step/discrete/correct_friction.h"
#include "step/discrete/correct_velocity_terms.h"
#include "step/discrete/foreseen_hits.h"
#include "step/discrete/step_bias.h"
#include "step/discrete/step_constants.h"

namespace csim {
namespace {

/// Faces that press bodies which the step has parted.
bool correct_faces(const StepAtHand& step) {
  PreparedStep& p = *step.prepared;
  ScopedTimer timer(&step.outcome->statistics.seconds.assembly);
  return release_faces(p.contacts, step.solved->forces, &p.data.problem, &step.solved->changed);
}

/// The problem of an island is another: its repetitions of friction begin anew.
void restart_friction(std::size_t island, const ConvexProblem& problem, SolvedStep* solved) {
  count_of(static_cast<int>(CorrectionKind::kFriction), problem, island, solved) = 0;
  if (island < solved->friction.relaxation.size()) solved->friction.relaxation[island] = 0.0;
}

/// What J(q0) v leaves out of the way of a contact.
bool correct_contact_bias(const StepAtHand& step) {
  SolvedStep& s = *step.solved;
  ScopedTimer timer(&step.outcome->statistics.seconds.assembly);
  if (!update_bias(s.v, s.forces, s.may_change, step.prepared, &s.changed)) return false;
  const ConvexProblem& problem = step.prepared->data.problem;
  for (std::size_t i = 0; i < problem.islands.size(); ++i)
    if (s.changed[i]) restart_friction(i, problem, &s);
  return true;
}

// A face is released at most once, so that their number bounds the first.
constexpr std::array<Correction, kNumCorrections> kCorrections{{
    {"faces released", correct_faces, true, false,
     [](const StepOptions&) { return std::numeric_limits<int>::max(); }},
    {"impacts transmitted", add_foreseen_hits, true, false,
     [](const StepOptions&) { return kMostHitRounds; }},
    {"Coriolis and gyroscopic forces", correct_velocity_terms, false, false,
     [](const StepOptions&) { return kMostVelocityUpdates; }},
    {"bounds of friction", correct_friction, false, false,
     [](const StepOptions& options) { return options.max_repetitions; }},
    {"bias of contacts", correct_contact_bias, false, true,
     [](const StepOptions&) { return kMostBiasUpdates; }},
}};

/// The islands with a fresh tree: where contacts came before all corrections were evaluated, those of the
/// solve before count still.
void find_solved_last(const ConvexProblem& problem, SolvedStep* s) {
  s->solved_last.assign(problem.islands.size(), 0);
  for (std::size_t k = 0; k < problem.islands.size(); ++k)
    for (int t = problem.islands[k].tree_begin; t < problem.islands[k].tree_end; ++t)
      s->solved_last[k] |= s->is_fresh[problem.trees[t].model_tree];
}

/// Whether a correction has changed the problem, and in solved->changed in which islands. One that changes
/// contacts comes alone; the others are evaluated together.
bool correct(const StepAtHand& step) {
  SolvedStep& s = *step.solved;
  const ConvexProblem& problem = step.prepared->data.problem;
  find_solved_last(problem, &s);
  s.changed_before.assign(problem.islands.size(), 0);
  for (int k = 0; k < kNumCorrections; ++k) {
    const Correction& c = kCorrections[k];
    s.changed.assign(problem.islands.size(), 0);
    s.may_change.resize(problem.islands.size());
    for (std::size_t i = 0; i < problem.islands.size(); ++i)
      s.may_change[i] = (c.changes_contacts || s.solved_last[i]) && !(c.waits && s.changed_before[i]) &&
                        count_of(k, problem, i, &s) < c.limit(step.prepared->options);
    const bool changes = c.apply(step);
    for (std::size_t i = 0; changes && i < problem.islands.size(); ++i)
      if (s.changed[i]) ++count_of(k, problem, i, &s);
    if (changes && c.changes_contacts) return true;
    for (std::size_t i = 0; i < problem.islands.size(); ++i) s.changed_before[i] |= s.changed[i];
  }
  std::swap(s.changed, s.changed_before);
  std::fill(s.is_fresh.begin(), s.is_fresh.end(), 0);
  return std::any_of(s.changed.begin(), s.changed.end(), [](char c) { return c != 0; });
}

/// The history of `auto` before the step, of the trees that are solved again.
void restore_history(const ConvexProblem& problem, const SolverMemory& memory, SolvedStep* solved) {
  for (std::size_t i = 0; i < problem.islands.size(); ++i) {
    if (!solved->changed[i]) continue;
    for (int t = problem.islands[i].tree_begin; t < problem.islands[i].tree_end; ++t) {
      const auto tree = static_cast<std::size_t>(problem.trees[t].model_tree);
      if (tree < memory.history.size()) solved->iterate.history[tree] = memory.history[tree];
    }
  }
}

}  // namespace

const Correction& correction(CorrectionKind kind) {
  return kCorrections[static_cast<std::size_t>(kind)];
}

void solve_with_corrections(const SolverMemory& memory, const StepAtHand& step) {
  SolvedStep& s = *step.solved;
  begin_solution(*step.prepared, memory, &s);
  foretell_velocity_terms(s, step.prepared);
  put_bias(s.guess, nullptr, step.prepared);
  const auto solve_once = [&] { solve(step.prepared, step.work, &step.outcome->statistics, &s); };
  solve_once();
  while (is_usable(step.prepared->options, s.report) && !step.stop() && correct(step)) {
    // On from the velocities found; the step counts once in the history of `auto`.
    std::fill(s.iterate.v_before.begin(), s.iterate.v_before.end(), s.iterate.v);
    restore_history(step.prepared->data.problem, memory, &s);
    solve_once();
  }
  describe_matrices(*step.prepared, step.work, &step.outcome->statistics, &s);
  if (!is_usable(step.prepared->options, s.report)) return;
  ScopedTimer timer(&step.outcome->statistics.seconds.assembly);
  find_forces(*step.prepared, &s);
}

}  // namespace csim
