// From face loops to a ConvexPolytope with everything a contact query walks along.
#pragma once

#include <string>
#include <vector>

#include "geometry/shape.h"

namespace csim {

/// Completes a polytope from points (m) and the counterclockwise vertex loops of its faces (indices of
/// points). Vertices that no loop uses are dropped and the others keep their order; loops start at their
/// smallest vertex and are sorted, so that the result depends on the point set's order alone. Offsets hold
/// every vertex. Returns an empty string, or what is wrong with the loops (an edge without its opposite).
[[nodiscard]] std::string complete_polytope(const std::vector<Vector3>& points,
                                            std::vector<std::vector<int>> loops, ConvexPolytope* polytope);

}  // namespace csim
