#include "step/continuous_stepper.h"
#include "step/discrete_stepper.h"

namespace csim {

std::unique_ptr<Stepper> make_stepper(const Model& model, const Scene& scene, int threads) {
  if (scene.integrator.type == IntegratorType::kContinuous)
    return std::make_unique<ContinuousStepper>(model, scene);
  return std::make_unique<DiscreteStepper>(model, scene, threads);
}

}  // namespace csim
