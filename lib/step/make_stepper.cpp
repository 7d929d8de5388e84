#include "step/make_stepper.h"

#include "core/require.h"
#include "scene/integrator_kinds.h"
#include "step/continuous/continuous_stepper.h"
#include "step/discrete/discrete_stepper.h"
#include "step/quasistatic/quasistatic_stepper.h"

namespace csim {

std::unique_ptr<Stepper> make_stepper(const Model& model, const Scene& scene, int threads) {
  switch (scene.integrator.type) {
    case IntegratorType::kDiscrete:
    case IntegratorType::kErrorControlled:
      return std::make_unique<DiscreteStepper>(model, scene, threads);
    case IntegratorType::kContinuous:
      return std::make_unique<ContinuousStepper>(model, scene);
    case IntegratorType::kQuasistatic:
      return std::make_unique<QuasistaticStepper>(model, scene);
  }
  CSIM_REQUIRE(false, integrator_kind(scene).name);
}

}  // namespace csim
