// A step as a value.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/model.h"
#include "solver/solver_memory.h"
#include "step/account/deepest_overlap.h"
#include "step/account/energy_gain.h"
#include "step/account/pair_energies.h"
#include "step/account/pair_sums.h"
#include "step/event.h"
#include "step/refusal.h"
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
  Refusal refusal;            // of its solution, or of what it leads into; ok is false for a failure
  PairGains gains;            // what overlaps hold for nothing at its end
  std::vector<IslandGain> island_gains;  // the same by island; what is too much depends on the length
  VectorX gained;                        // [trees], of what is allowed to a whole step, in its parts so far
  std::vector<int> gaining_island;       // [trees], in island_gains; -1: the tree's is not there
  /// Bodies a < b that pass each other or hold a corner without a contact, and that shorter steps help; (b,
  /// b) of a body whose velocity terms did not settle, or whose island was not solved.
  std::vector<std::pair<int, int>> refused_pairs;
  /// Bodies a < b, one of a tree that takes part and one of a tree that does not, that act on each other.
  std::vector<std::pair<int, int>> met;
  PairWorks works;  // of its contacts
  PairList pairs;   // bodies that touched; of a failed attempt: nothing of use
  Overlap deepest;  // likewise
  EnergyGain gain;  // from nothing, of the run up to the end, of a whole step; likewise

  /// As before an attempt, with the memory of the columns kept.
  void restart() {
    ok = true;
    message.clear();
    statistics.clear();
    events.clear();
    refusal = {};
    gains.clear();
    island_gains.clear();
    gaining_island.clear();
    refused_pairs.clear();
    met.clear();
    works.clear();
    pairs.clear();
    deepest = {};
    gain = {};
  }
};

}  // namespace csim
