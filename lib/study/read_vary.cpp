// The list `vary` of a study: values, ranges, lockstep, samples.
#include <cmath>

#include "scene/yaml/strict_values.h"
#include "scene/yaml/yaml_writer.h"
#include "study/reference_keys.h"
#include "study/sample.h"
#include "study/study_fields.h"
#include "study/study_reading.h"

namespace csim {
namespace {

using Kind = YamlNode::Kind;

constexpr int kMostValues = 1000000;  // of one entry

YamlNode number_at(double value, const Mark& mark) {
  YamlNode node = yaml_number(rounded_to_12_digits(value));
  node.mark = mark;
  return node;
}

/// The numbers of a list, or none after a report.
std::vector<double> read_numbers(const YamlNode& node, std::size_t count, const char* expected,
                                 const std::string& path, const StudyReading& reading) {
  std::vector<double> numbers;
  if (node.kind == Kind::kSequence && node.items.size() == count) {
    for (const YamlNode& item : node.items) {
      std::string fault;
      const std::optional<double> number = parse_number(item, &fault);
      if (number) {
        numbers.push_back(*number);
      } else {
        reading.report(item.mark, path, fault + ", expected a number");
      }
    }
    if (numbers.size() != count) numbers.clear();
  } else {
    reading.report(node.mark, path, describe(node) + ", expected " + expected);
  }
  return numbers;
}

/// {linear: [first, last, count]} or {geometric: ..}.
std::vector<YamlNode> read_range(const YamlEntry& range, const std::string& path,
                                 const StudyReading& reading) {
  const bool geometric = range.key == "geometric";
  if (!geometric && range.key != "linear") {
    reading.report(range.key_mark, path,
                   unknown_word(range.key, "unknown kind of range", {"linear", "geometric"}));
    return {};
  }
  const std::vector<double> numbers =
      read_numbers(range.value, 3, "[first, last, count]", path + "." + range.key, reading);
  if (numbers.empty()) return {};
  const double first = numbers[0], last = numbers[1], count = numbers[2];
  if (count < 2 || count > kMostValues || count != std::floor(count)) {
    reading.report(range.value.items[2].mark, path + "." + range.key,
                   describe(range.value.items[2]) + ", expected a whole number >= 2, the count of values");
    return {};
  }
  if (geometric && first * last <= 0.0) {
    reading.report(range.value.mark, path + "." + range.key,
                   "from " + describe(range.value.items[0]) + " to " + describe(range.value.items[1]) +
                       ", expected two numbers of one sign, neither of them 0");
    return {};
  }
  std::vector<YamlNode> values;
  for (int i = 0; i < static_cast<int>(count); ++i) {
    const double part = i / (count - 1.0);
    const double value = i == 0        ? first
                         : part == 1.0 ? last
                         : geometric   ? first * std::pow(last / first, part)
                                       : first + part * (last - first);
    values.push_back(number_at(value, range.value.mark));
  }
  return values;
}

/// The values of one key: a list, or a range.
std::vector<YamlNode> read_values(const YamlNode& node, const std::string& path,
                                  const StudyReading& reading) {
  if (node.kind == Kind::kSequence && !node.items.empty()) return node.items;
  if (node.kind == Kind::kMapping && node.entries.size() == 1)
    return read_range(node.entries.front(), path, reading);
  reading.report(node.mark, path,
                 describe(node) +
                     ", expected a list of values, {linear: [first, last, count]} or "
                     "{geometric: [first, last, count]}");
  return {};
}

void add_column(const std::string& key, const Mark& key_mark, const std::vector<YamlNode>& values,
                Vary* entry) {
  entry->keys.push_back(key);
  if (entry->rows.empty()) entry->rows.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) entry->rows[i].push_back({key, values[i], key_mark});
}

Vary read_zip(const YamlNode& node, const std::string& path, const StudyReading& reading) {
  Vary entry;
  if (node.kind != Kind::kMapping || node.entries.empty()) {
    reading.report(node.mark, path, describe(node) + ", expected a mapping from keys to their values");
    return entry;
  }
  bool first = true;
  for (const YamlEntry& column : node.entries) {
    const std::vector<YamlNode> values = read_values(column.value, path + "." + column.key, reading);
    if (values.empty()) continue;
    if (!first && values.size() != entry.rows.size()) {
      reading.report(column.value.mark, path + "." + column.key,
                     std::to_string(values.size()) + " values, expected " +
                         std::to_string(entry.rows.size()) + " as of " + entry.keys.front());
      continue;
    }
    first = false;
    add_column(column.key, column.key_mark, values, &entry);
  }
  return entry;
}

/// A value of a distribution at its quantile u, or nothing after a report.
std::optional<std::vector<YamlNode>> read_distribution(const YamlEntry& column,
                                                       const std::vector<double>& draws,
                                                       const std::string& path, const StudyReading& reading) {
  const YamlNode& node = column.value;
  if (node.kind != Kind::kMapping || node.entries.size() != 1) {
    reading.report(node.mark, path,
                   describe(node) +
                       ", expected {uniform: [low, high]}, {log_uniform: [low, high]} or "
                       "{normal: [mean, deviation]}");
    return std::nullopt;
  }
  const YamlEntry& law = node.entries.front();
  const bool uniform = law.key == "uniform", log_uniform = law.key == "log_uniform",
             normal = law.key == "normal";
  if (!uniform && !log_uniform && !normal) {
    reading.report(law.key_mark, path,
                   unknown_word(law.key, "unknown distribution", {"uniform", "log_uniform", "normal"}));
    return std::nullopt;
  }
  const std::vector<double> numbers =
      read_numbers(law.value, 2, normal ? "[mean, deviation]" : "[low, high]", path + "." + law.key, reading);
  if (numbers.empty()) return std::nullopt;
  const double a = numbers[0], b = numbers[1];
  if ((normal && b < 0.0) || (!normal && !(a < b)) || (log_uniform && !(a > 0.0))) {
    reading.report(law.value.mark, path + "." + law.key,
                   std::string("'") + write_flow(law.value) + "', expected " +
                       (normal        ? "a deviation >= 0"
                        : log_uniform ? "0 < low < high"
                                      : "low < high"));
    return std::nullopt;
  }
  std::vector<YamlNode> values;
  for (const double u : draws) {
    const double value = uniform       ? a + u * (b - a)
                         : log_uniform ? std::exp(std::log(a) + u * (std::log(b) - std::log(a)))
                                       : a + b * normal_quantile(u);
    values.push_back(number_at(value, law.value.mark));
  }
  return values;
}

Vary read_sample(const YamlNode& node, const std::string& path, const StudyReading& reading) {
  Vary entry;
  if (node.kind != Kind::kMapping) {
    reading.report(node.mark, path,
                   describe(node) + ", expected a sample, a mapping with count, seed and of");
    return entry;
  }
  const SectionReader reader(&node, sample_section(), path, reading.sink);
  const YamlNode* of = reader.node("of");
  if (of == nullptr || !reader.has("count") || !reader.has("seed")) return entry;
  if (of->kind != Kind::kMapping || of->entries.empty()) {
    reader.report("of", describe(*of) + ", expected a mapping from keys of the scene to distributions");
    return entry;
  }
  const int count = static_cast<int>(reader.number("count"));
  if (count > kMostValues) {
    reader.report("count", "more than " + std::to_string(kMostValues) + " draws, expected fewer");
    return entry;
  }
  const long seed = static_cast<long>(reader.number("seed"));
  const bool latin = reader.text("method") == "latin_hypercube";
  for (const YamlEntry& column : of->entries) {
    const std::vector<double> draws =
        latin ? latin_hypercube_draws(seed, column.key, count) : random_draws(seed, column.key, count);
    const auto values = read_distribution(column, draws, path + ".of." + column.key, reading);
    if (values) add_column(column.key, column.key_mark, *values, &entry);
  }
  return entry;
}

/// Keys that are set for every case, and varied: the same one, or a part of one, which would be lost.
void check_against_set(const KeyValue& varied, const StudyReading& reading) {
  for (const KeyValue& set : reading.study->set) {
    const std::string outer = plain_path(varied.key), inner = plain_path(set.key);
    const bool is_same = inner == outer, is_of_command_line = set.key_mark.source > 0;
    if (is_same && is_of_command_line) {
      reading.report(set.key_mark, set.key, "varied by the study, expected a key that is not");
    } else if (is_same) {
      reading.report(varied.key_mark, "vary." + varied.key,
                     "varied, and given under `set`; expected one of the two");
    } else if (inner.starts_with(outer + ".")) {
      reading.report(set.key_mark, is_of_command_line ? set.key : "set." + set.key,
                     "a part of '" + varied.key + "', which is varied; expected one of the two");
    }
  }
}

/// Keys that are varied twice, or set for every case.
void check_keys(const Vary& entry, const StudyReading& reading) {
  if (entry.rows.empty()) return;
  for (const KeyValue& one : entry.rows.front()) {
    int times = 0;
    for (const KeyValue& other : entry.rows.front())
      times += plain_path(other.key) == plain_path(one.key) ? 1 : 0;
    const std::vector<std::string> earlier = reading.study->varied_keys();
    for (const std::string& key : earlier) times += plain_path(key) == plain_path(one.key) ? 1 : 0;
    if (const std::string fault = fault_of_reference_key(one.key); !fault.empty()) {
      reading.report(one.key_mark, "vary." + one.key, fault);
    } else if (times > 1) {
      reading.report(one.key_mark, "vary." + one.key, "varied twice, expected a key once");
    } else {
      check_against_set(one, reading);
    }
  }
}

}  // namespace

