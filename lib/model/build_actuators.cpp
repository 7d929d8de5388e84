#include <cmath>

#include "model/actuator.h"
#include "model/build_stages.h"
#include "scene/actuator_coordinates.h"

namespace csim {
namespace {

/// The angles about the fixed x, then y, then z axis of a rotation; roll 0 where pitch is a right angle.
Vector3 angles_of(const Quaternion& rotation) {
  const Matrix3 R = rotation.toRotationMatrix();
  const double cosine = std::hypot(R(0, 0), R(1, 0));
  const double pitch = std::atan2(-R(2, 0), cosine);
  if (cosine < 1e-8) return {0.0, pitch, std::atan2(-R(0, 1), R(1, 1))};
  return {std::atan2(R(2, 1), R(2, 2)), pitch, std::atan2(R(1, 0), R(0, 0))};
}

/// The command of coordinate i of six: of constant poses a number, of poses over time a table.
CommandSpec coordinate_command(const CartesianSpec& spec, int i) {
  const MotionSpec& motion = spec.motion;
  const std::vector<Vector3>& rows = i < 3 ? motion.xyz : motion.rpy;
  CommandSpec command;
  if (motion.type == MotionType::kNone) {
    command.value = i < 3 ? spec.target.xyz[i] : angles_of(spec.target.rotation)[i - 3];
  } else if (!rows.empty()) {
    command.type = CommandType::kTable;
    command.interpolation = motion.interpolation;
    command.times = motion.times;
    for (const Vector3& row : rows) command.values.push_back(row[i % 3]);
  }
  return command;
}

void add_cartesian(const ActuatorSpec& spec, Model* model) {
  const CartesianSpec& c = spec.cartesian;
  CartesianDrive& drive = model->cartesian_drives.emplace_back();
  drive.actuator = static_cast<int>(model->actuators.size());
  drive.pair.type = ConstraintType::kWeld;
  drive.pair.body_a = c.base;
  drive.pair.body_b = c.body;
  drive.pair.X_B = RigidTransform(c.pose.rotation, c.pose.xyz);
  std::vector<std::string> names;
  append_coordinates(spec, &names);
  for (int i = 0; i < 6; ++i) {
    drive.stiffness[i] = (i < 3 ? c.stiffness.linear : c.stiffness.angular)[i % 3];
    drive.damping[i] = (i < 3 ? c.damping.linear : c.damping.angular)[i % 3];
    drive.acts[i] = drive.stiffness[i] + drive.damping[i] > 0.0;
    Actuator& actuator = model->actuators.emplace_back();
    actuator.name = names[static_cast<std::size_t>(i)];
    actuator.type = spec.type;
    actuator.command = make_command(coordinate_command(c, i));
  }
  for (int i = 0; i < 6; i += 3) {
    const bool all = drive.acts[i] && drive.acts[i + 1] && drive.acts[i + 2];
    for (int k = 0; k < 3; ++k) drive.group[i + k] = !all ? 1 : k == 0 ? 3 : 0;
  }
}

void add_drive(const Scene& scene, const ActuatorSpec& spec, Model* model) {
  const Body& body = model->bodies[scene.joints[spec.joint].child];
  Actuator& actuator = model->actuators.emplace_back();
  actuator.name = spec.name;
  actuator.joint = spec.joint;
  actuator.tree = body.tree;
  actuator.q = body.joint.q_begin;
  actuator.v = body.joint.v_begin;
  actuator.type = spec.type;
  actuator.stiffness = spec.stiffness;
  actuator.damping = spec.damping;
  if (spec.effort_limit) actuator.effort_limit = *spec.effort_limit;
  actuator.feed_forward_velocity = spec.feed_forward_velocity;
  actuator.command = make_command(spec.command);
  if (is_row_drive(actuator)) return;
  model->drive_stiffness[actuator.v] += actuator.stiffness;
  model->drive_damping[actuator.v] += actuator.damping;
}

}  // namespace

void build_actuators(const Scene& scene, Model* model) {
  model->drive_stiffness.setZero(model->nv);
  model->drive_damping.setZero(model->nv);
  for (const ActuatorSpec& spec : scene.actuators) {
    if (spec.type == ActuatorType::kCartesian)
      add_cartesian(spec, model);
    else
      add_drive(scene, spec, model);
  }
}

}  // namespace csim
