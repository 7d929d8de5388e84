// Impacts that show only in the solution of a step: its velocities close gaps that were not offered.
#pragma once

#include "step/discrete/corrections.h"

namespace csim {

/// contact.margin: auto. A second contact query, at the velocities found, adds the contacts that close within
/// the step and were not offered at v0 or v*; true when there are some: they are in the problem then, and
/// iterate.v is the guess of the next solve. An impact is transmitted by one body a round; when no further
/// round is allowed, what still closes is counted (StepStatistics::num_unforeseen) and left to the next step.
[[nodiscard]] bool add_foreseen_hits(const StepAtHand& step);

}  // namespace csim
