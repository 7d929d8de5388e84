// Data of a step's problem that are evaluated at its solution.
#pragma once

#include "step/step_outcome.h"
#include "step/step_problem.h"

namespace csim {

/// One such datum. The outer loop of a step solves the problem, asks every datum whether the solution makes
/// it another one, and solves again from the velocities found until none changes. A datum bounds the number
/// of its own changes, so that the loop terminates.
class SolutionDatum {
 public:
  virtual ~SolutionDatum() = default;

  /// Before the first solve of an attempt.
  virtual void restart() {}

  /// Looks at the solution in *problem. True when the datum changes by more than its tolerance: it is in the
  /// problem then, and iterate.v is the guess of the next solve.
  [[nodiscard]] virtual bool update(StepProblem* problem, StepOutcome* outcome) = 0;
};

}  // namespace csim
