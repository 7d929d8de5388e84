// The velocities from which a step is solved.
#pragma once

#include "solver/solver_memory.h"
#include "step/discrete/solved_step.h"

namespace csim {

/// Fills solved->guess: v0, and of a tree on joints whose velocities go on evenly what those of the steps
/// before foretell, 3 v0 - 3 v1 + v2 of velocities at equal intervals; these trees are solved->is_foretold.
/// Of how well it foretells, the step before is the judge: the same would have missed v0 by less than
/// kForetoldMiss of what that step changed, or by as good as nothing.
void foretell_velocities(const PreparedStep& prepared, const SolverMemory& memory, SolvedStep* solved);

}  // namespace csim
