#include "scene/format/field_check.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "core/require.h"
#include "scene/help/decimal_comma.h"
#include "scene/help/other_forms.h"
#include "scene/help/synonyms.h"
#include "scene/help/unit_suffix.h"
#include "scene/yaml/strict_values.h"

namespace csim {
namespace {

using Kind = YamlNode::Kind;

/// " (0,5 is two numbers, 0.5 one)" of a list in which a comma parts a number; else "".
std::string comma_hint(const YamlNode& list) {
  const std::string number = parted_number(list);
  if (number.empty()) return "";
  return " (" + with_comma(number) + " is two numbers, " + number + " one)";
}

/// " (did you mean '0.1'?)" of a number with a unit or a decimal comma.
std::string unit_hint(const Field& field, const YamlNode& node) {
  if (node.kind != Kind::kScalar) return "";
  const std::string number = number_in_unit(node.text, field.unit);
  return number.empty() || number == node.text ? "" : did_you_mean_one_of({number});
}

/// Whether a single number or word where a list is expected deserves an example of one.
bool wants_list(const Field& field) {
  return field.type == FieldType::kNumbers && !field.number && field.choices.empty();
}

/// What a value may be, for hints: words; of a list its default and, of a direction, the axes.
std::vector<std::string> words_of(const Field& field) {
  if (field.type == FieldType::kBoolean) return {"true", "false"};
  std::vector<std::string> words;
  if (wants_list(field)) {
    words.push_back(field.default_text);
    const bool direction = field.lengths == std::vector<int>{3} && field.unit.empty();
    if (direction) words = {"[1, 0, 0]", "[0, 1, 0]", "[0, 0, 1]"};
  }
  for (const Choice& choice : field.choices) {
    if (choice.supported) words.push_back(choice.name);
  }
  return words;
}

bool wrong(const Field& field, const YamlNode& node, const std::string& path, const std::string& found,
           ProblemSink* sink) {
  std::string hint;
  const bool quoted_boolean = field.type == FieldType::kBoolean && node.quoted;
  if (node.kind == Kind::kScalar && !quoted_boolean) hint = did_you_mean_value(node.text, words_of(field));
  if (hint.empty()) hint = other_form_of_value(field, node);
  if (node.kind == Kind::kScalar && hint.empty() && wants_list(field)) hint = ", such as " + field.example;
  sink->report(node.mark, path, found + ", expected " + field.expected() + hint);
  return false;
}

bool check_number(const Field& field, const YamlNode& node, const std::string& path, ProblemSink* sink) {
  std::string fault;
  const std::optional<double> value =
      field.type == FieldType::kInteger ? parse_whole_number(node, &fault) : parse_number(node, &fault);
  if (!value) {
    const std::string hint = unit_hint(field, node);
    if (hint.empty()) return wrong(field, node, path, fault, sink);
    sink->report(node.mark, path, fault + ", expected " + field.expected() + hint);
    return false;
  }
  if (!field.bounds.contains(*value)) return wrong(field, node, path, describe(node), sink);
  return true;
}

/// A number within a list: reported at its own place.
bool check_element(const Field& field, const YamlNode& node, const std::string& path, ProblemSink* sink) {
  std::string fault;
  const std::optional<double> value = parse_number(node, &fault);
  if (value && field.bounds.contains(*value)) return true;
  const std::string unit = field.unit.empty() ? "" : " (" + field.unit + ")";
  sink->report(node.mark, path,
               (value ? describe(node) : fault) + ", expected a number" + field.bounds.text() + unit +
                   (value ? "" : unit_hint(field, node)));
  return false;
}

bool check_numbers(const Field& field, const YamlNode& node, const std::string& path, ProblemSink* sink) {
  if (field.number && node.kind == Kind::kScalar) return check_number(field, node, path, sink);
  if (node.kind != Kind::kSequence) return wrong(field, node, path, describe(node), sink);
  const auto length = static_cast<int>(node.items.size());
  const bool fits = field.lengths.empty() ? length > 0
                                          : std::find(field.lengths.begin(), field.lengths.end(), length) !=
                                                field.lengths.end();
  if (!fits) return wrong(field, node, path, describe(node) + comma_hint(node), sink);
  const bool is_matrix = std::all_of(node.items.begin(), node.items.end(),
                                     [](const YamlNode& item) { return item.kind == Kind::kSequence; });
  if (is_matrix) return wrong(field, node, path, "a list of lists", sink);
  bool good = true;
  for (size_t i = 0; i < node.items.size(); ++i) {
    good = check_element(field, node.items[i], path + "." + std::to_string(i), sink) && good;
  }
  return good;
}

bool check_points(const Field& field, const YamlNode& node, const std::string& path, ProblemSink* sink) {
  if (node.kind != Kind::kSequence || node.items.empty())
    return wrong(field, node, path, describe(node), sink);
  bool good = true;
  for (size_t i = 0; i < node.items.size(); ++i) {
    const YamlNode& point = node.items[i];
    const std::string point_path = path + "." + std::to_string(i);
    if (point.kind != Kind::kSequence || point.items.size() != 3) {
      sink->report(
          point.mark, point_path,
          describe(point) + comma_hint(point) + ", expected a list of 3 numbers (" + field.unit + ")");
      good = false;
      continue;
    }
    for (size_t k = 0; k < 3; ++k) {
      good = check_element(field, point.items[k], point_path + "." + std::to_string(k), sink) && good;
    }
  }
  return good;
}

/// A word among `choices`; reports one that is not supported yet. No value: it is none of them.
std::optional<bool> check_word(const Field& field, const YamlNode& node, const std::string& path,
                               ProblemSink* sink) {
  if (node.kind != Kind::kScalar) return std::nullopt;
  const int index = field.choice_index(node.text);
  if (index < 0) return std::nullopt;
  if (field.choices[index].supported) return true;
  sink->report(node.mark, path, "'" + node.text + "', not supported yet, expected " + field.expected());
  return false;
}

bool check_text(const Field& field, const YamlNode& node, const std::string& path, ProblemSink* sink) {
  const bool good = node.kind == Kind::kScalar && !node.text.empty();
  if (!good)
    return wrong(field, node, path, node.kind == Kind::kScalar ? "empty text" : describe(node), sink);
  if (field.type != FieldType::kText && !is_name(node.text) && !is_item_name(node.text))
    return wrong(field, node, path, describe(node), sink);
  return true;
}

bool check_names(const Field& field, const YamlNode& node, const std::string& path, ProblemSink* sink) {
  if (node.kind != Kind::kSequence) return check_text(field, node, path, sink);
  if (node.items.empty()) return wrong(field, node, path, describe(node), sink);
  bool good = true;
  std::set<std::string> names;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const YamlNode& item = node.items[i];
    const std::string place = path + "." + std::to_string(i);
    const bool is_name = check_text(field, item, place, sink);
    good = is_name && good;
    if (is_name && !names.insert(item.text).second)
      good = wrong(field, item, place, "'" + item.text + "' again", sink);
  }
  return good;
}

/// Whether a value means the same as the default: the only one that a row not supported yet accepts.
bool means_default(const Field& field, const YamlNode& node) {
  const YamlNode* standard = field.standard ? &*field.standard : nullptr;
  if (standard == nullptr) return false;
  std::string fault;
  if (standard->kind == Kind::kSequence)
    return node.kind == Kind::kSequence && node.items.empty() && standard->items.empty();
  const std::optional<double> number = parse_number(*standard, &fault);
  if (!number) return node.kind == Kind::kScalar && node.text == standard->text;
  const auto equal = [&](const YamlNode& item) { return parse_number(item, &fault) == number; };
  if (node.kind == Kind::kSequence) return std::all_of(node.items.begin(), node.items.end(), equal);
  return equal(node);
}

bool check_type(const Field& field, const YamlNode& node, const std::string& path, ProblemSink* sink) {
  switch (field.type) {
    case FieldType::kNumber:
    case FieldType::kInteger:
      if (const std::optional<bool> word = check_word(field, node, path, sink)) return *word;
      return check_number(field, node, path, sink);
    case FieldType::kNumbers:
      if (const std::optional<bool> word = check_word(field, node, path, sink)) return *word;
      return check_numbers(field, node, path, sink);
    case FieldType::kPoints:
      return check_points(field, node, path, sink);
    case FieldType::kBoolean: {
      std::string fault;
      return parse_boolean(node, &fault) ? true : wrong(field, node, path, fault, sink);
    }
    case FieldType::kName:
    case FieldType::kText:
      return check_text(field, node, path, sink);
    case FieldType::kNames:
      return check_names(field, node, path, sink);
    case FieldType::kChoice:
      if (const std::optional<bool> word = check_word(field, node, path, sink)) return *word;
      return wrong(field, node, path, describe(node), sink);
    case FieldType::kSection:
      if (field.number && node.kind == Kind::kScalar) return check_number(field, node, path, sink);
      if (!field.lengths.empty() && node.kind == Kind::kSequence)
        return check_numbers(field, node, path, sink);
      return node.kind == Kind::kMapping ? true : wrong(field, node, path, describe(node), sink);
    case FieldType::kSectionMap:
      return node.kind == Kind::kMapping ? true : wrong(field, node, path, describe(node), sink);
    case FieldType::kSectionList:
      return node.kind == Kind::kSequence ? true : wrong(field, node, path, describe(node), sink);
    case FieldType::kAny:
      return node.kind != Kind::kNull ? true : wrong(field, node, path, describe(node), sink);
  }
  CSIM_REQUIRE(false, field.key);
  return false;
}

}  // namespace

bool check_value(const Field& field, const YamlNode& node, const std::string& path, ProblemSink* sink) {
  if (!field.supported && !means_default(field, node)) {
    const std::string only =
        field.default_text.empty() ? "expected the key left out" : "expected " + field.default_text;
    sink->report(node.mark, path, describe(node) + ", not supported yet, " + only);
    return false;
  }
  return check_type(field, node, path, sink);
}

}  // namespace csim
