#include "study/fit.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/number_format.h"
#include "study/fit_doubts.h"
#include "study/minimize.h"
#include "study/sample.h"

namespace csim {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Of the places in [0, 1] that keys are sought at:
constexpr double kDifference = 1e-3;  // half the distance of the two sides of a central difference
constexpr double kAgree = 1e-2;       // ends of two starts that are the same
// A place is at its bound when it is as near as this many tolerances of the search.
constexpr double kTolerancesAtBound = 10.0;

// A candidate that fails counts as this many times the worst good one before it, in f^2.
constexpr double kPenalty = 10.0;
constexpr double kPenaltyAtFirst = 1e6;

class Fit {
 public:
  Fit(const Study& study, const Cases& cases, const StudyFolder& folder, int analysis,
      const RunCandidates& run, const FitProgress& progress)
      : study_(study),
        cases_(cases),
        analysis_(study.analyses[static_cast<std::size_t>(analysis)]),
        options_(analysis_.fit),
        split_(split_cases(options_, cases)),
        candidates_(study, cases, folder, analysis_, run),
        progress_(progress) {
    result_.analysis = analysis;
    result_.train = result_.test = result_.train_before = result_.test_before = kNone;
  }

  FitResult run() {
    result_.done = search() && (result_.best < 0 || (judge_best() && find_intervals()));
    if (!result_.done) {
      result_.why_stopped = candidates_.why_stopped();
      result_.interrupted = candidates_.was_interrupted();
    }
    if (result_.done)
      for (std::string& doubt : find_doubts(study_, cases_, result_)) result_.doubts.push_back(doubt);
    result_.ids = candidates_.ids();
    return std::move(result_);
  }

 private:
  using Place = std::vector<double>;

  [[nodiscard]] std::vector<double> values_at(const Place& place) const {
    std::vector<double> values;
    for (std::size_t k = 0; k < place.size(); ++k) values.push_back(value_at(options_.keys[k], place[k]));
    return values;
  }
  [[nodiscard]] Assignment changes_at(const Place& place) const {
    return changes_of(options_, values_at(place));
  }

  /// Nothing when the fit has to stop.
  std::optional<Candidate> evaluate(const Assignment& changes, const std::vector<int>& which) {
    const auto found = candidates_.evaluate({changes}, which);
    return found ? std::optional(found->front()) : std::nullopt;
  }

  /// All starts, one after the other.
  bool search() {
    for (int start = 0; start < options_.starts; ++start) {
      Place place;
      for (const FitKey& key : options_.keys)
        place.push_back(
            uniform_draw(std::to_string(options_.seed) + " " + key.key + " " + std::to_string(start)));
      FitEnd end;
      end.begin = values_at(place);
      const Minimum minimum =
          minimize_in_box([&](const Place& at) { return mean_square(at, start, &end); }, place,
                          {options_.method, options_.tolerance, options_.evaluations});
      if (minimum.stopped) return false;
      end.values = values_at(minimum.x);
      end.converged = minimum.converged;
      if (is_better(end)) {
        result_.best = static_cast<int>(result_.ends.size());
        best_place_ = minimum.x;
      }
      places_.push_back(minimum.x);
      result_.ends.push_back(std::move(end));
    }
    for (std::size_t i = 0; i < places_.size(); ++i)
      result_.ends[i].agrees = result_.best >= 0 && distance(places_[i], best_place_) <= kAgree;
    return true;
  }

  [[nodiscard]] bool is_better(const FitEnd& end) const {
    if (std::isnan(end.objective)) return false;
    return result_.best < 0 || end.objective < result_.ends[static_cast<std::size_t>(result_.best)].objective;
  }

  static double distance(const Place& a, const Place& b) {
    double largest = 0.0;
    for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, std::abs(a[k] - b[k]));
    return largest;
  }

  /// f^2 of the training cases at a place, which *end takes part of.
  std::optional<double> mean_square(const Place& place, int start, FitEnd* end) {
    const Assignment changes = changes_at(place);
    const auto candidate = evaluate(changes, split_.train);
    if (!candidate) return std::nullopt;
    ++result_.num_candidates;
    if (end->evaluations++ == 0) end->objective = worst_ = kNone;
    const double square = candidate->mean_square();
    if (std::isnan(square)) {
      note_failure(changes, *candidate);
      return std::isnan(worst_) ? kPenaltyAtFirst : kPenalty * worst_;
    }
    worst_ = std::isnan(worst_) ? square : std::max(worst_, square);
    const double objective = std::sqrt(square);
    if (std::isnan(end->objective) || objective < end->objective) end->objective = objective;
    if (progress_)
      progress_("fit " + analysis_.name + ": start " + std::to_string(start + 1) + " of " +
                std::to_string(options_.starts) + ", candidate " + std::to_string(end->evaluations) +
                ", objective " + format_text("%.6g, least %.6g", objective, end->objective));
    return square;
  }

  void note_failure(const Assignment& changes, const Candidate& candidate) {
    for (std::size_t i = 0; i < candidate.cases.size(); ++i) {
      if (candidate.cases[i].is_good) continue;
      const std::string name =
          "case " + std::to_string(split_.train[i]) + " (cases/" + candidate.cases[i].id + ".log)";
      result_.failures.push_back(describe(changes) + ": " + name + ": " + candidate.cases[i].message);
      return;
    }
  }

