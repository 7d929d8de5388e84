// Data of a step that are evaluated at its solution: the outer loop around the solver.
#pragma once

#include <functional>

#include "step/discrete/solved_step.h"
#include "step/step_outcome.h"

namespace csim {

/// What a correction works on: a step that was solved, in the order of its data.
struct StepAtHand {
  PreparedStep* prepared;
  SolvedStep* solved;
  ContactFinder* finder;
  SolveWorkspace* work;
  const std::function<bool()>& stop;  // asked between solves
  StepOutcome* outcome;               // its statistics and events
};

/// One kind of data that are evaluated at the velocities found.
struct Correction {
  const char* name;
  /// Evaluates the data at the velocities found, and changes the problem where they differ by more than their
  /// tolerance, in the islands solved->may_change of those solved last; in others of these it notes what is
  /// left of that. Whether the problem changed: its islands that it marks in solved->changed have to be
  /// solved again from iterate.v.
  bool (*apply)(const StepAtHand& step);
  /// Contacts come or change their law, so that forces must be found anew before data that follow from forces
  /// are evaluated.
  bool changes_contacts;
  /// It waits until those before it leave an island as it is: what may change once is not spent on velocities
  /// that others change.
  bool waits;
  /// How often it may change the data of one island in a step, which bounds the loop.
  int (*limit)(const StepOptions& options);
};

/// In the order of their evaluation.
enum class CorrectionKind : int { kFaces, kHits, kVelocityTerms, kFriction, kContactBias };
[[nodiscard]] const Correction& correction(CorrectionKind kind);

/// Solves, evaluates the corrections at the velocities found, and solves the islands again from there whose
/// data they have changed, until there is none; then finds the forces. At rest nothing is solved twice. When
/// it is asked to stop it leaves off.
void solve_with_corrections(const SolverMemory& memory, const StepAtHand& step);

}  // namespace csim
