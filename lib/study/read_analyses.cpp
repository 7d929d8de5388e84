// Analyses of a study.
#include <algorithm>

#include "scene/yaml/strict_values.h"
#include "study/study_fields.h"
#include "study/study_reading.h"

namespace csim {
namespace {

using Kind = YamlNode::Kind;

std::vector<std::string> measure_names(const Study& study) {
  std::vector<std::string> names;
  for (const Measure& measure : study.measures) names.push_back(measure.name);
  return names;
}

bool is_varied(const Study& study, const std::string& key) {
  const std::vector<std::string> keys = study.varied_keys();
  return std::any_of(keys.begin(), keys.end(),
                     [&](const std::string& one) { return plain_path(one) == plain_path(key); });
}

/// Reports a key that is not varied; "" is none.
void check_varied(const SectionReader& reader, const char* key, const StudyReading& reading) {
  const std::string word = reader.text(key);
  if (word.empty() || is_varied(*reading.study, word)) return;
  report_not_varied(word, reader.mark(key), reader.path(key), reading);
}

std::vector<int> read_measure_list(const SectionReader& reader, const StudyReading& reading) {
  std::vector<int> measures;
  const YamlNode* node = reader.node("measures");
  if (node == nullptr) return measures;
  if (node->kind != Kind::kSequence || node->items.empty()) {
    reader.report("measures", describe(*node) + ", expected a list of names of measures");
    return measures;
  }
  for (const YamlNode& item : node->items) {
    const int measure = find_measure(item.text, item.mark, reader.path("measures"), reading);
    if (measure < 0) continue;
    if (std::find(measures.begin(), measures.end(), measure) != measures.end()) {
      reading.report(item.mark, reader.path("measures"),
                     "'" + item.text + "' twice, expected each measure once");
    } else {
      measures.push_back(measure);
    }
  }
  return measures;
}

/// `last N`.
int read_rungs(const SectionReader& reader) {
  const std::string text = reader.text("rungs");
  if (text.empty()) return 0;
  YamlNode number;
  number.kind = Kind::kScalar;
  number.text = text.substr(std::min<std::size_t>(text.size(), 5));
  std::string fault;
  const auto count = parse_whole_number(number, &fault);
  if (text.substr(0, 5) == "last " && count && *count >= 2 && *count < 1e6) return static_cast<int>(*count);
  reader.report("rungs", "'" + text + "', expected last N, N a whole number >= 2");
  return 0;
}

int read_bins(const SectionReader& reader) {
  constexpr double kMostBins = 1000;  // on a picture of 640 pixels
  const double bins = reader.number("bins");
  if (bins > kMostBins) reader.report("bins", "more than 1000, expected fewer");
  return static_cast<int>(std::min(bins, kMostBins));
}

void check_reference(const SectionReader& reader, const Analysis& analysis, const StudyReading& reading) {
  const Study& study = *reading.study;
  const Reference& reference = study.reference_of(analysis);
  if (reference.kind == ReferenceKind::kNone) {
    reader.report_missing("reference", "missing, of the study and here; expected " +
                                           study_section().find("reference")->expected());
  }
  const bool is_curve = reference.kind == ReferenceKind::kCase || reference.kind == ReferenceKind::kFile ||
                        reference.kind == ReferenceKind::kFinest ||
                        reference.kind == ReferenceKind::kMeasured;
  for (const int m : analysis.measures) {
    const Measure& measure = study.measures[static_cast<std::size_t>(m)];
    if (reference.kind == ReferenceKind::kValues && reference.values.count(measure.name) == 0)
      reader.report("measures", "'" + measure.name + "', of which the reference has no value");
    if (measure.expression && is_curve && study.uses_difference(m))
      reader.report("measures", "'" + measure.name +
                                    "', made of a difference to the reference, which a reference has not "
                                    "itself; expected a reference of values or richardson");
    if (measure.spec.reduce == Reduction::kDifference && !is_curve && reference.kind != ReferenceKind::kNone)
      reader.report("measures", "'" + measure.name +
                                    "', the difference to a curve, which this reference has not; expected "
                                    "a reference of case, csv, h5, file or finest");
  }
}

void read_plot(const SectionReader& reader, Analysis* analysis, const StudyReading& reading) {
  analysis->x = reader.text("x");
  analysis->y = reader.text("y");
  analysis->per = reader.text("per");
  analysis->scale = reader.choice<PlotScale>("scale");
  const std::vector<std::string> names = measure_names(*reading.study);
  const auto is_measure = [&](const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (!analysis->x.empty() && !is_measure(analysis->x)) check_varied(reader, "x", reading);
  if (!analysis->y.empty() && !is_measure(analysis->y) && !reading.measure_is_told)
    reader.report("y", unknown_word(analysis->y, "unknown measure", names));
  check_varied(reader, "per", reading);
}

std::string free_name(std::string name, const std::vector<Analysis>& analyses) {
  const auto is_taken = [&](const std::string& one) {
    return std::any_of(analyses.begin(), analyses.end(), [&](const Analysis& a) { return a.name == one; });
  };
  if (!is_taken(name)) return name;
  int number = 2;
  while (is_taken(name + "_" + std::to_string(number))) ++number;
  return name + "_" + std::to_string(number);
}

void read_analysis(const SectionReader& reader, const StudyReading& reading) {
  Study& study = *reading.study;
  Analysis analysis;
  analysis.path = reader.path();
  if (!reader.has("type")) return;  // told there; what its other keys are depends on it
  analysis.type = reader.choice<AnalysisType>("type");
  analysis.name = reader.text("name");
  if (analysis.name.empty()) {
    analysis.name = free_name(reader.text("type"), study.analyses);
  } else if (!is_name(analysis.name)) {
    reader.report("name", "'" + analysis.name + "', expected a name of letters, digits, '_', '+', '-'");
  } else if (free_name(analysis.name, study.analyses) != analysis.name) {
    reader.report("name", "'" + analysis.name + "', which another analysis has, expected a name of its own");
  }
  if (analysis.type == AnalysisType::kPlot) {
    read_plot(reader, &analysis, reading);
  } else {
    analysis.measures = read_measure_list(reader, reading);
  }
  if (reader.has("bins")) analysis.bins = read_bins(reader);
  if (analysis.type == AnalysisType::kFit) read_fit(reader, reading, &analysis);
  if (analysis.type == AnalysisType::kConvergence) {
    analysis.over = reader.text("over");
    check_varied(reader, "over", reading);
    if (const YamlNode* node = reader.node("reference"))
      analysis.reference = read_reference(*node, reader.path("reference"), reading);
    analysis.last_rungs = read_rungs(reader);
    if (const YamlNode* node = reader.node("co_refine"))
      analysis.co_refine = read_assignment(*node, reader.path("co_refine"), reading);
    if (reader.has("assume_order")) analysis.assumed_order = reader.number("assume_order");
    check_reference(reader, analysis, reading);
  }
  study.analyses.push_back(std::move(analysis));
}

}  // namespace

int find_measure(const std::string& name, const Mark& mark, const std::string& path,
                 const StudyReading& reading) {
  const std::vector<std::string> names = measure_names(*reading.study);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<int>(found - names.begin());
  if (!reading.measure_is_told) reading.report(mark, path, unknown_word(name, "unknown measure", names));
  return -1;
}

void read_analyses(const SectionReader& root, const StudyReading& reading) {
  read_elements(root, "analyses", reading, read_analysis);
}

}  // namespace csim
