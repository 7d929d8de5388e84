#include "step/stepper.h"

#include "core/number_format.h"

namespace csim {

std::string describe_fast_spins(const Model& model, const Stepper& stepper, double step) {
  if (stepper.num_fast_spins() == 0) return "";
  const Stepper::FastSpin& first = stepper.first_fast_spin();
  return "bodies of uneven inertia spun too fast for a step of " + format_number(step) + " s (" +
         std::to_string(stepper.num_fast_spins()) + " times), first '" + model.bodies[first.body].name +
         "' at t = " + format_number(first.time) +
         " s: gyroscopic moments are those of the start of a step and feed such a spin; a shorter time.step "
         "holds it";
}

}  // namespace csim
