// Candidates of a fit: the cases of a study with other keys, run, and how far they are from the reference.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/types.h"
#include "study/results.h"
#include "study/run_cases.h"

namespace csim {

/// The cases of a study that a fit learns from, and those it is judged by.
struct FitSplit {
  std::vector<int> train, test;
};
[[nodiscard]] FitSplit split_cases(const FitOptions& options, const Cases& cases);

/// The values of a fit's keys as changes of a case.
[[nodiscard]] Assignment changes_of(const FitOptions& options, const std::vector<double>& values);

/// Problems of all fits of a study: a split without training cases, with cases on both sides, or that meets
/// none; keys that a case does not take, and bounds that it does not.
void check_fits(const Study& study, const Cases& cases, Problems* problems, Diagnostics* diagnostics);

/// One case of the study with the keys of a candidate.
struct CandidateCase {
  std::string id;
  bool is_good = false;        // else it failed by itself, or a measure has no value
  std::string message;         // then: why
  double square = 0.0;         // |r|^2, r the residuals of all measures of the fit times their weights
  Eigen::VectorXd residuals;   // where they are asked for
  std::vector<double> errors;  // of each measure, without its weight
};

/// A candidate on some cases.
struct Candidate {
  std::vector<CandidateCase> cases;

  [[nodiscard]] bool is_good() const;
  /// The mean over the cases of |residuals|^2; NaN where one is not good.
  [[nodiscard]] double mean_square() const;
};

/// Runs the cases of a study of candidates.
using RunCandidates = std::function<RunCasesReport(const Cases&)>;

/// Evaluates candidates by their cases, each once: what stands in the folder is not run again.
class FitCandidates {
 public:
  /// `run` may be empty: then nothing is run. References must outlive this.
  FitCandidates(const Study& study, const Cases& cases, const StudyFolder& folder, const Analysis& analysis,
                RunCandidates run);

  /// The cases `which` of the study with each of `changes`, run side by side. Nothing where the study was
  /// interrupted, or a case is missing or ended for a reason that is not its own: why_stopped().
  [[nodiscard]] std::optional<std::vector<Candidate>> evaluate(const std::vector<Assignment>& changes,
                                                               const std::vector<int>& which,
                                                               bool with_residuals = false);

  [[nodiscard]] const std::string& why_stopped() const { return why_stopped_; }
  [[nodiscard]] bool was_interrupted() const { return interrupted_; }
  /// Of all cases of candidates so far.
  [[nodiscard]] const std::set<std::string>& ids() const { return ids_; }

 private:
  [[nodiscard]] bool run_missing(const std::vector<Assignment>& changes, const std::vector<int>& which);
  /// Notes why; returns false.
  bool stop_interrupted();
  /// Takes the cases of a candidate from their results; false when one has none.
  [[nodiscard]] bool read_candidate(const Assignment& change, const std::vector<int>& which,
                                    const std::vector<int>& places, const Cases& cases,
                                    StudyResults* results);
  [[nodiscard]] CandidateCase read_case(const Case& one, int reference, StudyResults* results) const;
  [[nodiscard]] static std::string name_of(const Assignment& changes, int index);

  const Study& study_;
  const Cases& cases_;
  const StudyFolder& folder_;
  const Analysis& analysis_;
  RunCandidates run_;
  std::shared_ptr<ReferenceNumbers> references_;
  std::map<std::string, CandidateCase> known_;  // by name_of; without residuals, of which there are too many
  std::set<std::string> ids_;
  std::string why_stopped_;
  bool interrupted_ = false;
};

}  // namespace csim
