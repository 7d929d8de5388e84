#include <algorithm>
#include <cmath>
#include <limits>

#include "core/number_format.h"
#include "model/actuator.h"
#include "model/build_stages.h"
#include "scene/integrator_kinds.h"
#include "scene/joint_coordinates.h"

namespace csim {
namespace {

JointCoordinate coordinate_of(const Body& body, int i) {
  const Joint& joint = body.joint;
  return {body.tree, joint.nq == joint.nv ? joint.q_begin + i : -1, joint.v_begin + i};
}

/// Of the joint's coordinate.
const char* unit_of(const JointSpec& joint) {
  return turns(joint.type) ? " rad" : " m";
}

CoordinateRow& add_row(RowOwner owner, int index, const JointCoordinate& coordinate, Model* model) {
  CoordinateRow& row = model->rows.emplace_back();
  row.owner = owner;
  row.index = index;
  row.terms = {{coordinate, 1.0}};
  return row;
}

void add_limit(const JointSpec& spec, const Body& body, const Scene& scene, Model* model,
               std::vector<std::string>* notes) {
  if (spec.limits.empty()) return;
  const double lower = spec.limits[0], upper = spec.limits[1];
  CoordinateRow& row = add_row(RowOwner::kJoint, -1, coordinate_of(body, 0), model);
  row.range = {lower, upper};
  row.law.stiffness = std::numeric_limits<double>::infinity();
  row.law.lower = 0.0;
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
  for (int i = 0; i < body.joint.nv; ++i) {
    if (!(spec.friction[i] > 0.0)) continue;
    RowLaw& law = add_row(RowOwner::kJoint, -1, coordinate_of(body, i), model).law;
    law.damping = std::numeric_limits<double>::infinity();
    law.lower = -spec.friction[i];
    law.upper = spec.friction[i];
  }
}

/// Position and velocity drives whose effort is bounded.
void add_drives(Model* model) {
  for (std::size_t i = 0; i < model->actuators.size(); ++i) {
    const Actuator& actuator = model->actuators[i];
    if (actuator.joint < 0 || !is_row_drive(actuator) || actuator.stiffness + actuator.damping == 0.0)
      continue;
    RowLaw& law =
        add_row(RowOwner::kDrive, static_cast<int>(i), {actuator.tree, actuator.q, actuator.v}, model).law;
    law.stiffness = actuator.stiffness;
    law.damping = actuator.damping;
    law.lower = -actuator.effort_limit;
    law.upper = actuator.effort_limit;
    law.relaxes_in_step = law.stores_energy = false;
  }
}

/// The rows of a constraint of joints.
void add_joint_rows(const Scene& scene, const ConstraintSpec& spec, Model* model) {
  for (const ConstraintRow& constraint : constraint_rows(scene, spec)) {
    CoordinateRow& row = model->rows.emplace_back();
    row.owner = RowOwner::kConstraint;
    row.constraint = static_cast<int>(model->constraint_names.size()) - 1;
    row.index = model->num_constraint_rows++;
    for (const auto& [joint, coefficient] : constraint.terms)
      row.terms.push_back({coordinate_of(model->bodies[scene.joints[joint].child], 0), coefficient});
    std::stable_sort(row.terms.begin(), row.terms.end(), [](const auto& x, const auto& y) {
      return x.coordinate.tree < y.coordinate.tree;  // for_each_tree
    });
    row.offset = constraint.offset;
    row.range = constraint.range;
    row.law = constraint.law;
  }
}

RigidTransform frame_of(const ConstraintSpec& spec, const Vector3& point, const Pose& pose) {
  return spec.type == ConstraintType::kWeld ? RigidTransform(pose.rotation, pose.xyz)
                                            : RigidTransform(Quaternion::Identity(), point);
}

void add_body_pair(const Scene& scene, const ConstraintSpec& spec, Model* model) {
  BodyPair& pair = model->body_pairs.emplace_back();
  pair.type = spec.type;
  pair.constraint = static_cast<int>(model->constraint_names.size()) - 1;
  pair.index = model->num_constraint_rows;
  pair.body_a = spec.a;
  pair.body_b = spec.b;
  pair.X_A = frame_of(spec, spec.point_a, spec.pose_a);
  pair.X_B = frame_of(spec, spec.point_b, spec.pose_b);
  for (const ConstraintRow& row : constraint_rows(scene, spec))
    pair.rows.push_back({row.offset, row.range, row.law});
  model->num_constraint_rows += static_cast<int>(pair.rows.size());
}

/// The loads at which the constraint breaks whose rows begin at `row_begin`.
void add_breaking_loads(const Scene& scene, const ConstraintSpec& spec, int row_begin, Model* model) {
  const std::vector<ConstraintRow> rows = constraint_rows(scene, spec);
  const int constraint = static_cast<int>(model->constraint_names.size()) - 1;
  for (std::size_t i = 0; i < rows.size();) {
    const bool is_vector = rows[i].law.group > 1;
    const std::size_t end = is_vector ? i + static_cast<std::size_t>(rows[i].law.group) : rows.size();
    const std::optional<double>& limit =
        spec.type == ConstraintType::kWeld && rows[i].is_angle ? spec.breaking_torque : spec.breaking_load;
    if (limit)
      model->breaking_loads.push_back({constraint, row_begin + static_cast<int>(i),
                                       row_begin + static_cast<int>(end), is_vector, *limit});
    i = end;
  }
}

}  // namespace

void build_constraints(const Scene& scene, Model* model, std::vector<std::string>* notes) {
  for (const JointSpec& joint : scene.joints)
    add_limit(joint, model->bodies[joint.child], scene, model, notes);
  for (const JointSpec& joint : scene.joints) add_frictions(joint, model->bodies[joint.child], model);
  add_drives(model);
  for (const ConstraintSpec& spec : scene.constraints) {
    const int row_begin = model->num_constraint_rows;
    model->constraint_names.push_back(spec.name);
    if (is_between_bodies(spec)) {
      add_body_pair(scene, spec, model);
    } else {
      add_joint_rows(scene, spec, model);
    }
    add_breaking_loads(scene, spec, row_begin, model);
  }
}

}  // namespace csim
