#include "run/spring_scales.h"

#include "model/spring_terms.h"

namespace csim {

std::vector<SpringScale> spring_scales(const Scene& scene, const Model& model, const State& state, double h) {
  std::vector<SpringScale> scales;
  if (model.sprung_trees.empty()) return scales;
  Kinematics kinematics;
  Dynamics dynamics;
  SpringWorkspace workspace;
  VectorX theta, frequencies;
  compute_kinematics(model, state.q, state.time, state.time, &kinematics);
  compute_dynamics(model, kinematics, state, state.time, &dynamics);
  compute_spring_times(model, dynamics.mass, h, &workspace, &theta);
  compute_spring_frequencies(model, dynamics.mass, &workspace, &frequencies);
  for (const Body& body : model.bodies) {
    for (int i = 0; i < body.joint.nv; ++i) {
      const int iv = body.joint.v_begin + i;
      if (frequencies[iv] > 0.0)
        scales.push_back({scene.joints[body.joint.scene_joint].name, i, frequencies[iv], theta[iv]});
    }
  }
  return scales;
}

}  // namespace csim
