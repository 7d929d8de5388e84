#include "scene/read/section_reader.h"

#include <algorithm>
#include <tuple>

#include "core/nearest_name.h"
#include "core/require.h"
#include "scene/format/field_check.h"
#include "scene/help/decimal_comma.h"
#include "scene/help/other_forms.h"
#include "scene/help/synonyms.h"
#include "scene/yaml/strict_values.h"

namespace csim {
namespace {

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// The first section other than `own` that knows the key, or nullptr.
const Section* other_section_with(const std::string& key, const Section& own) {
  for (const Section* section : all_sections()) {
    if (section != &own && section->find(key) != nullptr) return section;
  }
  return nullptr;
}

template <typename T>
bool contains(const std::vector<T>& all, const T& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

double number_of(const YamlNode& node) {
  std::string fault;
  return parse_number(node, &fault).value_or(0.0);
}

}  // namespace

void ProblemSink::report(const Mark& mark, const std::string& path, const std::string& message) {
  found_.push_back({mark, source_.at(mark, path, message)});
}

bool ProblemSink::has_problem_at(std::string_view path) const {
  return std::any_of(found_.begin(), found_.end(),
                     [&](const Found& found) { return found.diagnostic.path == path; });
}

void ProblemSink::warn(const Mark& mark, const std::string& path, const std::string& message) {
  warnings_.push_back({mark, source_.at(mark, path, message)});
}

void ProblemSink::note(const Mark& mark, const std::string& path, const std::string& message) {
  notes_.push_back({mark, source_.at(mark, path, message)});
}

Diagnostics ProblemSink::in_order(std::vector<Found> found) {
  std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
    return std::tie(a.mark.source, a.mark.line, a.mark.column) <
           std::tie(b.mark.source, b.mark.line, b.mark.column);
  });
  Diagnostics diagnostics;
  for (Found& one : found) diagnostics.push_back(std::move(one.diagnostic));
  return diagnostics;
}

SectionReader::SectionReader(const YamlNode* node, const Section& section, std::string path,
                             ProblemSink* sink)
    : section_(section), path_(std::move(path)), sink_(sink) {
  present_ = node != nullptr && node->kind == YamlNode::Kind::kMapping;
  if (node != nullptr) mark_ = node->mark;
  if (!present_) return;
  num_entries_ = node->entries.size();
  check_entries(*node);
  check_missing();
}

void SectionReader::check_entries(const YamlNode& node) {
  // The discriminator first: it decides which keys are known.
  if (const Field* field = section_.find(section_.discriminator)) {
    const YamlNode* value = node.find(section_.discriminator);
    const bool word = value != nullptr && value->kind == YamlNode::Kind::kScalar;
    const int index = word ? field->choice_index(value->text) : -1;
    const bool good = index >= 0 && field->choices[index].supported;
    if (good) variant_ = value->text;
    if (value == nullptr && field->standard) variant_ = field->standard->text;
    variant_unknown_ = variant_.empty();
  }
  const std::vector<const YamlEntry*> halves = report_decimal_commas(node);
  for (const YamlEntry& entry : node.entries) {
    const Field* field = section_.find(entry.key);
    if (field == nullptr || !known_here(*field)) continue;
    if (const Value* first = find(entry.key)) {
      const Mark mark = first->entry->key_mark;
      sink_->report(entry.key_mark, this->path(entry.key),
                    "duplicate key, the first is at line " + std::to_string(mark.line));
      continue;
    }
    // Beside a kind that is not supported yet, its keys are no further problem.
    const bool skip = (variant_unknown_ && !field->supported) || contains(halves, &entry);
    const bool good = !skip && check_value(*field, entry.value, this->path(entry.key), sink_);
    values_.push_back({field, &entry, good});
  }
  for (const YamlEntry& entry : node.entries) {
    const Field* field = section_.find(entry.key);
    if ((field == nullptr || !known_here(*field)) && !contains(halves, &entry)) report_unknown(entry);
  }
}

