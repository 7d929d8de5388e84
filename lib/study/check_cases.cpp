#include "study/check_cases.h"

#include <algorithm>
#include <exception>
#include <numeric>
#include <set>

#include "core/number_format.h"
#include "record/errors.h"
#include "study/fit_candidates.h"
#include "study/measured_curve.h"
#include "study/reference_keys.h"

namespace csim {
namespace {

/// Times of the rows of cases, made once each.
class Times {
 public:
  const std::vector<double>& of(const TimeGrid& grid) {
    for (const auto& [known, times] : all_)
      if (known == grid) return times;
    return all_.emplace_back(grid, frame_times(grid)).second;
  }

 private:
  std::vector<std::pair<TimeGrid, std::vector<double>>> all_;
};

bool is_of_steps(const Measure& measure) {
  const std::size_t slash = measure.spec.dataset.front() == '/' ? 1 : 0;
  return measure.spec.dataset.compare(slash, 6, "stats/") == 0 ||
         measure.spec.dataset.compare(slash, 9, "artefact/") == 0;
}

bool have_same_rows(const Measure& measure, const Case& a, const Case& b, Times* times) {
  if (a.times == b.times) return true;
  if (is_of_steps(measure)) return a.times.by_time || b.times.by_time;  // steps of any length show at the end
  const std::vector<double> of_a = times->of(a.times);
  return are_same_times(of_a, times->of(b.times));
}

void check_curves(const Study& study, const Cases& cases, Problems* problems) {
  Times times;
  const auto check = [&](const Measure& measure, int one, int reference) {
    if (reference < 0) return true;
    const Case &a = cases.cases[static_cast<std::size_t>(one)],
               &b = cases.cases[static_cast<std::size_t>(reference)];
    if (have_same_rows(measure, a, b, &times)) return true;
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

/// The measures of a result that is the reference of a case: all for the study's, an analysis' own for its.
void check_file(const Study& study, const Reference& reference, const Case& one,
                const std::vector<int>& measures) {
  const ResultFile result(reference.file);
  const ResultLayout layout = layout_of(result);
  const std::vector<double> times = result.real("/trajectory/time");
  for (const int m : sources_of(study, measures)) {
    const Measure& measure = study.measures[static_cast<std::size_t>(m)];
    if (const auto fault = check_measure(measure.spec, layout))
      throw InvalidResultError(reference.file + ": measure " + measure.name + ": " + fault->message);
    const bool is_compared = measure.spec.reduce == Reduction::kDifference && !is_of_steps(measure);
    if (is_compared && !are_same_times(frame_times(one.times), times))
      throw InvalidResultError(reference.file + ": has its rows at other times than case " +
                               std::to_string(one.index) + ", which measure " + measure.name +
                               " compares with it");
  }
}

/// The results that are references, each problem once.
void check_files(const Study& study, const Cases& cases, const Reference& reference,
                 const std::vector<int>& measures, Problems* problems) {
  if (reference.kind != ReferenceKind::kFile) return;
  std::set<std::string> told;
  std::vector<std::pair<std::string, TimeGrid>> known;
  for (const Case& one : cases.cases) {
    const Reference own = reference_of_case(study, reference, one.values);
    const std::pair<std::string, TimeGrid> what{own.file, one.times};
    if (std::find(known.begin(), known.end(), what) != known.end()) continue;
    known.push_back(what);
    try {
      check_file(study, own, one, measures);
    } catch (const std::exception& error) {
      if (told.insert(own.file).second) problems->push_back({reference.path, error.what()});
    }
  }
}

/// The measured curves of one case.
void check_measured_case(const Study& study, const Cases& cases, const Case& one, const Measured& measured,
                         MeasuredReader* reader) {
  for (std::size_t m = 0; m < study.measures.size(); ++m) {
    const Measure& measure = study.measures[m];
    if (measured.columns.count(measure.name) == 0) continue;
    const Curve curve = reader->read(measured, measure, cases.shapes[m]);
    const double end = last_time(one.times);
    if (curve.time.front() < -1e-9 || curve.time.back() > end + 1e-9)
      throw InvalidResultError(measured.file + ": measured from " + format_number(curve.time.front()) +
                               " to " + format_number(curve.time.back()) + " s, the case runs from 0 to " +
                               format_number(end) +
                               " s; expected a time.end that is not earlier, or a window");
  }
}

/// Measured curves: of the cases that `reference` is of, each problem once.
void check_measured(const Study& study, const Cases& cases, const Reference& reference,
                    const std::vector<int>& measures, Problems* problems) {
  if (reference.kind != ReferenceKind::kMeasured) return;
  for (const int m : sources_of(study, measures)) {
    const Measure& measure = study.measures[static_cast<std::size_t>(m)];
    if (measure.spec.reduce == Reduction::kDifference && reference.measured.columns.count(measure.name) == 0)
      problems->push_back({reference.path + ".columns",
                           "none of measure " + measure.name + ", the difference to the measured curve"});
  }
  MeasuredReader reader;
  std::set<std::string> told;
  for (int c = 0; c < cases.num_varied; ++c) {
    const Case& one = cases.cases[static_cast<std::size_t>(c)];
    try {
      check_measured_case(study, cases, one, reference_of_case(study, reference, one.values).measured,
                          &reader);
    } catch (const std::exception& error) {
      if (told.insert(error.what()).second)
        problems->push_back({reference.path, "case " + std::to_string(c) + ": " + error.what()});
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

void check_cases(const Study& study, const Cases& cases, Problems* problems) {
  check_curves(study, cases, problems);
  std::vector<int> all;
  for (std::size_t m = 0; m < study.measures.size(); ++m) all.push_back(static_cast<int>(m));
  const auto check_reference = [&](const Reference& reference, const std::vector<int>& measures) {
    check_files(study, cases, reference, measures, problems);
    check_measured(study, cases, reference, measures, problems);
  };
  check_reference(study.reference, all);
  for (const Analysis& analysis : study.analyses) check_reference(analysis.reference, analysis.measures);
  check_gates(study, cases, problems);
}

}  // namespace csim
