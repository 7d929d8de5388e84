// The table's rows for joints, models from files, and actuators.
#include "scene/format/field_rows.h"

namespace csim {

using namespace field_rows;

const Section& joint_section() {
  static const Section section{
      "joint",
      "a joint",
      "Connects a child body to its parent; the child's frame lies on the joint frame at position 0.",
      "type",
      {
          name("name", "Name, unique among the joints.").required().example("hinge"),
          choice("type", "free weld revolute prismatic planar ball universal",
                 "Kind of joint: planar has x, y and the rotation about z; universal turns about x, then the "
                 "turned y.")
              .required()
              .example("revolute"),
          text("parent", "the name of a body or world", "Name of the parent body, or `world`.")
              .required()
              .example("world"),
          text("child", "the name of a body",
               "Name of the child body; a body is the child of one joint at most.")
              .required()
              .example("link1"),
          mapping("pose", pose_section(), "Pose of the joint frame in the parent body.")
              .example("{xyz: [0, 0, 1]}"),
          vector3("axis", "", "Axis in the joint frame; any length but 0.")
              .only_for("revolute prismatic")
              .by_default("[0, 0, 1]")
              .example("[0, 1, 0]"),
          numbers("position", {}, "m or rad", kAny,
                  "Initial position coordinates: ball (qw, qx, qy, qz), free (qw, qx, qy, qz, x, y, z); the "
                  "neutral position by default.")
              .or_number()
              .only_for("free revolute prismatic planar ball universal")
              .example("0.5"),
          numbers("velocity", {}, "m/s or rad/s", kAny,
                  "Initial velocity coordinates: free (angular, linear); 0 by default.")
              .or_number()
              .only_for("free revolute prismatic planar ball universal")
              .by_default("0")
              .example("[0, 0, 1]"),
          numbers("damping", {}, "N s/m or N m s/rad", kNonNegative,
                  "Viscous damping per velocity coordinate; a number for all.")
              .or_number()
              .only_for("free revolute prismatic planar ball universal")
              .by_default("0")
              .example("0.1"),
          numbers("friction", {}, "N or N m", kNonNegative,
                  "Dry friction per velocity coordinate; a number for all.")
              .or_number()
              .only_for("free revolute prismatic planar ball universal")
              .by_default("0")
              .not_yet()
              .example("0.5"),
          numbers("armature", {}, "kg or kg m^2", kNonNegative,
                  "Reflected rotor inertia per velocity coordinate; a number for all.")
              .or_number()
              .only_for("free revolute prismatic planar ball universal")
              .by_default("0")
              .example("0.01"),
          numbers("stiffness", {}, "N/m or N m/rad", kNonNegative,
                  "Spring per velocity coordinate; a number for all.")
              .or_number()
              .only_for("revolute prismatic planar universal")
              .by_default("0")
              .example("100"),
          numbers("rest_position", {}, "m or rad", kAny,
                  "Where the spring is relaxed, per velocity coordinate; a number for all.")
              .or_number()
              .only_for("revolute prismatic planar universal")
              .by_default("0")
              .example("0.2"),
          numbers("limits", {2}, "m or rad", kAny, "Lower and upper limit of the position.")
              .only_for("revolute prismatic")
              .not_yet()
              .example("[-2, 2]"),
          boolean("collide",
                  "Whether the two bodies of the joint collide (those of a free joint always may).")
              .by_default("false")
              .example("true"),
      }};
  return section;
}

const Section& model_section() {
  static const Section section{
      "model",
      "a model",
      "A robot from a URDF file.",
      "",
      {
          text("file", "the name of a URDF file", "URDF file, relative to the scene file.")
              .required()
              .example("arm.urdf"),
          name("name", "Name; the items of the model are called name::item.").required().example("arm"),
          text("base", "the name of a body or world", "Body that carries the model, or `world`.")
              .by_default("world")
              .example("world"),
          mapping("pose", pose_section(), "Pose of the model's root in the base body.")
              .example("{xyz: [0, 0, 0]}"),
      }};
  return section;
}

namespace {

const Section& square_section() {
  static const Section section{
      "square",
      "a square wave",
      "High while frac(t/period + phase/(2 pi)) < duty.",
      "",
      {
          number("low", "", kAny, "Lower value.").required().example("0"),
          number("high", "", kAny, "Upper value.").required().example("1"),
          number("period", "s", kPositive, "Period.").required().example("2"),
          number("duty", "", Bounds{.min = 0.0, .max = 1.0}, "Part of the period that is high.")
              .by_default("0.5")
              .example("0.25"),
          number("phase", "rad", kAny, "Phase at t = 0.").by_default("0").example("1.5"),
      }};
  return section;
}

const Section& sine_section() {
  static const Section section{
      "sine",
      "a sine",
      "mean + amplitude sin(2 pi frequency t + phase).",
      "",
      {
          number("mean", "", kAny, "Mean value.").by_default("0").example("0.2"),
          number("amplitude", "", kAny, "Amplitude.").required().example("0.5"),
          number("frequency", "Hz", kNonNegative, "Frequency.").required().example("2"),
          number("phase", "rad", kAny, "Phase at t = 0.").by_default("0").example("1.5"),
      }};
  return section;
}

const Section& command_section() {
  static const Section section{
      "command",
      "a command",
      "What an actuator is told: a number, values over time, a square wave or a sine.",
      "",
      {
          numbers("times", {}, "s", kAny, "Times of the values, increasing.").example("[0, 1]"),
          numbers("values", {}, "", kAny, "Values at the times.").example("[0, 0.5]"),
          choice("interpolation", "step linear cubic",
                 "Between the values (default linear); cubic is the spline of slope zero at both ends.")
              .example("cubic"),
          mapping("square", square_section(), "A square wave.").example("{low: 0, high: 1, period: 2}"),
          mapping("sine", sine_section(), "A sine.").example("{amplitude: 0.5, frequency: 2}"),
      }};
  return section;
}

}  // namespace

const Section& actuator_section() {
  static const Section section{
      "actuator",
      "an actuator",
      "Drives a joint.",
      "type",
      {
          name("name", "Name, unique among the actuators.").required().example("motor"),
          text("joint", "the name of a joint", "Name of a revolute or prismatic joint.")
              .required()
              .example("hinge"),
          choice("type", "position velocity effort", "What the command is.").required().example("position"),
          number("stiffness", "N/m or N m/rad", kNonNegative, "Gain on the position error.")
              .only_for("position")
              .required_for("position")
              .example("1000"),
          number("damping", "N s/m or N m s/rad", kNonNegative,
                 "Gain on the velocity error; the default is that of position actuators.")
              .only_for("position velocity")
              .required_for("velocity")
              .by_default("0")
              .example("50"),
          number("effort_limit", "N or N m", kPositive, "Largest effort either way; none by default.")
              .example("100"),
          boolean("feed_forward_velocity", "The target velocity is the command's slope instead of 0.")
              .only_for("position")
              .by_default("false")
              .example("true"),
          mapping("command", command_section(), "The command, read at the end of the step.")
              .or_number()
              .required()
              .example("0.5"),
      }};
  return section;
}

}  // namespace csim
