// The report for programs.
#include <cmath>

#include "core/json_writer.h"
#include "scene/yaml/yaml_json.h"
#include "study/fit_report.h"
#include "study/report.h"
#include "study/study_plots.h"

namespace csim {
namespace {

void write_assignment(const char* name, const Assignment& values, JsonWriter* json) {
  json->key(name).begin_object();
  for (const KeyValue& one : values) {
    json->key(one.key);
    write_json(one.value, json);
  }
  json->end_object();
}

void write_gate(const ReportData& data, const GateResult& result, JsonWriter* json) {
  const Gate& gate = *result.gate;
  json->begin_object();
  json->member("name", gate.name, "sentence", result.sentence);
  if (gate.key.empty()) {
    json->member("measure", data.study.measures[static_cast<std::size_t>(gate.measure)].name);
  } else {
    json->member("key", gate.key);
  }
  write_assignment("where", gate.where, json);
  json->member("expected", result.expected, "found", result.found, "verdict", to_string(result.verdict));
  json->key("worst_case");
  if (result.worst_ladder != nullptr) {
    json->value(describe(result.worst_ladder->where));
  } else if (result.worst_case >= 0) {
    json->value(result.worst_case);
  } else {
    json->null();
  }
  json->member("note", result.note).end_object();
}

void write_ladder(const ReportData& data, const LadderResult& result, JsonWriter* json) {
  json->begin_object();
  json->member("measure", data.study.measures[static_cast<std::size_t>(result.measure)].name);
  write_assignment("where", result.ladder->where, json);
  json->member("cases", result.ladder->rungs, "h", result.ladder->h, "values", result.values, "errors",
               result.errors, "pairwise", result.pairwise);
  const auto& fit = result.fit;
  json->member("order", fit ? std::optional(fit->order) : std::nullopt);
  json->key("interval").begin_array();
  json->value(fit ? fit->low : std::nullopt).value(fit ? fit->high : std::nullopt).end_array();
  const auto& limit = result.extrapolation;
  json->member("extrapolated", limit ? std::optional(limit->value) : std::nullopt, "gci",
               limit ? std::optional(limit->gci) : std::nullopt, "co_refined_error", result.co_refined_error,
               "note", result.doubt);
  json->end_object();
}

void write_histograms(const ReportData& data, const Analysis& analysis, JsonWriter* json) {
  json->key("histograms").begin_array();
  for (const int measure : analysis.measures) {
    const Histogram histogram = histogram_of(data, analysis, measure);
    json->begin_object()
        .member("measure", data.study.measures[static_cast<std::size_t>(measure)].name, "edges",
                histogram.edges, "counts", histogram.counts)
        .end_object();
  }
  json->end_array();
}

void write_case(const ReportData& data, std::size_t index, JsonWriter* json) {
  const Case& one = data.cases.cases[index];
  const CaseNumbers& numbers = data.results.cases()[index];
  json->begin_object();
  json->member("index", one.index, "id", one.id, "role", to_string(one.role), "status",
               to_string(numbers.status.state), "seconds", numbers.status.seconds);
  write_assignment("values", one.values, json);
  json->key("measures").begin_object();
  for (std::size_t m = 0; m < data.study.measures.size(); ++m)
    json->member(data.study.measures[m].name, numbers.measures[m]);
  json->end_object();
  json->key("warnings").begin_array();
  for (const Warning& warning : numbers.warnings)
    json->begin_object()
        .member("kind", warning.kind, "time", warning.time, "text", warning.text)
        .end_object();
  json->end_array();
  json->member("message", numbers.status.message, "repeat", repeat_command(data, one)).end_object();
}

}  // namespace

std::string report_json(const ReportData& data) {
  JsonWriter json;
  json.begin_object();
  json.member("name", data.study.name, "gates_held", num_held(data), "cases_complete", num_complete(data));
  write_assignment("set", data.study.set, &json);
  json.key("gates").begin_array();
  for (const GateResult& gate : data.judgement.gates) write_gate(data, gate, &json);
  json.end_array().key("analyses").begin_array();
  for (std::size_t a = 0; a < data.study.analyses.size(); ++a) {
    json.begin_object().member("name", data.study.analyses[a].name).key("ladders").begin_array();
    for (const LadderResult& result : data.judgement.ladders) {
      if (result.ladder->analysis == static_cast<int>(a)) write_ladder(data, result, &json);
    }
    json.end_array();
    if (data.study.analyses[a].type == AnalysisType::kHistogram)
      write_histograms(data, data.study.analyses[a], &json);
    for (const FitResult& fit : data.judgement.fits)
      if (fit.analysis == static_cast<int>(a)) write_fit_json(data.study, fit, &json);
    json.end_object();
  }
  json.end_array().key("cases").begin_array();
  for (std::size_t c = 0; c < data.cases.cases.size(); ++c) write_case(data, c, &json);
  const Costs costs = total_costs(data);
  json.end_array().member("cpu_seconds", costs.cpu_seconds, "peak_memory", costs.peak_memory);
  return json.end_object().text();
}

}  // namespace csim
