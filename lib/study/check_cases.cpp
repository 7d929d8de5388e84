#include "study/check_cases.h"

#include <algorithm>
#include <exception>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "core/counted.h"
#include "core/number_format.h"
#include "core/seconds_text.h"
#include "record/errors.h"
#include "study/fit_candidates.h"
#include "study/measured_curve.h"
#include "study/reference_keys.h"

namespace csim {
namespace {

/// Whether the rows of two cases stand at the same times; each pair of grids is compared once, and the times
/// of the last grid of either side are kept: those of a reference serve many cases.
class SameTimes {
 public:
  bool operator()(const TimeGrid& a, const TimeGrid& b) {
    const auto [known, is_new] = known_.try_emplace({a, b}, false);
    if (is_new) known->second = are_same_times(of(a, &last_a_), of(b, &last_b_));
    return known->second;
  }

 private:
  using Times = std::pair<TimeGrid, std::vector<double>>;

  static const std::vector<double>& of(const TimeGrid& grid, std::optional<Times>* last) {
    if (!*last || !((*last)->first == grid)) last->emplace(grid, frame_times(grid));
    return (*last)->second;
  }

  std::map<std::pair<TimeGrid, TimeGrid>, bool> known_;
  std::optional<Times> last_a_, last_b_;
};

bool is_of_steps(const Measure& measure) {
  const std::size_t slash = measure.spec.dataset.front() == '/' ? 1 : 0;
  return measure.spec.dataset.compare(slash, 6, "stats/") == 0 ||
         measure.spec.dataset.compare(slash, 9, "artefact/") == 0;
}

bool have_same_rows(const Measure& measure, const Case& a, const Case& b, SameTimes* same) {
  if (a.times == b.times) return true;
  if (is_of_steps(measure)) return a.times.by_time || b.times.by_time;  // steps of any length show at the end
  return (*same)(a.times, b.times);
}

void check_curves(const Study& study, const Cases& cases, Problems* problems) {
  SameTimes same;
  const auto check = [&](const Measure& measure, int one, int reference) {
    if (reference < 0) return true;
    const Case &a = cases.cases[static_cast<std::size_t>(one)],
               &b = cases.cases[static_cast<std::size_t>(reference)];
    if (have_same_rows(measure, a, b, &same)) return true;
    problems->push_back({measure.path, "the rows of case " + std::to_string(a.index) + " (" +
                                           describe(a.values) +
                                           ") stand at other times than those of its reference, case " +
                                           std::to_string(b.index) +
                                           "; expected an output.period that every time.step divides"});
    return false;
  };
  for (std::size_t m = 0; m < study.measures.size(); ++m) {
    const Measure& measure = study.measures[m];
    if (measure.spec.reduce != Reduction::kDifference) continue;
    bool good = true;
    for (std::size_t c = 0; good && c < cases.cases.size(); ++c)
      good = check(measure, static_cast<int>(c), cases.references[c]);
    for (const Ladder& ladder : cases.ladders) {
      const std::vector<int>& judged = study.analyses[static_cast<std::size_t>(ladder.analysis)].measures;
      const bool counts = std::find(judged.begin(), judged.end(), static_cast<int>(m)) != judged.end();
      for (std::size_t i = 0; good && counts && i < ladder.rungs.size(); ++i)
        good = check(measure, ladder.rungs[i], ladder.references[i]);
    }
  }
}

/// The measures of results on which some rest, each once.
std::vector<int> sources_of(const Study& study, const std::vector<int>& measures) {
  std::vector<int> sources;
  for (const int m : measures) {
    for (const int source : study.sources_of(m))
      if (std::find(sources.begin(), sources.end(), source) == sources.end()) sources.push_back(source);
  }
  return sources;
}

/// Cases that have one reference.
struct Referring {
  Reference reference;
  std::vector<const Case*> cases;
};

/// The first `count` cases by their references, each of which is read once however many cases it has.
std::vector<Referring> by_reference(const Study& study, const Cases& cases, std::size_t count,
                                    const Reference& reference) {
  std::vector<Referring> all;
  std::unordered_map<std::string, std::size_t> known;
  for (std::size_t c = 0; c < count; ++c) {
    Reference own = reference_of_case(study, reference, cases.cases[c].values);
    const bool is_measured = own.kind == ReferenceKind::kMeasured;
    const auto [place, is_new] =
        known.try_emplace(is_measured ? describe(own.measured) : own.file, all.size());
    if (is_new) all.push_back({std::move(own), {}});
    all[place->second].cases.push_back(&cases.cases[c]);
  }
  return all;
}

/// The first case whose rows stand at other times than these, or nullptr.
const Case* find_other_times(const std::vector<const Case*>& cases, const std::vector<double>& times) {
  std::set<TimeGrid> known;
  for (const Case* one : cases)
    if (known.insert(one->times).second && !are_same_times(frame_times(one->times), times)) return one;
  return nullptr;
}

/// The measures of a result that is the reference of cases: all for the study's, an analysis' own for its.
void check_file(const Study& study, const Referring& referring, const std::vector<int>& measures,
                Problems* problems) {
  const Reference& reference = referring.reference;
  const ResultFile result(reference.file);
  const ResultLayout layout = layout_of(result);
  std::optional<const Case*> other;  // compared with the result when a measure asks for it
  for (const int m : sources_of(study, measures)) {
    const Measure& measure = study.measures[static_cast<std::size_t>(m)];
    if (const auto fault = check_measure(measure.spec, layout)) {
      problems->push_back(
          {reference.path, reference.file + ": measure " + measure.name + ": " + fault->message});
    } else if (measure.spec.reduce == Reduction::kDifference && !is_of_steps(measure)) {
      if (!other) other = find_other_times(referring.cases, result.real("/trajectory/time"));
      if (*other != nullptr)
        problems->push_back({reference.path, reference.file + ": has its rows at other times than case " +
                                                 std::to_string((*other)->index) + ", which measure " +
                                                 measure.name + " compares with it"});
    }
  }
}

/// The results that are references.
void check_files(const Study& study, const Cases& cases, const Reference& reference,
                 const std::vector<int>& measures, Problems* problems) {
  if (reference.kind != ReferenceKind::kFile) return;
  for (const Referring& referring : by_reference(study, cases, cases.cases.size(), reference)) {
    try {
      check_file(study, referring, measures, problems);
    } catch (const std::exception& error) {
      problems->push_back({reference.path, error.what()});
    }
  }
}

/// The measured curves of cases; *at is the case that is looked at.
void check_measured_curves(const Study& study, const Cases& cases, const Referring& referring,
                           MeasuredReader* reader, const Case** at) {
  const Measured& measured = referring.reference.measured;
  for (std::size_t m = 0; m < study.measures.size(); ++m) {
    const Measure& measure = study.measures[m];
    if (measured.columns.count(measure.name) == 0) continue;
    *at = referring.cases.front();
    const Curve curve = reader->read(measured, measure, cases.shapes[m]);
    for (const Case* one : referring.cases) {
      *at = one;
      const double end = last_time(one->times);
      if (curve.time.front() < -1e-9 || curve.time.back() > end + 1e-9)
        throw InvalidResultError(measured.name + ": measured from " +
                                 format_text("%.9g to ", curve.time.front()) + time_text(curve.time.back()) +
                                 ", the case runs from 0 to " + time_text(end) +
                                 "; expected a time.end that is not earlier, or a window");
    }
  }
}

/// The columns of measured curves: those of each difference, as many as it has numbers.
void check_columns(const Study& study, const Cases& cases, const Reference& reference,
                   const std::vector<int>& measures, Problems* problems) {
  for (const int m : sources_of(study, measures)) {
    const Measure& measure = study.measures[static_cast<std::size_t>(m)];
    const auto columns = reference.measured.columns.find(measure.name);
    if (columns != reference.measured.columns.end()) {
      const auto width = static_cast<std::size_t>(cases.shapes[static_cast<std::size_t>(m)].width);
      if (!reference.measured.is_hdf5 && columns->second.size() != width)
        problems->push_back({reference.path + ".columns." + measure.name,
                             counted(static_cast<int>(columns->second.size()), "column") + ", expected " +
                                 std::to_string(width) + ", one for each number of a row"});
    } else if (measure.spec.reduce == Reduction::kDifference) {
      problems->push_back({reference.path + ".columns",
                           "none of measure " + measure.name + ", the difference to the measured curve"});
    }
  }
}

/// What is wrong with the measurement of a case, where it stands: in the file, where the case names it, or
/// where the study does.
void report_measured(const Study& study, const Reference& reference, const Case& at,
                     const std::exception& error, Problems* problems, Diagnostics* diagnostics) {
  const std::string of_case = " (reference of case " + std::to_string(at.index) + ")";
  if (const auto* field = dynamic_cast<const MeasuredFieldError*>(&error)) {
    diagnostics->push_back(field->diagnostic);
    diagnostics->back().message += of_case;
    return;
  }
  const Assignment own = reference_values(at.values);
  const auto named = std::find_if(own.begin(), own.end(),
                                  [](const KeyValue& one) { return is_reference_file_key(one.key); });
  if (named != own.end()) {
    diagnostics->push_back(study.source.at(named->value.mark, named->key, error.what() + of_case));
  } else {
    problems->push_back({reference.path, error.what() + of_case});
  }
}

/// Measured curves: of the cases that `reference` is of, each problem once.
void check_measured(const Study& study, const Cases& cases, const Reference& reference,
                    const std::vector<int>& measures, Problems* problems, Diagnostics* diagnostics) {
  if (reference.kind != ReferenceKind::kMeasured) return;
  const std::size_t num_before = problems->size();
  check_columns(study, cases, reference, measures, problems);
  if (problems->size() > num_before) return;
  MeasuredReader reader;
  std::set<std::string> told;
  const auto num_varied = static_cast<std::size_t>(cases.num_varied);
  for (const Referring& referring : by_reference(study, cases, num_varied, reference)) {
    const Case* at = nullptr;
    try {
      check_measured_curves(study, cases, referring, &reader, &at);
    } catch (const std::exception& error) {
      if (told.insert(error.what()).second)
        report_measured(study, reference, *at, error, problems, diagnostics);
    }
  }
}

/// The cases that a gate may judge: those of `vary`, of a fit its test cases, without such its training
/// cases.
std::vector<int> judged_by(const Study& study, const Cases& cases, const Gate& gate) {
  if (study.judges(gate, AnalysisType::kFit)) {
    const FitSplit split = split_cases(study.analyses[static_cast<std::size_t>(gate.analysis)].fit, cases);
    return split.test.empty() ? split.train : split.test;
  }
  std::vector<int> all(static_cast<std::size_t>(cases.num_varied));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

void check_gates(const Study& study, const Cases& cases, Problems* problems) {
  for (const Gate& gate : study.gates) {
    if (!gate.key.empty()) continue;
    const bool of_ladders = study.judges(gate, AnalysisType::kConvergence);
    const bool of_fit = study.judges(gate, AnalysisType::kFit);
    const std::vector<int> judged = judged_by(study, cases, gate);
    const bool met = of_ladders ? !cases.ladders_of(gate.analysis, gate.where).empty()
                                : std::any_of(judged.begin(), judged.end(), [&](int c) {
                                    return meets(cases.cases[static_cast<std::size_t>(c)].values, gate.where);
                                  });
    if (!met)
      problems->push_back({gate.path + ".where", std::string("meets no ") +
                                                     (of_ladders ? "ladder"
                                                      : of_fit   ? "case that the fit is judged by"
                                                                 : "case") +
                                                     ", expected values as under `vary`" +
                                                     (of_ladders ? ", without the refined key" : "")});
  }
}

}  // namespace

void check_cases(const Study& study, const Cases& cases, Problems* problems, Diagnostics* diagnostics) {
  check_curves(study, cases, problems);
  std::vector<int> all;
  for (std::size_t m = 0; m < study.measures.size(); ++m) all.push_back(static_cast<int>(m));
  const auto check_reference = [&](const Reference& reference, const std::vector<int>& measures) {
    check_files(study, cases, reference, measures, problems);
    check_measured(study, cases, reference, measures, problems, diagnostics);
  };
  check_reference(study.reference, all);
  for (const Analysis& analysis : study.analyses) check_reference(analysis.reference, analysis.measures);
  check_gates(study, cases, problems);
}

}  // namespace csim
