// Whether a step has led where its contacts foresaw.
#pragma once

#include "step/step_outcome.h"
#include "step/step_problem.h"

namespace csim {

/// Fills outcome->overlap from the state at the end of the step (outcome->state). Poses are computed only
/// where shapes may overlap unforeseen (ContactFinder::may_overlap).
void look_at_end(StepProblem* problem, StepOutcome* outcome);

}  // namespace csim
