// Overlaps that a step has made deeper than its start and its motion explain: a way out of a query that is
// not the way in.
#pragma once

#include "contact/search/collision_body.h"

namespace csim {

/// Fraction of the smaller geometry's diameter: an overlap that is deeper by more than what explains it is
/// told. A depth is the length of the least translation that parts two bodies, and changes by no more than
/// their points move. What is left for one that is not exact, of a surface that has no inside, or is so thin
/// that corners in it find no way out: errors of this size push bodies apart as nothing real does.
inline constexpr double kUnexplainedPart = 0.25;

/// How far (m) no point of the smaller of two geometries moves in the frame of the other: a and b at the
/// start of a step, and at its end.
[[nodiscard]] double largest_motion(const PlacedGeometry& a_start, const PlacedGeometry& b_start,
                                    const PlacedGeometry& a_end, const PlacedGeometry& b_end);

}  // namespace csim
