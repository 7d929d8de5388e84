#include <algorithm>
#include <cmath>

#include "core/number_format.h"
#include "model/build_stages.h"
#include "scene/integrator_kinds.h"

namespace csim {
namespace {

JointCoordinate coordinate_of(const Body& body, int i) {
  const Joint& joint = body.joint;
  return {body.tree, joint.nq == joint.nv ? joint.q_begin + i : -1, joint.v_begin + i};
}

const Body& child_of(const Scene& scene, int joint, const Model& model) {
  return model.bodies[scene.joints[joint].child];
}

/// Of the joint's coordinate.
const char* unit_of(const JointSpec& joint) {
  return joint.type == JointType::kRevolute ? " rad" : " m";
}

void add_limit(const JointSpec& spec, const Body& body, const Scene& scene, Model* model,
               std::vector<std::string>* notes) {
  if (spec.limits.empty()) return;
  const double lower = spec.limits[0], upper = spec.limits[1];
  model->limits.push_back({coordinate_of(body, 0), lower, upper});
  const double q = spec.position[0];
  const double outside = std::max(lower - q, q - upper);
  if (outside <= 0.0) return;
  notes->push_back("joints." + spec.name + ".position lies " + format_number(outside) + unit_of(spec) +
                   " outside its limits: it is pushed back by " +
                   (integrator_kind(scene).solves_contact
                        ? "half of that in a step, at 1" + std::string(unit_of(spec)) + "/s at most"
                        : "all of that in the first step"));
}

void add_frictions(const JointSpec& spec, const Body& body, Model* model) {
  for (int i = 0; i < body.joint.nv; ++i)
    if (spec.friction[i] > 0.0) model->dry_frictions.push_back({coordinate_of(body, i), spec.friction[i]});
}

void add_coupler(const Scene& scene, const ConstraintSpec& spec, Model* model,
                 std::vector<std::string>* notes) {
  Coupler coupler;
  coupler.name = spec.name;
  coupler.a = coordinate_of(child_of(scene, spec.joint_a, *model), 0);
  coupler.b = coordinate_of(child_of(scene, spec.joint_b, *model), 0);
  coupler.ratio = spec.ratio;
  coupler.offset = spec.offset;
  coupler.stiffness = spec.stiffness;
  coupler.relaxation_time = spec.relaxation_time;
  coupler.near_rigid = spec.near_rigid;
  model->couplers.push_back(coupler);
  const double violation = coupler_violation_at_start(scene, spec);
  if (std::isfinite(spec.stiffness) || std::abs(violation) < 1e-9) return;
  const std::string unit = unit_of(scene.joints[spec.joint_a]);
  notes->push_back("constraints." + spec.name + " is violated by " + format_number(violation) + unit +
                   " at the start: the joints are pulled together by half of that in a step, at 1" + unit +
                   "/s at most");
}

}  // namespace

void build_constraints(const Scene& scene, Model* model, std::vector<std::string>* notes) {
  for (const JointSpec& joint : scene.joints) {
    const Body& body = model->bodies[joint.child];
    add_limit(joint, body, scene, model, notes);
    add_frictions(joint, body, model);
  }
  for (const ConstraintSpec& spec : scene.constraints) add_coupler(scene, spec, model, notes);
}

}  // namespace csim
