// Coulomb's friction: its bounds follow the normal forces found.
#pragma once

#include "step/discrete/corrections.h"

namespace csim {

/// contact.model: coulomb, where mu times the normal force of the solution differs from a bound of friction
/// by more than friction_tolerance: puts it in place of the bound, or solves for both together
/// (couple_lagging_friction) in every fourth repetition, in the islands where it lags. Whether there was one.
[[nodiscard]] bool correct_friction(const StepAtHand& step);

}  // namespace csim
