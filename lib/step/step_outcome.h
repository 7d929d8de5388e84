// A step as a value.
#pragma once

#include <string>
#include <vector>

#include "contact/end_overlap.h"
#include "model/model.h"
#include "solver/solver_memory.h"
#include "step/event.h"
#include "step/pair_sums.h"
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
  EndOverlap overlap;         // that the step did not foresee: it is too long
  PairList pairs;             // bodies that touched; of a failed attempt: nothing of use

  /// As before an attempt, with the memory of the columns kept.
  void restart() {
    ok = true;
    message.clear();
    statistics.clear();
    events.clear();
    overlap = {};
    pairs.clear();
  }
};

}  // namespace csim
