#include <algorithm>
#include <array>

#include "core/nearest_name.h"
#include "core/number_format.h"
#include "scene/joint_coordinates.h"
#include "scene/read/scene_reading.h"
#include "scene/urdf/robot.h"

namespace csim {
namespace {

struct TypeName {
  const char* name;
  JointType type;
  bool has_axis;
};
constexpr std::array kTypes{
    TypeName{"revolute", JointType::kRevolute, true},   TypeName{"continuous", JointType::kRevolute, true},
    TypeName{"prismatic", JointType::kPrismatic, true}, TypeName{"fixed", JointType::kWeld, false},
    TypeName{"floating", JointType::kFree, false},      TypeName{"planar", JointType::kPlanar, true}};

const TypeName* read_type(const ElementReader& element, RobotJoint* joint) {
  const std::string name = element.text("type");
  const auto found =
      std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeName& type) { return name == type.name; });
  if (found == kTypes.end()) {
    std::vector<std::string> known;
    for (const TypeName& type : kTypes) known.emplace_back(type.name);
    element.report((name.empty() ? "missing" : "type '" + name + "'") +
                   ", expected the type revolute, continuous, prismatic, fixed, floating or planar" +
                   did_you_mean(name, known));
    return nullptr;
  }
  joint->joint.type = found->type;
  joint->continuous = name == "continuous";
  return &*found;
}

int read_side(const ElementReader& element, const char* side, const Robot& robot) {
  const ElementReader link = element.only(side);
  if (!link) {
    element.report("missing, expected an element " + std::string(side));
    return -1;
  }
  const std::string name = link.text("link");
  const auto found = robot.link_index.find(name);
  if (found != robot.link_index.end()) return found->second;
  link.report(name.empty() ? "missing, expected the attribute link"
                           : unknown_name(name, "link", names(robot.link_index)));
  return -1;
}

void read_axis(const ElementReader& element, JointSpec* joint) {
  joint->axis = Vector3::UnitX();  // where the file gives none
  const ElementReader axis = element.only("axis");
  if (!axis) return;
  if (!axis.has("xyz")) axis.report("missing, expected the attribute xyz, 3 numbers");
  const std::optional<Vector3> xyz = axis.vector("xyz");
  if (!xyz) return;
  if (xyz->isZero(0.0)) {
    axis.report("an axis of length 0, expected a direction");
  } else {
    joint->axis = unit_vector(*xyz);
  }
}

void read_range(const ElementReader& limit, RobotJoint* joint) {
  const std::optional<double> lower = limit.number("lower"), upper = limit.number("upper");
  const std::string& name = joint->joint.name;
  if (joint->continuous) {
    if (lower.value_or(0.0) != upper.value_or(0.0))
      limit.note(name, "a range of a continuous joint, which has none");
  } else if (lower.value_or(0.0) > upper.value_or(0.0)) {
    limit.note(name, "a lower limit above the upper one, taken as no limits");
  } else if (lower.value_or(0.0) == upper.value_or(0.0)) {
    limit.note(name, "without a range, taken as no limits");
  } else {
    joint->joint.limits = {lower.value_or(0.0), upper.value_or(0.0)};
  }
}

void read_limit(const ElementReader& element, RobotJoint* joint) {
  const bool single = num_velocities(joint->joint.type) == 1;
  const ElementReader limit = element.only("limit");
  joint->limit_mark = joint->mark;
  if (!limit) {
    if (single && !joint->continuous) element.note(joint->joint.name, "without limits");
    return;
  }
  joint->limit_mark = limit.mark();
  const std::optional<double> effort = limit.number("effort"), velocity = limit.number("velocity");
  if (effort && *effort < 0.0)
    limit.report("effort " + format_number(*effort) + ", expected a number >= 0 (N or N m)");
  if (!single) return;
  read_range(limit, joint);
  if (effort.value_or(0.0) > 0.0) joint->effort = effort;
  if (velocity) limit.note(joint->joint.name, "a velocity limit, which is read and not enforced");
}

void read_dynamics(const ElementReader& element, JointSpec* joint) {
  const ElementReader dynamics = element.only("dynamics");
  if (!dynamics) return;
  const auto coefficient = [&](const char* name) {
    const double value = dynamics.number(name).value_or(0.0);
    if (value < 0.0) dynamics.report(std::string(name) + " " + format_number(value) + ", expected >= 0");
    return std::vector<double>(num_velocities(joint->type), value);
  };
  joint->damping = coefficient("damping");
  joint->friction = coefficient("friction");
}

void read_mimic(const ElementReader& element, RobotJoint* joint) {
  const ElementReader mimic = element.only("mimic");
  if (!mimic) return;
  RobotMimic result{mimic.text("joint"), -1, mimic.number("multiplier").value_or(1.0),
                    mimic.number("offset").value_or(0.0), mimic.mark()};
  if (result.leader.empty()) {
    mimic.report("missing, expected the attribute joint");
  } else if (joint->joint.type == JointType::kWeld) {
    mimic.note(joint->joint.name, "on a fixed joint, which follows nothing");
  } else if (num_velocities(joint->joint.type) != 1) {
    mimic.report("on a joint of several coordinates, expected one that turns or slides");
  } else {
    joint->mimic = result;
  }
}

