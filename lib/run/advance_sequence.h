// The phases of a sequence from step to step.
#pragma once

#include <string>
#include <vector>

#include "step/stepper.h"

namespace csim {

/// Judges the phase in force of *state, which is the end of the stepper's last step, taken: where the phase
/// is over, or its time is up with on_timeout: next, the next one begins, and an event of kPhase is appended.
/// Returns what is wrong when its time is up with on_timeout: error; "" else. Without a sequence, or after
/// its end, there is nothing to do. *frame: work space.
[[nodiscard]] std::string advance_sequence(const Model& model, const StepOutcome& outcome, Stepper* stepper,
                                           State* state, std::vector<Event>* events, Frame* frame);

/// The event of the beginning of the phase in force.
[[nodiscard]] Event phase_event(const State& state);

}  // namespace csim
