#include "study/cases.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "core/sha256.h"
#include "scene/yaml/yaml_writer.h"
#include "study/case_id.h"
#include "study/check_cases.h"
#include "study/fit_candidates.h"
#include "study/ladders.h"
#include "study/reference_keys.h"

namespace csim {
namespace {

constexpr std::size_t kMostCases = 1000000;

/// Makes cases of assignments; cases of one id are one.
class CaseMaker {
 public:
  CaseMaker(const Study& study, Diagnostics* diagnostics) : study_(study), diagnostics_(diagnostics) {}

  /// The index of the case, or -1 after a report.
  int make(const Assignment& values, CaseRole role) {
    Diagnostics found;
    const auto loaded = load_scene(study_.scene, overrides_of(study_, values), &found);
    if (!loaded) {
      report(found, values);
      return -1;
    }
    const std::string id =
        case_id(identity_text(*loaded, [this](const std::string& file) { return digest_of(file); }));
    // Repeated measurements of one experiment are cases of one scene.
    const auto [place, is_new] =
        index_.try_emplace(id + describe(reference_values(values)), static_cast<int>(cases_.size()));
    if (!is_new) return place->second;
    Case one{place->second, id, role, values, time_grid(loaded->read.scene)};
    check_measures(*loaded, one);
    cases_.push_back(std::move(one));
    return place->second;
  }

  [[nodiscard]] const std::vector<Case>& cases() const { return cases_; }
  [[nodiscard]] std::vector<Case> take() { return std::move(cases_); }
  [[nodiscard]] std::vector<std::string> units() const { return units_; }
  [[nodiscard]] std::vector<RowShape> shapes() const { return shapes_; }
  /// The files that the scenes read.
  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> files;
    for (const auto& [file, digest] : digests_) files.push_back(file);
    return files;
  }

  /// Reports a problem of the study once.
  void report(const Problem& problem) { add(study_.source.locate(problem)); }

 private:
  /// Files of meshes are the same in most cases.
  std::string digest_of(const std::string& file) {
    const auto [place, is_new] = digests_.try_emplace(file);
    if (is_new) place->second = sha256_of_file(file).value_or("");
    return place->second;
  }

  void check_measures(const LoadedScene& loaded, const Case& one) {
    const ResultLayout layout = layout_of(loaded.read.scene, loaded.model);
    std::vector<std::string> units;
    std::vector<RowShape> shapes;
    for (const Measure& measure : study_.measures) {
      if (measure.expression) {
        units.push_back(measure.units);
        shapes.emplace_back();
        continue;
      }
      const std::optional<MeasureFault> fault = check_measure(measure.spec, layout);
      units.push_back(fault ? "" : measure_unit(measure.spec, layout));
      shapes.push_back(fault ? RowShape{} : row_shape(measure.spec, layout));
      if (fault && faults_.insert(measure.name + fault->message).second)
        report({measure.path + "." + fault->part,
                fault->message + (one.index == 0 ? "" : " (case " + std::to_string(one.index) + ")")});
    }
    if (units_.empty()) units_ = units, shapes_ = shapes;
  }

  /// Problems of a scene, at the place in the study whose key brings them, else in the scene.
  void report(const Diagnostics& found, const Assignment& values) {
    const Assignment all = with_changes(study_.set, values);
    for (const Diagnostic& one : found) {
      const std::string prefix = "--set ";
      const KeyValue* cause =
          one.file.starts_with(prefix) ? find_key(all, one.file.substr(prefix.size())) : nullptr;
      if (cause == nullptr) {
        add(one);
        continue;
      }
      const bool at_key = one.column <= static_cast<int>(cause->key.size());
      const std::string value = at_key ? "" : " (" + cause->key + ": " + write_flow(cause->value) + ")";
      add(study_.source.at(at_key ? cause->key_mark : cause->value.mark, one.path, one.message + value));
    }
  }

  void add(const Diagnostic& one) {
    if (told_.insert({one.file, one.line, one.column, one.path + one.message}).second)
      diagnostics_->push_back(one);
  }