/// Leaders exist, have one coordinate and follow nobody who follows them.
void find_leaders(const std::vector<ElementReader>& elements, Robot* robot) {
  for (std::size_t j = 0; j < robot->joints.size(); ++j) {
    RobotJoint& joint = robot->joints[j];
    if (!joint.mimic) continue;
    const ElementReader mimic = elements[j].only("mimic");
    const auto found = robot->joint_index.find(joint.mimic->leader);
    if (found == robot->joint_index.end()) {
      mimic.report(unknown_name(joint.mimic->leader, "joint", names(robot->joint_index)));
    } else if (num_velocities(robot->joints[found->second].joint.type) != 1) {
      mimic.report("'" + joint.mimic->leader + "', expected a joint that turns or slides");
    } else {
      joint.mimic->joint = found->second;
    }
  }
  for (std::size_t j = 0; j < robot->joints.size(); ++j) {
    int leader = static_cast<int>(j);
    std::size_t steps = 0;
    while (leader >= 0 && steps++ <= robot->joints.size())
      leader = robot->joints[leader].mimic ? robot->joints[leader].mimic->joint : -1;
    if (leader < 0) continue;
    elements[j].only("mimic").report("'" + robot->joints[j].mimic->leader +
                                     "', which follows this joint, expected one that does not");
    robot->joints[j].mimic.reset();
  }
}

RobotJoint read_joint(const ElementReader& element, const Robot& robot) {
  RobotJoint result;
  JointSpec& joint = result.joint;
  joint.name = element.name("name");
  result.mark = element.mark();
  const TypeName* type = read_type(element, &result);
  joint.parent = read_side(element, "parent", robot);
  joint.child = read_side(element, "child", robot);
  joint.pose = element.origin();
  if (type != nullptr && type->has_axis) read_axis(element, &joint);
  const auto count = static_cast<std::size_t>(num_velocities(joint.type));
  for (std::vector<double>* column : {&joint.damping, &joint.friction, &joint.armature, &joint.stiffness,
                                      &joint.rest_position, &joint.velocity})
    column->assign(count, 0.0);
  joint.position = neutral_position(joint.type);
  read_limit(element, &result);
  read_dynamics(element, &joint);
  read_mimic(element, &result);
  return result;
}

/// J g^2 of rotors: `drake:rotor_inertia` and `drake:gear_ratio`, children of a joint or an actuator.
void add_rotor(const ElementReader& element, JointSpec* joint) {
  const ElementReader inertia = element.only("drake:rotor_inertia"), gear = element.only("drake:gear_ratio");
  const std::optional<double> J = inertia ? inertia.required_number("value") : std::nullopt;
  const std::optional<double> g = gear ? gear.required_number("value") : 1.0;
  if (!J || !g) return;
  if (*J < 0.0) {
    inertia.report(format_number(*J) + ", expected a number >= 0 (kg m^2 or kg)");
    return;
  }
  for (double& armature : joint->armature) armature += *J * *g * *g;
}

}  // namespace

void read_robot_joints(const ElementReader& robot, Robot* result) {
  const std::vector<ElementReader> elements = robot.all("joint");
  std::vector<int> joint_of(result->links.size(), -1);
  for (const ElementReader& element : elements) {
    RobotJoint joint = read_joint(element, *result);
    const int index = static_cast<int>(result->joints.size());
    if (!joint.joint.name.empty() && !result->joint_index.emplace(joint.joint.name, index).second)
      element.report("the name of another joint, expected a unique name");
    if (const int child = joint.joint.child; child >= 0) {
      if (joint.joint.parent == child) {
        element.report("'" + result->links[child].body.name + "' is parent and child, expected two links");
        joint.joint.child = -1;
      } else if (joint_of[child] >= 0) {
        element.only("child").report("'" + result->links[child].body.name + "', the child of joint '" +
                                     result->joints[joint_of[child]].joint.name +
                                     "' already, expected one joint a link: close a loop by constraints");
        joint.joint.child = -1;
      } else {
        joint_of[child] = index;
      }
    }
    result->joints.push_back(std::move(joint));
  }
  find_leaders(elements, result);
}

void read_rotors(const ElementReader& robot, Robot* result) {
  const std::vector<ElementReader> elements = robot.all("joint");
  for (std::size_t j = 0; j < elements.size(); ++j) add_rotor(elements[j], &result->joints[j].joint);
  for (const ElementReader& transmission : robot.all("transmission")) {
    const ElementReader joint = transmission.only("joint");
    for (const ElementReader& actuator : transmission.all("actuator")) {
      if (!actuator.only("drake:rotor_inertia") && !actuator.only("drake:gear_ratio")) continue;
      const auto found = result->joint_index.find(joint ? joint.text("name") : "");
      if (found == result->joint_index.end()) {
        actuator.report("a rotor without a joint of the robot, expected the joint of the transmission");
      } else {
        add_rotor(actuator, &result->joints[found->second].joint);
      }
    }
  }
}

}  // namespace csim
