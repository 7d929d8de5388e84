// Which method an island gets: Newton's, the interior point with Newton's to finish, or one after the other.
#pragma once

#include "solver/method/interior_point.h"

namespace csim {

/// Minimises ell over the island's rows of iterate.v by options.method. Newton's method always runs last.
///
/// SAP and Similar start from the guess of least ell: the velocities v0 in iterate.v, or a linear prediction
/// from them and those of earlier steps (velocity_recurrence.h). Calm motion is smooth; and the gap that
/// these laws keep open under a sliding contact, mu dt |v_t| of the step before, can make it oscillate with a
/// period of two or four steps. `auto` takes Newton's method first, which is faster for the 1 to 5 iterations
/// of calm motion, and turns to the interior point, from where it got to, after kNewtonTrial iterations.
/// Where Newton's method has failed recently (next_position) the interior point comes first.
///
/// Lagged starts from v0. In islands of options.edges_of_prediction and more, `auto` turns to the interior
/// point where the first step of Newton's method changes much of the active set.
void solve_island(const IslandTask& task);

/// The history of `auto` over steps is a position in a fixed sequence: Newton's method is tried at 0; after a
/// failure the interior point comes first in the next 1 step, then Newton's is tried again, then after 2, 4,
/// 8, 8, .. steps. A success of Newton's method leads back to 0. Every tree has a position; an island has the
/// largest of its trees'.
[[nodiscard]] bool asks_interior_point_first(long position);
[[nodiscard]] long next_position(long position, bool newton_failed);

}  // namespace csim
