// The least value of a function of which no derivatives are known, within a box. Methods of NLopt (S. G.
// Johnson), which are deterministic: Powell's BOBYQA (quadratic models), the simplex of Nelder & Mead,
// Rowan's Subplex.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "study/fit_options.h"

namespace csim {

struct MinimizeOptions {
  FitMethod method = FitMethod::kBobyqa;
  double tolerance = 1.0e-5;  // of each coordinate
  int max_evaluations = 200;
};

struct Minimum {
  std::vector<double> x;  // of the least value found
  double value = 0.0;
  int evaluations = 0;
  bool converged = false;  // to the tolerance, within max_evaluations
  bool stopped = false;    // the function gave no value
};

/// Nothing ends the search.
using BoxFunction = std::function<std::optional<double>(const std::vector<double>&)>;

/// A local minimum of `function` in [0, 1]^n from `start`, whose first steps are 0.1 long.
[[nodiscard]] Minimum minimize_in_box(const BoxFunction& function, const std::vector<double>& start,
                                      const MinimizeOptions& options);

}  // namespace csim
