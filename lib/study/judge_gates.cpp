#include "study/judge_gates.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "core/number_format.h"

namespace csim {
namespace {

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// By how much a value breaks the bounds of a gate; <= 0: not at all.
double violation(const Gate& gate, double value) {
  if (std::isnan(value)) return kInfinity;
  double worst = -kInfinity;
  if (gate.max) worst = std::max(worst, value - *gate.max);
  if (gate.min) worst = std::max(worst, *gate.min - value);
  if (gate.value)
    worst = std::max(worst, std::abs(value - *gate.value) - gate.atol - gate.rtol * std::abs(*gate.value));
  return worst;
}

std::string expected_text(const Gate& gate) {
  if (gate.order) return format_number((*gate.order)[0]) + " to " + format_number((*gate.order)[1]);
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : " and ") + part; };
  if (gate.min) add(">= " + format_number(*gate.min));
  if (gate.max) add("<= " + format_number(*gate.max));
  if (gate.value)
    add(format_number(*gate.value) + " +- " +
        format_text("%.3g", gate.atol + gate.rtol * std::abs(*gate.value)));
  return text;
}

GateResult begin_gate(const Study& study, const Gate& gate) {
  GateResult result;
  result.gate = &gate;
  result.expected = expected_text(gate);
  result.found = kNoValue;
  const Analysis* analysis =
      gate.analysis >= 0 ? &study.analyses[static_cast<std::size_t>(gate.analysis)] : nullptr;
  const std::string name =
      gate.key.empty() ? study.measures[static_cast<std::size_t>(gate.measure)].name : gate.key;
  const std::string over = analysis != nullptr ? analysis->over : "";
  const std::string statistic = describe(gate.of);
  const std::string subject = statistic.empty() ? name : statistic + " of " + name;
  result.sentence = gate.order ? "order of " + name + " over " + over + " is " + result.expected
                    : gate.value && !gate.min && !gate.max ? subject + " is " + result.expected
                                                           : subject + " " + result.expected;
  if (gate.share) {
    result.sentence += " in at least " + format_text("%.10g", 100.0 * *gate.share) + " % of the cases";
    result.expected = ">= " + format_number(*gate.share) + " of the cases";
  }
  if (analysis != nullptr && analysis->type == AnalysisType::kFit)
    result.sentence += " by fit " + analysis->name;
  if (!gate.name.empty()) result.sentence = gate.name + ": " + result.sentence;
  if (!gate.where.empty()) result.sentence += " (" + describe(gate.where) + ")";
  return result;
}

/// The case itself or, of a difference, its reference, where that has no value; else -1.
int first_without_value(const Study& study, const Cases& cases, int index, int measure,
                        const StudyResults& results) {
  if (!results.has_value(index, measure)) return index;
  const int reference = cases.references[static_cast<std::size_t>(index)];
  return study.uses_difference(measure) && reference >= 0 && !results.has_value(reference, measure)
             ? reference
             : -1;
}

/// A case that a gate judges.
struct JudgedCase {
  int index = 0;
  double value = 0.0;
  int missing = -1;  // the case that has no value: it or its reference
  std::string why_missing;
};

std::vector<JudgedCase> judged_cases(const Study& study, const Cases& cases, const Gate& gate,
                                     const StudyResults& results) {
  std::vector<JudgedCase> judged;
  for (int c = 0; c < cases.num_varied; ++c) {
    if (!meets(cases.cases[static_cast<std::size_t>(c)].values, gate.where)) continue;
    const int missing = first_without_value(study, cases, c, gate.measure, results);
    judged.push_back(
        {c, results.value(c, gate.measure), missing, missing >= 0 ? results.why_missing(missing) : ""});
  }
  return judged;
}

/// The test cases with the keys of a fit, without such the training cases.
std::vector<JudgedCase> judged_cases(const Study& study, const Cases& cases, const Gate& gate,
                                     const FitResult& fit) {
  const std::vector<int>& measures = study.analyses[static_cast<std::size_t>(fit.analysis)].measures;
  const auto m =
      static_cast<std::size_t>(std::find(measures.begin(), measures.end(), gate.measure) - measures.begin());
  const bool has_test =
      std::any_of(fit.cases.begin(), fit.cases.end(), [](const FittedCase& one) { return one.is_test; });
  std::vector<JudgedCase> judged;
  for (const FittedCase& one : fit.cases) {
    const bool counts =
        one.is_test == has_test && meets(cases.cases[static_cast<std::size_t>(one.index)].values, gate.where);
    if (!counts) continue;
    const bool missing = !one.message.empty();
    judged.push_back({one.index, one.errors[m], missing ? one.index : -1,
                      missing ? "case " + std::to_string(one.index) + ": " + one.message : ""});
  }
  return judged;
}

GateResult judge_each(const Study& study, const Gate& gate, const std::vector<JudgedCase>& judged) {
  GateResult worst = begin_gate(study, gate);
  std::tuple<Verdict, double> rank{Verdict::kPass, -kInfinity};
  for (const JudgedCase& one : judged) {
    const double excess = violation(gate, one.value);
    const Verdict verdict = one.missing >= 0 ? Verdict::kInconclusive
                            : excess <= 0.0  ? Verdict::kPass
                                             : Verdict::kFail;
    if (worst.worst_case >= 0 && std::tuple(verdict, excess) <= rank) continue;
    rank = {verdict, excess};
    worst.verdict = verdict;
    worst.found = one.value;
    worst.worst_case = one.index;
    worst.note = verdict == Verdict::kInconclusive ? one.why_missing
                 : std::isnan(one.value)           ? "NaN in case " + std::to_string(one.index)
                                                   : "";
  }
  return worst;
}

