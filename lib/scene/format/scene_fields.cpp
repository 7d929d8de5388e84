// The table's rows for the scene itself, its time axis and output.
#include "scene/format/field_rows.h"
#include "scene/urdf/model_spec.h"

namespace csim {

using namespace field_rows;

namespace {

std::optional<YamlNode> write_version(const Scene&, const SceneWriting&) {
  return yaml_number(1.0);
}

std::optional<YamlNode> write_materials(const Scene& scene, const SceneWriting& writing) {
  YamlNode materials;
  materials.kind = YamlNode::Kind::kMapping;
  for (const MaterialSpec& material : scene.materials)
    add_entry(&materials, material.name, write_rows(material_section(), &material, writing));
  return materials;
}

// Their items are written among the scene's.
std::optional<YamlNode> write_no_models(const Scene&, const SceneWriting&) {
  return yaml_list();
}

const SectionOf<TimeSpec>& time_section() {
  static const SectionOf<TimeSpec> section{
      "time",
      "the time section",
      "Step and end of the simulation.",
      "",
      {
          number("step", &TimeSpec::step, "s", kPositive, "Length of a time step.", "5.0e-4"),
          number("end", &TimeSpec::end, "s", kNonNegative,
                 "End of the simulation; 0 records the initial state only.", "1.0")
              .required(),
      }};
  return section;
}

std::optional<YamlNode> write_from(const InitialSpec& initial, const SceneWriting&) {
  return yaml_text(initial.resolved_from);
}

void finish_initial(const SectionReader& reader, SceneReading* reading, InitialSpec* initial) {
  if (reader.has("from")) initial->resolved_from = find_file(reader, "from", initial->from, *reading);
}

const SectionOf<InitialSpec>& initial_section() {
  static const SectionOf<InitialSpec> section{
      "initial",
      "the initial state",
      "A row of a result that the run starts from, at its own t = 0.",
      "",
      {
          text(
              "from", &InitialSpec::from, "the name of a result file",
              "Result file, relative to the scene file. Bodies without a joint take pose and velocity of the "
              "body of their name, joints position and velocity of the joint of theirs.",
              "settled.h5")
              .required()
              .written_by(&write_from),
          number("time", &InitialSpec::time, "s", kNonNegative, "Time of the row; `last`: the last one.",
                 "2.0")
              .or_word("last"),
      },
      finish_initial};
  return section;
}

std::optional<YamlNode> write_initial(const Scene& scene, const SceneWriting& writing) {
  if (scene.initial.from.empty()) return std::nullopt;
  return write_rows(initial_section(), &scene.initial, writing);
}

const SectionOf<GuardSpec>& guard_section() {
  static const SectionOf<GuardSpec> section{
      "guards",
      "the guards",
      "Bounds beyond which a run ends: `status` failed, exit code 3, with the state before the step that "
      "breaks "
      "one; the message names the pair or body.",
      "",
      {
          number("energy_gain", &GuardSpec::energy_gain, "1", kPositive,
                 "Largest energy from nothing (what contacts return beyond what they took up, and "
                 "`/energy/scheme_mass_matrix`) over the energy throughput `/energy/turned_over`; `none`: no "
                 "bound, and no step is subdivided for it. From 0.01 on a warning names the pair or body.",
                 "0.05")
              .or_word("none"),
          number("penetration", &GuardSpec::penetration, "m", kPositive,
                 "Deepest overlap of two geometries, of a patch pressure over gradient; `none`: any.", "0.01")
              .or_word("none"),
          number("contacts", &GuardSpec::contacts, "1", kNonNegative,
                 "Number of contacts offered in a step; `none`: any.", "10000")
              .or_word("none"),
      }};
  return section;
}

const SectionOf<OutputSpec>& output_section() {
  static const SectionOf<OutputSpec> section{
      "output",
      "the output options",
      "What is recorded.",
      "",
      {
          number("period", &OutputSpec::period, "s", kPositive, "Time between rows of the result file.",
                 "0.005"),
          boolean("contacts", &OutputSpec::contacts, "Record every contact.", "false"),
          choice("patches", &OutputSpec::patches, "none summary full",
                 "What is recorded of pressure-field patches.", "full"),
          boolean("iterations", &OutputSpec::iterations, "Record every iteration of the solver.", "true"),
          boolean("gradients", &OutputSpec::gradients,
                  "Record how the end of each step changes with its start and with the commands "
                  "(integrator.type: "
                  "quasistatic, but with Coulomb's law itself).",
                  "true"),
          number("checkpoint", &OutputSpec::checkpoint, "s", kPositive,
                 "Simulated time between checkpoints; `none`: at an interruption only.", "1")
              .or_word("none"),
      }};
  return section;
}

}  // namespace

const Section& scene_section() {
  static const SectionOf<Scene> section{
      "scene",
      "the scene",
      "A scene of csim. SI units; angles in radians except in keys that end in _deg.",
      "",
      {
          integer("csim", kNoMember, 1, "Version of the scene format: 1.", "1")
              .written_by(&write_version)
              .required(),
          text("name", &Scene::name, "a name",
               "Name of the scene and default name of its result file; the scene file's stem by default.",
               "falling_sphere"),
          vector3("gravity", &Scene::gravity, "m/s^2", "Acceleration of gravity, world axes.",
                  "[0, 0, -1.62]"),
          mapping("time", &Scene::time, time_section(), "Step and end of the simulation.",
                  "{step: 1.0e-3, end: 1.0}")
              .required(),
          section_row("materials", FieldType::kSectionMap, material_section(), "Materials by name.",
                      "{steel: {friction: 0.5}}")
              .read_by(&read_materials)
              .written_by(&write_materials)
              .by_default("{}"),
          list("bodies", &Scene::bodies, body_section(), "The bodies; may be empty.", "[]").required(),
          list("joints", &Scene::joints, joint_section(), "The joints; a body without one is free.", "[]"),
          section_row(
              "models", FieldType::kSectionList, model_section(),
              "Robots from files: their links are bodies, their joints joints, called MODEL::NAME, after "
              "those of the scene.",
              "[{file: arm.urdf, name: arm}]")
              .written_by(&write_no_models),
          list("actuators", &Scene::actuators, actuator_section(), "Drives of joints.",
               "[{name: motor, joint: hinge, type: effort, command: 2}]"),
          list("constraints", &Scene::constraints, constraint_section(),
               "Constraints between joints or bodies.",
               "[{name: rope, type: distance, a: world, b: bob, max: 1}]"),
          list("forces", &Scene::forces, force_section(), "Forces on bodies.",
               "[{name: push, body: ball, force: [1, 0, 0]}]"),
          list("sequence", &Scene::sequence, phase_section(),
               "Phases of commands, one after the other, each until its condition holds.",
               "[{name: close, commands: {motor: {ramp: {to: 0.5, duration: 1}}}}]"),
          mapping("contact", &Scene::contact, contact_section(), "Contact law and rules for pairs.",
                  "{model: sap}"),
          mapping("solver", &Scene::solver, solver_section(), "How a step is solved.", "{tolerance: 1.0e-8}"),
          mapping("integrator", &Scene::integrator, integrator_section(), "How time is stepped.",
                  "{type: discrete}"),
          mapping("guards", &Scene::guards, guard_section(), "What ends a run with exit code 3.",
                  "{penetration: 0.01}"),
          mapping("initial", &Scene::initial, initial_section(),
                  "Start from a row of a result: bodies and joints of these names, and which constraints are "
                  "broken; the others start as they say.",
                  "{from: settled.h5}")
              .written_by(&write_initial),
          mapping("output", &Scene::output, output_section(), "What is recorded.", "{period: 0.005}"),
      },
      finish_scene};
  return section;
}

}  // namespace csim
