// The table's rows for forces on bodies.
#include "scene/format/field_rows.h"
#include "scene/help/angle_warnings.h"

namespace csim {

using namespace field_rows;

namespace {

template <CommandType type>
bool is_value(const VectorCommandSpec& value, const SceneWriting&) {
  return value.type == type;
}

/// A vector or a mapping.
void read_value(const SectionReader& reader, const char* key, SceneReading* reading, ForceSpec* force) {
  const YamlNode* node = reader.node(key);
  if (node == nullptr) return;
  if (node->kind == YamlNode::Kind::kMapping) {
    read_rows(reader.section(key), reading, &force->value);
  } else {
    force->value.value = reader.vector3(key);
  }
}

void read_force(const SectionReader& reader, SceneReading* reading, ForceSpec* force) {
  read_value(reader, "force", reading, force);
}

void read_torque(const SectionReader& reader, SceneReading* reading, ForceSpec* force) {
  read_value(reader, "torque", reading, force);
  force->is_torque = reader.given("torque");
}

template <bool is_torque>
std::optional<YamlNode> write_value(const ForceSpec& force, const SceneWriting& writing) {
  if (force.is_torque != is_torque) return std::nullopt;
  if (force.value.type == CommandType::kConstant) return yaml_vector(force.value.value);
  return write_rows(vector_command_section(), &force.value, writing);
}

std::optional<YamlNode> write_point(const ForceSpec& force, const SceneWriting&) {
  return force.point ? std::optional(yaml_vector(*force.point)) : std::nullopt;
}

void read_point(const SectionReader& reader, SceneReading*, ForceSpec* force) {
  if (reader.has("point")) force->point = reader.vector3("point");
}

const SectionOf<VectorCommandSpec>& vector_sine_section() {
  static const SectionOf<VectorCommandSpec> section{
      "vector_sine",
      "a sine of vectors",
      "mean + amplitude sin(2 pi frequency t + phase).",
      "",
      {
          vector3("mean", &VectorCommandSpec::mean, "", "Mean value.", "[0, 0, 1]"),
          vector3("amplitude", &VectorCommandSpec::amplitude, "", "Amplitude.", "[1, 0, 0]").required(),
          number("frequency", &VectorCommandSpec::frequency, "Hz", kNonNegative, "Frequency.", "2")
              .required(),
          number("phase", &VectorCommandSpec::phase, "rad", kAny, "Phase at t = 0.", "1.5"),
      },
      warn_of_phase<VectorCommandSpec>};
  return section;
}

}  // namespace

const SectionOf<VectorCommandSpec>& vector_command_section() {
  static const SectionOf<VectorCommandSpec> section{
      "vector_command",
      "a vector over time",
      "Vectors over time: at given times, or a sine.",
      "",
      {
          numbers("times", &VectorCommandSpec::times, {}, "s", kAny, "Times of the values, increasing.",
                  "[0, 1]"),
          points("values", &VectorCommandSpec::values, "N or N m", "Values at the times.",
                 "[[0, 0, 0], [1, 0, 0]]"),
          choice("interpolation", &VectorCommandSpec::interpolation, "step linear cubic smooth",
                 "Between the values (default linear); cubic is the spline of slope zero at both ends.",
                 "cubic")
              .no_default()
              .when(is_value<CommandType::kTable>),
          mapping("sine", vector_sine_section(), "A sine.", "{amplitude: [1, 0, 0], frequency: 2}")
              .when(is_value<CommandType::kSine>),
      },
      &finish_vector_command};
  return section;
}

const SectionOf<ForceSpec>& force_section() {
  static const SectionOf<ForceSpec> section{
      "force",
      "a force",
      "Acts on a body: a force at a point of it, or a torque; read at the end of the step.",
      "",
      {
          name("name", &ForceSpec::name, "Name, unique among the forces.", "push").required(),
          reference("body", &ForceSpec::body, Named::kBody, "the name of a body", "Name of the body.", "ball")
              .required(),
          vector3("point", kNoMember, "m", "Where the force acts, body axes; the centre of mass by default.",
                  "[0, 0, 0.1]")
              .read_by(&read_point)
              .written_by(&write_point)
              .no_default(),
          section_row("force", FieldType::kSection, vector_command_section(), "The force, N.", "[1, 0, 0]")
              .or_list(3)
              .read_by(&read_force)
              .written_by(&write_value<false>)
              .no_default(),
          section_row("torque", FieldType::kSection, vector_command_section(),
                      "A torque, N m, in place of a force.", "[0, 0, 1]")
              .or_list(3)
              .read_by(&read_torque)
              .written_by(&write_value<true>)
              .no_default(),
          choice("frame", &ForceSpec::frame, "world body",
                 "Whose axes the vector is in: the world's, or the body's at the start of the step.", "body"),
      },
      &finish_force};
  return section;
}

}  // namespace csim
