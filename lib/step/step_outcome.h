// A step as a value.
#pragma once

#include <string>
#include <vector>

#include "model/model.h"
#include "solver/solver_memory.h"
#include "step/account/deepest_overlap.h"
#include "step/account/energy_gain.h"
#include "step/account/pair_sums.h"
#include "step/event.h"
#include "step/step_result.h"

namespace csim {

/// What the attempt of a step makes of a state: where it ends, what it took, what else happened.
struct StepOutcome {
  bool ok = true;
  std::string message;        // of a failure: what, when and who
  State state;                // at the end; of a failed attempt: nothing of use
  SolverMemory memory;        // likewise
  StepStatistics statistics;  // without `record`
  std::vector<Event> events;  // of a failed attempt too
  double gained = 0.0;        // J, that the overlaps at its end hold for nothing (energy_for_nothing)
  double gain_allowed = 0.0;  // J, what a whole step may hold so
  bool too_long = false;      // a pair passes through another, or a body turns too far, and less in parts
  PairList pairs;             // bodies that touched; of a failed attempt: nothing of use
  Overlap deepest;            // likewise
  EnergyGain gain;            // from nothing, of the run up to the end; likewise

  /// As before an attempt, with the memory of the columns kept.
  void restart() {
    ok = true;
    message.clear();
    statistics.clear();
    events.clear();
    gained = gain_allowed = 0.0;
    too_long = false;
    pairs.clear();
    deepest = {};
    gain = {};
  }
};

}  // namespace csim
