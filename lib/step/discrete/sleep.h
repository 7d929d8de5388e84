// Islands that have come to rest: when they fall asleep, and which of them wake.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "step/discrete/prepared_step.h"
#include "step/event.h"
#include "step/step_outcome.h"

namespace csim {

/// integrator.sleep_speed and sleep_time, and the trees that they hold for.
struct SleepRule {
  double speed = 0.0, time = 0.0;  // m/s, s
  /// m/s, at which what sticks creeps: contact.stiction_tolerance, 0 of contact.model: sap, whose tolerance
  /// is of the step alone.
  double creep = 0.0;
  /// [trees]: no actuator, force or constraint acts on the tree, and no prescribed body carries it, so that
  /// nothing but its contacts can move it when it is at rest.
  std::vector<char> may_sleep;
};

/// The rule of a scene; none where nothing ever sleeps.
[[nodiscard]] std::optional<SleepRule> make_sleep_rule(const Model& model, const Scene& scene);

/// As at the start of a run: all trees are awake, none is known to be slow.
void begin_rest(const Model& model, RestState* rest);

[[nodiscard]] bool is_all_awake(const RestState& rest);

/// The trees awake in `rest`; empty: all.
void find_awake(const RestState& rest, TreeSet* awake);

/// Adds to `awake` the trees that fell asleep in `rest` together with one of these bodies, pairs of them.
/// Whether any was added.
bool wake(const Model& model, const RestState& rest, const std::vector<std::pair<int, int>>& pairs,
          TreeSet* awake);

/// A number for StepState::rest_number that no state has.
[[nodiscard]] std::uint64_t new_rest_number();

/// Of the bodies of trees asleep.
[[nodiscard]] int count_asleep(const Model& model, const RestState& rest);

/// What sleeps has always been at rest, as far as solvers remember.
void forget_sleeping(const Model& model, const RestState& rest, SolverMemory* memory);

/// The trees awake that have become slow or quick at the end of a step, *end, with the mass matrices `mass`.
void note_slow_trees(const Model& model, const SleepRule& rule, const std::vector<double>& mass,
                     const TreeSet& awake, State* end);

/// Lets the islands of a step whose trees are among `trees` fall asleep that have been slow long enough, no
/// row acts on and no moving prescribed body touches: their velocities become 0 in *end, the end of the step,
/// and their kinetic energy dissipated by their contacts. `pairs`: what the contacts did in the step, those
/// of trees asleep before included. Each island is an event; what was faster than `creep` (m/s), the largest
/// speed of contacts that stick, was not at rest as the contact law has it, and is an event of its own.
/// Whether any has fallen asleep.
bool fall_asleep(const SleepRule& rule, const PreparedStep& step, const TreeSet& trees, const PairList& pairs,
                 double creep, State* end, std::vector<Event>* events);

/// Adds an event for each group of trees asleep in `rest` that is awake in a step of `awake`.
void note_woken(const Model& model, const RestState& rest, const TreeSet& awake, std::vector<Event>* events);

}  // namespace csim
