// Where several velocities solve a quasistatic step equally well, the one of least kinetic energy is taken:
// it has the symmetries of the scene. Without it rounding errors of the forces, divided by the small weight
// `choice`, decide.
#pragma once

#include "solver/quasistatic/quasistatic_interior_point.h"

namespace csim {

/// An impulse below this part of the largest does not decide between velocities: it is the rounding of
/// positions, divided by lengths of bodies. A row that it holds may open, which leaves a complementarity of
/// as much, well below `integrator.tolerance`.
inline constexpr double kUndecided = 1e-10;

/// Fills *choice with the problem of the way d [nv] from the velocities of *solution to those of least norm
/// |v + d| in the metric of the coordinates with `choice` (masses of passive ones), among all velocities that
/// the impulses of the solution allow: rows that press hold, the others stay >= 0, other coordinates keep
/// their velocities. Any velocity that satisfies this with the impulses of one solution is another solution.
/// A friction cone inside which its impulse lies holds with all its rows; on its boundary slip may only
/// change its speed. False where there is nothing to choose.
bool build_choice(const QuasistaticProblem& problem, double load, const QuasistaticSolution& solution,
                  std::vector<double>* work, QuasistaticProblem* choice);

}  // namespace csim