void read_vary(const YamlNode& node, const StudyReading& reading) {
  if (node.kind != Kind::kSequence || node.items.empty()) {
    const std::string hint =
        node.kind == Kind::kMapping && !node.entries.empty()
            ? " (did you mean '- " + node.entries.front().key + ": ..', a dash for each?)"
            : "";
    reading.report(node.mark, "vary",
                   describe(node) + ", expected a list of mappings of one key each" + hint);
    return;
  }
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const YamlNode& item = node.items[i];
    if (item.kind != Kind::kMapping || item.entries.size() != 1) {
      reading.report(item.mark, "vary." + std::to_string(i),
                     describe(item) + ", expected a mapping of one key: KEY, zip, table or sample");
      continue;
    }
    const YamlEntry& only = item.entries.front();
    const std::string path = "vary." + only.key;
    Vary entry;
    if (only.key == "zip") {
      entry = read_zip(only.value, path, reading);
    } else if (only.key == "table") {
      entry = read_table(only.value, path, reading);
    } else if (only.key == "sample") {
      entry = read_sample(only.value, path, reading);
    } else {
      const std::vector<YamlNode> values = read_values(only.value, path, reading);
      if (!values.empty()) add_column(only.key, only.key_mark, values, &entry);
    }
    check_keys(entry, reading);
    if (!entry.rows.empty()) reading.study->vary.push_back(std::move(entry));
  }
}

}  // namespace csim
