// The table's rows for sequences.
#include "scene/format/command_rows.h"
#include "scene/yaml/yaml_writer.h"

namespace csim {

using namespace field_rows;

namespace {

bool is_ramp(const PhaseCommandSpec& command, const SceneWriting&) {
  return command.is_ramp;
}

bool is_table(const PhaseCommandSpec& command, const SceneWriting&) {
  return !command.is_ramp;
}

template <ConditionType type>
bool is_type(const ConditionSpec& condition, const SceneWriting&) {
  return condition.type == type;
}

bool has_condition(const PhaseSpec& phase, const SceneWriting&) {
  return phase.until.type != ConditionType::kRamps;
}

bool has_timeout(const PhaseSpec& phase, const SceneWriting&) {
  return phase.timeout.has_value();
}

const SectionOf<PhaseCommandSpec>& ramp_section() {
  static const SectionOf<PhaseCommandSpec> section{
      "ramp",
      "a ramp",
      "From the command before the phase, with constant slope.",
      "",
      {
          number("to", &PhaseCommandSpec::to, "", kAny, "Value at the end.", "0.5").required(),
          number("duration", &PhaseCommandSpec::duration, "s", kNonNegative, "How long it takes.", "1")
              .required(),
      }};
  return section;
}

const SectionOf<PhaseCommandSpec>& phase_command_section() {
  static const SectionOf<PhaseCommandSpec> section{
      "phase_command", "a command of a phase",
      "A command over time, from the start of its phase: a ramp, or a table.", "",
      joined({mapping("ramp", ramp_section(), "A ramp.", "{to: 0.5, duration: 1}").when(is_ramp)},
             table_rows<PhaseCommandSpec>(
                 [](auto member) { return within(&PhaseCommandSpec::command, member); }, is_table))};
  return section;
}

std::optional<YamlNode> write_phase_commands(const PhaseSpec& phase, const SceneWriting& writing) {
  YamlNode node;
  for (const PhaseCommandSpec& command : phase.commands) {
    const bool is_number = !command.is_ramp && command.command.type == CommandType::kConstant;
    add_entry(&node, writing.actuator_coordinates[static_cast<std::size_t>(command.actuator)],
              is_number ? yaml_number(command.command.value)
                        : write_rows(phase_command_section(), &command, writing));
  }
  if (node.entries.empty()) return std::nullopt;
  return node;
}

const SectionOf<ConditionSpec>& pair_force_section() {
  static const SectionOf<ConditionSpec> section{
      "pair_force",
      "a pair of bodies",
      "Two bodies that touch.",
      "",
      {
          reference("a", &ConditionSpec::body_a, Named::kBody, "the name of a body", "Name of a body.",
                    "finger")
              .required(),
          reference("b", &ConditionSpec::body_b, Named::kBody, "the name of a body", "Name of another one.",
                    "ball")
              .required(),
      }};
  return section;
}

const SectionOf<ConditionSpec>& body_position_section() {
  static const SectionOf<ConditionSpec> section{
      "body_position",
      "a position of a body",
      "A coordinate of a body's origin in the world.",
      "",
      {
          reference("body", &ConditionSpec::body, Named::kBody, "the name of a body", "Name of the body.",
                    "ball")
              .required(),
          choice("axis", &ConditionSpec::axis, "x y z", "Axis of the world.", "z").required(),
      }};
  return section;
}

const SectionOf<ConditionSpec>& condition_section() {
  static const SectionOf<ConditionSpec> section{
      "condition",
      "a condition",
      "One quantity, judged at the end of each step: it ends the phase when it is above or below a bound.",
      "",
      {
          number("time", &ConditionSpec::time, "s", kNonNegative, "Since the phase began.", "0.5")
              .no_default()
              .when(is_type<ConditionType::kTime>),
          reference("joint_position", &ConditionSpec::position_joint, Named::kJoint, "the name of a joint",
                    "Position (m or rad) of a joint with one coordinate.", "lift")
              .when(is_type<ConditionType::kJointPosition>),
          reference("joint_velocity", &ConditionSpec::velocity_joint, Named::kJoint, "the name of a joint",
                    "Velocity (m/s or rad/s) of a joint with one coordinate.", "lift")
              .when(is_type<ConditionType::kJointVelocity>),
          reference("actuator_effort", &ConditionSpec::actuator, Named::kActuator, "the name of an actuator",
                    "Effort (N or N m) of an actuator.", "motor")
              .when(is_type<ConditionType::kActuatorEffort>),
          mapping("pair_force", pair_force_section(), "Sum of the normal forces (N) between two bodies.",
                  "{a: finger, b: ball}")
              .when(is_type<ConditionType::kPairForce>),
          mapping("body_position", body_position_section(), "Position (m) of a body's origin in the world.",
                  "{body: ball, axis: z}")
              .when(is_type<ConditionType::kBodyPosition>),
          number("above", &ConditionSpec::above, "", kAny, "The phase ends when the quantity is above it.",
                 "5")
              .no_default(),
          number("below", &ConditionSpec::below, "", kAny, "The phase ends when the quantity is below it.",
                 "0.1")
              .no_default(),
      },
      finish_condition};
  return section;
}

}  // namespace

const SectionOf<PhaseSpec>& phase_section() {
  static const SectionOf<PhaseSpec> section{
      "phase",
      "a phase",
      "Tells actuators what to do until a condition holds; the next phase begins with the next step. An "
      "actuator "
      "that no phase has named keeps its own command; one that a phase named holds its last value.",
      "",
      {
          name("name", &PhaseSpec::name, "Name, unique among the phases.", "close").required(),
          section_row("commands", FieldType::kSectionMap, phase_command_section(),
                      "Commands by the names of actuators (of a cartesian one `tool.x` to `tool.z`, "
                      "`tool.roll` to `tool.yaw`): a "
                      "number, a ramp, or a table.",
                      "{motor: {ramp: {to: 0.5, duration: 1}}}")
              .or_number()
              .read_by(&read_phase_commands)
              .written_by(&write_phase_commands)
              .by_default("{}"),
          mapping("until", &PhaseSpec::until, condition_section(),
                  "What ends the phase; by default the end of its ramps and tables.",
                  "{pair_force: {a: finger, b: ball}, above: 5}")
              .when(has_condition),
          number("timeout", &PhaseSpec::timeout, "s", kPositive,
                 "Longest time of the phase; none by default.", "2")
              .no_default(),
          choice("on_timeout", &PhaseSpec::on_timeout, "error next",
                 "What happens then: the run fails, or the next phase begins.", "next")
              .when(has_timeout),
      },
      finish_phase};
  return section;
}

}  // namespace csim