std::vector<const YamlEntry*> SectionReader::report_decimal_commas(const YamlNode& node) const {
  std::vector<const YamlEntry*> halves;
  for (size_t i = 1; i < node.entries.size(); ++i) {
    const YamlEntry &first = node.entries[i - 1], &second = node.entries[i];
    const std::string number = parted_number(first, second);
    if (number.empty() || section_.find(first.key) == nullptr || section_.find(second.key) != nullptr)
      continue;
    sink_->report(first.value.mark, path(first.key),
                  with_comma(number) + " with a comma for the decimal point, expected " + number);
    halves.insert(halves.end(), {&first, &second});
  }
  return halves;
}

void SectionReader::check_missing() const {
  for (const Field& field : section_.fields) {
    const bool needed = field.required || contains(field.required_for, variant_);
    if (needed && !given(field.key)) report_missing(field.key, "missing, expected " + field.expected());
  }
}

bool SectionReader::known_here(const Field& field) const {
  return field.only_for.empty() || variant_unknown_ || contains(field.only_for, variant_);
}

void SectionReader::report_of_another_kind(const YamlEntry& entry, const Field& field) const {
  std::vector<std::string> own;
  for (const Field& other : section_.fields) {
    if (other.supported && contains(other.only_for, variant_)) own.push_back(other.key);
  }
  const std::string expected = own.empty() ? "which has no keys of its own" : "expected " + join(own);
  sink_->report(entry.key_mark, path(entry.key),
                "unknown key for " + section_.discriminator + ": " + variant_ + ", " + expected + " ('" +
                    entry.key + "' is for " + join(field.only_for) + ")");
}

void SectionReader::report_unknown(const YamlEntry& entry) {
  if (entry.key == "<<") {
    has_merge_ = true;
    sink_->report(entry.key_mark, path(entry.key),
                  "a merge key, which is not supported, expected the keys themselves");
    return;
  }
  if (const Field* field = section_.find(entry.key)) {
    report_of_another_kind(entry, *field);
    return;
  }
  std::vector<std::string> known, usable;
  for (const Field& field : section_.fields) {
    if (known_here(field)) known.push_back(field.key);
    if (known_here(field) && field.supported) usable.push_back(field.key);
  }
  // By the words of other tools for a key here, by spelling, by the forms and words of other tools, as a key
  // of another place, and at last by a common part.
  std::vector<std::string> synonyms = csim::synonyms(entry.key, usable);
  std::string meant = synonyms.empty() ? nearest_name(entry.key, known) : "";
  if (meant.empty() && synonyms.empty()) synonyms = synonymous_keys(entry.key, section_, usable);
  const Section* other = other_section_with(entry.key, section_);
  std::string hint = did_you_mean(entry.key, known);
  if (const OtherForm form = other_form(entry, section_, usable); meant.empty() && !form.hint.empty()) {
    hint = form.hint;
    meant = form.meant;
  } else if (!synonyms.empty()) {
    hint = did_you_mean_one_of(synonyms);
    if (synonyms.size() == 1 && section_.find(synonyms[0]) != nullptr) meant = synonyms[0];
  } else if (meant.empty() && other != nullptr) {
    hint = " ('" + entry.key + "' is a key of " + other->title + ")";
  }
  const std::string expected = hint.empty() ? "one of " + join(known) : "a key of " + section_.title;
  sink_->report(entry.key_mark, path(entry.key), "unknown key, expected " + expected + hint);
  // The misspelt key is not missing too.
  if (!meant.empty() && find(meant) == nullptr) values_.push_back({section_.find(meant), &entry, false});
}

const SectionReader::Value* SectionReader::find(std::string_view key) const {
  for (const Value& value : values_) {
    if (value.field->key == key) return &value;
  }
  return nullptr;
}

bool SectionReader::has(std::string_view key) const {
  const Value* value = find(key);
  return value != nullptr && value->good;
}

bool SectionReader::given(std::string_view key) const {
  return find(key) != nullptr;
}

const YamlNode* SectionReader::value_or_default(std::string_view key) const {
  const Field* field = section_.find(key);
  CSIM_REQUIRE(field != nullptr, section_.name, key);
  const Value* value = find(key);
  if (value != nullptr && value->good) return &value->entry->value;
  return field->standard ? &*field->standard : nullptr;
}

double SectionReader::number(std::string_view key) const {
  const YamlNode* node = value_or_default(key);
  return node != nullptr ? number_of(*node) : 0.0;
}

bool SectionReader::boolean(std::string_view key) const {
  const YamlNode* node = value_or_default(key);
  return node != nullptr && node->text == "true";
}

