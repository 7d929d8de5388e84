// One step of the discrete scheme as a value: poses -> contacts -> convex problem -> velocities -> poses
// (Castro et al. 2023, eq. 1, symplectic Euler). It is prepared, solved with its corrections, and judged.
#pragma once

#include <array>
#include <deque>
#include <span>
#include <utility>
#include <vector>

#include "step/discrete/corrections.h"
#include "step/discrete/island_gains.h"
#include "step/discrete/sleep.h"
#include "step/discrete/step_accounts.h"
#include "step/discrete/step_constants.h"
#include "step/fill_frame.h"
#include "step/step_outcome.h"

namespace csim {

/// Two steps: the one at hand, prepared, solved and judged, and the one from its end, prepared, in which the
/// judgement looks for what the end of the first holds. An attempt of that step goes on from there, so that
/// the look costs nothing. Others are kept while some of their trees take the same step in parts, and a part
/// in shorter ones: each is a level, and all that is kept are steps of other trees that end with the part at
/// hand or later. One more tells what acts on those that are asleep.
class DiscreteStep {
 public:
  /// The model must outlive this, and stay as it is; so must `stop`, which is asked between solves: where it
  /// says so, the end of an attempt is of no use.
  DiscreteStep(const Model& model, const Scene& scene, int threads, const std::function<bool()>& stop);
  DiscreteStep(const DiscreteStep&) = delete;  // its steps refer to its options
  DiscreteStep& operator=(const DiscreteStep&) = delete;

  /// Attempts the step of length h (s) of the trees that take part from `state`; the others go on with its
  /// velocities, and are met where contacts would act on them, or what is prescribed comes near those that
  /// are asleep. Nothing but *outcome and work space changes: the same arguments give the same bits. Refused
  /// are failures of the solution, and pairs that it leads through each other.
  void attempt(const State& state, const SolverMemory& memory, double h, const Participants& who,
               StepOutcome* outcome);

  /// Attempts a shorter step from the same state as the last attempt, with its contacts.
  void attempt_shorter(const SolverMemory& memory, double h, StepOutcome* outcome);

  /// Keeps the last attempt, which was refused for `refused`, for the others of its trees, as the level
  /// num_kept(): *outcome is what it makes of these, with the same events, and with the accounts of these
  /// alone. Of a level that is kept it may be called again with more trees refused; those above it are kept
  /// no longer.
  void keep_without(int level, const SolverMemory& memory, const TreeSet& refused, StepOutcome* outcome);

  /// Keeps the last attempt as it is, for what its trees do while the others take the same step in parts.
  void keep_as_it_is();

  /// Keeps the first levels only. An attempt of all trees awake keeps none.
  void keep_first(int num_levels);

  /// The energies of *end, the end of the last attempt, with the trees that are kept where they are in it.
  void account_with_kept(State* end);

  /// The velocities [nv of the model] of an attempt that is kept, and of the last one, before origins are
  /// carried.
  [[nodiscard]] const VectorX& kept_velocities(int level) const { return steps_[kept_[level]].solved.v; }
  [[nodiscard]] const VectorX& velocities() const { return at_hand().solved.v; }

  /// An attempt that is kept, and the last one.
  [[nodiscard]] int num_kept() const { return num_kept_; }
  [[nodiscard]] const PreparedStep& kept(int level) const { return steps_[kept_[level]].prepared; }
  [[nodiscard]] const PreparedStep& last() const { return at_hand().prepared; }

  /// Prepares the step of length h (s) of `who` from the end of the last attempt, *outcome, which
  /// succeeded, and looks there for overlaps that hold energy for nothing (gains, unless guards.energy_gain
  /// is none), for those of meshes that no contact holds (refused), for overlaps deeper than anything
  /// explains, and for pressure fields that were pressed and lie beyond each other's middle now (events).
  /// What an overlap may give is measured by `whole_step` (s), of which the attempt may be a part or a
  /// shorter try: the same for all of them, so that shorter ones hold less. Where the next step is shorter
  /// than 1/500 of it, stiff overlaps are measured too low. `gained`: StepOutcome::gained before it.
  void look_ahead(double h, double whole_step, const Participants& who, const VectorX& gained,
                  StepOutcome* outcome);

  /// Begins the accounts of *state, whose elastic energy is that of the contacts and rows offered to a step
  /// of length h (s).
  void start(double h, State* state);

  /// Contacts of the last attempt; after `start`: of the initial state.
  [[nodiscard]] const ContactSet& contacts() const { return at_hand().prepared.contacts; }
  /// What acted in the last attempt and in those that are kept; until the next attempt.
  [[nodiscard]] std::span<const StepForces> forces();

  /// The same without the trees that are asleep in `state`, and what acts on these: in a step of length h (s)
  /// of them alone that ends there, at the velocities at which they fell asleep. It follows from the state,
  /// so that a resumed run finds it again.
  [[nodiscard]] std::span<const StepForces> forces_with_resting(const State& state, double h);

  /// After a step of all trees awake, in one or in parts, that ends at *end: those that have been at rest
  /// long enough fall asleep (sleep.h). `pairs`: what contacts did in the step, those of the sleeping
  /// included; `creep`: the largest effective stiction tolerance in it, m/s. Whether any has.
  bool let_sleep(const SleepRule& rule, const TreeSet& awake, const PairList& pairs, double creep, State* end,
                 std::vector<Event>* events);

 private:
  struct Step {
    PreparedStep prepared;
    SolvedStep solved;
    bool is_ready = false;  // prepared, and not solved yet
  };

  [[nodiscard]] const Step& at_hand() const { return steps_[at_hand_]; }
  [[nodiscard]] Step& at_hand() { return steps_[at_hand_]; }
  [[nodiscard]] Step& next() { return steps_[next_]; }
  [[nodiscard]] double rows_held(int num_levels) const;
  void prepare_next(const State& state, double h, const Participants& who, StepStatistics* statistics);
  void find_resting_forces(const State& state, double h);
  void solve_and_judge(const SolverMemory& memory, StepOutcome* outcome);
  void finish(const SolverMemory& memory, const TreeSet& trees, Step* step, StepOutcome* outcome);
  void find_meetings(StepOutcome* outcome);
  void find_passages(StepOutcome* outcome);
  void judge_settling(StepOutcome* outcome);
  void note_unexplained_depths(StepOutcome* outcome);
  void find_lost_patches(StepOutcome* outcome);

  Workers workers_;
  StepOptions options_;
  std::deque<Step> steps_;
  int at_hand_ = 0, next_ = 1, resting_ = 2;  // in steps_
  std::array<int, kMostLevels> kept_{};       // likewise, of all levels
  int num_kept_ = 0;                          // levels
  std::array<TreeSet, kMostLevels> kept_trees_;
  std::array<StepForces, kMostLevels + 2> acting_;  // of `forces`
  std::array<TreeSet, kMostLevels + 1> acting_awake_;
  ContactFinder finder_;
  SolveWorkspace work_;
  const std::function<bool()>& stop_;
  StepAccounts accounts_;
  std::vector<std::pair<int, int>> lost_;  // work space of look_ahead
  IslandGainWork island_gains_;            // likewise
};

}  // namespace csim
