#include "scene/format/fields.h"
#include "scene/format/schema.h"

namespace csim {
namespace {

/// A bar would end the cell of a Markdown table.
std::string cell(const std::string& text) {
  std::string result;
  for (char c : text) {
    if (c == '|') result += '\\';
    result += c;
  }
  return result;
}

/// What may stand there; mappings as links to their own tables.
std::string value(const Field& field) {
  if (field.section == nullptr) return field.expected();
  std::string link = "[" + field.section->name + "](#" + field.section->name + ")";
  for (const Section* section : field.alternatives)
    link += ", [" + section->name + "](#" + section->name + ")";
  if (field.type == FieldType::kSectionList) return "a list of " + link;
  if (field.type == FieldType::kSectionMap)
    return "names, each with " + link + (field.number ? " or a number" : "");
  if (!field.lengths.empty())
    return link + (field.number ? ", a number" : "") + " or a list of " + std::to_string(field.lengths[0]) +
           " numbers";
  return field.number ? link + " or a number" : link;
}

std::string standard(const Field& field) {
  if (field.required) return "required";
  return field.default_text.empty() ? "" : "`" + field.default_text + "`";
}

}  // namespace

std::string field_meaning(const Field& field) {
  std::string text = field.description;
  std::string kinds;
  for (const std::string& kind : field.only_for) kinds += (kinds.empty() ? "" : ", ") + kind;
  if (!kinds.empty()) text += " For " + kinds + ".";
  if (!field.supported) text += " Not supported yet.";
  std::string missing;
  for (const Choice& choice : field.choices) {
    if (!choice.supported) missing += (missing.empty() ? "" : ", ") + choice.name;
  }
  if (!missing.empty() && field.supported) text += " Not supported yet: " + missing + ".";
  return text;
}

std::string reference_markdown(const Section& root) {
  std::string text;
  for (const Section* section : sections_of(root)) {
    text += "\n## " + section->name + "\n\n" + section->description + "\n\n";
    text += "| key | value | default | meaning | example |\n|---|---|---|---|---|\n";
    for (const Field& field : section->fields) {
      text += "| `" + field.key + "` | " + cell(value(field)) + " | " + cell(standard(field)) + " | " +
              cell(field_meaning(field)) + " | `" + cell(field.example) + "` |\n";
    }
  }
  return text;
}

std::string scene_reference_markdown() {
  return "# Keys of a scene\n\n"
         "Scene format version 1. SI units; angles in radians except in keys that end in `_deg`. This page "
         "and\n"
         "`scene.schema.json` are printed by `csim schema` from the table that the reader itself checks "
         "by.\n" +
         reference_markdown(scene_section());
}

}  // namespace csim
