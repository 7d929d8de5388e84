// Guards: what ends a run before its results mean nothing.
#pragma once

#include <string>

#include "model/model.h"
#include "scene/scene.h"
#include "step/step_outcome.h"

namespace csim {

/// What guard the attempt breaks, as a sentence with the names of the pair or body; "" within all of them.
/// `contacts`: those of the attempt.
[[nodiscard]] std::string broken_guard(const GuardSpec& guards, const Model& model,
                                       const StepOutcome& outcome, const ContactSet& contacts);

}  // namespace csim
