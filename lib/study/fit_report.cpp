#include "study/fit_report.h"

#include <cmath>

#include "core/number_format.h"
#include "study/collect.h"

namespace csim {
namespace {

const Analysis& analysis_of(const Study& study, const FitResult& fit) {
  return study.analyses[static_cast<std::size_t>(fit.analysis)];
}

std::string number(double value) {
  return std::isnan(value) ? "-" : format_text("%.6g", value);
}

std::string yes(bool truth) {
  return truth ? "yes" : "no";
}

std::string assumption(const FitResult& fit) {
  const std::string by_cases =
      "by the jackknife over the training cases; they assume that cases are independent, and nothing of the "
      "rows within one.";
  const std::string by_rows =
      "s^2 (J^T J)^-1; they assume that all rows of the training cases are independent and of one variance, "
      "which rows of one motion seldom are: take them as the least width.";
  return "Intervals (95 %): " + (fit.interval_is_over_cases ? by_cases : by_rows);
}

const std::string& measure_name(const Study& study, int measure) {
  return study.measures[static_cast<std::size_t>(measure)].name;
}

void describe_keys(const Analysis& analysis, const FitResult& fit, FitText* text) {
  text->keys.header = {"key", "value", "95 % interval", "bounds", "at a bound"};
  for (std::size_t k = 0; k < fit.keys.size(); ++k) {
    const FittedKey& found = fit.keys[k];
    const FitKey& key = analysis.fit.keys[k];
    text->keys.rows.push_back(
        {key.key, format_number(found.value),
         found.low ? number(*found.low) + " to " + number(*found.high) : "-",
         format_number(key.low) + " to " + format_number(key.high) + (key.is_log ? ", log" : ""),
         found.at_low    ? "lower"
         : found.at_high ? "upper"
                         : "no"});
  }
}

void describe_starts(const Analysis& analysis, const FitResult& fit, FitText* text) {
  text->starts.header = {
      "start", "from", "to", "objective", "candidates", "converged", "agrees with the best"};
  for (std::size_t e = 0; e < fit.ends.size(); ++e) {
    const FitEnd& end = fit.ends[e];
    text->starts.rows.push_back({std::to_string(e + 1), describe(changes_of(analysis.fit, end.begin)),
                                 describe(changes_of(analysis.fit, end.values)), number(end.objective),
                                 std::to_string(end.evaluations), yes(end.converged),
                                 static_cast<int>(e) == fit.best ? "the best" : yes(end.agrees)});
  }
}

void describe_cases(const Study& study, const Cases& cases, const FitResult& fit, FitText* text) {
  text->cases.header = {"case", "values", "part"};
  for (const int m : analysis_of(study, fit).measures)
    text->cases.header.push_back(measure_name(study, m) + " [" + cases.units[static_cast<std::size_t>(m)] +
                                 "]");
  text->cases.header.insert(text->cases.header.end(), {"id", "note"});
  for (const FittedCase& one : fit.cases) {
    std::vector<std::string> row{std::to_string(one.index),
                                 describe(cases.cases[static_cast<std::size_t>(one.index)].values),
                                 one.is_test ? "test" : "training"};
    for (const double error : one.errors) row.push_back(number(error));
    row.insert(row.end(), {one.id, one.message});
    text->cases.rows.push_back(std::move(row));
  }
}

}  // namespace

std::string fit_line(const Study& study, const FitResult& fit) {
  const std::string begin = "fit " + analysis_of(study, fit).name + ": ";
  const std::string count = std::to_string(fit.num_candidates) + " candidates";
  if (!fit.done) return begin + count + " so far: " + fit.why_stopped;
  std::string text = begin + count;
  for (std::size_t k = 0; k < fit.keys.size(); ++k)
    text += ", " + analysis_of(study, fit).fit.keys[k].key + " " + number(fit.keys[k].value);
  return text + ", objective " + number(fit.train) +
         (std::isnan(fit.test) ? "" : ", of the test cases " + number(fit.test));
}

FitText describe_fit(const Study& study, const Cases& cases, const FitResult& fit) {
  FitText text;
  text.sentences.push_back(fit_line(study, fit) + ".");
  if (!fit.done) return text;
  const Analysis& analysis = analysis_of(study, fit);
  text.sentences.push_back("With the scene's own values: objective " + number(fit.train_before) +
                           (std::isnan(fit.test) ? "" : ", of the test cases " + number(fit.test_before)) +
                           ".");
  for (const std::string& doubt : fit.doubts) text.sentences.push_back("Warning: " + doubt + ".");
  if (!fit.failures.empty())
    text.sentences.push_back(std::to_string(fit.failures.size()) +
                             " candidates failed, the first: " + fit.failures.front() + ".");
  text.sentences.push_back(assumption(fit));
  describe_keys(analysis, fit, &text);
  describe_starts(analysis, fit, &text);
  describe_cases(study, cases, fit, &text);
  return text;
}

void write_fit_json(const Study& study, const FitResult& fit, JsonWriter* json) {
  const Analysis& analysis = analysis_of(study, fit);
  json->key("fit").begin_object();
  json->member("done", fit.done, "why_stopped", fit.why_stopped, "candidates", fit.num_candidates,
               "objective", fit.train, "test_objective", fit.test, "objective_before", fit.train_before,
               "test_objective_before", fit.test_before, "interval_assumes",
               fit.interval_is_over_cases ? "independent cases" : "independent rows", "doubts", fit.doubts,
               "failures", fit.failures);
  json->key("keys").begin_array();
  for (std::size_t k = 0; k < fit.keys.size(); ++k) {
    const FittedKey& key = fit.keys[k];
    json->begin_object().member("key", analysis.fit.keys[k].key, "value", key.value);
    json->key("interval").begin_array().value(key.low).value(key.high).end_array();
    json->key("at_bound");
    if (key.at_low || key.at_high) {
      json->value(key.at_low ? "lower" : "upper");
    } else {
      json->null();
    }
    json->end_object();
  }
  json->end_array().key("starts").begin_array();
  for (const FitEnd& end : fit.ends)
    json->begin_object()
        .member("from", end.begin, "to", end.values, "objective", end.objective, "candidates",
                end.evaluations, "converged", end.converged, "agrees", end.agrees)
        .end_object();
  json->end_array().key("cases").begin_array();
  for (const FittedCase& one : fit.cases) {
    json->begin_object().member("index", one.index, "id", one.id, "test", one.is_test, "message",
                                one.message);
    json->key("errors").begin_object();
    for (std::size_t m = 0; m < one.errors.size(); ++m)
      json->member(measure_name(study, analysis.measures[m]), one.errors[m]);
    json->end_object().end_object();
  }
  json->end_array().end_object();
}

void write_fit_tables(const Study& study, const Cases& cases, const FitResult& fit, hdf5::File* file) {
  if (!fit.done || fit.best < 0) return;
  const Analysis& analysis = analysis_of(study, fit);
  const std::string path = "/fit/" + analysis.name;
  for (const char* group : {"", "/keys", "/starts", "/cases", "/cases/error"})
    file->create_group(path + group);
  std::vector<std::string> names, ids;
  std::vector<double> values, low, high, objectives, begin, end;
  std::vector<std::int32_t> evaluations, converged, agrees, index, test;
  for (std::size_t k = 0; k < fit.keys.size(); ++k) {
    names.push_back(analysis.fit.keys[k].key);
    values.push_back(fit.keys[k].value);
    low.push_back(fit.keys[k].low.value_or(std::nan("")));
    high.push_back(fit.keys[k].high.value_or(std::nan("")));
  }
  for (const FitEnd& one : fit.ends) {
    objectives.push_back(one.objective);
    evaluations.push_back(one.evaluations);
    converged.push_back(one.converged ? 1 : 0);
    agrees.push_back(one.agrees ? 1 : 0);
    begin.insert(begin.end(), one.begin.begin(), one.begin.end());
    end.insert(end.end(), one.values.begin(), one.values.end());
  }
  for (const FittedCase& one : fit.cases) {
    index.push_back(one.index);
    ids.push_back(one.id);
    test.push_back(one.is_test ? 1 : 0);
  }
  const auto keys = static_cast<long>(names.size()), starts = static_cast<long>(objectives.size()),
             rows = static_cast<long>(index.size());
  std::vector<std::string> units;
  for (const std::string& name : names) units.push_back(unit_of_key(name));
  file->write_texts(path + "/keys/name", names);
  file->write_texts(path + "/keys/unit", units);
  file->write_array(path + "/keys/value", {keys}, values, {"see unit"});
  file->write_array(path + "/keys/low", {keys}, low, {"see unit"});
  file->write_array(path + "/keys/high", {keys}, high, {"see unit"});
  file->write_array(path + "/starts/objective", {starts}, objectives, {"1"});
  file->write_array(path + "/starts/candidates", {starts}, evaluations, {"1"});
  file->write_array(path + "/starts/converged", {starts}, converged, {"1"});
  file->write_array(path + "/starts/agrees", {starts}, agrees, {"1"});
  file->write_array(path + "/starts/from", {starts, keys}, begin, units);
  file->write_array(path + "/starts/to", {starts, keys}, end, units);
  file->write_array(path + "/cases/index", {rows}, index, {"1"});
  file->write_texts(path + "/cases/id", ids);
  file->write_array(path + "/cases/test", {rows}, test, {"1"});
  for (std::size_t m = 0; m < analysis.measures.size(); ++m) {
    std::vector<double> errors;
    for (const FittedCase& one : fit.cases) errors.push_back(one.errors[m]);
    file->write_array(path + "/cases/error/" + measure_name(study, analysis.measures[m]), {rows}, errors,
                      {cases.units[static_cast<std::size_t>(analysis.measures[m])]});
  }
}

}  // namespace csim