std::string SectionReader::text(std::string_view key) const {
  const YamlNode* node = value_or_default(key);
  return node != nullptr ? node->text : "";
}

std::vector<std::string> SectionReader::texts(std::string_view key) const {
  const YamlNode* node = value_or_default(key);
  if (node == nullptr) return {};
  if (node->kind == YamlNode::Kind::kScalar) return {node->text};
  std::vector<std::string> values;
  for (const YamlNode& item : node->items) values.push_back(item.text);
  return values;
}

std::vector<double> SectionReader::numbers(std::string_view key) const {
  const YamlNode* node = value_or_default(key);
  if (node == nullptr) return {};
  if (node->kind == YamlNode::Kind::kScalar) return {number_of(*node)};
  std::vector<double> values;
  for (const YamlNode& item : node->items) values.push_back(number_of(item));
  return values;
}

Vector3 SectionReader::vector3(std::string_view key) const {
  const std::vector<double> values = numbers(key);
  if (values.size() == 1) return Vector3::Constant(values[0]);
  return values.size() == 3 ? Vector3(values[0], values[1], values[2]) : Vector3(0.0, 0.0, 0.0);
}

std::vector<Vector3> SectionReader::points(std::string_view key) const {
  std::vector<Vector3> values;
  const YamlNode* node = value_or_default(key);
  if (node == nullptr) return values;
  for (const YamlNode& item : node->items) {
    values.emplace_back(number_of(item.items[0]), number_of(item.items[1]), number_of(item.items[2]));
  }
  return values;
}

bool SectionReader::is_any_word(std::string_view key) const {
  const YamlNode* node = value_or_default(key);
  return node != nullptr && node->kind == YamlNode::Kind::kScalar &&
         section_.find(key)->choice_index(node->text) >= 0;
}

int SectionReader::choice_index(std::string_view key) const {
  const YamlNode* node = value_or_default(key);
  return node != nullptr ? std::max(0, section_.find(key)->choice_index(node->text)) : 0;
}

const YamlNode* SectionReader::node(std::string_view key) const {
  const Value* value = find(key);
  return value != nullptr && value->good ? &value->entry->value : nullptr;
}

SectionReader SectionReader::section(std::string_view key) const {
  const Field* field = section_.find(key);
  CSIM_REQUIRE(field != nullptr && field->section != nullptr, section_.name, key);
  return SectionReader(node(key), *field->section, path(key), sink_);
}

SectionReader SectionReader::alternative(std::string_view key, std::size_t index) const {
  return SectionReader(node(key), *section_.find(key)->alternatives[index], path(key), sink_);
}

SectionReader SectionReader::element(std::string_view key, size_t index) const {
  const Field* field = section_.find(key);
  const YamlNode& element = node(key)->items[index];
  const std::string element_key = element_path(path(key), element, index);
  if (element.kind != YamlNode::Kind::kMapping) {
    sink_->report(element.mark, element_key,
                  describe(element) + ", expected " + field->section->title + " as a mapping of keys" +
                      other_form_of_value(*field, element));
  }
  return SectionReader(&element, *field->section, element_key, sink_);
}

SectionReader SectionReader::entry(std::string_view key, const YamlEntry& entry) const {
  return SectionReader(&entry.value, *section_.find(key)->section, path(key) + "." + entry.key, sink_);
}

std::string SectionReader::path(std::string_view key) const {
  return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
}

Mark SectionReader::mark(std::string_view key) const {
  const Value* value = find(key);
  return value != nullptr ? value->entry->value.mark : mark_;
}

void SectionReader::report(std::string_view key, const std::string& message) const {
  if (present_) sink_->report(mark(key), path(key), message);
}

void SectionReader::report_here(const std::string& message) const {
  if (present_) sink_->report(mark_, path_, message);
}

void SectionReader::report_at(const Mark& mark, const std::string& path, const std::string& message) const {
  sink_->report(mark, path, message);
}

void SectionReader::warn(const Mark& mark, const std::string& path, const std::string& message) const {
  sink_->warn(mark, path, message);
}

void SectionReader::report_missing(std::string_view key, const std::string& message) const {
  // What a merge key would bring is not missing.
  if (present_ && !has_merge_) sink_->report(mark_, path(key), message);
}

}  // namespace csim
