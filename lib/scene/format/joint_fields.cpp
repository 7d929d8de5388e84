// The table's rows for joints and actuators.
#include "scene/format/command_rows.h"
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
  const CartesianSpec& cartesian = actuator.cartesian;
  if (actuator.type == ActuatorType::kCartesian)
    return cartesian.motion.type == MotionType::kKeyframes
               ? write_rows(pose_table_section(), &cartesian.motion, writing)
               : write_rows(pose_section(), &cartesian.target, writing);
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
                 "Travel of a screw along its axis in one turn; > 0: right-handed.", "0.01")
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
      joined(table_rows<CommandSpec>([](auto member) { return member; }, is_command<CommandType::kTable>),
             {
                 mapping("square", square_section(), "A square wave.", "{low: 0, high: 1, period: 2}")
                     .when(is_command<CommandType::kSquare>),
                 mapping("sine", sine_section(), "A sine.", "{amplitude: 0.5, frequency: 2}")
                     .when(is_command<CommandType::kSine>),
             }),
      finish_command};
  return section;
}

namespace {

const SectionOf<Gains>& gains_section() {
  static const SectionOf<Gains> section{
      "gains",
      "gains along and about axes",
      "Gains along and about the axes x, y, z of the base; a number for all three.",
      "",
      {
          numbers("linear", &Gains::linear, {3}, "N/m or N s/m", kNonNegative, "Along the axes.", "2000")
              .or_number(),
          numbers("angular", &Gains::angular, {3}, "N m/rad or N m s/rad", kNonNegative, "About the axes.",
                  "[50, 50, 50]")
              .or_number(),
      }};
  return section;
}

std::optional<YamlNode> write_gains(const ActuatorSpec& actuator, double number, const Gains& six) {
  if (actuator.type != ActuatorType::kCartesian) return yaml_number(number);
  const auto& [linear, angular] = six;
  return yaml_numbers({linear.x(), linear.y(), linear.z(), angular.x(), angular.y(), angular.z()});
}

std::optional<YamlNode> write_stiffness(const ActuatorSpec& actuator, const SceneWriting&) {
  return write_gains(actuator, actuator.stiffness, actuator.cartesian.stiffness);
}

std::optional<YamlNode> write_damping(const ActuatorSpec& actuator, const SceneWriting&) {
  return write_gains(actuator, actuator.damping, actuator.cartesian.damping);
}

}  // namespace

const SectionOf<ActuatorSpec>& actuator_section() {
  static const SectionOf<ActuatorSpec> section{
      "actuator",
      "an actuator",
      "Drives a joint, or a frame of a body.",
      "type",
      {
          name("name", &ActuatorSpec::name, "Name, unique among the actuators.", "motor").required(),
          reference("joint", &ActuatorSpec::joint, Named::kJoint, "the name of a joint",
                    "Name of a revolute, prismatic or screw joint.", "hinge")
              .only_for("position velocity effort")
              .required_for("position velocity effort"),
          choice("type", &ActuatorSpec::type, "position velocity effort cartesian",
                 "What the command sets: a position, a velocity or an effort of a joint; cartesian: a pose, "
                 "to which springs pull a frame of a body.",
                 "position")
              .required(),
          reference("body", within(&ActuatorSpec::cartesian, &CartesianSpec::body), Named::kBody,
                    "the name of a body", "Name of the body that the springs pull.", "tool")
              .only_for("cartesian")
              .required_for("cartesian"),
          mapping("pose", within(&ActuatorSpec::cartesian, &CartesianSpec::pose), pose_section(),
                  "Pose of the controlled frame in the body.", "{xyz: [0, 0, 0.1]}")
              .only_for("cartesian"),
          reference("base", within(&ActuatorSpec::cartesian, &CartesianSpec::base), Named::kBodyOrWorld,
                    "the name of a body or world",
                    "Body that the command is given in, or `world`, the default.", "table")
              .only_for("cartesian"),
          section_row(
              "stiffness", FieldType::kSection, gains_section(),
              "Gain on the position error; six of a cartesian actuator: along x, y, z of the base (N/m), "
              "then about them (N m/rad).",
              "1000")
              .or_number()
              .or_list(6)
              .within_bounds("N/m or N m/rad", kNonNegative)
              .read_by(&read_stiffness)
              .written_by(&write_stiffness)
              .only_for("position cartesian")
              .required_for("position cartesian"),
          section_row("damping", FieldType::kSection, gains_section(),
                      "Gain on the velocity error, in the same form; 0 by default for position and cartesian "
                      "actuators.",
                      "50")
              .or_number()
              .or_list(6)
              .within_bounds("N s/m or N m s/rad", kNonNegative)
              .read_by(&read_damping)
              .written_by(&write_damping)
              .only_for("position velocity cartesian")
              .required_for("velocity"),
          number("effort_limit", &ActuatorSpec::effort_limit, "N or N m", kPositive,
                 "Largest effort in either direction; no limit by default. With a limit, stiffness and "
                 "damping are scaled down together where damping + h stiffness is above 3950 m/h (h: step, "
                 "m: inertia of the coordinate).",
                 "100")
              .only_for("position velocity effort"),
          boolean("feed_forward_velocity", &ActuatorSpec::feed_forward_velocity,
                  "The target velocity is the command's slope instead of 0.", "true")
              .only_for("position"),
          mapping("command", &ActuatorSpec::command, command_section(),
                  "The command, read at the end of the step; of a cartesian actuator a pose in the base.",
                  "0.5")
              .or_number()
              .or_keys_of(pose_section())
              .or_keys_of(pose_table_section())
              .read_by(&read_command)
              .written_by(&write_command)
              .required(),
      },
      finish_actuator};
  return section;
}

}  // namespace csim
