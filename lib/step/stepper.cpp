#include "step/stepper.h"

namespace csim {

const StepOutcome& Stepper::step(State* state, double t_limit) {
  const StepOutcome& outcome = attempt(*state, t_limit);
  if (outcome.ok) {
    *state = outcome.state;
    memory_ = outcome.memory;
  }
  return outcome;
}

}  // namespace csim
