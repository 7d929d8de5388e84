// The table's rows for the scene itself, its time axis and output.
#include "scene/format/field_rows.h"

namespace csim {

using namespace field_rows;

namespace {

const Section& time_section() {
  static const Section section{
      "time",
      "the time section",
      "Step and end of the simulation.",
      "",
      {
          number("step", "s", kPositive,
                 "Length of a time step. Inertias and gyroscopic moments are those of its start: an uneven "
                 "body that tumbles gains, in a step, a share of its energy of up to the square of the angle "
                 "(rad) it turns by, a brick "
                 "some hundredths of that.")
              .by_default("1.0e-3")
              .example("5.0e-4"),
          number("end", "s", kNonNegative, "End of the simulation; 0 records the initial state only.")
              .required()
              .example("1.0"),
      }};
  return section;
}

const Section& output_section() {
  static const Section section{
      "output",
      "the output options",
      "What is recorded.",
      "",
      {
          number("period", "s", kPositive, "Time between rows of the result file.")
              .by_default("0.01")
              .example("0.005"),
          boolean("contacts", "Record every contact.").by_default("true").example("false"),
          choice("patches", "none summary full", "What is recorded of pressure-field patches.")
              .by_default("summary")
              .example("full"),
          boolean("iterations", "Record every iteration of the solver.").by_default("false").example("true"),
          number("checkpoint", "s", kPositive,
                 "Simulated time between checkpoints; `none`: at an interruption only.")
              .or_word("none")
              .by_default("none")
              .example("1"),
      }};
  return section;
}

}  // namespace

const Section& scene_section() {
  static const Section section{
      "scene",
      "the scene",
      "A scene of csim. SI units; angles in radians except in keys that end in _deg.",
      "",
      {
          integer("csim", 1, "Version of the scene format: 1.").required().example("1"),
          text("name", "a name",
               "Name of the scene and default name of its result file; the scene file's stem by default.")
              .example("falling_sphere"),
          vector3("gravity", "m/s^2", "Acceleration of gravity, world axes.")
              .by_default("[0, 0, -9.81]")
              .example("[0, 0, -1.62]"),
          mapping("time", time_section(), "Step and end of the simulation.")
              .required()
              .example("{step: 1.0e-3, end: 1.0}"),
          map("materials", material_section(), "Materials by name.")
              .by_default("{}")
              .example("{steel: {friction: 0.5}}"),
          list("bodies", body_section(), "The bodies; may be empty.").required().example("[]"),
          list("joints", joint_section(), "The joints; a body without one is free.")
              .by_default("[]")
              .example("[]"),
          list("models", model_section(), "Robots from files.").by_default("[]").not_yet().example("[]"),
          list("actuators", actuator_section(), "Drives of joints.")
              .by_default("[]")
              .example("[{name: motor, joint: hinge, type: effort, command: 2}]"),
          mapping("contact", contact_section(), "Contact law and rules for pairs.").example("{model: sap}"),
          mapping("solver", solver_section(), "How a step is solved.").example("{tolerance: 1.0e-8}"),
          mapping("integrator", integrator_section(), "How time is stepped.").example("{type: discrete}"),
          mapping("output", output_section(), "What is recorded.").example("{period: 0.005}"),
      }};
  return section;
}

}  // namespace csim
