#include "scene/format/field_rows.h"

#include <sstream>

#include "core/require.h"
#include "scene/joint_coordinates.h"

namespace csim::field_rows {

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> result;
  for (std::string word; stream >> word;) result.push_back(word);
  return result;
}

std::vector<Choice> choices(const std::string& text) {
  std::vector<Choice> result;
  for (const std::string& word : words(text)) {
    const bool supported = word.front() != '!';
    result.push_back({supported ? word : word.substr(1), supported});
  }
  return result;
}

Row<Unbound> row(const char* key, FieldType type, const char* description, const char* example) {
  Row<Unbound> result;
  result.field.key = key;
  result.field.type = type;
  result.field.description = description;
  result.field.example = example;
  return result;
}

int read_reference(const SectionReader& reader, const std::string& key, Named named,
                   const SceneReading& reading) {
  switch (named) {
    case Named::kMaterial:
      return find_reference(reader, key, "material", reading.materials);
    case Named::kBody:
      return find_reference(reader, key, "body", reading.bodies);
    case Named::kJoint:
      return find_reference(reader, key, "joint", reading.joints);
    case Named::kActuator:
      return find_reference(reader, key, "actuator", reading.actuator_coordinates);
    case Named::kBodyOrWorld:
      break;
  }
  return find_reference(reader, key, "body", reading.bodies, "world");
}

std::optional<YamlNode> write_reference(int index, Named named, const SceneWriting& writing) {
  const auto i = static_cast<size_t>(index);
  if (index < 0) return named == Named::kBodyOrWorld ? std::optional(yaml_text("world")) : std::nullopt;
  if (named == Named::kMaterial) return yaml_text(writing.scene->materials[i].name);
  if (named == Named::kActuator) return yaml_text(writing.actuator_coordinates[i]);
  return yaml_text(named == Named::kJoint ? writing.scene->joints[i].name : writing.scene->bodies[i].name);
}

Row<JointSpec> coordinates(const char* key, std::vector<double> JointSpec::*member, const char* unit,
                           Bounds bounds, const char* description, const char* example) {
  Row<JointSpec> result =
      numbers(key, kNoMember, {}, unit, bounds, description, example).or_number().by_default("0");
  result.field.binding = {
      [member](const Field& field, const SectionReader& reader, SceneReading*, void* object) {
        auto* joint = static_cast<JointSpec*>(object);
        const int n = num_velocities(joint->type);
        joint->*member = read_coordinates(reader, field.key, n, true)
                             .value_or(std::vector<double>(static_cast<size_t>(n), 0.0));
      },
      [member](const Field&, const void* object, const SceneWriting&) {
        return std::optional(yaml_coordinates(static_cast<const JointSpec*>(object)->*member));
      }};
  return result;
}

Row<Unbound> section_row(const char* key, FieldType type, const Section& keys, const char* description,
                         const char* example) {
  Row<Unbound> result = row(key, type, description, example);
  result.field.section = &keys;
  return result;
}

void set_default(const void* initial, Field* field) {
  if (!field->default_text.empty()) {
    YamlParse parse = parse_yaml(field->default_text);
    CSIM_REQUIRE(parse.errors.empty(), field->key, field->default_text);
    field->standard = std::move(parse.root);
  } else if (initial != nullptr && field->binding.write) {
    field->standard = field->binding.write(*field, initial, {});
    if (field->standard) field->default_text = write_flow(*field->standard);
  }
}

}  // namespace csim::field_rows