/// A statistic of the cases, or the share of them that hold.
GateResult judge_together(const Study& study, const Gate& gate, const std::vector<JudgedCase>& judged) {
  GateResult result = begin_gate(study, gate);
  std::vector<double> values;
  double worst = -kInfinity, num_held = 0.0;
  for (const JudgedCase& one : judged) {
    if (one.missing >= 0) {
      result.verdict = Verdict::kInconclusive;
      result.worst_case = one.missing;
      result.note = one.why_missing;
      return result;
    }
    values.push_back(one.value);
    const double excess = violation(gate, values.back());
    if (excess <= 0.0) num_held += 1.0;
    if (result.worst_case < 0 || excess > worst) {
      worst = excess;
      result.worst_case = one.index;
    }
  }
  const auto count = static_cast<double>(values.size());
  if (gate.share) {
    result.found = num_held / count;
    // The slack is of rounding: 0.07 of 100 cases are 7.
    result.verdict = num_held >= (*gate.share - 1e-12) * count ? Verdict::kPass : Verdict::kFail;
    result.note = format_number(num_held) + " of " + format_number(count) + " cases";
    return result;
  }
  result.found = evaluate_statistic(gate.of, values);
  result.verdict = violation(gate, result.found) <= 0.0 ? Verdict::kPass : Verdict::kFail;
  result.worst_case = -1;
  const bool is_of_one = gate.of.kind == StatisticKind::kDeviation && values.size() == 1;
  result.note = is_of_one                  ? "one case has no deviation"
                : std::isnan(result.found) ? "a value is NaN"
                                           : "of " + format_number(count) + " cases";
  if (gate.of.kind == StatisticKind::kMean && !std::isnan(result.found)) {
    const auto [low, high] = bootstrap_mean_interval(values);
    result.note += format_text(", 95 %% interval %.6g to %.6g", low, high);
  }
  return result;
}

GateResult judge_cases(const Study& study, const Gate& gate, const std::vector<JudgedCase>& judged) {
  const bool is_joint = gate.share || gate.of.kind != StatisticKind::kWorst;
  return is_joint ? judge_together(study, gate, judged) : judge_each(study, gate, judged);
}

GateResult judge_key(const Study& study, const Gate& gate, const FitResult& fit) {
  GateResult result = begin_gate(study, gate);
  const std::vector<FitKey>& keys = study.analyses[static_cast<std::size_t>(fit.analysis)].fit.keys;
  const auto k = static_cast<std::size_t>(
      std::find_if(keys.begin(), keys.end(), [&](const FitKey& one) { return one.key == gate.key; }) -
      keys.begin());
  result.found = fit.keys[k].value;
  result.verdict = violation(gate, result.found) <= 0.0 ? Verdict::kPass : Verdict::kFail;
  if (fit.keys[k].low)
    result.note = format_text("95 %% interval %.6g to %.6g", *fit.keys[k].low, *fit.keys[k].high);
  return result;
}

GateResult judge_fit(const Study& study, const Cases& cases, const Gate& gate,
                     const std::vector<FitResult>& fits) {
  const auto fit = std::find_if(fits.begin(), fits.end(),
                                [&](const FitResult& one) { return one.analysis == gate.analysis; });
  if (fit == fits.end() || !fit->done || fit->best < 0) {
    GateResult result = begin_gate(study, gate);
    result.note =
        fit == fits.end() || fit->done ? "the fit found nothing" : "the fit is not done: " + fit->why_stopped;
    return result;
  }
  return gate.key.empty() ? judge_cases(study, gate, judged_cases(study, cases, gate, *fit))
                          : judge_key(study, gate, *fit);
}

GateResult judge_orders(const Study& study, const Gate& gate, const std::vector<LadderResult>& ladders) {
  GateResult worst = begin_gate(study, gate);
  const auto [low, high] = *gate.order;
  std::tuple<Verdict, double> rank{Verdict::kPass, -kInfinity};
  for (const LadderResult& result : ladders) {
    const bool counts = result.ladder->analysis == gate.analysis && result.measure == gate.measure &&
                        meets(result.ladder->where, gate.where);
    if (!counts) continue;
    std::string note;
    const Verdict verdict = judge_order(result, low, high, &note);
    const double order = result.fit ? result.fit->order : kNoValue;
    const double excess = result.fit ? std::max(low - order, order - high) : kInfinity;
    if (worst.worst_ladder != nullptr && std::tuple(verdict, excess) <= rank) continue;
    rank = {verdict, excess};
    worst.verdict = verdict;
    worst.found = order;
    worst.worst_ladder = result.ladder;
    worst.note = note;
  }
  return worst;
}

}  // namespace

GateResult judge_gate(const Study& study, const Cases& cases, const Gate& gate, const Judgement& judgement,
                      const StudyResults& results) {
  if (gate.order) return judge_orders(study, gate, judgement.ladders);
  if (study.judges(gate, AnalysisType::kFit)) return judge_fit(study, cases, gate, judgement.fits);
  return judge_cases(study, gate, judged_cases(study, cases, gate, results));
}

}  // namespace csim
