#include "study/judge.h"

#include <algorithm>
#include <cmath>

#include "core/number_format.h"
#include "study/judge_gates.h"

namespace csim {
namespace {

const Analysis& analysis_of(const Study& study, const Ladder& ladder) {
  return study.analyses[static_cast<std::size_t>(ladder.analysis)];
}

/// The first case of a ladder without a value, or -1.
int first_without_value(const Ladder& ladder, int measure, const StudyResults& results) {
  const auto missing = [&](int index) { return index >= 0 && !results.has_value(index, measure); };
  for (std::size_t i = 0; i < ladder.rungs.size(); ++i) {
    if (missing(ladder.rungs[i])) return ladder.rungs[i];
    if (missing(ladder.references[i])) return ladder.references[i];
  }
  return missing(ladder.co_refined) ? ladder.co_refined : -1;
}

std::string find_doubt(const Study& study, const LadderResult& result, const StudyResults& results) {
  const Ladder& ladder = *result.ladder;
  if (const int missing = first_without_value(ladder, result.measure, results); missing >= 0)
    return results.why_missing(missing);
  if (study.reference_of(analysis_of(study, ladder)).kind == ReferenceKind::kRichardson &&
      !result.extrapolation)
    return "the values of the finest rungs do not approach a limit from one side";
  if (ladder.rungs.size() < 3) return std::to_string(ladder.rungs.size()) + " rungs, an order needs three";
  const auto bad = std::find_if_not(result.errors.begin(), result.errors.end(), is_error);
  if (bad != result.errors.end())
    return "the error at " + format_number(ladder.h[static_cast<std::size_t>(bad - result.errors.begin())]) +
           " is " + (*bad == 0.0 ? "0" : "not finite");
  if (result.co_refined_error) {
    const double e = result.errors.back(), change = std::abs(*result.co_refined_error - e);
    if (!(change <= 0.1 * e))
      return "co_refine changes the error of the finest rung from " + format_text("%.3g", e) + " to " +
             format_text("%.3g", *result.co_refined_error) + ", by more than a tenth: it is not that of " +
             analysis_of(study, ladder).over;
  }
  return "";
}

LadderResult measure_ladder(const Study& study, const Ladder& ladder, int measure, StudyResults* results) {
  const Analysis& analysis = analysis_of(study, ladder);
  const Reference& reference = study.reference_of(analysis);
  LadderResult result;
  result.ladder = &ladder;
  result.measure = measure;
  for (std::size_t i = 0; i < ladder.rungs.size(); ++i) {
    result.values.push_back(results->value(ladder.rungs[i], measure));
    result.errors.push_back(results->error(ladder.rungs[i], measure, reference, ladder.references[i]));
  }
  const bool is_curve =
      study.measures[static_cast<std::size_t>(measure)].spec.reduce == Reduction::kDifference;
  if (is_curve) {
    result.values = result.errors;  // against this ladder's reference
  } else {
    result.extrapolation = extrapolate(ladder.h, result.values, analysis.assumed_order);
  }
  const bool by_extrapolation = reference.kind == ReferenceKind::kRichardson && result.extrapolation;
  for (std::size_t i = 0; by_extrapolation && i < result.errors.size(); ++i)
    result.errors[i] = std::abs(result.values[i] - result.extrapolation->value);
  if (ladder.co_refined >= 0 && !ladder.rungs.empty())
    result.co_refined_error =
        by_extrapolation ? std::abs(results->value(ladder.co_refined, measure) - result.extrapolation->value)
                         : results->error(ladder.co_refined, measure, reference, ladder.references.back());
  result.pairwise = pairwise_orders(ladder.h, result.errors);
  result.fit = fit_order(ladder.h, result.errors);
  result.falls = std::is_sorted(result.errors.rbegin(), result.errors.rend(), std::less_equal<>());
  result.doubt = find_doubt(study, result, *results);
  return result;
}

}  // namespace

const char* to_string(Verdict verdict) {
  constexpr const char* kNames[] = {"pass", "inconclusive", "fail"};
  return kNames[static_cast<int>(verdict)];
}

Verdict judge_order(const LadderResult& result, double low, double high, std::string* note) {
  *note = result.doubt;
  if (!result.doubt.empty()) return Verdict::kInconclusive;
  if (low > 0.5 && !result.falls) {
    *note = "the errors do not fall from rung to rung";
    return Verdict::kInconclusive;
  }
  if (result.fit->order > high) *note = "too high an order: mostly the reference is too near";
  return result.fit->order >= low && result.fit->order <= high ? Verdict::kPass : Verdict::kFail;
}

Judgement judge(const Study& study, const Cases& cases, std::vector<FitResult> fits, StudyResults* results) {
  Judgement judgement;
  judgement.fits = std::move(fits);
  for (const Ladder& ladder : cases.ladders) {
    for (const int measure : analysis_of(study, ladder).measures)
      judgement.ladders.push_back(measure_ladder(study, ladder, measure, results));
  }
  for (const Gate& gate : study.gates)
    judgement.gates.push_back(judge_gate(study, cases, gate, judgement, *results));
  return judgement;
}

}  // namespace csim
