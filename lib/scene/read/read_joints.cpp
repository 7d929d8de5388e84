#include <cmath>
#include <optional>

#include "core/number_format.h"
#include "scene/help/angle_warnings.h"
#include "scene/joint_coordinates.h"
#include "scene/read/scene_reading.h"
#include "scene/yaml/strict_values.h"

namespace csim {
namespace {

/// A list of `count` numbers, or a number where one is enough (a single coordinate, or it `stands_for_all`);
/// no value without the key, or after a report.
std::optional<std::vector<double>> read_numbers(const SectionReader& reader, const char* key, int count,
                                                bool stands_for_all) {
  const YamlNode* node = reader.node(key);
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
std::vector<double> read_position(const SectionReader& reader, JointType type) {
  std::optional<std::vector<double>> q = read_numbers(reader, "position", num_positions(type), false);
  if (!q) return neutral_position(type);
  if (!has_quaternion(type)) return *q;
  const Quaternion given((*q)[0], (*q)[1], (*q)[2], (*q)[3]);
  if (std::abs(given.norm() - 1.0) > kQuaternionSlack) {
    reader.report("position", "a quaternion of norm " + format_number(given.norm()) + ", expected 1 within " +
                                  format_number(kQuaternionSlack));
    return neutral_position(type);
  }
  const Quaternion unit = unit_quaternion(given);
  (*q)[0] = unit.w();
  (*q)[1] = unit.x();
  (*q)[2] = unit.y();
  (*q)[3] = unit.z();
  return *q;
}

void read_all_coordinates(const SectionReader& reader, JointSpec* joint) {
  const int nv = num_velocities(joint->type);
  const auto per_velocity = [&](const char* key, bool stands_for_all) {
    return read_numbers(reader, key, nv, stands_for_all)
        .value_or(std::vector<double>(static_cast<size_t>(nv), 0.0));
  };
  joint->position = read_position(reader, joint->type);
  joint->velocity = per_velocity("velocity", false);
  joint->damping = per_velocity("damping", true);
  joint->friction = per_velocity("friction", true);
  joint->armature = per_velocity("armature", true);
  joint->stiffness = per_velocity("stiffness", true);
  joint->rest_position = per_velocity("rest_position", true);
  for (const char* key : {"position", "rest_position"}) {
    if (joint->type == JointType::kRevolute || joint->type == JointType::kUniversal)
      warn_of_degrees(reader, key, Turns::kMany);
    if (joint->type == JointType::kPlanar) warn_of_degrees(reader, key, Turns::kMany, 2);
  }
}

void read_ends(const SectionReader& reader, const SceneReading& reading, const NameIndex& parents,
               JointSpec* joint) {
  joint->parent = find_reference(reader, "parent", "body", parents);
  if (!reader.has("child")) return;
  if (reader.text("child") == "world") {
    reader.report("child", "'world', which nothing moves, expected a body");
    return;
  }
  joint->child = find_reference(reader, "child", "body", reading.bodies);
  if (joint->child < 0) return;
  const BodySpec& child = reading.scene.bodies[static_cast<size_t>(joint->child)];
  if (joint->child == joint->parent) {
    reader.report("child", "'" + child.name + "', which is the parent too, expected another body");
    joint->child = -1;
  } else if (child.fixed) {
    reader.report("child", "'" + child.name + "', a fixed body, expected one that the joint may move");
  }
}

/// One parent a body, and no loops.
void check_tree(const std::vector<SectionReader>& readers, SceneReading* reading) {
  std::vector<JointSpec>& joints = reading->scene.joints;
  std::vector<int> joint_of(reading->scene.bodies.size(), -1);
  for (size_t j = 0; j < joints.size(); ++j) {
    const int child = joints[j].child;
    if (child < 0) continue;
    int& first = joint_of[static_cast<size_t>(child)];
    const std::string found = "'" + reading->scene.bodies[static_cast<size_t>(child)].name + "', ";
    if (first >= 0) {
      readers[j].report("child", found + "which is the child of joint '" +
                                     joints[static_cast<size_t>(first)].name +
                                     "' already, expected another body");
      joints[j].child = -1;
      continue;
    }
    first = static_cast<int>(j);
    // Up from the new joint's parent: its own child must not be on the way.
    int body = joints[j].parent;
    while (body >= 0 && body != child && joint_of[static_cast<size_t>(body)] >= 0) {
      body = joints[static_cast<size_t>(joint_of[static_cast<size_t>(body)])].parent;
    }
    if (body != child) continue;
    readers[j].report("child",
                      found + "whose own descendant is the joint's parent, expected joints without a loop");
    joints[j].child = -1;
    first = -1;
  }
}

}  // namespace

void read_joints(const SectionReader& root, SceneReading* reading) {
  const YamlNode* list = root.node("joints");
  if (list == nullptr) return;
  NameIndex parents = reading->bodies;
  parents.emplace("world", -1);
  std::vector<SectionReader> readers;
  for (size_t i = 0; i < list->items.size(); ++i) {
    const SectionReader reader = root.element("joints", i);
    enter_name(reader, "joint", static_cast<int>(i), &reading->joints);
    JointSpec joint;
    joint.name = reader.text("name");
    joint.type = reader.choice<JointType>("type");
    read_ends(reader, *reading, parents, &joint);
    joint.pose = read_pose(reader.section("pose"));
    joint.axis = reader.vector3("axis");
    if (joint.axis.isZero(0.0)) {
      reader.report("axis", "an axis of length 0, expected a direction");
    } else {
      joint.axis = unit_vector(joint.axis);
    }
    joint.collide = reader.boolean("collide");
    if (reader.has("type")) read_all_coordinates(reader, &joint);
    reading->scene.joints.push_back(joint);
    readers.push_back(reader);
  }
  check_tree(readers, reading);
}

}  // namespace csim
