// One step of the discrete scheme as a value: poses -> contacts -> convex problem -> velocities -> poses
// (Castro et al. 2023, eq. 1, symplectic Euler).
#pragma once

#include <cmath>

#include "step/account/step_accounts.h"
#include "step/discrete/step_problem.h"
#include "step/step_outcome.h"

namespace csim {

/// All data of a contact are those at the start of the step, except for those that are evaluated at the
/// solution: faces that press bodies already apart, impacts transmitted within the step, and the velocities
/// of Coriolis and gyroscopic forces. The outer loop solves, evaluates them, and solves again from the
/// velocities found until none changes. Each bounds the number of its own changes, so that the loop
/// terminates.
class DiscreteStep {
 public:
  /// The model must outlive this, and stay as it is.
  DiscreteStep(const Model& model, const Scene& scene, int threads)
      : problem_(model, scene, threads), guards_gain_(std::isfinite(scene.guards.energy_gain)) {}

  /// Attempts the step of length h (s) from `state`. Nothing but *outcome and work space changes: the same
  /// arguments give the same bits. With `same_contacts` the contacts are those of the attempt before, which
  /// was a longer step from the same state.
  void attempt(const State& state, const SolverMemory& memory, double h, StepOutcome* outcome,
               bool same_contacts = false);

  /// Begins the step of length h (s) from the end of the last attempt, *outcome, which succeeded, and looks
  /// there for overlaps that hold energy for nothing, for those of meshes that no contact holds, and for
  /// pressure fields that were pressed and lie beyond each other's middle now: `gained`, `gain_allowed` and
  /// `too_long` of *outcome, events. An attempt from the
  /// same state with the same h goes on from there, so that the look costs nothing. What an overlap may give
  /// is measured by `whole_step` (s), of which the attempt may be a part or a shorter try: the same for all
  /// of them, so that shorter ones hold less. Where the next step is shorter than 1/500 of it, stiff overlaps
  /// are measured too low.
  void look_ahead(double h, double whole_step, StepOutcome* outcome);

  /// Begins the accounts of *state, whose elastic energy is that of the contacts and rows offered to a step
  /// of length h (s).
  void start(const SolverMemory& memory, double h, State* state);

  /// Contacts and forces of the last attempt.
  [[nodiscard]] const ContactSet& contacts() const {
    return has_looked_ahead_ ? contacts_ : problem_.contacts;
  }
  [[nodiscard]] const ContactForces& forces() const { return has_looked_ahead_ ? forces_ : problem_.forces; }
  [[nodiscard]] const RowForces& row_forces() const {
    return has_looked_ahead_ ? row_forces_ : problem_.row_forces;
  }

 private:
  void solve(StepOutcome* outcome);
  [[nodiscard]] bool changes_data(StepOutcome* outcome);
  void finish(StepOutcome* outcome);
  void find_passages(StepOutcome* outcome);
  void find_lost_patches(StepOutcome* outcome);

  StepProblem problem_;
  StepAccounts accounts_;
  bool guards_gain_;               // guards.energy_gain is not none
  bool has_looked_ahead_ = false;  // the problem is that of the next step; the contacts and forces before:
  ContactSet contacts_;
  ContactForces forces_;
  RowForces row_forces_;
};

}  // namespace csim
