// Why an attempt of a step failed, as a sentence.
#pragma once

#include <string>

#include "step/discrete/step_problem.h"

namespace csim {

/// "" when the step may end with the solution; else what is wrong with it, when and whose.
[[nodiscard]] std::string describe_failure(const StepProblem& problem);

}  // namespace csim
