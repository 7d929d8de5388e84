#include "study/cases.h"

#include <algorithm>
#include <map>
#include <span>
#include <unordered_map>

#include "run/signals.h"
#include "study/case_maker.h"
#include "study/check_cases.h"
#include "study/fit_candidates.h"
#include "study/ladders.h"

namespace csim {
namespace {

constexpr std::size_t kMostCases = 1000000;
// Of a study that is wrong anyway: enough for the rows that people write by hand, and soon read.
constexpr std::size_t kMostChecked = 100;

bool is_skipped(const Study& study, const Assignment& values) {
  return std::any_of(study.skip.begin(), study.skip.end(),
                     [&](const Assignment& skipped) { return meets(values, skipped); });
}

/// The product of the entries of `vary`, the first varies slowest, without what is skipped.
std::vector<Assignment> expand(const Study& study, Problems* problems) {
  std::size_t count = 1;
  for (const Vary& entry : study.vary) count = std::min(count * entry.rows.size(), kMostCases + 1);
  if (count > kMostCases) {
    problems->push_back({"vary", "more than " + std::to_string(kMostCases) + " cases, expected fewer"});
    return {};
  }
  std::vector<Assignment> all{{}};
  for (const Vary& entry : study.vary) {  // no key stands in two of them
    std::vector<Assignment> longer;
    longer.reserve(all.size() * entry.rows.size());
    for (const Assignment& begin : all) {
      stop_when_asked();
      for (const Assignment& row : entry.rows) {
        Assignment& values = longer.emplace_back();
        values.reserve(begin.size() + row.size());
        values.insert(values.end(), begin.begin(), begin.end());
        values.insert(values.end(), row.begin(), row.end());
      }
    }
    all = std::move(longer);
  }
  for (std::size_t s = 0; s < study.skip.size(); ++s) {
    if (std::none_of(all.begin(), all.end(), [&](const Assignment& a) { return meets(a, study.skip[s]); }))
      problems->push_back({"skip." + std::to_string(s), "meets no case, expected values as under `vary`"});
  }
  std::erase_if(all, [&](const Assignment& a) { return is_skipped(study, a); });
  if (all.empty()) problems->push_back({"skip", "leaves no case"});
  return all;
}

/// Cases in which each row of each entry of `vary` stands once, with the first rows of the others; the
/// entries take turns, until there are kMostChecked.
std::vector<Assignment> some_of_each_entry(const Study& study) {
  Assignment first;
  std::size_t num_rows = 0;
  for (const Vary& entry : study.vary) {
    first = with_changes(std::move(first), entry.rows.front());
    num_rows = std::max(num_rows, entry.rows.size());
  }
  std::vector<Assignment> some{first};
  for (std::size_t r = 1; r < num_rows && some.size() < kMostChecked; ++r)
    for (const Vary& entry : study.vary)
      if (r < entry.rows.size()) some.push_back(with_changes(first, entry.rows[r]));
  std::erase_if(some, [&](const Assignment& values) { return is_skipped(study, values); });
  return some;
}

/// Of each case of `vary` the index of its reference, which is made.
std::vector<int> make_references(const Reference& reference, int num_varied, CaseMaker* maker) {
  std::vector<int> references(static_cast<std::size_t>(num_varied), -1);
  if (reference.kind != ReferenceKind::kCase) return references;
  std::vector<Assignment> all;  // each once: those of a ladder are mostly the same
  std::unordered_map<std::string, int> known;
  for (std::size_t c = 0; c < references.size(); ++c) {
    Assignment values = with_changes(maker->cases()[c].values, reference.changes);
    const auto [place, is_new] = known.try_emplace(describe(values), static_cast<int>(all.size()));
    if (is_new) all.push_back(std::move(values));
    references[c] = place->second;
  }
  const std::vector<int> indices = maker->make(std::move(all), CaseRole::kReference);
  for (int& one : references) one = indices[static_cast<std::size_t>(one)];
  return references;
}

/// With `reference: finest` the study's reference of a case is that of its first ladder.
void take_finest(const Study& study, Cases* cases) {
  if (study.reference.kind != ReferenceKind::kFinest) return;
  for (const Ladder& ladder : cases->ladders) {
    if (study.analyses[static_cast<std::size_t>(ladder.analysis)].reference.kind != ReferenceKind::kNone)
      continue;
    for (std::size_t i = 0; i < ladder.rungs.size(); ++i) {
      int& reference = cases->references[static_cast<std::size_t>(ladder.rungs[i])];
      if (reference < 0) reference = ladder.references[i];
    }
  }
}

/// All ladders, and a finer solve of the finest rung of each that asks for it.
void make_ladders(const Study& study, const std::vector<int>& study_references, CaseMaker* maker,
                  Problems* problems, Cases* cases) {
  std::vector<std::vector<int>> references;
  for (const Analysis& analysis : study.analyses) {
    const bool own = analysis.reference.kind == ReferenceKind::kCase;
    const bool none = analysis.reference.kind != ReferenceKind::kNone && !own;
    references.push_back(own    ? make_references(analysis.reference, cases->num_varied, maker)
                         : none ? std::vector<int>(study_references.size(), -1)
                                : study_references);
  }
  const std::span<const Case> varied(maker->cases().data(), study_references.size());
  for (std::size_t a = 0; a < study.analyses.size(); ++a) {
    if (study.analyses[a].type != AnalysisType::kConvergence) continue;
    const std::vector<Ladder> ladders =
        build_ladders(study, static_cast<int>(a), varied, references[a], problems);
    cases->ladders.insert(cases->ladders.end(), ladders.begin(), ladders.end());
  }
  std::vector<Assignment> refined;
  std::vector<Ladder*> of;
  for (Ladder& ladder : cases->ladders) {
    const Assignment& changes = study.analyses[static_cast<std::size_t>(ladder.analysis)].co_refine;
    if (changes.empty() || ladder.rungs.empty()) continue;
    refined.push_back(with_changes(varied[static_cast<std::size_t>(ladder.rungs.back())].values, changes));
    of.push_back(&ladder);
  }
  const std::vector<int> indices = maker->make(std::move(refined), CaseRole::kCoRefine);
  for (std::size_t i = 0; i < of.size(); ++i) of[i]->co_refined = indices[i];
}

}  // namespace

const char* to_string(CaseRole role) {
  constexpr const char* kNames[] = {"case", "reference", "co_refine", "candidate"};
  return kNames[static_cast<int>(role)];
}

std::vector<const Ladder*> Cases::ladders_of(int analysis, const Assignment& where) const {
  std::vector<const Ladder*> found;
  for (const Ladder& ladder : ladders) {
    if (ladder.analysis == analysis && meets(ladder.where, where)) found.push_back(&ladder);
  }
  return found;
}

std::optional<ChangedCases> change_cases(const Study& study, const Cases& all, const std::vector<int>& which,
                                         const std::vector<Assignment>& changes, Diagnostics* diagnostics) {
  ChangedCases changed;
  CaseMaker maker(study, diagnostics);
  std::vector<Assignment> values;
  for (const Assignment& change : changes)
    for (const int index : which)
      values.push_back(with_changes(all.cases[static_cast<std::size_t>(index)].values, change));
  const std::vector<int> indices = maker.make(std::move(values), CaseRole::kCandidate);
  if (!diagnostics->empty()) return std::nullopt;
  std::vector<int> origins;  // of each new case the first that it is made of
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (i % which.size() == 0) changed.places.emplace_back();
    changed.places.back().push_back(indices[i]);
    if (indices[i] == static_cast<int>(origins.size())) origins.push_back(which[i % which.size()]);
  }
  Cases& cases = changed.cases;
  cases.cases = maker.take();
  cases.num_varied = static_cast<int>(cases.cases.size());
  cases.units = all.units;
  cases.shapes = all.shapes;
  std::map<int, int> copies;
  for (const int origin : origins) {
    const int reference = all.references[static_cast<std::size_t>(origin)];
    if (reference >= 0 && copies.count(reference) == 0) {
      copies[reference] = static_cast<int>(cases.cases.size());
      cases.cases.push_back(all.cases[static_cast<std::size_t>(reference)]);
      cases.cases.back().index = copies[reference];
    }
    cases.references.push_back(reference >= 0 ? copies[reference] : -1);
  }
  cases.references.resize(cases.cases.size(), -1);
  return changed;
}

