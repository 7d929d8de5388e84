// Constraints that break from step to step.
#pragma once

#include <vector>

#include "step/stepper.h"

namespace csim {

/// Breaks those whose reaction exceeds what they bear at the end of the stepper's last step, taken, which
/// *state is. An event is appended for each; the energy of its springs counts as dissipated by constraints
/// (EnergyAccounts::dissipated_joints). *frame: work space.
void break_constraints(const Model& model, Stepper* stepper, State* state, std::vector<Event>* events,
                       Frame* frame);

}  // namespace csim
