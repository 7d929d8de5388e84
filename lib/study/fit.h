// A fit: keys of a scene for which the measures of some cases differ least from measured ones.
//
//   minimize over the keys  f^2 = 1/N sum over the N training cases of |r_c|^2,
//
// r_c the residuals of all measures of a case times their weights: of curves the differences of their rows
// over the root of the number of rows, else value - reference. f is the objective; of one measure it is the
// root mean square of the measure over the cases.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "study/fit_candidates.h"
#include "study/fit_interval.h"

namespace csim {

/// Where a search from one start ended.
struct FitEnd {
  std::vector<double> begin, values;  // of the keys
  double objective = 0.0;             // NaN: no candidate was good
  int evaluations = 0;
  bool converged = false;
  bool agrees = false;  // the keys are those of the best end, to a hundredth of their bounds
};

/// A key at the best end.
struct FittedKey {
  double value = 0.0;
  std::optional<double> low, high;       // of the 95 % interval
  double half_width = 0.0;               // of this interval, over the width of the bounds on its scale
  KeyEffect effect = KeyEffect::kOwn;    // of a key that is not at a bound
  bool at_low = false, at_high = false;  // of its bounds
};

/// A case with the best keys.
struct FittedCase {
  int index = 0;  // in the study
  std::string id;
  bool is_test = false;
  std::string message;         // why there are no errors
  std::vector<double> errors;  // of each measure of the analysis
};

struct FitResult {
  int analysis = 0;
  bool done = false;
  bool interrupted = false;
  std::string why_stopped;  // where it is not done
  std::vector<FitEnd> ends;
  int best = -1;  // of the ends
  std::vector<FittedKey> keys;
  double train = 0.0, test = 0.0;                // objectives; NaN: none
  double train_before = 0.0, test_before = 0.0;  // of the scene's own values
  std::vector<FittedCase> cases;
  bool interval_is_over_cases = false;
  int num_candidates = 0;             // evaluated, those of the intervals too
  std::vector<std::string> failures;  // candidates without an objective: keys, case, why
  std::vector<std::string> doubts;    // what a reader should know before he believes it
  std::set<std::string> ids;          // of the cases of candidates
};

/// One line while a fit goes on: start, evaluation, objective.
using FitProgress = std::function<void(const std::string&)>;

/// Fits, with the candidates that `run` runs and those that the folder has; without `run` as far as these go.
/// The result is a function of the study alone: a fit that was interrupted comes to the same bits.
[[nodiscard]] FitResult run_fit(const Study& study, const Cases& cases, const StudyFolder& folder,
                                int analysis, const RunCandidates& run, const FitProgress& progress = {});

/// All fits of a study, until one is interrupted.
[[nodiscard]] std::vector<FitResult> run_fits(const Study& study, const Cases& cases,
                                              const StudyFolder& folder, const RunCandidates& run,
                                              const FitProgress& progress = {});

/// The ids of the cases of all candidates.
[[nodiscard]] std::set<std::string> candidate_ids(const std::vector<FitResult>& fits);

}  // namespace csim
