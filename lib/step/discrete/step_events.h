// Events of an attempt of the discrete scheme.
#pragma once

#include "step/discrete/solved_step.h"
#include "step/event.h"

namespace csim {

/// What the start of the step shows: its contact query, free bodies that spin too fast for the step.
void collect_start_events(const PreparedStep& prepared, std::vector<Event>* events);

/// What its solution shows: a residual above the tolerance, friction that lags.
void collect_end_events(const PreparedStep& prepared, const SolvedStep& solved,
                        const StepStatistics& statistics, std::vector<Event>* events);

}  // namespace csim
