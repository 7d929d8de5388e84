#include <cmath>

#include "core/number_format.h"
#include "scene/help/angle_warnings.h"
#include "scene/joint_coordinates.h"
#include "scene/read/scene_reading.h"
#include "scene/yaml/strict_values.h"

namespace csim {

std::optional<std::vector<double>> read_coordinates(const SectionReader& reader, const std::string& key,
                                                    int count, bool stands_for_all) {
  const YamlNode* node = reader.has("type") ? reader.node(key) : nullptr;
  if (node == nullptr) return std::nullopt;
  const auto n = static_cast<size_t>(count);
  const bool list = node->kind == YamlNode::Kind::kSequence;
  const bool number = n == 1 || stands_for_all;
  const std::vector<double> values = reader.numbers(key);
  if (list && values.size() == n) return values;
  if (!list && number) return std::vector<double>(n, values[0]);
  const std::string lists = n == 1 ? "" : "a list of " + std::to_string(n);
  reader.report(key, describe(*node) + ", expected " + (number ? "a number" : "") +
                         (number && n > 1 ? " or " : "") + lists + " for a " + reader.text("type") +
                         " joint");
  return std::nullopt;
}

/// Initial position: neutral by default; its quaternion, if any, is made unit.
void read_position(const SectionReader& reader, SceneReading*, JointSpec* joint) {
  std::optional<std::vector<double>> q =
      read_coordinates(reader, "position", num_positions(joint->type), false);
  joint->position = q.value_or(neutral_position(joint->type));
  if (!q || !has_quaternion(joint->type)) return;
  const Quaternion given((*q)[0], (*q)[1], (*q)[2], (*q)[3]);
  if (std::abs(given.norm() - 1.0) > kQuaternionSlack) {
    reader.report("position", "a quaternion of norm " + format_number(given.norm()) + ", expected 1 within " +
                                  format_number(kQuaternionSlack));
    return;
  }
  const Quaternion unit = unit_quaternion(given);
  joint->position[0] = unit.w();
  joint->position[1] = unit.x();
  joint->position[2] = unit.y();
  joint->position[3] = unit.z();
}

void read_velocity(const SectionReader& reader, SceneReading*, JointSpec* joint) {
  const int n = num_velocities(joint->type);
  joint->velocity = read_coordinates(reader, "velocity", n, false)
                        .value_or(std::vector<double>(static_cast<size_t>(n), 0.0));
}

void read_child(const SectionReader& reader, SceneReading* reading, JointSpec* joint) {
  if (reader.has("child") && reader.text("child") == "world") {
    reader.report("child", "'world', which nothing moves, expected a body");
    return;
  }
  joint->child = find_reference(reader, "child", "body", reading->bodies);
  if (joint->child < 0) return;
  const BodySpec& child = reading->scene.bodies[joint->child];
  if (joint->child == joint->parent) {
    reader.report("child", "'" + child.name + "', which is the parent too, expected another body");
    joint->child = -1;
  } else if (child.fixed) {
    reader.report("child", "'" + child.name + "', a fixed body, expected one that the joint may move");
  }
}

void finish_joint(const SectionReader& reader, SceneReading* reading, JointSpec* joint) {
  enter_name(reader, "joint", static_cast<int>(reading->joint_readers.size()), &reading->joints);
  reading->joint_readers.push_back(reader);
  if (joint->axis.isZero(0.0)) {
    reader.report("axis", "an axis of length 0, expected a direction");
  } else {
    joint->axis = unit_vector(joint->axis);
  }
  if (!reader.has("type")) return;
  if (!joint->limits.empty() && !(joint->limits[0] < joint->limits[1])) {
    reader.report("limits", "a lower limit of " + format_number(joint->limits[0]) + " and an upper one of " +
                                format_number(joint->limits[1]) + ", expected the lower one to be less");
  }
  if (turns(joint->type)) warn_of_degrees(reader, "limits", Turns::kMany);
  for (const char* key : {"position", "rest_position"}) {
    if (turns(joint->type) || joint->type == JointType::kUniversal)
      warn_of_degrees(reader, key, Turns::kMany);
    if (joint->type == JointType::kPlanar) warn_of_degrees(reader, key, Turns::kMany, 2);
  }
}

/// The constraint that holds what a joint would where it closes a loop.
std::string loop_constraint(const JointSpec& joint) {
  switch (joint.type) {
    case JointType::kWeld:
      return "constraints: type: weld";
    case JointType::kRevolute:
    case JointType::kBall:
    case JointType::kUniversal:
      return "constraints: type: ball, or two of them on the axis";
    default:
      return "constraints: type: ball, distance or weld";
  }
}

/// One parent a body, and no loops.
void check_joints(SceneReading* reading) {
  const std::vector<SectionReader>& readers = reading->joint_readers;
  std::vector<JointSpec>& joints = reading->scene.joints;
  std::vector<int> joint_of(reading->scene.bodies.size(), -1);
  for (size_t j = 0; j < joints.size(); ++j) {
    const int child = joints[j].child;
    if (child < 0) continue;
    int& first = joint_of[child];
    const std::string found = "'" + reading->scene.bodies[child].name + "', ";
    if (first >= 0) {
      readers[j].report("child", found + "which is the child of " +
                                     joint_text(reading->scene, joints[first]) +
                                     " already: this closes a loop: use constraints (" +
                                     loop_constraint(joints[j]) + ") in place of the second joint");
      joints[j].child = -1;
      continue;
    }
    first = static_cast<int>(j);
    // Up from the new joint's parent: its own child must not be on the way.
    int body = joints[j].parent;
    while (body >= 0 && body != child && joint_of[body] >= 0) {
      body = joints[joint_of[body]].parent;
    }
    if (body != child) continue;
    readers[j].report(
        "child", found + "whose own descendant is the joint's parent: this closes a loop: use constraints (" +
                     loop_constraint(joints[j]) + ") in place of the joint");
    joints[j].child = -1;
    first = -1;
  }
}

}  // namespace csim
