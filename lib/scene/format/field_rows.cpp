#include "scene/format/field_rows.h"

#include <sstream>

namespace csim::field_rows {
namespace {

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> result;
  for (std::string word; stream >> word;) result.push_back(word);
  return result;
}

/// "lagged sap !tamsi": an exclamation mark stands before what is not supported yet.
std::vector<Choice> choices(const std::string& text) {
  std::vector<Choice> result;
  for (const std::string& word : words(text)) {
    const bool supported = word.front() != '!';
    result.push_back({supported ? word : word.substr(1), supported});
  }
  return result;
}

}  // namespace

Row&& Row::by_default(std::string text) && {
  field.default_text = std::move(text);
  return std::move(*this);
}

Row&& Row::required() && {
  field.required = true;
  return std::move(*this);
}

Row&& Row::or_word(const std::string& text) && {
  field.choices = choices(text);
  return std::move(*this);
}

Row&& Row::or_number() && {
  field.number = true;
  return std::move(*this);
}

Row&& Row::only_for(const std::string& values) && {
  field.only_for = words(values);
  return std::move(*this);
}

Row&& Row::required_for(const std::string& values) && {
  field.required_for = words(values);
  return std::move(*this);
}

Row&& Row::not_yet() && {
  field.supported = false;
  return std::move(*this);
}

Row&& Row::example(std::string text) && {
  field.example = std::move(text);
  return std::move(*this);
}

Row row(const char* key, FieldType type, const char* description) {
  Row result;
  result.field.key = key;
  result.field.type = type;
  result.field.description = description;
  return result;
}

Row number(const char* key, const char* unit, Bounds bounds, const char* description) {
  Row result = row(key, FieldType::kNumber, description);
  result.field.unit = unit;
  result.field.bounds = bounds;
  return result;
}

Row integer(const char* key, double min, const char* description) {
  Row result = row(key, FieldType::kInteger, description);
  result.field.bounds = {.min = min, .max = 2147483647.0};
  return result;
}

Row boolean(const char* key, const char* description) {
  return row(key, FieldType::kBoolean, description);
}

Row name(const char* key, const char* description) {
  return row(key, FieldType::kName, description);
}

Row text(const char* key, const char* expects, const char* description) {
  Row result = row(key, FieldType::kText, description);
  result.field.expects = expects;
  return result;
}

Row choice(const char* key, const char* values, const char* description) {
  Row result = row(key, FieldType::kChoice, description);
  result.field.choices = choices(values);
  return result;
}

Row numbers(const char* key, std::vector<int> lengths, const char* unit, Bounds bounds,
            const char* description) {
  Row result = row(key, FieldType::kNumbers, description);
  result.field.lengths = std::move(lengths);
  result.field.unit = unit;
  result.field.bounds = bounds;
  return result;
}

Row vector3(const char* key, const char* unit, const char* description) {
  return numbers(key, {3}, unit, kAny, description);
}

Row points(const char* key, const char* unit, const char* description) {
  Row result = row(key, FieldType::kPoints, description);
  result.field.unit = unit;
  return result;
}

Row mapping(const char* key, const Section& keys, const char* description) {
  Row result = row(key, FieldType::kSection, description);
  result.field.section = &keys;
  return result;
}

Row list(const char* key, const Section& keys, const char* description) {
  Row result = row(key, FieldType::kSectionList, description);
  result.field.section = &keys;
  return result;
}

Row map(const char* key, const Section& keys, const char* description) {
  Row result = row(key, FieldType::kSectionMap, description);
  result.field.section = &keys;
  return result;
}

}  // namespace csim::field_rows
