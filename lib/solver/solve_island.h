// Which method an island gets: Newton's, the interior point with Newton's to finish, or one after the other.
#pragma once

#include "solver/interior_point.h"

namespace csim {

/// Minimises ell over the island's rows of iterate->v by options.method. `auto` asks Newton's method first
/// (unless options.interior_point_first), which is the faster one for the 1 to 5 iterations of calm motion,
/// and turns to the interior point, from where it got to, when kNewtonTrial iterations were not enough.
/// Newton's method always has the last word; where that takes long the interior point gets nearer.
void solve_island(const ConvexProblem& problem, const Island& island, const NewtonOptions& options,
                  NewtonColumns* columns, InteriorPointColumns* cone_columns, Iterate* iterate,
                  IslandSolve* solve);

/// The memory of `auto` over steps, a position in a fixed course: Newton's method is tried at 0; after a
/// failure the interior point is asked first in the next 1 step, then Newton's is tried again, then 2, 4, 8,
/// 8, .. steps. A success of Newton's method leads back to 0. The position is part of the state of a
/// simulation.
[[nodiscard]] bool asks_interior_point_first(long position);
[[nodiscard]] long next_position(long position, bool newton_failed);

}  // namespace csim
