// One step of the discrete scheme as a value: poses -> contacts -> convex problem -> velocities -> poses
// (Castro et al. 2023, eq. 1, symplectic Euler).
#pragma once

#include "step/step_accounts.h"
#include "step/step_outcome.h"
#include "step/step_problem.h"

namespace csim {

/// All data of a contact are those at the start of the step, except for those that are evaluated at the
/// solution: faces that press bodies already apart, impacts transmitted within the step, and the velocities
/// of Coriolis and gyroscopic forces. The outer loop solves, evaluates them, and solves again from the
/// velocities found until none changes. Each bounds the number of its own changes, so that the loop
/// terminates.
class DiscreteStep {
 public:
  /// The model must outlive this.
  DiscreteStep(const Model& model, const Scene& scene, int threads) : problem_(model, scene, threads) {}

  /// Attempts the step of length h (s) from `state`. Nothing but *outcome and work space changes: the same
  /// arguments give the same bits. With `same_contacts` the contacts are those of the attempt before, which
  /// was a longer step from the same state.
  void attempt(const State& state, const SolverMemory& memory, double h, StepOutcome* outcome,
               bool same_contacts = false);

  /// Begins the accounts of *state, whose elastic energy is that of the contacts and rows offered to a step
  /// of length h (s).
  void start(const SolverMemory& memory, double h, State* state);

  /// Contacts and forces of the last attempt.
  [[nodiscard]] const ContactSet& contacts() const { return problem_.contacts; }
  [[nodiscard]] const ContactForces& forces() const { return problem_.forces; }
  [[nodiscard]] const RowForces& row_forces() const { return problem_.row_forces; }

 private:
  void solve(StepOutcome* outcome);
  [[nodiscard]] bool changes_data(StepOutcome* outcome);
  void finish(StepOutcome* outcome);

  StepProblem problem_;
  StepAccounts accounts_;
};

}  // namespace csim
