#include "study/study.h"

#include <algorithm>
#include <cmath>

#include "scene/yaml/strict_values.h"
#include "scene/yaml/yaml_writer.h"
#include "study/reference_keys.h"

namespace csim {

std::vector<std::string> Study::varied_keys() const {
  std::vector<std::string> keys;
  for (const Vary& entry : vary) keys.insert(keys.end(), entry.keys.begin(), entry.keys.end());
  return keys;
}

std::vector<int> Study::sources_of(int measure) const {
  const Measure& what = measures[static_cast<std::size_t>(measure)];
  if (!what.expression) return {measure};
  std::vector<int> sources;
  for (const int operand : what.operands) {
    if (operand < 0) continue;
    for (const int source : sources_of(operand))
      if (std::find(sources.begin(), sources.end(), source) == sources.end()) sources.push_back(source);
  }
  return sources;
}

bool Study::uses_difference(int measure) const {
  const std::vector<int> sources = sources_of(measure);
  return std::any_of(sources.begin(), sources.end(), [&](int source) {
    return measures[static_cast<std::size_t>(source)].spec.reduce == Reduction::kDifference;
  });
}

std::vector<std::string> as_overrides(const Assignment& values) {
  std::vector<std::string> overrides;
  for (const KeyValue& one : values)
    if (!is_reference_key(one.key)) overrides.push_back(one.key + "=" + write_flow(one.value));
  return overrides;
}

std::vector<std::string> overrides_of(const Study& study, const Assignment& values) {
  return as_overrides(with_changes(study.set, values));
}

std::vector<std::string> set_options(const Study& study) {
  std::vector<std::string> words;
  for (const std::string& argument : study.arguments) words.insert(words.end(), {"--set", argument});
  return words;
}

const KeyValue* find_key(const Assignment& assignment, const std::string& key) {
  const std::string plain = plain_path(key);
  for (const KeyValue& one : assignment) {
    if (plain_path(one.key) == plain) return &one;
  }
  return nullptr;
}

std::optional<double> number_of(const YamlNode& value) {
  std::string fault;
  return parse_number(value, &fault);
}

bool is_same_value(const YamlNode& a, const YamlNode& b) {
  if (a.kind != b.kind) return false;
  const std::optional<double> x = number_of(a), y = number_of(b);
  if (x && y) return std::abs(*x - *y) <= 1e-9 * std::max(std::abs(*x), std::abs(*y));
  return a.text == b.text &&
         std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(), is_same_value) &&
         std::equal(a.entries.begin(), a.entries.end(), b.entries.begin(), b.entries.end(),
                    [](const YamlEntry& p, const YamlEntry& q) {
                      return p.key == q.key && is_same_value(p.value, q.value);
                    });
}

bool meets(const Assignment& assignment, const Assignment& condition) {
  return std::all_of(condition.begin(), condition.end(), [&](const KeyValue& one) {
    const KeyValue* found = find_key(assignment, one.key);
    return found != nullptr && is_same_value(found->value, one.value);
  });
}

Assignment with_changes(Assignment base, const Assignment& changes) {
  for (const KeyValue& change : changes) {
    if (const KeyValue* found = find_key(base, change.key)) {
      KeyValue& place = base[static_cast<std::size_t>(found - base.data())];
      place.value = change.value;
      place.key_mark = change.key_mark;
    } else {
      base.push_back(change);
    }
  }
  return base;
}

std::string describe(const Assignment& assignment) {
  std::string text;
  for (const KeyValue& one : assignment)
    text += (text.empty() ? "" : ", ") + one.key + ": " + write_flow(one.value);
  return text;
}

}  // namespace csim
