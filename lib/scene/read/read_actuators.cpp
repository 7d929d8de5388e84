#include "scene/actuator_coordinates.h"
#include "scene/format/rows_io.h"
#include "scene/help/angle_warnings.h"
#include "scene/joint_coordinates.h"
#include "scene/read/scene_reading.h"
#include "scene/yaml/strict_values.h"

namespace csim {

void check_table(const SectionReader& reader, const CommandSpec& command) {
  if (!reader.given("times")) reader.report_missing("times", "missing, expected the times of the values (s)");
  if (!reader.given("values")) reader.report_missing("values", "missing, expected the values at the times");
  if (!reader.has("times")) return;
  check_times(reader, command.times);
  check_row_count(reader, "values", command.values.size(), command.times.size());
}

/// Which kind of command the keys make.
void finish_command(const SectionReader& reader, SceneReading*, CommandSpec* command) {
  const bool table = reader.given("times") || reader.given("values") || reader.given("interpolation");
  const bool square = reader.given("square"), sine = reader.given("sine");
  const char* kinds = "a number, values over time (times, values), square, or sine";
  if (table + square + sine > 1) {
    reader.report(sine ? "sine" : "square",
                  std::string("a second kind of command, expected one of ") + kinds);
    return;
  }
  if (reader.empty()) reader.report_here(std::string("an empty mapping, expected one of ") + kinds);
  if (table) command->type = CommandType::kTable;
  if (square) command->type = CommandType::kSquare;
  if (sine) command->type = CommandType::kSine;
  if (table) check_table(reader, *command);
}

/// A command is a number or a mapping.
void read_command(const SectionReader& reader, SceneReading* reading, ActuatorSpec* actuator) {
  const YamlNode* node = reader.node("command");
  if (node == nullptr) return;
  const bool is_mapping = node->kind == YamlNode::Kind::kMapping;
  if (actuator->type == ActuatorType::kCartesian) {
    if (!is_mapping) {
      reader.report("command", describe(*node) + ", expected a pose, or poses over time (times, xyz, rpy)");
    } else if (node->find("times") == nullptr) {
      read_rows(reader.alternative("command", 0), reading, &actuator->cartesian.target);
    } else {
      read_rows(reader.alternative("command", 1), reading, &actuator->cartesian.motion);
    }
    return;
  }
  if (is_mapping) {
    read_rows(reader.section("command"), reading, &actuator->command);
  } else {
    actuator->command.value = reader.number("command");
  }
}

namespace {

/// A number, or six of a cartesian actuator: a list (linear, then angular) or a mapping.
void read_gains(const SectionReader& reader, const char* key, SceneReading* reading, bool is_cartesian,
                double* number, Gains* six) {
  const YamlNode* node = reader.node(key);
  if (node == nullptr) return;
  const bool is_number = node->kind == YamlNode::Kind::kScalar;
  if (is_number == is_cartesian) {
    reader.report(
        key, describe(*node) + (is_cartesian ? ", expected 6 numbers (linear, angular) or {linear, angular} "
                                               "of a cartesian actuator"
                                             : ", expected a number"));
  } else if (is_number) {
    *number = reader.number(key);
  } else if (node->kind == YamlNode::Kind::kSequence) {
    const std::vector<double> values = reader.numbers(key);
    six->linear = Vector3::Map(values.data());
    six->angular = Vector3::Map(values.data() + 3);
  } else {
    read_rows(reader.section(key), reading, six);
  }
}

}  // namespace

void read_stiffness(const SectionReader& reader, SceneReading* reading, ActuatorSpec* actuator) {
  read_gains(reader, "stiffness", reading, actuator->type == ActuatorType::kCartesian, &actuator->stiffness,
             &actuator->cartesian.stiffness);
}

void read_damping(const SectionReader& reader, SceneReading* reading, ActuatorSpec* actuator) {
  read_gains(reader, "damping", reading, actuator->type == ActuatorType::kCartesian, &actuator->damping,
             &actuator->cartesian.damping);
}

void check_single_joint(const SectionReader& reader, const char* key, const SceneReading& reading,
                        int* joint) {
  if (*joint < 0) return;
  if (may_have_one_coordinate(reading, *joint)) return;
  reader.report(key,
                "'" + reading.scene.joints[*joint].name + "', expected a revolute, prismatic or screw joint");
  *joint = -1;
}

void finish_actuator(const SectionReader& reader, SceneReading* reading, ActuatorSpec* actuator) {
  enter_name(reader, "actuator", static_cast<int>(reading->actuators.size()), &reading->actuators);
  std::vector<std::string> coordinates;
  append_coordinates(*actuator, &coordinates);
  for (const std::string& name : coordinates)
    if (!reading->actuator_coordinates.emplace(name, reading->num_actuator_coordinates++).second &&
        name != actuator->name)
      reader.report("name", "'" + actuator->name + "', whose coordinate " + name +
                                " has the name of another actuator, expected another name");
  const CartesianSpec& cartesian = actuator->cartesian;
  if (cartesian.body >= 0 && cartesian.body == cartesian.base)
    reader.report("base",
                  "'" + reader.text("base") + "', which is the body too, expected another one or world");
  const auto is_fixed = [&](int body) { return body < 0 || reading->scene.bodies[body].fixed; };
  if (cartesian.body >= 0 && is_fixed(cartesian.body) && is_fixed(cartesian.base))
    reader.report("body",
                  "'" + reader.text("body") + "', a fixed body, expected one that the drive may move");
  check_single_joint(reader, "joint", *reading, &actuator->joint);
  if (actuator->joint < 0) return;
  const JointSpec& joint = reading->scene.joints[actuator->joint];
  if (const auto effort = reading->efforts.find(joint.name);
      effort != reading->efforts.end() && !reader.given("effort_limit"))
    actuator->effort_limit = effort->second;
  if (turns(joint.type) && actuator->type == ActuatorType::kPosition) {
    for (const char* key : {"", ".values", ".square.low", ".square.high", ".sine.mean", ".sine.amplitude"})
      warn_of_degrees(reader, std::string("command") + key, Turns::kMany);
  }
}

}  // namespace csim
