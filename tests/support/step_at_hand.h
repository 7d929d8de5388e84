// One step of the discrete scheme in its pieces: prepared, solved, corrected.
#pragma once

#include "step/discrete/corrections.h"
#include "support/simulation.h"

namespace csim::testing_support {

/// The first step of a scene.
struct SteppedOnce {
  explicit SteppedOnce(const std::string& text, const std::vector<std::string>& overrides = {})
      : sim(text, overrides),
        options(sim.scene, nullptr),
        prepared(sim.model, sim.scene, options),
        finder(sim.model) {
    memory.restart(sim.state.v, sim.model.trees.size());
    prepare(sim.state, sim.scene.time.step, {}, &finder, &outcome.statistics, &prepared);
  }

  [[nodiscard]] StepAtHand at_hand() { return {&prepared, &solved, &finder, &work, stop, &outcome}; }

  /// Without corrections.
  void solve() {
    begin_solution(prepared, memory, &solved);
    csim::solve(&prepared, &work, &outcome.statistics, &solved);
    EXPECT_TRUE(is_usable(options, solved.report)) << solved.report.message;
    find_forces(prepared, &solved);
  }

  [[nodiscard]] bool correct(CorrectionKind kind, bool may_change = true) {
    solved.changed.assign(prepared.data.problem.islands.size(), 0);
    solved.may_change.assign(solved.changed.size(), may_change);
    solved.solved_last.assign(solved.changed.size(), 1);
    return correction(kind).apply(at_hand());
  }

  Simulation sim;
  StepOptions options;
  PreparedStep prepared;
  SolvedStep solved;
  ContactFinder finder;
  SolveWorkspace work;
  StepOutcome outcome;
  SolverMemory memory;
  std::function<bool()> stop = [] { return false; };
};

}  // namespace csim::testing_support
