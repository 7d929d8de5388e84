#include <algorithm>
#include <cmath>

#include "core/number_format.h"
#include "scene/joint_coordinates.h"
#include "scene/read/scene_reading.h"
#include "scene/urdf/model_items.h"
#include "scene/yaml/strict_values.h"

namespace csim {
namespace {

/// The numbers of a value, a number or a list of `count`; none after a report.
std::optional<std::vector<double>> read_values(const YamlNode& node, std::size_t count,
                                               const std::string& path, const SectionReader& reader) {
  const bool list = node.kind == YamlNode::Kind::kSequence;
  std::vector<double> values;
  std::string fault;
  for (const YamlNode& item : list ? node.items : std::vector<YamlNode>{node}) {
    const std::optional<double> value = parse_number(item, &fault);
    if (!value) {
      reader.report_at(item.mark, path, fault + ", expected a number");
      return std::nullopt;
    }
    values.push_back(*value);
  }
  if (values.size() == count) return values;
  reader.report_at(
      node.mark, path,
      describe(node) + ", expected " + (count == 1 ? "a number" : "a list of " + std::to_string(count)));
  return std::nullopt;
}

/// Lays the values of `positions` or `velocities` over the joints.
void read_coordinates_of(const SectionReader& reader, const char* key, const YamlNode& values,
                         int (*count)(JointType), std::vector<double> JointSpec::*member, Robot* robot) {
  for (const YamlEntry& entry : values.entries) {
    const std::string path = reader.path(key) + "." + entry.key;
    const auto found = robot->joint_index.find(entry.key);
    if (found == robot->joint_index.end()) {
      reader.report_at(entry.key_mark, path, unknown_name(entry.key, "joint", names(robot->joint_index)));
      continue;
    }
    RobotJoint& joint = robot->joints[found->second];
    const int n = count(joint.joint.type);
    if (n == 0) {
      reader.report_at(entry.key_mark, path, "a fixed joint, which has no coordinate");
    } else if (joint.mimic) {
      reader.report_at(entry.key_mark, path,
                       "which follows '" + joint.mimic->leader + "' (mimic), expected that joint alone");
    } else if (const auto given = read_values(entry.value, static_cast<std::size_t>(n), path, reader)) {
      joint.joint.*member = *given;
    }
  }
}

void read_unit_quaternions(const SectionReader& reader, const ModelSpec& spec, Robot* robot) {
  for (RobotJoint& joint : robot->joints) {
    if (!has_quaternion(joint.joint.type)) continue;
    std::vector<double>& q = joint.joint.position;
    const Quaternion given(q[0], q[1], q[2], q[3]);
    const YamlNode* node = spec.positions.find(joint.joint.name);
    if (std::abs(given.norm() - 1.0) > kQuaternionSlack && node != nullptr) {
      reader.report_at(node->mark, reader.path("positions") + "." + joint.joint.name,
                       "a quaternion of norm " + format_number(given.norm()) + ", expected 1 within " +
                           format_number(kQuaternionSlack));
      continue;
    }
    const Quaternion unit = unit_quaternion(given);
    q[0] = unit.w(), q[1] = unit.x(), q[2] = unit.y(), q[3] = unit.z();
  }
}

/// 0, or the nearest limit.
void set_default_positions(const ModelSpec& spec, RobotFile* file, Robot* robot) {
  for (RobotJoint& joint : robot->joints) {
    const std::vector<double>& limits = joint.joint.limits;
    if (limits.empty() || joint.mimic || spec.positions.find(joint.joint.name) != nullptr) continue;
    const double start = std::clamp(0.0, limits[0], limits[1]);
    if (start == 0.0) continue;
    joint.joint.position = {start};
    file->note(joint.limit_mark, "robot/joint[" + joint.joint.name + "]/limit", joint.joint.name,
               "0 lies outside the limits, starts at the nearest one");
  }
}

void set_followers(Robot* robot) {
  const auto start = [&](auto&& self, int j) -> void {
    RobotJoint& joint = robot->joints[j];
    if (!joint.mimic || joint.mimic->joint < 0) return;
    self(self, joint.mimic->joint);
    const JointSpec& leader = robot->joints[joint.mimic->joint].joint;
    joint.joint.position = {joint.mimic->multiplier * leader.position[0] + joint.mimic->offset};
    joint.joint.velocity = {joint.mimic->multiplier * leader.velocity[0]};
  };
  for (std::size_t j = 0; j < robot->joints.size(); ++j) start(start, static_cast<int>(j));
}

}  // namespace

void set_start(const SectionReader& reader, const ModelSpec& spec, RobotFile* file, Robot* robot) {
  for (RobotJoint& joint : robot->joints) {
    if (!spec.limits) joint.joint.limits.clear();
    if (!spec.friction) std::fill(joint.joint.friction.begin(), joint.joint.friction.end(), 0.0);
    if (!spec.damping) std::fill(joint.joint.damping.begin(), joint.joint.damping.end(), 0.0);
  }
  if (robot->joints.empty() && robot->links.empty()) return;  // nothing was read: nothing is unknown
  read_coordinates_of(reader, "positions", spec.positions, num_positions, &JointSpec::position, robot);
  read_coordinates_of(reader, "velocities", spec.velocities, num_velocities, &JointSpec::velocity, robot);
  read_unit_quaternions(reader, spec, robot);
  set_default_positions(spec, file, robot);
  set_followers(robot);
}

}  // namespace csim
