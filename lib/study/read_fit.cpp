// An analysis of type fit: keys with bounds, weights, which cases it learns from.
#include <algorithm>

#include "scene/yaml/strict_values.h"
#include "study/reference_keys.h"
#include "study/study_fields.h"
#include "study/study_reading.h"

namespace csim {
namespace {

using Kind = YamlNode::Kind;

/// Why a key is none that a fit may change, or "".
std::string fault_of_key(const std::string& key, const StudyReading& reading) {
  const std::string plain = plain_path(key);
  const std::vector<std::string> varied = reading.study->varied_keys();
  const auto overlaps = [&](const std::string& one) {
    const std::string other = plain_path(one);
    return other == plain || other.starts_with(plain + ".") || plain.starts_with(other + ".");
  };
  if (std::any_of(varied.begin(), varied.end(), overlaps)) return "varied, expected a key that is not";
  if (plain.starts_with("time.") || plain.starts_with("output."))
    return "of the numerical scheme, which a measurement cannot tell; expected a key of the model";
  if (is_reference_key(key)) return "of a case's reference, expected a key of the scene";
  return "";
}

void read_key(const YamlEntry& entry, const std::string& path, const StudyReading& reading, FitOptions* fit) {
  FitKey key;
  key.key = entry.key;
  key.key_mark = entry.key_mark;
  if (const std::string fault = fault_of_key(entry.key, reading); !fault.empty())
    reading.report(entry.key_mark, path, fault);
  if (std::any_of(fit->keys.begin(), fit->keys.end(),
                  [&](const FitKey& other) { return plain_path(other.key) == plain_path(entry.key); }))
    reading.report(entry.key_mark, path, "duplicate key, expected each key once");
  if (entry.value.kind != Kind::kMapping) {
    reading.report(entry.value.mark, path, describe(entry.value) + ", expected {bounds: [low, high]}");
    return;
  }
  const SectionReader reader(&entry.value, fit_key_section(), path, reading.sink);
  key.is_log = reader.text("scale") == "log";
  key.bounds_mark = reader.mark("bounds");
  if (const std::vector<double> bounds = reader.numbers("bounds"); bounds.size() == 2) {
    key.low = bounds[0], key.high = bounds[1];
    if (!(key.low < key.high) || (key.is_log && !(key.low > 0.0)))
      reader.report("bounds", key.is_log ? "expected 0 < low < high" : "expected low < high");
  }
  fit->keys.push_back(std::move(key));
}

void read_keys(const SectionReader& reader, const StudyReading& reading, FitOptions* fit) {
  const YamlNode* node = reader.node("keys");
  if (node == nullptr) return;
  if (node->kind != Kind::kMapping || node->entries.empty()) {
    reader.report("keys",
                  describe(*node) + ", expected a mapping from keys of the scene to {bounds: [low, high]}");
    return;
  }
  for (const YamlEntry& entry : node->entries)
    read_key(entry, reader.path("keys") + "." + entry.key, reading, fit);
}

void read_weights(const SectionReader& reader, const StudyReading& reading, Analysis* analysis) {
  analysis->fit.weights.assign(analysis->measures.size(), 1.0);
  const YamlNode* node = reader.node("weights");
  if (node == nullptr) return;
  if (node->kind != Kind::kMapping) {
    reader.report("weights", describe(*node) + ", expected a mapping from measures to numbers");
    return;
  }
  for (const YamlEntry& entry : node->entries) {
    const std::string path = reader.path("weights") + "." + entry.key;
    std::string fault;
    const auto number = parse_number(entry.value, &fault);
    if (!number || !(*number > 0.0))
      reading.report(entry.value.mark, path,
                     (number ? describe(entry.value) : fault) + ", expected a number > 0");
    const int measure = find_measure(entry.key, entry.key_mark, path, reading);
    if (measure < 0) continue;
    const auto found = std::find(analysis->measures.begin(), analysis->measures.end(), measure);
    if (found == analysis->measures.end()) {
      reading.report(entry.key_mark, path, "not among the measures of the fit");
    } else {
      analysis->fit.weights[static_cast<std::size_t>(found - analysis->measures.begin())] =
          number.value_or(1.0);
    }
  }
}

FitSelection read_selection(const SectionReader& reader, const char* key, const StudyReading& reading) {
  FitSelection selection;
  const YamlNode* node = reader.node(key);
  if (node == nullptr) return selection;
  selection.is_given = true;
  selection.path = reader.path(key);
  const YamlNode* every = node->kind == Kind::kMapping ? node->find("every") : nullptr;
  const YamlNode* where = node->kind == Kind::kMapping ? node->find("where") : nullptr;
  if (node->kind != Kind::kMapping || node->entries.size() != 1 || (every == nullptr && where == nullptr)) {
    reader.report(key, describe(*node) + ", expected {every: N} or {where: {KEY: value}}");
    return selection;
  }
  if (every != nullptr) {
    std::string fault;
    const auto number = parse_whole_number(*every, &fault);
    if (!number || *number < 2 || *number > 1e6)
      reading.report(every->mark, selection.path + ".every",
                     describe(*every) + ", expected a whole number >= 2");
    selection.every = static_cast<int>(number.value_or(2));
  } else {
    selection.where = read_condition(*where, selection.path + ".where", reading);
  }
  return selection;
}

}  // namespace

void read_fit(const SectionReader& reader, const StudyReading& reading, Analysis* analysis) {
  FitOptions& fit = analysis->fit;
  read_keys(reader, reading, &fit);
  read_weights(reader, reading, analysis);
  fit.train = read_selection(reader, "train", reading);
  fit.test = read_selection(reader, "test", reading);
  constexpr double kMost = 1e6;
  const auto count = [&](const char* key) { return static_cast<int>(std::min(reader.number(key), kMost)); };
  fit.starts = count("starts");
  fit.seed = static_cast<long>(reader.number("seed"));
  fit.evaluations = count("evaluations");
  fit.tolerance = reader.number("tolerance");
  fit.method = reader.choice<FitMethod>("method");
  const ReferenceKind kind = reading.study->reference.kind;
  if (kind == ReferenceKind::kFinest || kind == ReferenceKind::kRichardson)
    reader.report_here("goes by the study's reference, which is " +
                       std::string(kind == ReferenceKind::kFinest ? "finest" : "richardson") +
                       "; expected one of case, file, csv, h5 or values");
  for (const int m : analysis->measures) {
    const Measure& measure = reading.study->measures[static_cast<std::size_t>(m)];
    if (kind == ReferenceKind::kNone && reading.study->uses_difference(m))
      reader.report("measures",
                    "'" + measure.name + "', a difference to a reference, which the study has not");
  }
}

}  // namespace csim
