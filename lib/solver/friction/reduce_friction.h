// Elimination of the bodies' velocities from a problem of friction.
#pragma once

#include <optional>

#include "solver/friction/friction_problem.h"

namespace csim {

/// W = H^T M^-1 H, q = w + H^T M^-1 f, by a sparse factorisation of M. No value: M is singular.
[[nodiscard]] std::optional<FrictionProblem> reduce(const GlobalFrictionProblem& problem);

/// v = M^-1 (H r + f), one step of iterative refinement; M must be regular.
[[nodiscard]] VectorX motion(const GlobalFrictionProblem& problem, const VectorX& r);

}  // namespace csim
