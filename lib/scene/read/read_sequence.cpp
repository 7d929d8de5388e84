#include <algorithm>

#include "scene/format/rows_io.h"
#include "scene/read/scene_reading.h"
#include "scene/yaml/strict_values.h"

namespace csim {
namespace {

struct ConditionKey {
  const char* key;
  ConditionType type;
};

// In the order of the section's rows.
constexpr ConditionKey kConditions[] = {{"time", ConditionType::kTime},
                                        {"joint_position", ConditionType::kJointPosition},
                                        {"joint_velocity", ConditionType::kJointVelocity},
                                        {"actuator_effort", ConditionType::kActuatorEffort},
                                        {"pair_force", ConditionType::kPairForce},
                                        {"body_position", ConditionType::kBodyPosition}};

void read_phase_command(const SectionReader& reader, SceneReading* reading, PhaseCommandSpec* command) {
  read_rows(reader, reading, command);
  command->is_ramp = reader.given("ramp");
  const bool is_table = reader.given("times") || reader.given("values") || reader.given("interpolation");
  const char* kinds = "expected a number, a ramp, or values over time (times, values)";
  if (command->is_ramp && is_table) reader.report("ramp", std::string("a ramp beside a table, ") + kinds);
  if (reader.empty()) reader.report_here(std::string("an empty mapping, ") + kinds);
  if (!is_table) return;
  command->command.type = CommandType::kTable;
  check_table(reader, command->command);
}

}  // namespace

void read_phase_commands(const SectionReader& reader, SceneReading* reading, PhaseSpec* phase) {
  const YamlNode* map = reader.node("commands");
  if (map == nullptr) return;
  for (const YamlEntry& entry : map->entries) {
    const std::string path = reader.path("commands") + "." + entry.key;
    PhaseCommandSpec command;
    const auto found = reading->actuator_coordinates.find(entry.key);
    if (found == reading->actuator_coordinates.end()) {
      reading->sink->report(entry.key_mark, path,
                            unknown_name(entry.key, "actuator", names(reading->actuator_coordinates)));
    } else {
      command.actuator = found->second;
    }
    const auto is_same = [&](const PhaseCommandSpec& other) { return other.actuator == command.actuator; };
    if (command.actuator >= 0 && std::any_of(phase->commands.begin(), phase->commands.end(), is_same))
      reading->sink->report(entry.key_mark, path, "'" + entry.key + "' a second time, expected it once");
    if (entry.value.kind == YamlNode::Kind::kMapping) {
      read_phase_command(reader.entry("commands", entry), reading, &command);
    } else {
      std::string fault;
      const std::optional<double> value = parse_number(entry.value, &fault);
      if (!value)
        reading->sink->report(entry.value.mark, path,
                              fault + ", expected a number, a ramp, or values over time (times, values)");
      command.command.value = value.value_or(0.0);
    }
    if (command.actuator >= 0) phase->commands.push_back(std::move(command));
  }
}

void finish_condition(const SectionReader& reader, SceneReading* reading, ConditionSpec* condition) {
  const char* kinds =
      "expected one of time, joint_position, joint_velocity, actuator_effort, pair_force, body_position";
  int given = 0;
  for (const auto& [key, type] : kConditions) {
    if (!reader.given(key)) continue;
    if (++given == 2) reader.report(key, std::string("a second quantity, ") + kinds);
    condition->type = type;
  }
  if (given == 0) return reader.report_here(std::string("no quantity, ") + kinds);
  const bool has_above = reader.given("above"), has_below = reader.given("below");
  if (condition->type == ConditionType::kTime) {
    for (const char* bound : {"above", "below"})
      if (reader.given(bound)) reader.report(bound, "a bound of a time, expected the time alone");
    return;
  }
  if (condition->type == ConditionType::kPairForce && condition->body_a >= 0 &&
      condition->body_a == condition->body_b)
    reader.report("pair_force", "a body with itself, expected two bodies");
  if (has_above && has_below) reader.report("below", "beside above, expected one of them");
  if (!has_above && !has_below)
    reader.report_missing("above", "missing, expected above or below with the bound of the quantity");
  check_single_joint(reader, "joint_position", *reading, &condition->position_joint);
  check_single_joint(reader, "joint_velocity", *reading, &condition->velocity_joint);
}

void finish_phase(const SectionReader& reader, SceneReading* reading, PhaseSpec*) {
  enter_name(reader, "phase", static_cast<int>(reading->phases.size()), &reading->phases);
  if (reader.given("on_timeout") && !reader.given("timeout"))
    reader.report_missing("timeout", "missing beside on_timeout, expected the longest time of the phase (s)");
}

}  // namespace csim
