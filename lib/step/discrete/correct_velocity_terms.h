// Coriolis and gyroscopic forces of the mean velocity of the step.
#pragma once

#include "step/discrete/corrections.h"

namespace csim {

/// Of islands whose velocities go on evenly: puts Coriolis and gyroscopic forces of their joints at the
/// velocities that those of the steps before foretell, where what this leaves is as good as nothing. The
/// correction then finds little to change.
void foretell_velocity_terms(const SolverMemory& memory, PreparedStep* prepared, SolvedStep* solved);

/// integrator.velocity_terms: mean. Coriolis and gyroscopic forces follow from the mean of the velocities of
/// the start and of the solution. Whether v* changed by more than solver.tolerance of what the step
/// exchanges: the problem has the new one then. What a change that may not be made would come to is
/// solved->velocity_residual.
[[nodiscard]] bool correct_velocity_terms(const StepAtHand& step);

}  // namespace csim
