// Scenes in code for the tests of the model.
#pragma once

#include <gtest/gtest.h>

#include "model/build_model.h"
#include "model/dynamics.h"
#include "model/joint.h"

namespace csim::test {

/// A model with its start, or a failed test.
struct Built {
  Model model;
  State state;
  Problems problems;
  std::vector<std::string> notes;
};

inline Built build(const Scene& scene) {
  Built built;
  build_model(scene, &built.model, &built.state, &built.problems, &built.notes);
  return built;
}

inline Built build_valid(const Scene& scene) {
  Built built = build(scene);
  for (const Problem& problem : built.problems) ADD_FAILURE() << problem.path << ": " << problem.message;
  return built;
}

inline Quaternion rotation_from_rpy(const Vector3& rpy) {
  return Quaternion(Eigen::AngleAxisd(rpy.z(), Vector3::UnitZ()) *
                    Eigen::AngleAxisd(rpy.y(), Vector3::UnitY()) *
                    Eigen::AngleAxisd(rpy.x(), Vector3::UnitX()));
}

inline BodySpec fixed_body(const std::string& name, const Vector3& xyz = Vector3::Zero()) {
  BodySpec body;
  body.name = name;
  body.fixed = true;
  body.pose.xyz = xyz;
  return body;
}

inline BodySpec heavy_body(const std::string& name, double mass, const Vector3& com,
                           const std::array<double, 6>& inertia) {
  BodySpec body;
  body.name = name;
  body.mass_source = MassSource::kExplicit;
  body.mass = mass;
  body.com = com;
  body.inertia = inertia;
  return body;
}

/// A joint with all defaults filled in.
inline JointSpec joint(const std::string& name, JointType type, int parent, int child) {
  JointSpec joint;
  joint.name = name;
  joint.type = type;
  joint.parent = parent;
  joint.child = child;
  joint.position.assign(num_positions(type), 0.0);
  if (has_quaternion(type)) joint.position[0] = 1.0;
  for (auto* list : {&joint.velocity, &joint.damping, &joint.friction, &joint.armature, &joint.stiffness,
                     &joint.rest_position}) {
    list->assign(num_velocities(type), 0.0);
  }
  return joint;
}

/// One step without contact: v = v*, q += h N(q) v.
class FreeStepper {
 public:
  explicit FreeStepper(const Model& model) : model_(model) {}

  void step(double h, State* state) {
    const double t_end = state->time + h;
    compute_kinematics(model_, state->q, state->time, t_end, &kinematics_);
    compute_dynamics(model_, kinematics_, *state, t_end, &dynamics_);
    compute_free_motion(model_, dynamics_, *state, h, &free_motion_);
    state->v = free_motion_.v_star;
    advance_positions(model_, state->v, h, &state->q);
    ++state->step;
    state->time = static_cast<double>(state->step) * h;
  }

  /// Kinematics and twists at the state.
  const Kinematics& observe(const State& state, std::vector<Twist>* twists) {
    compute_kinematics(model_, state.q, state.time, state.time, &kinematics_);
    compute_twists(model_, kinematics_, state.v, twists);
    return kinematics_;
  }

 private:
  const Model& model_;
  Kinematics kinematics_;
  Dynamics dynamics_;
  FreeMotion free_motion_;
};

}  // namespace csim::test
