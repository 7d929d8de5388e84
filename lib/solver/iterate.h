// The unknowns of a solve, kept apart from the solver's work space.
#pragma once

#include <vector>

#include "problem/convex_problem.h"
#include "solver/method/cone_vectors.h"

namespace csim {

/// What velocities that are foretold from earlier ones, and forces at them, may leave, of the tolerance:
/// their error is the same from step to step, and its work adds up.
inline constexpr double kForetold = 0.01;

/// Velocities and what a law keeps per contact within one step.
struct Iterate {
  VectorX v;  // [nv of the problem]; in: the guess; out: the best iterate
  /// Empty or any number of [nv of the problem]: the velocities one, two, .. steps before the guess, for the
  /// prediction of SAP and Similar.
  std::vector<VectorX> v_before;
  /// [trees of the model] or empty: the history of MethodKind::kAuto, see next_position.
  std::vector<long> history;
  /// [trees of the model] or empty: the velocities of the guess are foretold from earlier ones. Newton's
  /// method asks more of them (kForetold), and clears the mark once it has moved them.
  std::vector<char> is_foretold;
  /// [contacts], dual direction of the friction (laws with has_dual), started at 0 in every solve.
  Vector3Columns dual;
  /// [contacts], slack and impulse of the interior point (laws with cones), started anew in every solve.
  ConeVectors s, lambda;
};

}  // namespace csim
