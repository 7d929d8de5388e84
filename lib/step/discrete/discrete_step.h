// One step of the discrete scheme as a value: poses -> contacts -> convex problem -> velocities -> poses
// (Castro et al. 2023, eq. 1, symplectic Euler). It is prepared, solved with its corrections, and judged.
#pragma once

#include <array>

#include "step/account/step_accounts.h"
#include "step/discrete/corrections.h"
#include "step/step_outcome.h"

namespace csim {

/// Two steps: the one at hand, prepared, solved and judged, and the one from its end, prepared, in which the
/// judgement looks for what the end of the first holds. An attempt of that step goes on from there, so that
/// the look costs nothing.
class DiscreteStep {
 public:
  /// The model must outlive this, and stay as it is; so must `stop`, which is asked between solves: where it
  /// says so, the end of an attempt is of no use.
  DiscreteStep(const Model& model, const Scene& scene, int threads, const std::function<bool()>& stop);
  DiscreteStep(const DiscreteStep&) = delete;  // its steps refer to its options
  DiscreteStep& operator=(const DiscreteStep&) = delete;

  /// Attempts the step of length h (s) from `state`. Nothing but *outcome and work space changes: the same
  /// arguments give the same bits. Refused are failures of the solution, and pairs that it leads through each
  /// other.
  void attempt(const State& state, const SolverMemory& memory, double h, StepOutcome* outcome);

  /// Attempts a shorter step from the same state as the last attempt, with its contacts.
  void attempt_shorter(const SolverMemory& memory, double h, StepOutcome* outcome);

  /// Prepares the step of length h (s) from the end of the last attempt, *outcome, which succeeded, and looks
  /// there for overlaps that hold energy for nothing (`for_nothing`, `gain_allowed`), for those of meshes
  /// that no contact holds (refused), for overlaps deeper than anything explains, and for pressure fields
  /// that were pressed and lie beyond each other's middle now (events). What an overlap may give is measured
  /// by `whole_step` (s), of which the attempt may be a part or a shorter try: the same for all of them, so
  /// that shorter ones hold less. Where the next step is shorter than 1/500 of it, stiff overlaps are
  /// measured too low.
  void look_ahead(double h, double whole_step, StepOutcome* outcome);

  /// Begins the accounts of *state, whose elastic energy is that of the contacts and rows offered to a step
  /// of length h (s).
  void start(double h, State* state);

  /// Contacts and forces of the last attempt; contacts after `start`: of the initial state.
  [[nodiscard]] const ContactSet& contacts() const { return at_hand().prepared.contacts; }
  [[nodiscard]] const ContactForces& forces() const { return at_hand().solved.forces; }
  [[nodiscard]] const RowForces& row_forces() const { return at_hand().solved.row_forces; }

 private:
  struct Step {
    PreparedStep prepared;
    SolvedStep solved;
    bool is_ready = false;  // prepared, and not solved yet
  };

  [[nodiscard]] const Step& at_hand() const { return steps_[at_hand_]; }
  [[nodiscard]] Step& at_hand() { return steps_[at_hand_]; }
  [[nodiscard]] Step& next() { return steps_[1 - at_hand_]; }
  void prepare_next(const State& state, double h, StepStatistics* statistics);
  void solve_and_judge(const SolverMemory& memory, StepOutcome* outcome);
  void finish(const SolverMemory& memory, StepOutcome* outcome);
  void find_passages(StepOutcome* outcome);
  void note_unexplained_depths(StepOutcome* outcome);
  void find_lost_patches(StepOutcome* outcome);

  StepOptions options_;
  std::array<Step, 2> steps_;
  int at_hand_ = 0;
  ContactFinder finder_;
  SolveWorkspace work_;
  const std::function<bool()>& stop_;
  StepAccounts accounts_;
};

}  // namespace csim
