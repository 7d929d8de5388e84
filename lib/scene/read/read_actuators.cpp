#include "scene/help/angle_warnings.h"
#include "scene/read/scene_reading.h"

namespace csim {
namespace {

CommandSpec read_table(const SectionReader& reader, bool angle) {
  CommandSpec command;
  command.type = CommandType::kTable;
  command.times = reader.numbers("times");
  command.values = reader.numbers("values");
  command.interpolation =
      reader.has("interpolation") ? reader.choice<Interpolation>("interpolation") : Interpolation::kLinear;
  if (angle) warn_of_degrees(reader, "values", Turns::kMany);
  if (!reader.given("times")) reader.report_missing("times", "missing, expected the times of the values (s)");
  if (!reader.given("values")) reader.report_missing("values", "missing, expected the values at the times");
  if (!reader.has("times")) return command;
  check_times(reader, command.times);
  check_row_count(reader, "values", command.values.size(), command.times.size());
  return command;
}

CommandSpec read_square(const SectionReader& reader, bool angle) {
  CommandSpec command;
  command.type = CommandType::kSquare;
  command.low = reader.number("low");
  command.high = reader.number("high");
  command.period = reader.number("period");
  command.duty = reader.number("duty");
  command.phase = reader.number("phase");
  warn_of_degrees(reader, "phase", Turns::kOne);
  if (angle) {
    for (const char* key : {"low", "high"}) warn_of_degrees(reader, key, Turns::kMany);
  }
  return command;
}

CommandSpec read_sine(const SectionReader& reader, bool angle) {
  CommandSpec command;
  command.type = CommandType::kSine;
  command.mean = reader.number("mean");
  command.amplitude = reader.number("amplitude");
  command.frequency = reader.number("frequency");
  command.phase = reader.number("phase");
  warn_of_degrees(reader, "phase", Turns::kOne);
  if (angle) {
    for (const char* key : {"mean", "amplitude"}) warn_of_degrees(reader, key, Turns::kMany);
  }
  return command;
}

/// `angle`: it is one, not a length, an effort or a velocity.
CommandSpec read_command(const SectionReader& actuator, bool angle) {
  const YamlNode* node = actuator.node("command");
  CommandSpec command;
  if (node == nullptr) return command;
  if (node->kind != YamlNode::Kind::kMapping) {
    command.value = actuator.number("command");
    if (angle) warn_of_degrees(actuator, "command", Turns::kMany);
    return command;
  }
  const SectionReader reader = actuator.section("command");
  const bool table = reader.given("times") || reader.given("values") || reader.given("interpolation");
  const bool square = reader.given("square"), sine = reader.given("sine");
  const char* kinds = "a number, values over time (times, values), square, or sine";
  if (table + square + sine > 1) {
    reader.report(sine ? "sine" : "square",
                  std::string("a second kind of command, expected one of ") + kinds);
    return command;
  }
  if (node->entries.empty()) {
    actuator.report("command", std::string("an empty mapping, expected one of ") + kinds);
  }
  if (table) return read_table(reader, angle);
  if (square) return read_square(reader.section("square"), angle);
  if (sine) return read_sine(reader.section("sine"), angle);
  return command;
}

/// The index of a joint with one coordinate, or -1 after a report.
int read_driven_joint(const SectionReader& reader, const SceneReading& reading) {
  const int joint = find_reference(reader, "joint", "joint", reading.joints);
  if (joint < 0) return -1;
  const JointSpec& spec = reading.scene.joints[static_cast<size_t>(joint)];
  if (spec.type == JointType::kRevolute || spec.type == JointType::kPrismatic) return joint;
  reader.report("joint", "'" + spec.name + "', expected a revolute or prismatic joint");
  return -1;
}

}  // namespace

void read_actuators(const SectionReader& root, SceneReading* reading) {
  const YamlNode* list = root.node("actuators");
  if (list == nullptr) return;
  NameIndex names;
  for (size_t i = 0; i < list->items.size(); ++i) {
    const SectionReader reader = root.element("actuators", i);
    enter_name(reader, "actuator", static_cast<int>(i), &names);
    ActuatorSpec actuator;
    actuator.name = reader.text("name");
    actuator.joint = read_driven_joint(reader, *reading);
    actuator.type = reader.choice<ActuatorType>("type");
    actuator.stiffness = reader.number("stiffness");
    actuator.damping = reader.number("damping");
    if (reader.has("effort_limit")) actuator.effort_limit = reader.number("effort_limit");
    actuator.feed_forward_velocity = reader.boolean("feed_forward_velocity");
    const bool turns =
        actuator.joint >= 0 &&
        reading->scene.joints[static_cast<size_t>(actuator.joint)].type == JointType::kRevolute;
    actuator.command = read_command(reader, turns && actuator.type == ActuatorType::kPosition);
    reading->scene.actuators.push_back(std::move(actuator));
  }
}

}  // namespace csim
