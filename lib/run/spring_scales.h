// How well a step resolves the springs and position drives of joints.
#pragma once

#include <string>
#include <vector>

#include "model/model.h"

namespace csim {

/// One coordinate with a spring or a position drive, at the initial state.
struct SpringScale {
  std::string joint;
  int coordinate = 0;      // of the joint
  double frequency = 0.0;  // rad/s, natural, when the other coordinates of the tree are free
  double theta = 0.0;      // of the step, model/spring_terms.h; 0: resolved, it keeps its energy
};

/// In the order of the velocity coordinates; of a step h (s).
[[nodiscard]] std::vector<SpringScale> spring_scales(const Scene& scene, const Model& model,
                                                     const State& state, double h);

}  // namespace csim
