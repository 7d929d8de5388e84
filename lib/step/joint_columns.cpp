#include "step/joint_columns.h"

#include <algorithm>

namespace csim {

std::vector<int> joint_bodies(const Model& model) {
  std::vector<int> bodies;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    if (model.bodies[b].joint.scene_joint >= 0) bodies.push_back(static_cast<int>(b));
  }
  std::sort(bodies.begin(), bodies.end(), [&](int a, int b) {
    return model.bodies[a].joint.scene_joint < model.bodies[b].joint.scene_joint;
  });
  return bodies;
}

void fill_joint_columns(const Model& model, const std::vector<int>& bodies, const State& state,
                        Frame* frame) {
  int nq = 0, nv = 0;
  for (const int b : bodies) {
    nq += model.bodies[b].joint.nq;
    nv += model.bodies[b].joint.nv;
  }
  frame->joint_position.resize(nq);
  frame->joint_velocity.resize(nv);
  frame->joint_effort.setZero(nv);
  nq = nv = 0;
  for (const int b : bodies) {
    const Joint& joint = model.bodies[b].joint;
    frame->joint_position.segment(nq, joint.nq) = state.q.segment(joint.q_begin, joint.nq);
    frame->joint_velocity.segment(nv, joint.nv) = state.v.segment(joint.v_begin, joint.nv);
    for (const auto& [iq, iv] : model.springs) {
      if (iv < joint.v_begin || iv >= joint.v_begin + joint.nv) continue;
      frame->joint_effort[nv + iv - joint.v_begin] =
          -model.stiffness[iv] * (state.q[iq] - model.rest_position[iv]);
    }
    nq += joint.nq;
    nv += joint.nv;
  }
}

}  // namespace csim
