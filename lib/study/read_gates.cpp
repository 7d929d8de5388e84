// Gates of a study.
#include <algorithm>

#include "scene/yaml/strict_values.h"
#include "study/study_fields.h"
#include "study/study_reading.h"

namespace csim {
namespace {

/// mean, median, deviation or {quantile: q}.
Statistic read_statistic(const YamlNode& node, const SectionReader& reader) {
  const char* expected = ", expected mean, median, deviation or {quantile: PROBABILITY}";
  const std::pair<const char*, StatisticKind> words[] = {{"mean", StatisticKind::kMean},
                                                         {"median", StatisticKind::kMedian},
                                                         {"deviation", StatisticKind::kDeviation}};
  for (const auto& [word, kind] : words)
    if (node.kind == YamlNode::Kind::kScalar && node.text == word) return {kind};
  const YamlNode* quantile = node.kind == YamlNode::Kind::kMapping ? node.find("quantile") : nullptr;
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
  if (!name.empty() && !reading.analysis_is_told)
    reader.report(key, unknown_word(name, "unknown " + what, names));
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
    if (gate->order && reader.text("analysis").empty() && !reading.analysis_is_told)
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

}  // namespace

void read_gates(const SectionReader& root, const StudyReading& reading) {
  read_elements(root, "gates", reading, read_gate);
}

}  // namespace csim
