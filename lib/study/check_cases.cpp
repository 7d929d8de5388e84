#include "study/check_cases.h"

#include <algorithm>
#include <exception>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace csim {
namespace {

/// Whether the rows of two cases stand at the same times; each pair of grids is compared once, and the times
/// of the last grid of either side are kept: those of a reference serve many cases.
class SameTimes {
 public:
  bool operator()(const TimeGrid& a, const TimeGrid& b) {
    const auto [known, is_new] = known_.try_emplace({key(a), key(b)}, false);
    if (is_new) known->second = are_same_times(of(a, &last_a_), of(b, &last_b_));
    return known->second;
  }

 private:
  using Key = std::tuple<bool, double, double, double>;
  using Times = std::pair<TimeGrid, std::vector<double>>;

  static Key key(const TimeGrid& grid) { return {grid.by_time, grid.step, grid.period, grid.end}; }

  static const std::vector<double>& of(const TimeGrid& grid, std::optional<Times>* last) {
    if (!*last || !((*last)->first == grid)) last->emplace(grid, frame_times(grid));
    return (*last)->second;
  }

  std::map<std::pair<Key, Key>, bool> known_;
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

/// The measures of a reference file: all for the study's, an analysis' own for its.
void check_file(const Study& study, const Cases& cases, const Reference& reference,
                const std::vector<int>& measures, Problems* problems) {
  if (reference.kind != ReferenceKind::kFile) return;
  try {
    const ResultFile result(reference.file);
    const ResultLayout layout = layout_of(result);
    const std::vector<double> times = result.real("/trajectory/time");
    for (const int m : sources_of(study, measures)) {
      const Measure& measure = study.measures[static_cast<std::size_t>(m)];
      if (const auto fault = check_measure(measure.spec, layout)) {
        problems->push_back(
            {reference.path, reference.file + ": measure " + measure.name + ": " + fault->message});
      } else if (measure.spec.reduce == Reduction::kDifference && !is_of_steps(measure)) {
        const TimeGrid* good = nullptr;  // the last one: mostly that of all
        const auto other = std::find_if(cases.cases.begin(), cases.cases.end(), [&](const Case& one) {
          if (good != nullptr && *good == one.times) return false;
          good = &one.times;
          return !are_same_times(frame_times(one.times), times);
        });
        if (other != cases.cases.end())
          problems->push_back({reference.path, reference.file + ": has its rows at other times than case " +
                                                   std::to_string(other->index) + ", which measure " +
                                                   measure.name + " compares with it"});
      }
    }
  } catch (const std::exception& error) {
    problems->push_back({reference.path, error.what()});
  }
}

void check_gates(const Study& study, const Cases& cases, Problems* problems) {
  for (const Gate& gate : study.gates) {
    bool met = false;
    if (gate.analysis >= 0) {
      met = !cases.ladders_of(gate.analysis, gate.where).empty();
    } else {
      for (int c = 0; c < cases.num_varied; ++c)
        met = met || meets(cases.cases[static_cast<std::size_t>(c)].values, gate.where);
    }
    if (!met)
      problems->push_back(
          {gate.path + ".where", std::string("meets no ") + (gate.analysis >= 0 ? "ladder" : "case") +
                                     ", expected values as under `vary`" +
                                     (gate.analysis >= 0 ? ", without the refined key" : "")});
  }
}

}  // namespace

void check_cases(const Study& study, const Cases& cases, Problems* problems) {
  check_curves(study, cases, problems);
  std::vector<int> all;
  for (std::size_t m = 0; m < study.measures.size(); ++m) all.push_back(static_cast<int>(m));
  check_file(study, cases, study.reference, all, problems);
  for (const Analysis& analysis : study.analyses)
    check_file(study, cases, analysis.reference, analysis.measures, problems);
  check_gates(study, cases, problems);
}

}  // namespace csim
