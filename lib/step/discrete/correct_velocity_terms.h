// Coriolis and gyroscopic forces of the mean velocity of the step.
#pragma once

#include "step/discrete/corrections.h"

namespace csim {

/// Puts Coriolis and gyroscopic forces of trees on joints at the velocities that are foretold of them
/// (foretold_velocities.h). The correction then finds little to change.
void foretell_velocity_terms(const SolvedStep& solved, PreparedStep* prepared);

/// integrator.velocity_terms: mean. Coriolis and gyroscopic forces follow from the mean of the velocities of
/// the start and of the solution. Whether v* changed by more than solver.tolerance of what the step
/// exchanges: the problem has the new one then. What a change that may not be made would come to is
/// solved->velocity_residual.
[[nodiscard]] bool correct_velocity_terms(const StepAtHand& step);

}  // namespace csim
