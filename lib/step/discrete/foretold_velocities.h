// Velocities of a step that those of the steps before foretell: Lagged and Coulomb's law are solved from
// them, the bias of contacts and velocity-dependent forces are taken at them (SAP and Similar choose their
// start themselves, TAMSI starts from v0).
#pragma once

#include "solver/solver_memory.h"
#include "step/discrete/solved_step.h"

namespace csim {

/// Fills solved->guess: v0, and of a tree on joints whose velocities go on evenly what those of the steps
/// before foretell, 3 v0 - 3 v1 + v2 of velocities at equal intervals; these trees are solved->is_foretold.
/// In whole steps alone: before parts and steps of error control stand others of other lengths. Of how well
/// it foretells, the step before is the judge: the same would have missed v0 by less than kForetoldMiss of
/// what that step changed, or by as good as nothing.
void foretell_velocities(const PreparedStep& prepared, const SolverMemory& memory, SolvedStep* solved);

}  // namespace csim
