// The table's rows for joints and actuators.
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
          name("name", &JointSpec::name, "Name, unique among the joints.", "hinge").required(),
          choice("type", &JointSpec::type, "free weld revolute prismatic planar ball universal screw",
                 "Kind of joint: planar has x, y and the rotation about z; universal turns about x, then the "
                 "turned y; screw turns about its axis and moves along it.",
                 "revolute")
              .required(),
          reference("parent", &JointSpec::parent, Named::kBodyOrWorld, "the name of a body or world",
                    "Name of the parent body, or `world`.", "world")
              .required(),
          reference("child", &JointSpec::child, Named::kBody, "the name of a body",
                    "Name of the child body; a body is the child of one joint at most.", "link1")
              .read_by(&read_child)
              .required(),
          mapping("pose", &JointSpec::pose, pose_section(), "Pose of the joint frame in the parent body.",
                  "{xyz: [0, 0, 1]}"),
          vector3(
              "axis", &JointSpec::axis, "",
              "Axis in the joint frame, any length but 0; of a planar joint the normal of the plane, whose x "
              "and y are those of the joint frame turned the shortest way with z onto it.",
              "[0, 1, 0]")
              .only_for("revolute prismatic planar screw"),
          number("pitch", &JointSpec::pitch, "m", kNonZero,
                 "Of a screw: its way along the axis in a turn, > 0 for a right-handed one.", "0.01")
              .only_for("screw")
              .required_for("screw"),
          coordinates("position", &JointSpec::position, "m or rad", kAny,
                      "Initial position coordinates: ball (qw, qx, qy, qz), free (qw, qx, qy, qz, x, y, z); "
                      "the neutral position by default.",
                      "0.5")
              .read_by(&read_position)
              .no_default()
              .only_for("free revolute prismatic planar ball universal screw"),
          coordinates("velocity", &JointSpec::velocity, "m/s or rad/s", kAny,
                      "Initial velocity coordinates: free (angular, linear); 0 by default.", "[0, 0, 1]")
              .read_by(&read_velocity)
              .only_for("free revolute prismatic planar ball universal screw"),
          coordinates("damping", &JointSpec::damping, "N s/m or N m s/rad", kNonNegative,
                      "Viscous damping per velocity coordinate; a number for all.", "0.1")
              .only_for("free revolute prismatic planar ball universal screw"),
          coordinates("friction", &JointSpec::friction, "N or N m", kNonNegative,
                      "Dry friction per velocity coordinate; a number for all. Below it the joint creeps by "
                      "2.5e-4 h f/m (h: step, f: load, m: inertia of the coordinate).",
                      "0.5")
              .only_for("free revolute prismatic planar ball universal screw"),
          coordinates("armature", &JointSpec::armature, "kg or kg m^2", kNonNegative,
                      "Reflected rotor inertia per velocity coordinate; a number for all.", "0.01")
              .only_for("free revolute prismatic planar ball universal screw"),
          coordinates("stiffness", &JointSpec::stiffness, "N/m or N m/rad", kNonNegative,
                      "Spring per velocity coordinate; a number for all.", "100")
              .only_for("revolute prismatic planar universal screw"),
          coordinates("rest_position", &JointSpec::rest_position, "m or rad", kAny,
                      "Where the spring is relaxed, per velocity coordinate; a number for all.", "0.2")
              .only_for("revolute prismatic planar universal screw"),
          numbers("limits", &JointSpec::limits, {2}, "m or rad", kAny,
                  "Lower and upper limit of the position: inelastic stops. None by default.", "[-2, 2]")
              .only_for("revolute prismatic screw"),
          boolean("collide", &JointSpec::collide,
                  "Whether the two bodies of the joint collide (those of a free joint always may).", "true"),
      },
      finish_joint};
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
          number("low", &CommandSpec::low, "", kAny, "Lower value.", "0").required(),
          number("high", &CommandSpec::high, "", kAny, "Upper value.", "1").required(),
          number("period", &CommandSpec::period, "s", kPositive, "Period.", "2").required(),
          number("duty", &CommandSpec::duty, "", Bounds{.min = 0.0, .max = 1.0},
                 "Part of the period that is high.", "0.25"),
          number("phase", &CommandSpec::phase, "rad", kAny, "Phase at t = 0.", "1.5"),
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
          number("mean", &CommandSpec::mean, "", kAny, "Mean value.", "0.2"),
          number("amplitude", &CommandSpec::amplitude, "", kAny, "Amplitude.", "0.5").required(),
          number("frequency", &CommandSpec::frequency, "Hz", kNonNegative, "Frequency.", "2").required(),
          number("phase", &CommandSpec::phase, "rad", kAny, "Phase at t = 0.", "1.5"),
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
          numbers("times", &CommandSpec::times, {}, "s", kAny, "Times of the values, increasing.", "[0, 1]"),
          numbers("values", &CommandSpec::values, {}, "", kAny, "Values at the times.", "[0, 0.5]"),
          choice(
              "interpolation", &CommandSpec::interpolation, "step linear cubic smooth",
              "Between the values (default linear); cubic is the spline of slope zero at both ends, and may "
              "overshoot the values.",
              "cubic")
              .no_default()
              .when(is_command<CommandType::kTable>),
          mapping("square", square_section(), "A square wave.", "{low: 0, high: 1, period: 2}")
              .when(is_command<CommandType::kSquare>),
          mapping("sine", sine_section(), "A sine.", "{amplitude: 0.5, frequency: 2}")
              .when(is_command<CommandType::kSine>),
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
          name("name", &ActuatorSpec::name, "Name, unique among the actuators.", "motor").required(),
          reference("joint", &ActuatorSpec::joint, Named::kJoint, "the name of a joint",
                    "Name of a revolute, prismatic or screw joint.", "hinge")
              .required(),
          choice("type", &ActuatorSpec::type, "position velocity effort", "What the command is.", "position")
              .required(),
          number("stiffness", &ActuatorSpec::stiffness, "N/m or N m/rad", kNonNegative,
                 "Gain on the position error.", "1000")
              .only_for("position")
              .required_for("position"),
          number("damping", &ActuatorSpec::damping, "N s/m or N m s/rad", kNonNegative,
                 "Gain on the velocity error; the default is that of position actuators.", "50")
              .only_for("position velocity")
              .required_for("velocity"),
          number("effort_limit", &ActuatorSpec::effort_limit, "N or N m", kPositive,
                 "Largest effort either way; none by default. With it, gains whose damping + h stiffness is "
                 "above 3950 m/h (h: step, m: inertia of the coordinate) count as that, in their ratio.",
                 "100"),
          boolean("feed_forward_velocity", &ActuatorSpec::feed_forward_velocity,
                  "The target velocity is the command's slope instead of 0.", "true")
              .only_for("position"),
          mapping("command", &ActuatorSpec::command, command_section(),
                  "The command, read at the end of the step.", "0.5")
              .or_number()
              .read_by(&read_command)
              .written_by(&write_command)
              .required(),
      },
      finish_actuator};
  return section;
}

}  // namespace csim
