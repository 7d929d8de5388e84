#include "study/case_record.h"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <numeric>

#include "core/file_bytes.h"
#include "core/json_writer.h"
#include "core/version.h"
#include "record/output_file.h"
#include "record/reader.h"
#include "record/report/info.h"
#include "study/measure_text.h"

namespace csim {
namespace {

std::string record_json(const Case& one, const CaseRecord& record) {
  JsonWriter json(0);
  json.begin_object();
  json.member("csim_case", 1, "id", one.id, "csim", revision_text(version()), "seconds", record.seconds);
  json.key("warnings").begin_array();
  for (const Warning& warning : record.warnings)
    json.begin_object().member("kind", warning.kind, "time", warning.time, "text", warning.text).end_object();
  json.end_array().key("values").begin_array();
  for (const auto& [measure, value] : record.values)
    json.begin_object().member("measure", measure, "value", value).end_object();
  json.end_array().key("curves").begin_array();
  for (const auto& [measure, curve] : record.curves)
    json.begin_object()
        .member("measure", measure, "width", static_cast<int>(curve.width), "is_quaternion",
                curve.is_quaternion, "time", curve.time, "values", curve.values)
        .end_object();
  return json.end_array().end_object().text();
}

// JSON is YAML. What is not as record_json writes it throws std::runtime_error.

const YamlNode& member(const YamlNode& node, const char* key) {
  const YamlNode* value = node.find(key);
  if (value == nullptr) throw std::runtime_error(key);
  return *value;
}

/// null: NaN.
double number(const YamlNode& node) {
  if (node.kind == YamlNode::Kind::kNull || (node.text == "null" && !node.quoted)) return std::nan("");
  const std::optional<double> value = number_of(node);
  if (!value) throw std::runtime_error(node.text);
  return *value;
}

std::vector<double> numbers(const YamlNode& node) {
  std::vector<double> values;
  for (const YamlNode& item : node.items) values.push_back(number(item));
  return values;
}

Curve read_curve(const YamlNode& node) {
  Curve curve;
  curve.width = static_cast<long>(number(member(node, "width")));
  curve.is_quaternion = member(node, "is_quaternion").text == "true";
  curve.time = numbers(member(node, "time"));
  curve.values = numbers(member(node, "values"));
  if (curve.values.size() != curve.time.size() * static_cast<std::size_t>(curve.width))
    throw std::runtime_error("values");
  return curve;
}

CaseRecord parse_record(const YamlNode& root, const std::string& id) {
  if (number(member(root, "csim_case")) != 1.0 || member(root, "id").text != id) throw std::runtime_error(id);
  CaseRecord record;
  record.seconds = number(member(root, "seconds"));
  for (const YamlNode& warning : member(root, "warnings").items)
    record.warnings.push_back(
        {member(warning, "kind").text, number(member(warning, "time")), member(warning, "text").text});
  for (const YamlNode& value : member(root, "values").items)
    record.values[member(value, "measure").text] = number(member(value, "value"));
  for (const YamlNode& curve : member(root, "curves").items)
    record.curves[member(curve, "measure").text] = read_curve(curve);
  return record;
}

}  // namespace

CaseRecord measure_result(const Study& study, const std::string& file) {
  const ResultFile result(file, Trial::kNone);
  return reading(file, [&] {
    CaseRecord record;
    const std::vector<double> seconds = result.real("/stats/step/seconds_total", 0, result.rows().steps);
    record.seconds = std::accumulate(seconds.begin(), seconds.end(), 0.0);
    record.warnings = collect_warnings(result);
    for (const Measure& measure : study.measures) {
      if (measure.expression) continue;
      const std::string key = measure_text(measure.spec);
      if (measure.spec.reduce == Reduction::kDifference) {
        record.curves[key] = csim::read_curve(measure.spec, result);
      } else {
        record.values[key] = evaluate_measure(measure.spec, result);
      }
    }
    return record;
  });
}

std::optional<CaseRecord> read_record(const Case& one, const StudyFolder& folder) {
  std::string text;
  if (!read_file_bytes(folder.record(one), &text).empty()) return std::nullopt;
  const YamlParse parse = parse_yaml(text);
  if (!parse.errors.empty()) return std::nullopt;
  try {
    return parse_record(parse.root, one.id);
  } catch (const std::runtime_error&) {
    return std::nullopt;
  }
}

void replace_by_record(const Study& study, const Case& one, const StudyFolder& folder) {
  const CaseRecord record = measure_result(study, folder.result(one));
  replace_file(folder.record(one), record_json(one, record));
  std::remove(folder.result(one).c_str());  // the record is there: whoever misses the result finds it
}

}  // namespace csim
