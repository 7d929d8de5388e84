#include <algorithm>
#include <cmath>

#include "core/number_format.h"
#include "model/build_stages.h"

namespace csim {
namespace {

JointCoordinate coordinate_of(const Body& body, int i) {
  const Joint& joint = body.joint;
  return {body.tree, joint.nq == joint.nv ? joint.q_begin + i : -1, joint.v_begin + i};
}

/// The body that each joint of the scene places.
std::vector<int> children_of(const Scene& scene, const Model& model) {
  std::vector<int> child(scene.joints.size(), -1);
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const int j = model.bodies[b].joint.scene_joint;
    if (j >= 0) child[j] = static_cast<int>(b);
  }
  return child;
}

void add_limit(const JointSpec& spec, const Body& body, Model* model, std::vector<std::string>* notes) {
  if (spec.limits.empty()) return;
  const double lower = spec.limits[0], upper = spec.limits[1];
  model->limits.push_back({coordinate_of(body, 0), lower, upper});
  const double q = spec.position[0];
  const double outside = std::max(lower - q, q - upper);
  if (outside <= 0.0) return;
  notes->push_back("joints." + spec.name + ".position lies " + format_number(outside) +
                   (spec.type == JointType::kRevolute ? " rad" : " m") +
                   " outside its limits: it is pushed back by half of that in a step, at 1 " +
                   (spec.type == JointType::kRevolute ? "rad/s" : "m/s") + " at most");
}

void add_frictions(const JointSpec& spec, const Body& body, Model* model) {
  for (int i = 0; i < body.joint.nv; ++i)
    if (spec.friction[i] > 0.0) model->dry_frictions.push_back({coordinate_of(body, i), spec.friction[i]});
}

void add_coupler(const Scene& scene, const ConstraintSpec& spec, const std::vector<int>& child, Model* model,
                 std::vector<std::string>* notes) {
  Coupler coupler;
  coupler.name = spec.name;
  coupler.a = coordinate_of(model->bodies[child[spec.joint_a]], 0);
  coupler.b = coordinate_of(model->bodies[child[spec.joint_b]], 0);
  coupler.ratio = spec.ratio;
  coupler.offset = spec.offset;
  coupler.stiffness = spec.stiffness;
  coupler.relaxation_time = spec.relaxation_time;
  coupler.near_rigid = spec.near_rigid;
  model->couplers.push_back(coupler);
  const double violation = coupler_violation_at_start(scene, spec);
  if (std::isfinite(spec.stiffness) || std::abs(violation) < 1e-9) return;
  notes->push_back("constraints." + spec.name + " is violated by " + format_number(violation) +
                   (scene.joints[spec.joint_a].type == JointType::kRevolute ? " rad" : " m") +
                   " at the start: the joints are pulled together by half of that in a step, at 1 " +
                   (scene.joints[spec.joint_a].type == JointType::kRevolute ? "rad/s" : "m/s") + " at most");
}

}  // namespace

void build_constraints(const Scene& scene, Model* model, std::vector<std::string>* notes) {
  const std::vector<int> child = children_of(scene, *model);
  for (std::size_t j = 0; j < scene.joints.size(); ++j) {
    const Body& body = model->bodies[child[j]];
    add_limit(scene.joints[j], body, model, notes);
    add_frictions(scene.joints[j], body, model);
  }
  for (const ConstraintSpec& spec : scene.constraints) add_coupler(scene, spec, child, model, notes);
}

}  // namespace csim
