// Analyses and gates of a study.
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
    if (measure >= 0) measures.push_back(measure);
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
  if (!analysis->y.empty() && !is_measure(analysis->y))
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

/// mean, median, deviation or {quantile: q}.
Statistic read_statistic(const YamlNode& node, const SectionReader& reader) {
  const char* expected = ", expected mean, median, deviation or {quantile: PROBABILITY}";
  const std::pair<const char*, StatisticKind> words[] = {{"mean", StatisticKind::kMean},
                                                         {"median", StatisticKind::kMedian},
                                                         {"deviation", StatisticKind::kDeviation}};
  for (const auto& [word, kind] : words)
    if (node.kind == Kind::kScalar && node.text == word) return {kind};
  const YamlNode* quantile = node.kind == Kind::kMapping ? node.find("quantile") : nullptr;
  if (quantile == nullptr || node.entries.size() != 1) {
    reader.report("of", describe(node) + expected);
    return {};
  }
  std::string fault;
  const std::optional<double> probability = parse_number(*quantile, &fault);
  if (!probability || !(*probability >= 0.0 && *probability <= 1.0))
    reader.report("of", describe(*quantile) + ", expected a probability from 0 to 1");
  return {StatisticKind::kQuantile, probability.value_or(0.5)};
}

void read_limits(const SectionReader& reader, Gate* gate) {
  if (const std::vector<double> order = reader.numbers("order"); order.size() == 2) {
    gate->order = {order[0], order[1]};
    if (!(order[0] <= order[1])) reader.report("order", "expected the least order first");
  }
  if (reader.has("max")) gate->max = reader.number("max");
  if (reader.has("min")) gate->min = reader.number("min");
  if (reader.has("value")) gate->value = reader.number("value");
  if (reader.has("share")) gate->share = reader.number("share");
  if (const YamlNode* of = reader.node("of")) gate->of = read_statistic(*of, reader);
  gate->rtol = reader.number("rtol");
  gate->atol = reader.number("atol");
  const bool bounds = gate->max || gate->min || gate->value;
  if (!gate->order && !bounds) reader.report_here("nothing to hold, expected order, max, min or value");
  const bool is_joint = gate->of.kind != StatisticKind::kWorst;
  if (gate->order && (is_joint || gate->share))
    reader.report(gate->share ? "share" : "of", "beside order, expected bounds of values");
  if (is_joint && gate->share) reader.report("share", "beside of, expected one of them");
  if (gate->order && bounds) reader.report_here("an order and bounds of values, expected a gate for each");
  if (gate->value && !reader.has("rtol") && !reader.has("atol"))
    reader.report("value", "without a tolerance, expected rtol or atol beside it (0: equal)");
}

/// The analysis that a key of the gate names: of one of the types; -1 for none.
int find_analysis(const SectionReader& reader, const char* key, const std::vector<AnalysisType>& types,
                  const std::string& what, const StudyReading& reading) {
  const std::string name = reader.text(key);
  std::vector<std::string> names;
  const std::vector<Analysis>& analyses = reading.study->analyses;
  for (std::size_t a = 0; a < analyses.size(); ++a) {
    if (std::find(types.begin(), types.end(), analyses[a].type) == types.end()) continue;
    names.push_back(analyses[a].name);
    if (analyses[a].name == name) return static_cast<int>(a);
  }
  if (!name.empty()) reader.report(key, unknown_word(name, "unknown " + what, names));
  return -1;
}

/// A gate about a key that a fit finds.
void read_fitted_key(const SectionReader& reader, const StudyReading& reading, Gate* gate) {
  gate->measure = -1;
  gate->analysis = find_analysis(reader, "fit", {AnalysisType::kFit}, "analysis of type fit", reading);
  gate->key = reader.text("key");
  if (!reader.given("key")) reader.report_missing("key", "missing, expected the key that the fit finds");
  for (const char* other : {"measure", "analysis", "where", "order", "of", "share"})
    if (reader.given(other)) reader.report(other, "beside fit, expected max, min or value of the key");
  if (gate->analysis < 0 || gate->key.empty()) return;
  std::vector<std::string> keys;
  for (const FitKey& one : reading.study->analyses[static_cast<std::size_t>(gate->analysis)].fit.keys)
    keys.push_back(one.key);
  if (std::find(keys.begin(), keys.end(), gate->key) == keys.end())
    reader.report("key", unknown_word(gate->key, "not among the keys of the fit", keys));
}

/// What a gate is about: a measure of the cases, the orders of an analysis, a fit.
void read_subject(const SectionReader& reader, const StudyReading& reading, Gate* gate) {
  if (reader.given("fit")) return read_fitted_key(reader, reading, gate);
  if (reader.given("key")) reader.report("key", "without fit, expected the fit that finds it");
  if (!reader.given("measure")) reader.report_missing("measure", "missing, expected the name of a measure");
  gate->analysis = find_analysis(reader, "analysis", {AnalysisType::kConvergence, AnalysisType::kFit},
                                 "analysis of type convergence or fit", reading);
  if (gate->analysis < 0) {
    if (gate->order && reader.text("analysis").empty())
      reader.report_missing("analysis", "missing, expected the analysis whose order is judged");
    return;
  }
  const Analysis& analysis = reading.study->analyses[static_cast<std::size_t>(gate->analysis)];
  const std::vector<int>& judged = analysis.measures;
  if (gate->measure >= 0 && std::find(judged.begin(), judged.end(), gate->measure) == judged.end())
    reader.report("measure",
                  "'" + reader.text("measure") + "', which is not among the measures of " + analysis.name);
  const bool of_orders = analysis.type == AnalysisType::kConvergence;
  if (of_orders && !gate->order)
    reader.report_missing("order", "missing, expected the order that the analysis has to find");
  if (!of_orders && gate->order) reader.report("order", "of a fit, expected bounds of values");
}

void read_gate(const SectionReader& reader, const StudyReading& reading) {
  const Study& study = *reading.study;
  Gate gate;
  gate.path = reader.path();
  gate.name = reader.text("name");
  const auto has_name = [&](const Gate& other) { return other.name == gate.name; };
  if (!gate.name.empty() && std::any_of(study.gates.begin(), study.gates.end(), has_name))
    reader.report("name", "'" + gate.name + "', the name of another gate, expected a unique name");
  if (reader.has("measure"))
    gate.measure =
        find_measure(reader.text("measure"), reader.mark("measure"), reader.path("measure"), reading);
  if (const YamlNode* where = reader.node("where"))
    gate.where = read_condition(*where, reader.path("where"), reading);
  read_limits(reader, &gate);
  read_subject(reader, reading, &gate);
  reading.study->gates.push_back(std::move(gate));
}

template <typename Read>
void read_elements(const SectionReader& root, const char* key, const StudyReading& reading,
                   const Read& read) {
  const YamlNode* node = root.node(key);
  for (std::size_t i = 0; node != nullptr && i < node->items.size(); ++i) {
    const SectionReader reader = root.element(key, i);
    if (node->items[i].kind == Kind::kMapping) read(reader, reading);
  }
}

}  // namespace

int find_measure(const std::string& name, const Mark& mark, const std::string& path,
                 const StudyReading& reading) {
  const std::vector<std::string> names = measure_names(*reading.study);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<int>(found - names.begin());
  reading.report(mark, path, unknown_word(name, "unknown measure", names));
  return -1;
}

void read_analyses(const SectionReader& root, const StudyReading& reading) {
  read_elements(root, "analyses", reading, read_analysis);
}

void read_gates(const SectionReader& root, const StudyReading& reading) {
  read_elements(root, "gates", reading, read_gate);
}

}  // namespace csim
