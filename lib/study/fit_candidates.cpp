#include "study/fit_candidates.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "run/exit_code.h"
#include "run/signals.h"
#include "scene/yaml/yaml_writer.h"

namespace csim {
namespace {

bool is_selected(const FitSelection& selection, const Case& one) {
  if (selection.every > 0) return (one.index + 1) % selection.every == 0;
  return meets(one.values, selection.where);
}

void check_split(const Analysis& analysis, const Cases& cases, Problems* problems) {
  const FitOptions& fit = analysis.fit;
  int num_both = 0;
  for (const FitSelection* one : {&fit.train, &fit.test}) {
    const auto begin = cases.cases.begin(), end = begin + cases.num_varied;
    if (one->is_given && std::none_of(begin, end, [&](const Case& c) { return is_selected(*one, c); }))
      problems->push_back({one->path, "meets no case, expected values as under `vary`"});
  }
  for (int c = 0; c < cases.num_varied; ++c) {
    const Case& one = cases.cases[static_cast<std::size_t>(c)];
    const bool both = fit.train.is_given && fit.test.is_given;
    num_both += both && is_selected(fit.train, one) && is_selected(fit.test, one) ? 1 : 0;
  }
  if (num_both > 0)
    problems->push_back(
        {fit.test.path, std::to_string(num_both) + " of the training cases, expected others"});
  if (split_cases(fit, cases).train.empty())
    problems->push_back({analysis.path, "no case is left to fit to, expected fewer test cases"});
}

}  // namespace

FitSplit split_cases(const FitOptions& options, const Cases& cases) {
  FitSplit split;
  for (int c = 0; c < cases.num_varied; ++c) {
    const Case& one = cases.cases[static_cast<std::size_t>(c)];
    const bool is_test = options.test.is_given && is_selected(options.test, one);
    const bool is_train = options.train.is_given ? is_selected(options.train, one) : !is_test;
    if (is_test) split.test.push_back(c);
    if (is_train) split.train.push_back(c);
  }
  return split;
}

Assignment changes_of(const FitOptions& options, const std::vector<double>& values) {
  Assignment changes;
  for (std::size_t k = 0; k < options.keys.size(); ++k) {
    YamlNode value = yaml_number(values[k]);
    value.mark = options.keys[k].bounds_mark;
    changes.push_back({options.keys[k].key, std::move(value), options.keys[k].key_mark});
  }
  return changes;
}

void check_fits(const Study& study, const Cases& cases, Problems* problems, Diagnostics* diagnostics) {
  for (const Analysis& analysis : study.analyses) {
    if (analysis.type != AnalysisType::kFit) continue;
    check_split(analysis, cases, problems);
    std::vector<int> all(static_cast<std::size_t>(cases.num_varied));
    std::iota(all.begin(), all.end(), 0);
    std::vector<double> low, high;
    for (const FitKey& key : analysis.fit.keys) {
      low.push_back(key.low);
      high.push_back(key.high);
    }
    const bool good =
        change_cases(study, cases, all, {changes_of(analysis.fit, low)}, diagnostics).has_value();
    if (good)
      static_cast<void>(change_cases(study, cases, {0}, {changes_of(analysis.fit, high)}, diagnostics));
  }
}

bool Candidate::is_good() const {
  return std::all_of(cases.begin(), cases.end(), [](const CandidateCase& one) { return one.is_good; });
}

double Candidate::mean_square() const {
  if (!is_good() || cases.empty()) return std::nan("");
  double sum = 0.0;
  for (const CandidateCase& one : cases) sum += one.square;
  return sum / static_cast<double>(cases.size());
}

FitCandidates::FitCandidates(const Study& study, const Cases& cases, const StudyFolder& folder,
                             const Analysis& analysis, RunCandidates run)
    : study_(study),
      cases_(cases),
      folder_(folder),
      analysis_(analysis),
      run_(std::move(run)),
      references_(std::make_shared<ReferenceNumbers>()) {}

std::string FitCandidates::name_of(const Assignment& changes, int index) {
  return std::to_string(index) + " " + describe(changes);
}

std::optional<std::vector<Candidate>> FitCandidates::evaluate(const std::vector<Assignment>& changes,
                                                              const std::vector<int>& which,
                                                              bool with_residuals) {
  const auto is_known = [&](const Assignment& change) {
    return !with_residuals && std::all_of(which.begin(), which.end(), [&](int index) {
      return known_.count(name_of(change, index)) > 0;
    });
  };
  std::vector<Assignment> missing;
  std::copy_if(changes.begin(), changes.end(), std::back_inserter(missing),
               [&](const Assignment& change) { return !is_known(change); });
  if (!missing.empty() && !run_missing(missing, which)) return std::nullopt;
  std::vector<Candidate> candidates;
  for (const Assignment& change : changes) {
    candidates.emplace_back();
    for (const int index : which) candidates.back().cases.push_back(known_.at(name_of(change, index)));
  }
  for (const Assignment& change : missing)
    for (const int index : which) known_.at(name_of(change, index)).residuals.resize(0);
  return candidates;
}

bool FitCandidates::run_missing(const std::vector<Assignment>& changes, const std::vector<int>& which) try {
  Diagnostics diagnostics;
  const auto changed = change_cases(study_, cases_, which, changes, &diagnostics);
  if (!changed) {
    why_stopped_ = format_diagnostics(diagnostics);
    return false;
  }
  if (run_ && run_(changed->cases).interrupted) return stop_interrupted();
  StudyResults results(study_, changed->cases, folder_, references_);
  for (std::size_t i = 0; i < changes.size(); ++i)
    if (!read_candidate(changes[i], which, changed->places[i], changed->cases, &results)) return false;
  return true;
} catch (const Interrupted&) {  // between two runs
  return stop_interrupted();
}

bool FitCandidates::stop_interrupted() {
  interrupted_ = true;
  why_stopped_ = "interrupted";
  return false;
}

bool FitCandidates::read_candidate(const Assignment& change, const std::vector<int>& which,
                                   const std::vector<int>& places, const Cases& cases,
                                   StudyResults* results) {
  for (std::size_t j = 0; j < which.size(); ++j) {
    const Case& one = cases.cases[static_cast<std::size_t>(places[j])];
    ids_.insert(one.id);
    const CaseStatus& status = results->cases()[static_cast<std::size_t>(one.index)].status;
    const bool by_itself = status.state == CaseState::kFailed && status.exit_code == kSimulationFailed;
    if (status.state != CaseState::kComplete && !by_itself) {
      why_stopped_ = "case " + std::to_string(which[j]) + " with " + describe(change) + " is " +
                     to_string(status.state) + (status.message.empty() ? "" : ": " + status.message);
      return false;
    }
    const int reference = cases.references[static_cast<std::size_t>(one.index)];
    if (reference >= 0 && !results->is_complete(reference)) {
      why_stopped_ = "the reference of case " + std::to_string(which[j]) + " is " +
                     to_string(results->cases()[static_cast<std::size_t>(reference)].status.state);
      return false;
    }
    known_[name_of(change, which[j])] = read_case(one, reference, results);
  }
  return true;
}

CandidateCase FitCandidates::read_case(const Case& one, int reference, StudyResults* results) const {
  CandidateCase read;
  read.id = one.id;
  read.message = results->cases()[static_cast<std::size_t>(one.index)].status.message;
  std::vector<double> all;
  read.is_good = results->is_complete(one.index);
  for (std::size_t m = 0; read.is_good && m < analysis_.measures.size(); ++m) {
    const int measure = analysis_.measures[m];
    // What has no reference is to vanish.
    const std::vector<double> residuals =
        results->has_reference(one.index, measure, study_.reference)
            ? results->residuals(one.index, measure, study_.reference, reference)
            : std::vector<double>{results->value(one.index, measure)};
    double squares = 0.0;
    for (const double residual : residuals) {
      squares += residual * residual;
      all.push_back(analysis_.fit.weights[m] * residual);
    }
    read.errors.push_back(std::sqrt(squares));
    if (std::isfinite(squares)) continue;
    read.is_good = false;
    read.message = "measure " + study_.measures[static_cast<std::size_t>(measure)].name + " is NaN";
  }
  read.residuals = Eigen::Map<const Eigen::VectorXd>(all.data(), static_cast<Eigen::Index>(all.size()));
  read.square = read.residuals.squaredNorm();
  return read;
}

}  // namespace csim