void check_some_scenes(const Study& study, Diagnostics* diagnostics) {
  CaseMaker(study, diagnostics).make(some_of_each_entry(study), CaseRole::kCase);
}

std::optional<Cases> list_cases(const Study& study, Diagnostics* diagnostics) {
  Problems problems;
  CaseMaker maker(study, diagnostics);
  maker.make(expand(study, &problems), CaseRole::kCase);
  for (const Problem& problem : problems) maker.report(problem);
  if (!diagnostics->empty()) return std::nullopt;

  Cases cases;
  cases.num_varied = static_cast<int>(maker.cases().size());
  cases.references = make_references(study.reference, cases.num_varied, &maker);
  make_ladders(study, cases.references, &maker, &problems, &cases);
  take_finest(study, &cases);
  cases.units = maker.units();
  cases.shapes = maker.shapes();
  cases.files = maker.files();
  cases.cases = maker.take();
  cases.references.resize(cases.cases.size(), -1);
  if (diagnostics->empty() && problems.empty()) {
    check_cases(study, cases, &problems, diagnostics);
    check_fits(study, cases, &problems, diagnostics);
  }
  for (const Problem& problem : problems) maker.report(problem);
  if (!diagnostics->empty()) return std::nullopt;
  return cases;
}

}  // namespace csim
