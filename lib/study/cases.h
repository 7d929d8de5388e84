// The cases of a study: complete scenes, each with an id that depends on the scene alone.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/diagnostics.h"
#include "study/measure.h"
#include "study/study.h"
#include "study/time_grid.h"

namespace csim {

enum class CaseRole { kCase, kReference, kCoRefine, kCandidate };

/// "case", "reference", "co_refine", "candidate".
[[nodiscard]] const char* to_string(CaseRole role);

struct Case {
  int index = 0;
  std::string id;  // 12 hexadecimal digits
  CaseRole role = CaseRole::kCase;
  Assignment values;  // of the varied keys, and of what a reference or a co_refine changes beside them
  TimeGrid times;
};

/// Cases that differ in one refined key, and in what goes with it in lockstep.
struct Ladder {
  int analysis = 0;
  Assignment where;             // values of the other varied keys
  std::vector<int> rungs;       // cases, the coarsest first: of falling h
  std::vector<double> h;        // of each rung
  std::vector<int> references;  // case of each rung's reference; -1: the reference is no case
  int co_refined = -1;          // the finest rung again, with `co_refine`
};

struct Cases {
  std::vector<Case> cases;  // those of `vary` first, then references, then those of co_refine
  int num_varied = 0;
  std::vector<int> references;     // of each case, by the study's `reference`; -1: none that is a case
  std::vector<Ladder> ladders;     // of all analyses, in their order
  std::vector<std::string> units;  // of each measure
  std::vector<RowShape> shapes;    // likewise; of expressions that of a scalar
  std::vector<std::string> files;  // absolute, that the scenes read, each once

  /// Ladders of an analysis that meet a condition.
  [[nodiscard]] std::vector<const Ladder*> ladders_of(int analysis, const Assignment& where) const;
};

/// Expands the study, reads and checks the scene of every case, and checks what the measures, analyses and
/// gates ask of them. Cases of one id with one reference are one: the first. Problems go to *diagnostics,
/// each once, at their places in the study or the scene; then there are no cases. Throws Interrupted
/// (run/signals.h).
[[nodiscard]] std::optional<Cases> list_cases(const Study& study, Diagnostics* diagnostics);

/// What is wrong with the values of a study's keys and with its measures, found in the scenes of about a
/// hundred cases at most: for a study that has other problems, which are not to wait for all its cases. Each
/// row of each entry of `vary` is tried with the first rows of the others. What further rows bring, and rows
/// together, list_cases finds when the other problems are mended. No entry of `vary` may be empty. Problems
/// go to *diagnostics, each once, at their places in the study or the scene. Throws Interrupted
/// (run/signals.h).
void check_some_scenes(const Study& study, Diagnostics* diagnostics);

/// Cases of a study with other values, and which of them is which.
struct ChangedCases {
  Cases cases;                           // the changed ones, then the references of the study
  std::vector<std::vector<int>> places;  // [changes, which]: index into cases
};

/// The cases `which` of `all` with each of `changes`. The reference of a changed case is that of the case.
/// Problems go to *diagnostics; then there are no cases. Throws Interrupted (run/signals.h).
[[nodiscard]] std::optional<ChangedCases> change_cases(const Study& study, const Cases& all,
                                                       const std::vector<int>& which,
                                                       const std::vector<Assignment>& changes,
                                                       Diagnostics* diagnostics);

}  // namespace csim
