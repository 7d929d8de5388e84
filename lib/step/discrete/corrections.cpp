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
bool correct_faces(const StepAtHand& step, bool may_change) {
  PreparedStep& p = *step.prepared;
  ScopedTimer timer(&step.outcome->statistics.seconds.assembly);
  if (!may_change || !release_faces(p.contacts, step.solved->forces, &p.data.problem)) return false;
  std::fill(step.solved->changed.begin(), step.solved->changed.end(), 1);
  return true;
}

/// What J(q0) v leaves out of the way of a contact.
bool correct_contact_bias(const StepAtHand& step, bool may_change) {
  ScopedTimer timer(&step.outcome->statistics.seconds.assembly);
  return may_change && update_bias(step.solved->v, step.solved->forces, step.prepared, &step.solved->changed);
}

// A face is released at most once, so that their number bounds the first.
constexpr std::array<Correction, kNumCorrections> kCorrections{{
    {"faces released", correct_faces, true,
     [](const StepOptions&) { return std::numeric_limits<int>::max(); }},
    {"impacts transmitted", add_foreseen_hits, true, [](const StepOptions&) { return kMostHitRounds; }},
    {"Coriolis and gyroscopic forces", correct_velocity_terms, false,
     [](const StepOptions&) { return kMostVelocityUpdates; }},
    {"bias of contacts", correct_contact_bias, false, [](const StepOptions&) { return kMostBiasUpdates; }},
    {"bounds of friction", correct_friction, false,
     [](const StepOptions& options) { return options.max_repetitions; }},
}};

/// Whether a correction has changed the problem. One that changes contacts comes alone; the others are
/// evaluated together.
bool correct(const StepAtHand& step) {
  bool changes = false;
  step.solved->changed.assign(step.prepared->data.problem.islands.size(), 0);
  for (int k = 0; k < kNumCorrections; ++k) {
    const Correction& c = kCorrections[k];
    int& count = step.solved->corrections[k];
    if (!c.apply(step, count < c.limit(step.prepared->options))) continue;
    ++count;
    changes = true;
    if (c.changes_contacts) break;
  }
  return changes;
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
  put_bias(step.prepared->free_motion.v_star, step.prepared, nullptr);
  const auto solve_once = [&] { solve(step.prepared, step.work, &step.outcome->statistics, &s); };
  solve_once();
  while (is_usable(step.prepared->options, s.report) && !step.stop() && correct(step)) {
    // On from the velocities found; the step counts once in the history of `auto`.
    std::fill(s.iterate.v_before.begin(), s.iterate.v_before.end(), s.iterate.v);
    restore_history(step.prepared->data.problem, memory, &s);
    solve_once();
  }
}

}  // namespace csim
