// Solves a problem of friction by the method asked for, and says how it went.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "solver/friction/friction_residual.h"

namespace csim {

/// kAuto: interior point, then sweeps and Newton's method from the best impulses so far. Interior point: its
/// last digits are Newton's method's, since the cones' boundaries round it off near 1e-7.
enum class FrictionMethod { kAuto, kInteriorPoint, kNewton, kGaussSeidel };
inline constexpr std::string_view kFrictionMethodNames[] = {"auto", "interior_point", "newton",
                                                            "gauss_seidel"};

struct FrictionOptions {
  FrictionMethod method = FrictionMethod::kAuto;
  double tolerance = 1e-8;                 // of both residuals (FrictionResidual)
  std::optional<int> max_iterations = {};  // of each part; none: 200, and 20000 sweeps
};

/// One method's part of a solution.
struct FrictionPart {
  FrictionMethod method = FrictionMethod::kAuto;
  std::vector<double> residuals;  // of each iterate that was judged, its start first
  int iterations = 0;             // sweeps of Gauss-Seidel
};

struct FrictionSolution {
  VectorX r, u;  // [rows]
  FrictionResidual residual;
  bool converged = false;
  std::string message;  // why not: what was reached, where; "" when converged
  std::vector<FrictionPart> parts;

  [[nodiscard]] int iterations() const {
    int sum = 0;
    for (const FrictionPart& part : parts) sum += part.iterations;
    return sum;
  }
};

/// The best impulses that were found, by the residual of the problem itself. The same bits every time.
[[nodiscard]] FrictionSolution solve_friction(const FrictionProblem& problem, const FrictionOptions& options);

}  // namespace csim
