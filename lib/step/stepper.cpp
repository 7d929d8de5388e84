#include "step/stepper.h"

namespace csim {

const StepOutcome& Stepper::step(State* state, double t_limit) {
  const StepOutcome& outcome = attempt(*state, t_limit);
  if (outcome.ok) take(state);
  return outcome;
}

void Stepper::take(State* state) {
  std::swap(*state, outcome_.state);
  std::swap(memory_, outcome_.memory);
}

}  // namespace csim