  const Study& study_;
  Diagnostics* diagnostics_;
  std::vector<Case> cases_;
  std::map<std::string, int> index_;  // by id and what is said of the reference
  std::map<std::string, std::string> digests_;
  std::vector<std::string> units_;
  std::vector<RowShape> shapes_;
  std::set<std::tuple<std::string, int, int, std::string>> told_;
  std::set<std::string> faults_;
};

/// The product of the entries of `vary`, the first varies slowest, without what is skipped.
std::vector<Assignment> expand(const Study& study, Problems* problems) {
  std::size_t count = 1;
  for (const Vary& entry : study.vary) count = std::min(count * entry.rows.size(), kMostCases + 1);
  if (count > kMostCases) {
    problems->push_back({"vary", "more than " + std::to_string(kMostCases) + " cases, expected fewer"});
    return {};
  }
  std::vector<Assignment> all{{}};
  for (const Vary& entry : study.vary) {
    std::vector<Assignment> longer;
    for (const Assignment& begin : all) {
      for (const Assignment& row : entry.rows) longer.push_back(with_changes(begin, row));
    }
    all = std::move(longer);
  }
  for (std::size_t s = 0; s < study.skip.size(); ++s) {
    if (std::none_of(all.begin(), all.end(), [&](const Assignment& a) { return meets(a, study.skip[s]); }))
      problems->push_back({"skip." + std::to_string(s), "meets no case, expected values as under `vary`"});
  }
  std::erase_if(all, [&](const Assignment& a) {
    return std::any_of(study.skip.begin(), study.skip.end(),
                       [&](const Assignment& skipped) { return meets(a, skipped); });
  });
  if (all.empty()) problems->push_back({"skip", "leaves no case"});
  return all;
}

/// Of each case of `vary` the index of its reference, which is made.
std::vector<int> make_references(const Reference& reference, const std::vector<Case>& varied,
                                 CaseMaker* maker) {
  std::vector<int> references;
  for (const Case& one : varied) {
    const bool is_case = reference.kind == ReferenceKind::kCase;
    references.push_back(
        is_case ? maker->make(with_changes(one.values, reference.changes), CaseRole::kReference) : -1);
  }
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
void make_ladders(const Study& study, const std::vector<Case>& varied,
                  const std::vector<int>& study_references, CaseMaker* maker, Problems* problems,
                  Cases* cases) {
  std::vector<std::vector<int>> references;
  for (const Analysis& analysis : study.analyses) {
    const bool own = analysis.reference.kind == ReferenceKind::kCase;
    const bool none = analysis.reference.kind != ReferenceKind::kNone && !own;
    references.push_back(own    ? make_references(analysis.reference, varied, maker)
                         : none ? std::vector<int>(varied.size(), -1)
                                : study_references);
  }
  for (std::size_t a = 0; a < study.analyses.size(); ++a) {
    if (study.analyses[a].type != AnalysisType::kConvergence) continue;
    const std::vector<Ladder> ladders =
        build_ladders(study, static_cast<int>(a), varied, references[a], problems);
    cases->ladders.insert(cases->ladders.end(), ladders.begin(), ladders.end());
  }
  for (Ladder& ladder : cases->ladders) {
    const Assignment& changes = study.analyses[static_cast<std::size_t>(ladder.analysis)].co_refine;
    if (changes.empty() || ladder.rungs.empty()) continue;
    const Case& finest = varied[static_cast<std::size_t>(ladder.rungs.back())];
    ladder.co_refined = maker->make(with_changes(finest.values, changes), CaseRole::kCoRefine);
  }
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
  std::vector<int> origins;  // of each new case the first that it is made of
  for (const Assignment& change : changes) {
    changed.places.emplace_back();
    for (const int index : which) {
      const Case& origin = all.cases[static_cast<std::size_t>(index)];
      changed.places.back().push_back(maker.make(with_changes(origin.values, change), CaseRole::kCandidate));
      if (maker.cases().size() > origins.size()) origins.push_back(index);
    }
  }
  if (!diagnostics->empty()) return std::nullopt;
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

std::optional<Cases> list_cases(const Study& study, Diagnostics* diagnostics) {
  Problems problems;
  CaseMaker maker(study, diagnostics);
  for (const Assignment& values : expand(study, &problems))
    static_cast<void>(maker.make(values, CaseRole::kCase));
  for (const Problem& problem : problems) maker.report(problem);
  if (!diagnostics->empty()) return std::nullopt;

  Cases cases;
  const std::vector<Case> varied = maker.cases();
  cases.num_varied = static_cast<int>(varied.size());
  cases.references = make_references(study.reference, varied, &maker);
  make_ladders(study, varied, cases.references, &maker, &problems, &cases);
  take_finest(study, &cases);
  cases.units = maker.units();
  cases.shapes = maker.shapes();
  cases.files = maker.files();
  cases.cases = maker.take();
  cases.references.resize(cases.cases.size(), -1);
  if (diagnostics->empty() && problems.empty()) {
    check_cases(study, cases, &problems);
    check_fits(study, cases, &problems, diagnostics);
  }
  for (const Problem& problem : problems) maker.report(problem);
  if (!diagnostics->empty()) return std::nullopt;
  return cases;
}

}  // namespace csim