  /// All cases with the best keys, and with the scene's own.
  bool judge_best() {
    const auto train = evaluate(changes_at(best_place_), split_.train),
               test = evaluate(changes_at(best_place_), split_.test);
    const auto train_before = evaluate({}, split_.train), test_before = evaluate({}, split_.test);
    if (!train || !test || !train_before || !test_before) return false;
    result_.train = std::sqrt(train->mean_square());
    result_.test = std::sqrt(test->mean_square());
    result_.train_before = std::sqrt(train_before->mean_square());
    result_.test_before = std::sqrt(test_before->mean_square());
    add_cases(*train, split_.train, false);
    add_cases(*test, split_.test, true);
    std::sort(result_.cases.begin(), result_.cases.end(),
              [](const FittedCase& a, const FittedCase& b) { return a.index < b.index; });
    for (std::size_t k = 0; k < options_.keys.size(); ++k) {
      FittedKey key;
      key.value = value_at(options_.keys[k], best_place_[k]);
      key.at_low = best_place_[k] <= kTolerancesAtBound * options_.tolerance;
      key.at_high = best_place_[k] >= 1.0 - kTolerancesAtBound * options_.tolerance;
      result_.keys.push_back(key);
    }
    return true;
  }

  void add_cases(const Candidate& candidate, const std::vector<int>& which, bool is_test) {
    for (std::size_t i = 0; i < which.size(); ++i) {
      const CandidateCase& one = candidate.cases[i];
      FittedCase fitted{which[i], one.id, is_test, one.is_good ? "" : one.message, one.errors};
      fitted.errors.resize(analysis_.measures.size(), kNone);
      result_.cases.push_back(std::move(fitted));
    }
  }

  /// Intervals of the keys that are not at a bound, by central differences about the best place.
  bool find_intervals() {
    std::vector<std::size_t> free;
    std::vector<Assignment> sides;
    for (std::size_t k = 0; k < options_.keys.size(); ++k) {
      if (result_.keys[k].at_low || result_.keys[k].at_high) continue;
      free.push_back(k);
      for (const double sign : {-1.0, 1.0}) sides.push_back(changes_at(beside(k, sign)));
    }
    const auto best = candidates_.evaluate({changes_at(best_place_)}, split_.train, true);
    const auto found = candidates_.evaluate(sides, split_.train, true);
    if (!best || !found) return false;
    result_.num_candidates += static_cast<int>(sides.size());
    for (std::size_t s = 0; s < sides.size(); ++s) {
      if ((*found)[s].is_good()) continue;
      note_failure(sides[s], (*found)[s]);
      result_.doubts.push_back("a candidate beside the best one failed: no intervals");
      return true;
    }
    std::vector<CaseResiduals> cases;
    for (std::size_t c = 0; c < split_.train.size(); ++c) {
      CaseResiduals one{best->front().cases[c].residuals, {}};
      one.jacobian.resize(one.residuals.size(), static_cast<Eigen::Index>(free.size()));
      for (std::size_t i = 0; i < free.size(); ++i) {
        const double width = beside(free[i], 1.0)[free[i]] - beside(free[i], -1.0)[free[i]];
        const Eigen::VectorXd &low = (*found)[2 * i].cases[c].residuals,
                              &high = (*found)[2 * i + 1].cases[c].residuals;
        one.jacobian.col(static_cast<Eigen::Index>(i)) = (high - low) / width;
      }
      cases.push_back(std::move(one));
    }
    const std::vector<KeyEffect> effects = key_effects(cases);
    for (std::size_t i = 0; i < free.size(); ++i) result_.keys[free[i]].effect = effects[i];
    take_intervals(fit_interval(cases), free);
    return true;
  }

  /// The best place with a key on one side of it.
  [[nodiscard]] Place beside(std::size_t key, double sign) const {
    Place place = best_place_;
    place[key] = std::clamp(place[key] + sign * kDifference, 0.0, 1.0);
    return place;
  }

  void take_intervals(const FitInterval& interval, const std::vector<std::size_t>& free) {
    result_.interval_is_over_cases = interval.is_over_cases;
    const bool are_told = std::all_of(
        free.begin(), free.end(), [&](std::size_t k) { return result_.keys[k].effect == KeyEffect::kOwn; });
    if (interval.half_widths.empty() && are_told && !free.empty())
      result_.doubts.push_back("no intervals: too few measured values, or a single case determines a key");
    for (std::size_t i = 0; i < interval.half_widths.size(); ++i) {
      const std::size_t k = free[i];
      result_.keys[k].half_width = interval.half_widths[i];
      result_.keys[k].low = unbounded_value_at(options_.keys[k], best_place_[k] - interval.half_widths[i]);
      result_.keys[k].high = unbounded_value_at(options_.keys[k], best_place_[k] + interval.half_widths[i]);
    }
  }

  const Study& study_;
  const Cases& cases_;
  const Analysis& analysis_;
  const FitOptions& options_;
  FitSplit split_;
  FitCandidates candidates_;
  const FitProgress& progress_;
  std::vector<Place> places_;  // of the ends
  Place best_place_;
  double worst_ = kNone;  // f^2 of the good candidates of a start
  FitResult result_;
};

}  // namespace

FitResult run_fit(const Study& study, const Cases& cases, const StudyFolder& folder, int analysis,
                  const RunCandidates& run, const FitProgress& progress) {
  return Fit(study, cases, folder, analysis, run, progress).run();
}

std::vector<FitResult> run_fits(const Study& study, const Cases& cases, const StudyFolder& folder,
                                const RunCandidates& run, const FitProgress& progress) {
  std::vector<FitResult> results;
  for (std::size_t a = 0; a < study.analyses.size(); ++a) {
    if (study.analyses[a].type != AnalysisType::kFit) continue;
    results.push_back(run_fit(study, cases, folder, static_cast<int>(a), run, progress));
    if (results.back().interrupted) break;
  }
  return results;
}

std::set<std::string> candidate_ids(const std::vector<FitResult>& fits) {
  std::set<std::string> ids;
  for (const FitResult& fit : fits) ids.insert(fit.ids.begin(), fit.ids.end());
  return ids;
}

}  // namespace csim
