// The table's rows for joints, models from files, and actuators.
#include "scene/format/field_rows.h"
#include "scene/help/angle_warnings.h"

namespace csim {

using namespace field_rows;

namespace {

template <CommandType type>
bool is_command(const CommandSpec& command, const SceneWriting&) {
  return command.type == type;
}

std::optional<YamlNode> write_command(const ActuatorSpec& actuator, const SceneWriting& writing) {
  const CommandSpec& command = actuator.command;
  if (command.type == CommandType::kConstant) return yaml_number(command.value);
  return write_rows(command_section(), &command, writing);
}

}  // namespace

const SectionOf<JointSpec>& joint_section() {
  static const SectionOf<JointSpec> section{
      "joint",
      "a joint",
      "Connects a child body to its parent; the child's frame lies on the joint frame at position 0.",
      "type",
      {
          name("name", &JointSpec::name, "Name, unique among the joints.").required().example("hinge"),
          choice("type", &JointSpec::type, "free weld revolute prismatic planar ball universal",
                 "Kind of joint: planar has x, y and the rotation about z; universal turns about x, then the "
                 "turned y.")
              .required()
              .example("revolute"),
          reference("parent", &JointSpec::parent, Named::kBodyOrWorld, "the name of a body or world",
                    "Name of the parent body, or `world`.")
              .required()
              .example("world"),
          reference("child", &JointSpec::child, Named::kBody, "the name of a body",
                    "Name of the child body; a body is the child of one joint at most.")
              .read_by(&read_child)
              .required()
              .example("link1"),
          mapping("pose", &JointSpec::pose, pose_section(), "Pose of the joint frame in the parent body.")
              .example("{xyz: [0, 0, 1]}"),
          vector3("axis", &JointSpec::axis, "", "Axis in the joint frame; any length but 0.")
              .only_for("revolute prismatic")
              .example("[0, 1, 0]"),
          coordinates(
              "position", &JointSpec::position, "m or rad", kAny,
              "Initial position coordinates: ball (qw, qx, qy, qz), free (qw, qx, qy, qz, x, y, z); the "
              "neutral position by default.")
              .read_by(&read_position)
              .no_default()
              .only_for("free revolute prismatic planar ball universal")
              .example("0.5"),
          coordinates("velocity", &JointSpec::velocity, "m/s or rad/s", kAny,
                      "Initial velocity coordinates: free (angular, linear); 0 by default.")
              .read_by(&read_velocity)
              .only_for("free revolute prismatic planar ball universal")
              .example("[0, 0, 1]"),
          coordinates("damping", &JointSpec::damping, "N s/m or N m s/rad", kNonNegative,
                      "Viscous damping per velocity coordinate; a number for all.")
              .only_for("free revolute prismatic planar ball universal")
              .example("0.1"),
          coordinates("friction", &JointSpec::friction, "N or N m", kNonNegative,
                      "Dry friction per velocity coordinate; a number for all. Below it the joint creeps by "
                      "2.5e-4 h f/m (h: step, f: load, m: inertia of the coordinate).")
              .only_for("free revolute prismatic planar ball universal")
              .example("0.5"),
          coordinates("armature", &JointSpec::armature, "kg or kg m^2", kNonNegative,
                      "Reflected rotor inertia per velocity coordinate; a number for all.")
              .only_for("free revolute prismatic planar ball universal")
              .example("0.01"),
          coordinates("stiffness", &JointSpec::stiffness, "N/m or N m/rad", kNonNegative,
                      "Spring per velocity coordinate; a number for all.")
              .only_for("revolute prismatic planar universal")
              .example("100"),
          coordinates("rest_position", &JointSpec::rest_position, "m or rad", kAny,
                      "Where the spring is relaxed, per velocity coordinate; a number for all.")
              .only_for("revolute prismatic planar universal")
              .example("0.2"),
          numbers("limits", &JointSpec::limits, {2}, "m or rad", kAny,
                  "Lower and upper limit of the position: stops that nothing rebounds from. None by default.")
              .only_for("revolute prismatic")
              .example("[-2, 2]"),
          boolean("collide", &JointSpec::collide,
                  "Whether the two bodies of the joint collide (those of a free joint always may).")
              .example("true"),
      },
      finish_joint};
  return section;
}

const Section& model_section() {
  static const SectionOf<Unbound> section{
      "model",
      "a model",
      "A robot from a URDF file.",
      "",
      {
          text("file", kNoMember, "the name of a URDF file", "URDF file, relative to the scene file.")
              .required()
              .example("arm.urdf"),
          name("name", kNoMember, "Name; the items of the model are called name::item.")
              .required()
              .example("arm"),
          text("base", kNoMember, "the name of a body or world", "Body that carries the model, or `world`.")
              .by_default("world")
              .example("world"),
          section_row("pose", FieldType::kSection, pose_section(),
                      "Pose of the model's root in the base body.")
              .example("{xyz: [0, 0, 0]}"),
      }};
  return section;
}

namespace {

const SectionOf<CommandSpec>& square_section() {
  static const SectionOf<CommandSpec> section{
      "square",
      "a square wave",
      "High while frac(t/period + phase/(2 pi)) < duty.",
      "",
      {
          number("low", &CommandSpec::low, "", kAny, "Lower value.").required().example("0"),
          number("high", &CommandSpec::high, "", kAny, "Upper value.").required().example("1"),
          number("period", &CommandSpec::period, "s", kPositive, "Period.").required().example("2"),
          number("duty", &CommandSpec::duty, "", Bounds{.min = 0.0, .max = 1.0},
                 "Part of the period that is high.")
              .example("0.25"),
          number("phase", &CommandSpec::phase, "rad", kAny, "Phase at t = 0.").example("1.5"),
      },
      warn_of_phase<CommandSpec>};
  return section;
}

const SectionOf<CommandSpec>& sine_section() {
  static const SectionOf<CommandSpec> section{
      "sine",
      "a sine",
      "mean + amplitude sin(2 pi frequency t + phase).",
      "",
      {
          number("mean", &CommandSpec::mean, "", kAny, "Mean value.").example("0.2"),
          number("amplitude", &CommandSpec::amplitude, "", kAny, "Amplitude.").required().example("0.5"),
          number("frequency", &CommandSpec::frequency, "Hz", kNonNegative, "Frequency.")
              .required()
              .example("2"),
          number("phase", &CommandSpec::phase, "rad", kAny, "Phase at t = 0.").example("1.5"),
      },
      warn_of_phase<CommandSpec>};
  return section;
}

}  // namespace

const SectionOf<CommandSpec>& command_section() {
  static const SectionOf<CommandSpec> section{
      "command",
      "a command",
      "The command of an actuator: a number, values over time, a square wave or a sine.",
      "",
      {
          numbers("times", &CommandSpec::times, {}, "s", kAny, "Times of the values, increasing.")
              .example("[0, 1]"),
          numbers("values", &CommandSpec::values, {}, "", kAny, "Values at the times.").example("[0, 0.5]"),
          choice("interpolation", &CommandSpec::interpolation, "step linear cubic",
                 "Between the values (default linear); cubic is the spline of slope zero at both ends.")
              .no_default()
              .when(is_command<CommandType::kTable>)
              .example("cubic"),
          mapping("square", square_section(), "A square wave.")
              .when(is_command<CommandType::kSquare>)
              .example("{low: 0, high: 1, period: 2}"),
          mapping("sine", sine_section(), "A sine.")
              .when(is_command<CommandType::kSine>)
              .example("{amplitude: 0.5, frequency: 2}"),
      },
      finish_command};
  return section;
}

const SectionOf<ActuatorSpec>& actuator_section() {
  static const SectionOf<ActuatorSpec> section{
      "actuator",
      "an actuator",
      "Drives a joint.",
      "type",
      {
          name("name", &ActuatorSpec::name, "Name, unique among the actuators.").required().example("motor"),
          reference("joint", &ActuatorSpec::joint, Named::kJoint, "the name of a joint",
                    "Name of a revolute or prismatic joint.")
              .required()
              .example("hinge"),
          choice("type", &ActuatorSpec::type, "position velocity effort", "What the command is.")
              .required()
              .example("position"),
          number("stiffness", &ActuatorSpec::stiffness, "N/m or N m/rad", kNonNegative,
                 "Gain on the position error.")
              .only_for("position")
              .required_for("position")
              .example("1000"),
          number("damping", &ActuatorSpec::damping, "N s/m or N m s/rad", kNonNegative,
                 "Gain on the velocity error; the default is that of position actuators.")
              .only_for("position velocity")
              .required_for("velocity")
              .example("50"),
          number("effort_limit", &ActuatorSpec::effort_limit, "N or N m", kPositive,
                 "Largest effort either way; none by default. With it, gains whose damping + h stiffness is "
                 "above 3950 m/h (h: step, m: inertia of the coordinate) count as that, in their ratio.")
              .example("100"),
          boolean("feed_forward_velocity", &ActuatorSpec::feed_forward_velocity,
                  "The target velocity is the command's slope instead of 0.")
              .only_for("position")
              .example("true"),
          mapping("command", &ActuatorSpec::command, command_section(),
                  "The command, read at the end of the step.")
              .or_number()
              .read_by(&read_command)
              .written_by(&write_command)
              .required()
              .example("0.5"),
      },
      finish_actuator};
  return section;
}

const SectionOf<ConstraintSpec>& constraint_section() {
  static const SectionOf<ConstraintSpec> section{
      "constraint",
      "a constraint",
      "What holds between joints beside the trees that they build.",
      "type",
      {
          name("name", &ConstraintSpec::name, "Name, unique among the constraints.")
              .required()
              .example("gears"),
          choice("type", &ConstraintSpec::type, "coupler !distance !ball !weld !tendon",
                 "Kind of constraint: coupler, position of joint_a = ratio * position of joint_b + offset.")
              .required()
              .example("coupler"),
          reference("joint_a", &ConstraintSpec::joint_a, Named::kJoint, "the name of a joint",
                    "Name of a revolute or prismatic joint, which follows.")
              .required()
              .example("hinge"),
          reference("joint_b", &ConstraintSpec::joint_b, Named::kJoint, "the name of a joint",
                    "Name of another one, which leads.")
              .required()
              .example("slide"),
          number("ratio", &ConstraintSpec::ratio, "", kNonZero,
                 "Change of joint_a's position with that of joint_b.")
              .example("-1"),
          number("offset", &ConstraintSpec::offset, "m or rad", kAny,
                 "Position of joint_a where that of joint_b is 0.")
              .example("0.1"),
          number("stiffness", &ConstraintSpec::stiffness, "N/m or N m/rad", kPositive,
                 "Of the spring that holds joint_a to it; rigid by default.")
              .or_word("rigid")
              .example("1000"),
          number("relaxation_time", &ConstraintSpec::relaxation_time, "s", kNonNegative,
                 "Damping of that spring over its stiffness.")
              .example("0.01"),
          number("near_rigid", &ConstraintSpec::near_rigid, "", kPositive,
                 "Largest stiffness, also that of a rigid one: a spring with a period of 1.4 times this in "
                 "steps, which relaxes within a step.")
              .example("0.2"),
      },
      finish_constraint};
  return section;
}

}  // namespace csim
