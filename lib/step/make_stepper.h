// The stepper that a scene asks for.
#pragma once

#include <memory>

#include "scene/scene.h"
#include "step/stepper.h"

namespace csim {

/// The stepper of scene.integrator. `threads` share out the work; results do not depend on it. The model must
/// outlive the stepper, and stay as it is.
[[nodiscard]] std::unique_ptr<Stepper> make_stepper(const Model& model, const Scene& scene, int threads);

}  // namespace csim
