// The cases of a study: complete scenes, each with an id that depends on the scene alone.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/diagnostics.h"
#include "study/study.h"
#include "study/time_grid.h"

namespace csim {

enum class CaseRole { kCase, kReference, kCoRefine };

[[nodiscard]] const char* to_string(CaseRole role);  // "case", "reference", "co_refine"

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
  std::vector<std::string> files;  // absolute, that the scenes read, each once

  /// Ladders of an analysis that meet a condition.
  [[nodiscard]] std::vector<const Ladder*> ladders_of(int analysis, const Assignment& where) const;
};

/// KEY=VALUE of each key of a case, as --set takes them: `set`, then the case's own.
[[nodiscard]] std::vector<std::string> overrides_of(const Study& study, const Assignment& values);

/// Expands the study, reads and checks the scene of every case, and checks what the measures, analyses and
/// gates ask of them. Cases of one id are one: the first. Problems go to *diagnostics, each once, at their
/// places in the study or the scene; then there are no cases.
[[nodiscard]] std::optional<Cases> list_cases(const Study& study, Diagnostics* diagnostics);

}  // namespace csim
