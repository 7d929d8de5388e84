// Overlaps that a step has made deeper than its start and its motion explain: a way out of a query that is
// not the way in.
#pragma once

#include "contact/search/collision_body.h"

namespace csim {

/// Fraction of the smaller geometry's diameter: an overlap that is deeper than explained by more than this is
/// reported. The exact depth is the length of the shortest translation that separates two bodies, so it
/// changes by no more than their points move. The depths of open or very thin surfaces are not exact; an
/// error of this size would throw bodies apart.
inline constexpr double kUnexplainedPart = 0.25;

/// m: an upper bound of how far the points of the smaller of two geometries move in the frame of the other
/// within a step; a and b at its start and at its end.
[[nodiscard]] double largest_motion(const PlacedGeometry& a_start, const PlacedGeometry& b_start,
                                    const PlacedGeometry& a_end, const PlacedGeometry& b_end);

}  // namespace csim
