// What a study finds: ladders with their orders, gates with their verdicts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "study/convergence.h"
#include "study/fit.h"
#include "study/results.h"

namespace csim {

enum class Verdict { kPass, kInconclusive, kFail };  // the worst last

[[nodiscard]] const char* to_string(Verdict verdict);  // "pass", "inconclusive", "fail"

/// One measure on one ladder.
struct LadderResult {
  const Ladder* ladder = nullptr;
  int measure = 0;
  std::vector<double> values, errors;  // of each rung; NaN: none
  std::vector<double> pairwise;        // one fewer
  std::optional<OrderFit> fit;
  std::optional<Extrapolation> extrapolation;
  std::optional<double> co_refined_error;  // of the finest rung with co_refine
  std::string doubt;                       // why no order can be judged; "" for none
  bool falls = false;                      // errors fall from rung to rung
};

struct GateResult {
  const Gate* gate = nullptr;
  std::string sentence;  // "order of x over time.step is 0.9 to 1.1 (contact.model: lagged)"
  std::string expected;  // "0.9 to 1.1"
  double found = 0.0;    // of the worst; NaN for none
  Verdict verdict = Verdict::kInconclusive;
  int worst_case = -1;                   // of values
  const Ladder* worst_ladder = nullptr;  // of orders
  std::string note;
};

struct Judgement {
  std::vector<LadderResult> ladders;
  std::vector<FitResult> fits;
  std::vector<GateResult> gates;
};

/// Judges all gates, given all fits of the study; of several cases or ladders the worst counts.
[[nodiscard]] Judgement judge(const Study& study, const Cases& cases, std::vector<FitResult> fits,
                              StudyResults* results);

/// The verdict of an order on a ladder, and why.
[[nodiscard]] Verdict judge_order(const LadderResult& result, double low, double high, std::string* note);

}  // namespace csim
