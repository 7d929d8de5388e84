// What a fit finds, and how: keys of the scene with bounds, the method that minimises, the cases it goes by.
#pragma once

#include <string>
#include <vector>

#include "study/assignment.h"

namespace csim {

enum class FitMethod { kBobyqa, kNelderMead, kSubplex };

/// A key of the scene that a fit changes. Its place is u in [0, 1]: low + u (high - low), or on a logarithmic
/// scale low (high/low)^u.
struct FitKey {
  std::string key;
  double low = 0.0, high = 1.0;
  bool is_log = false;
  Mark key_mark, bounds_mark;
};

/// Cases by the values of varied keys, or every N-th.
struct FitSelection {
  bool is_given = false;
  Assignment where;
  int every = 0;     // the N-th, 2N-th, .. case; 0: those of `where`
  std::string path;  // key path in the study file
};

struct FitOptions {
  std::vector<FitKey> keys;
  std::vector<double> weights;  // of the measures of the analysis
  FitSelection train, test;
  int starts = 3;
  long seed = 1;
  int evaluations = 200;      // of each start, at most
  double tolerance = 1.0e-5;  // of the places u
  FitMethod method = FitMethod::kBobyqa;
};

/// The value of a key at a place, to 12 significant digits and within its bounds.
[[nodiscard]] double value_at(const FitKey& key, double place);

/// The same as it is, beyond the bounds too: ends of intervals.
[[nodiscard]] double unbounded_value_at(const FitKey& key, double place);

}  // namespace csim
