// Linear prediction of velocities from earlier ones.
#pragma once

#include <array>

#include "solver/iterate.h"

namespace csim {

/// Largest order of a recurrence.
inline constexpr int kMaxOrder = 4;

/// A linear recurrence v_n = c_1 v_(n-1) + .. + c_m v_(n-m) with one set of coefficients for all rows of an
/// island. Motion that is smooth, decays, or swings with a period of some steps, or several of these at once,
/// obeys one of low order: (x - 1)^2 of its characteristic polynomial is a velocity that changes evenly, x +
/// 1 a swing from step to step, x^4 - 1 one of period four.
struct VelocityRecurrence {
  int order = 0;                              // the largest that the velocities determine
  double coefficients[kMaxOrder][kMaxOrder];  // of the order i + 1 in row i: c_1, c_2, ..
};

/// The recurrences of order 1, 2, .. that fit the velocities in iterate->v best by those in
/// iterate->v_before, in the norm |v/scale|, scale = diag(A)^(-1/2): least squares by Gram and Schmidt's
/// orthogonalisation, twice. `work`: [nv of the problem] each.
VelocityRecurrence fit_recurrence(const ConvexProblem& problem, const Island& island, const Iterate& iterate,
                                  std::array<VectorX, kMaxOrder + 1>* work);

}  // namespace csim
