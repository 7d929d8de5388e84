// Which method an island gets: Newton's, the interior point with Newton's to finish, or one after the other.
#pragma once

#include "solver/method/interior_point.h"

namespace csim {

/// Minimises ell over the island's rows of iterate->v by options.method. Laws with cones, SAP and Similar,
/// start from the guess of least ell: the velocities v0 in iterate->v, or what a linear recurrence fitted to
/// them and to those of earlier steps continues with. Calm motion is smooth; and the gap that these laws keep
/// open under a sliding contact, mu dt |v_t| of the step before, can make it swing with a period of two or
/// four steps. The other laws start from v0 and need nothing better.
///
/// Lagged, in islands of options.edges_of_prediction and more, turns to the interior point where the active
/// set changes much in the first step of Newton's method (`auto`). It needs no memory.
///
/// `auto` asks Newton's method first, which is the faster one for the 1 to 5 iterations of calm motion, and
/// turns to the interior point, from where it got to, when kNewtonTrial iterations were not enough. Where it
/// failed of late (next_position) it is not asked. Newton's method always has the last word.
void solve_island(const ConvexProblem& problem, const Island& island, const NewtonOptions& options,
                  NewtonColumns* columns, InteriorPointColumns* cone_columns, Iterate* iterate,
                  IslandSolve* solve);

/// The memory of `auto` over steps, a position in a fixed course: Newton's method is tried at 0; after a
/// failure the interior point is asked first in the next 1 step, then Newton's is tried again, then 2, 4, 8,
/// 8, .. steps. A success of Newton's method leads back to 0. Every tree has a position, that of its island,
/// which is the largest of its trees'. The positions are part of the state of a simulation.
[[nodiscard]] bool asks_interior_point_first(long position);
[[nodiscard]] long next_position(long position, bool newton_failed);

}  // namespace csim
