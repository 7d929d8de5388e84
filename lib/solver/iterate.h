// The unknowns of a solve, kept apart from the solver's work space.
#pragma once

#include "problem/convex_problem.h"

namespace csim {

/// Velocities and what a law keeps per contact within one step.
struct Iterate {
  VectorX v;  // [nv of the problem]; in: the guess; out: the best iterate
  Vector3Columns
      dual;  // [contacts], dual direction of the friction (laws with has_dual), started at 0 in every solve
};

}  // namespace csim
