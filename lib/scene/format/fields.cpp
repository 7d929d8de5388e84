#include "scene/format/fields.h"

#include <algorithm>
#include <utility>

#include "core/number_format.h"
#include "scene/yaml/scene_source.h"

namespace csim {
namespace {

constexpr double kLargestInteger =
    std::numeric_limits<int>::max();  // the bound of every whole number: not worth words

/// "a", "a or b", "a, b or c".
std::string one_of(const std::vector<std::string>& words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

std::vector<std::string> supported_names(const std::vector<Choice>& choices) {
  std::vector<std::string> names;
  for (const Choice& choice : choices) {
    if (choice.supported) names.push_back(choice.name);
  }
  return names;
}

std::string expected_numbers(const Field& field) {
  if (field.lengths.empty()) return "a list of numbers" + field.bounds.text();
  std::vector<std::string> lengths;
  for (int length : field.lengths) lengths.push_back(std::to_string(length));
  return "a list of " + one_of(lengths) + " numbers" + field.bounds.text();
}

std::string mapping_with_keys(const Section& section) {
  const std::string first = section.fields.front().key;
  return "a mapping with keys such as " +
         (section.fields.size() > 1 ? first + ", " + section.fields[1].key : first);
}

void collect(const Section& section, std::vector<const Section*>* sections) {
  if (std::find(sections->begin(), sections->end(), &section) != sections->end()) return;
  sections->push_back(&section);
  for (const Field& field : section.fields) {
    if (field.section != nullptr) collect(*field.section, sections);
    for (const Section* alternative : field.alternatives) collect(*alternative, sections);
  }
}

}  // namespace

bool Bounds::contains(double value) const {
  const bool high_enough = above_min ? value > min : value >= min;
  return high_enough && value <= max && !(not_zero && value == 0.0);
}

std::string Bounds::text() const {
  const double infinity = std::numeric_limits<double>::infinity();
  std::string text;
  if (min > -infinity) text += (above_min ? " > " : " >= ") + format_number(min);
  if (max < infinity && max != kLargestInteger)
    text += (text.empty() ? " <= " : " and <= ") + format_number(max);
  if (not_zero) text += " other than 0";
  return text;
}

std::string Field::expected() const {
  std::string text;
  switch (type) {
    case FieldType::kNumber:
      text = "a number" + bounds.text();
      break;
    case FieldType::kInteger:
      text = "a whole number" + bounds.text();
      break;
    case FieldType::kBoolean:
      return "true or false";
    case FieldType::kName:
      return "a name (letters, digits, '_', '+', '-', not digits alone)";
    case FieldType::kNames:
      return "a name or a list of names (letters, digits, '_', '+', '-', not digits alone)";
    case FieldType::kText:
    case FieldType::kAny:
      return expects;
    case FieldType::kChoice:
      return one_of(supported_names(choices));
    case FieldType::kNumbers:
      text = (number ? "a number" + bounds.text() + " or " : "") + expected_numbers(*this);
      break;
    case FieldType::kPoints:
      text = "a list of lists of 3 numbers";
      break;
    case FieldType::kSection: {
      std::vector<std::string> forms;
      if (number) forms.push_back("a number" + bounds.text() + (unit.empty() ? "" : " (" + unit + ")"));
      if (!lengths.empty()) forms.push_back(expected_numbers(*this));
      forms.push_back(section->title);
      for (const Section* alternative : alternatives) forms.push_back(alternative->title);
      return one_of(forms) + ", " + mapping_with_keys(*section);
    }
    case FieldType::kSectionList:
      return "a list, each element " + section->title + ", " + mapping_with_keys(*section);
    case FieldType::kSectionMap:
      return std::string("a mapping from names to ") +
             (number ? "numbers or mappings, these " : "mappings, each ") + section->title;
  }
  if (!unit.empty()) text += " (" + unit + ")";
  if (!choices.empty()) text += " or " + one_of(supported_names(choices));
  return text;
}

int Field::choice_index(std::string_view word) const {
  for (size_t i = 0; i < choices.size(); ++i) {
    if (choices[i].name == word) return static_cast<int>(i);
  }
  return -1;
}

const Field* Section::find(std::string_view key) const {
  for (const Field& field : fields) {
    if (field.key == key) return &field;
  }
  return nullptr;
}

std::vector<std::string> Section::keys() const {
  std::vector<std::string> names;
  for (const Field& field : fields) names.push_back(field.key);
  return names;
}

FieldPlace find_field(std::string_view path) {
  const Section* section = &scene_section();
  FieldPlace place;
  bool is_element = false;  // the next part names an element of a list
  for (const std::string& part : split_path(plain_path(path))) {
    if (std::exchange(is_element, false)) continue;
    const Field* inner = section != nullptr ? section->find(part) : nullptr;
    if (inner == nullptr) {
      const bool may_be_list =
          place.field != nullptr && (section == nullptr || !place.field->lengths.empty());
      if (!may_be_list) return {};
      place.is_element = true;
      section = nullptr;
      continue;
    }
    place.field = inner;
    place.keys += (place.keys.empty() ? "" : ".") + part;
    section = place.field->section;
    is_element = place.field->type == FieldType::kSectionList || place.field->type == FieldType::kSectionMap;
  }
  return place;
}

std::vector<const Section*> sections_of(const Section& root) {
  std::vector<const Section*> sections;
  collect(root, &sections);
  return sections;
}

std::vector<const Section*> all_sections() {
  return sections_of(scene_section());
}

}  // namespace csim
