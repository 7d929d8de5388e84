#include "scene/format/schema.h"

#include <algorithm>
#include <cmath>

#include "core/json_writer.h"
#include "core/require.h"
#include "scene/format/fields.h"
#include "scene/yaml/yaml_json.h"

namespace csim {
namespace {

// Of the scene, or MODEL::NAME as resolved scenes have it (is_name, is_item_name).
constexpr const char* kNamePattern = "^(?:(?![0-9]+$)[A-Za-z0-9_+-]+|(?!.*::.*::).+::.+)$";

bool contains(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

void write_yaml_value(const std::string& yaml, JsonWriter* json) {
  const YamlParse parse = parse_yaml(yaml);
  CSIM_REQUIRE(parse.errors.empty(), yaml);
  write_json(parse.root, json);
}

void write_bounds(const Bounds& bounds, JsonWriter* json) {
  if (std::isfinite(bounds.min)) json->member(bounds.above_min ? "exclusiveMinimum" : "minimum", bounds.min);
  if (std::isfinite(bounds.max)) json->member("maximum", bounds.max);
  if (bounds.not_zero) json->object("not", "const", 0);
}

void write_number_type(const char* type, const Bounds& bounds, JsonWriter* json) {
  json->member("type", type);
  write_bounds(bounds, json);
}

void write_array_type(const Field& field, int length, JsonWriter* json) {
  json->member("type", "array").key("items").begin_object();
  write_number_type("number", field.bounds, json);
  json->end_object();
  json->member("minItems", length > 0 ? length : 1);
  if (length > 0) json->member("maxItems", length);
}

void write_words(const std::vector<Choice>& choices, JsonWriter* json) {
  std::vector<std::string> words;
  for (const Choice& choice : choices)
    if (choice.supported) words.push_back(choice.name);
  json->member("enum", words);
}

/// Numbers and lists of numbers, with the words and the single number that may stand instead.
void write_numbers_type(const Field& field, JsonWriter* json) {
  const bool list = field.type == FieldType::kNumbers;
  const std::vector<int> lengths = !list                   ? std::vector<int>{}
                                   : field.lengths.empty() ? std::vector<int>{0}
                                                           : field.lengths;
  const bool number = !list || field.number;
  const size_t num_forms = lengths.size() + (number ? 1 : 0) + (field.choices.empty() ? 0 : 1);
  const auto form = [&](const auto& write) {
    if (num_forms > 1) json->begin_object();
    write();
    if (num_forms > 1) json->end_object();
  };
  if (num_forms > 1) json->key("anyOf").begin_array();
  if (number)
    form([&] {
      write_number_type(field.type == FieldType::kInteger ? "integer" : "number", field.bounds, json);
    });
  for (int length : lengths) form([&] { write_array_type(field, length, json); });
  if (!field.choices.empty()) form([&] { write_words(field.choices, json); });
  if (num_forms > 1) json->end_array();
}

/// The member `name` with a reference to a section's definition.
void write_reference(const char* name, const Section& section, JsonWriter* json) {
  json->object(name, "$ref", "#/definitions/" + section.name);
}

/// Elements of an array: references to the section and its alternatives.
void write_section_forms(const Field& field, JsonWriter* json) {
  json->begin_object().member("$ref", "#/definitions/" + field.section->name).end_object();
  for (const Section* alternative : field.alternatives)
    json->begin_object().member("$ref", "#/definitions/" + alternative->name).end_object();
}

void write_type(const Field& field, JsonWriter* json) {
  switch (field.type) {
    case FieldType::kNumber:
    case FieldType::kInteger:
    case FieldType::kNumbers:
      write_numbers_type(field, json);
      break;
    case FieldType::kBoolean:
      json->member("type", "boolean");
      break;
    case FieldType::kName:
      json->member("type", "string", "pattern", kNamePattern);
      break;
    case FieldType::kNames:
      json->key("anyOf").begin_array();
      json->begin_object().member("type", "string", "pattern", kNamePattern).end_object();
      json->begin_object().member("type", "array").key("items").begin_object();
      json->member("type", "string", "pattern", kNamePattern).end_object();
      json->member("minItems", 1, "uniqueItems", true).end_object().end_array();
      break;
    case FieldType::kText:
      json->member("type", "string", "minLength", 1);
      break;
    case FieldType::kChoice:
      write_words(field.choices, json);
      break;
    case FieldType::kPoints:
      json->member("type", "array", "minItems", 1).key("items").begin_object();
      write_array_type(field, 3, json);
      json->end_object();
      break;
    case FieldType::kSection:
      // Draft 7 ignores what stands beside a $ref.
      json->key(field.number || !field.lengths.empty() || !field.alternatives.empty() ? "anyOf" : "allOf")
          .begin_array();
      write_section_forms(field, json);
      if (field.number) {
        json->begin_object();
        write_number_type("number", field.bounds, json);
        json->end_object();
      }
      for (const int length : field.lengths) {
        json->begin_object();
        write_array_type(field, length, json);
        json->end_object();
      }
      json->end_array();
      break;
    case FieldType::kSectionList:
      json->member("type", "array");
      write_reference("items", *field.section, json);
      break;
    case FieldType::kSectionMap:
      json->member("type", "object");
      // Numbers stand beside names of actuators, those of coordinates among them.
      if (!field.number) json->object("propertyNames", "pattern", kNamePattern);
      if (!field.number && field.alternatives.empty()) {
        write_reference("additionalProperties", *field.section, json);
        break;
      }
      json->key("additionalProperties").begin_object().key("anyOf").begin_array();
      write_section_forms(field, json);
      if (field.number) json->begin_object().member("type", "number").end_object();
      json->end_array().end_object();
      break;
    case FieldType::kAny:
      break;
  }
}

/// A key that is not supported yet takes its default alone.
void write_default_only(const Field& field, JsonWriter* json) {
  const YamlNode* standard = field.standard ? &*field.standard : nullptr;
  if (standard == nullptr) {
    json->key("not").begin_object().end_object();
  } else if (standard->kind == YamlNode::Kind::kSequence) {
    json->member("type", "array", "maxItems", 0);
  } else {
    json->key("anyOf").begin_array().begin_object().key("const");
    write_json(*standard, json);
    json->end_object().begin_object().member("type", "array").key("items").begin_object().key("const");
    write_json(*standard, json);
    json->end_object().end_object().end_array();
  }
}

std::string description(const Field& field) {
  std::string text = field.description;
  if (!field.unit.empty()) text += " Unit: " + field.unit + ".";
  if (!field.supported) text += " Not supported yet.";
  return text;
}

void write_field(const Field& field, JsonWriter* json) {
  json->key(field.key).begin_object();
  json->member("description", description(field));
  if (field.supported) {
    write_type(field, json);
  } else {
    write_default_only(field, json);
  }
  if (field.standard) {
    json->key("default");
    write_json(*field.standard, json);
  }
  json->key("examples").begin_array();
  write_yaml_value(field.example, json);
  json->end_array().end_object();
}

/// For each supported value of the discriminator: which keys it needs, and which it does not know.
void write_variants(const Section& section, JsonWriter* json) {
  const Field* discriminator = section.find(section.discriminator);
  if (discriminator == nullptr) return;
  json->key("allOf").begin_array();
  for (const Choice& choice : discriminator->choices) {
    if (!choice.supported) continue;
    std::vector<std::string> required;
    for (const Field& field : section.fields)
      if (contains(field.required_for, choice.name)) required.push_back(field.key);
    json->begin_object().key("if").begin_object().key("properties").begin_object();
    json->object(section.discriminator, "const", choice.name).end_object();
    json->member("required", std::vector{section.discriminator}).end_object();
    json->key("then").begin_object().member("required", required).key("properties").begin_object();
    for (const Field& field : section.fields) {
      if (!field.only_for.empty() && !contains(field.only_for, choice.name)) json->member(field.key, false);
    }
    json->end_object().end_object().end_object();
  }
  json->end_array();
}

void write_section(const Section& section, JsonWriter* json) {
  json->member("type", "object", "description", section.description);
  json->key("properties").begin_object();
  for (const Field& field : section.fields) write_field(field, json);
  json->end_object();
  std::vector<std::string> required;
  for (const Field& field : section.fields)
    if (field.required) required.push_back(field.key);
  json->member("required", required, "additionalProperties", false);
  write_variants(section, json);
}

/// Whether a row leads to a section that scenes may use today.
bool reaches(const Section& section, const Section& target) {
  for (const Field& field : section.fields) {
    if (field.section == nullptr || !field.supported) continue;
    if (field.section == &target || reaches(*field.section, target)) return true;
    for (const Section* alternative : field.alternatives)
      if (alternative == &target || reaches(*alternative, target)) return true;
  }
  return false;
}

}  // namespace

std::string schema_json(const Section& root, const std::string& title) {
  JsonWriter json;
  json.begin_object();
  json.member("$schema", "http://json-schema.org/draft-07/schema#", "title", title);
  write_section(root, &json);
  json.key("definitions").begin_object();
  for (const Section* section : sections_of(root)) {
    if (!reaches(root, *section)) continue;
    json.key(section->name).begin_object();
    write_section(*section, &json);
    json.end_object();
  }
  json.end_object().end_object();
  return json.text();
}

std::string scene_schema_json() {
  return schema_json(scene_section(), "csim scene, format version 1");
}

}  // namespace csim
