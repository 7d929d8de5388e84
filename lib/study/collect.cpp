#include "study/collect.h"

#include <filesystem>
#include <unordered_set>

#include "record/hdf5_output.h"
#include "record/output_file.h"
#include "scene/format/fields.h"
#include "scene/yaml/yaml_writer.h"
#include "study/csv_field.h"
#include "study/fit_report.h"

namespace csim {
namespace {

/// The value of a varied key as text; "" where a case has none.
std::string value_text(const Case& one, const std::string& key) {
  const KeyValue* found = find_key(one.values, key);
  if (found == nullptr) return "";
  return found->value.kind == YamlNode::Kind::kScalar ? found->value.text : write_flow(found->value);
}

/// A column of a varied key: numbers where all its values are.
void write_key(const Cases& cases, const std::string& key, hdf5::File* file) {
  std::vector<double> numbers;
  std::vector<std::string> texts;
  for (const Case& one : cases.cases) {
    const KeyValue* found = find_key(one.values, key);
    const std::optional<double> number = found != nullptr ? number_of(found->value) : std::nullopt;
    if (number) numbers.push_back(*number);
    texts.push_back(value_text(one, key));
  }
  const auto rows = static_cast<long>(texts.size());
  if (numbers.size() == texts.size()) {
    file->write_array("/vary/" + key, {rows}, numbers, {unit_of_key(key)});
  } else {
    file->write_texts("/vary/" + key, texts);
  }
}

void fill_file(const Study& study, const Cases& cases, const StudyResults& results,
               const std::vector<FitResult>& fits, const StudyFolder& folder, hdf5::File* file) {
  file->set_attribute("/", "csim_schema", std::string("csim-study/1"));
  file->set_attribute("/", "name", study.name);
  for (const char* group : {"/case", "/vary", "/measure", "/cases"}) file->create_group(group);
  std::vector<std::int32_t> index, warnings;
  std::vector<std::string> ids, roles, states;
  std::vector<double> seconds;
  std::unordered_set<std::string> linked;  // cases of one scene have one result
  for (std::size_t c = 0; c < cases.cases.size(); ++c) {
    const CaseStatus& status = results.cases()[c].status;
    index.push_back(cases.cases[c].index);
    ids.push_back(cases.cases[c].id);
    roles.emplace_back(to_string(cases.cases[c].role));
    states.emplace_back(to_string(status.state));
    seconds.push_back(status.seconds);
    warnings.push_back(static_cast<std::int32_t>(results.cases()[c].warnings.size()));
    if (linked.insert(ids.back()).second && !std::filesystem::exists(folder.record(cases.cases[c])))
      file->link_external("/cases/" + ids.back(), "cases/" + ids.back() + ".h5", "/");
  }
  const auto rows = static_cast<long>(index.size());
  file->write_array("/case/index", {rows}, index, {"1"});
  file->write_texts("/case/id", ids);
  file->write_texts("/case/role", roles);
  file->write_texts("/case/status", states);
  file->write_array("/case/seconds", {rows}, seconds, {"s"});
  file->write_array("/case/warnings", {rows}, warnings, {"1"});
  for (const std::string& key : study.varied_keys()) write_key(cases, key, file);
  for (std::size_t m = 0; m < study.measures.size(); ++m) {
    std::vector<double> values;
    for (const CaseNumbers& numbers : results.cases()) values.push_back(numbers.measures[m]);
    file->write_array("/measure/" + study.measures[m].name, {rows}, values, {cases.units[m]});
  }
  if (!fits.empty()) file->create_group("/fit");
  for (const FitResult& fit : fits) write_fit_tables(study, cases, fit, file);
}

}  // namespace

std::string unit_of_key(const std::string& path) {
  const Field* field = find_field(path).field;
  return field == nullptr || field->unit.empty() ? "1" : field->unit;
}

std::string study_csv(const Study& study, const Cases& cases, const StudyResults& results) {
  std::string text = "index,id,status,seconds";
  const std::vector<std::string> keys = study.varied_keys();
  for (const std::string& key : keys) text += "," + csv_field(key);
  for (const Measure& measure : study.measures) text += "," + measure.name;
  text += "\n";
  for (std::size_t c = 0; c < cases.cases.size(); ++c) {
    const Case& one = cases.cases[c];
    const CaseNumbers& numbers = results.cases()[c];
    text += std::to_string(one.index) + "," + one.id + "," + to_string(numbers.status.state) + "," +
            csv_number(numbers.status.seconds);
    for (const std::string& key : keys) text += "," + csv_field(value_text(one, key));
    for (const double value : numbers.measures) text += "," + csv_number(value);
    text += "\n";
  }
  return text;
}

void write_tables(const Study& study, const Cases& cases, const StudyResults& results,
                  const std::vector<FitResult>& fits, const StudyFolder& folder) {
  write_hdf5_file(folder.file("study.h5"), true,
                  [&](hdf5::File* file) { fill_file(study, cases, results, fits, folder, file); });
  replace_file(folder.file("study.csv"), study_csv(study, cases, results));
}

}  // namespace csim
