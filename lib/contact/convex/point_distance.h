// Signed distances of a point and of a segment from a convex body, in closed form where there is one.
#pragma once

#include "contact/convex/convex_support.h"

namespace csim {

/// signed_distance() of the point p (m, world), as body a, and `body`, as body b: exact to rounding at any
/// depth, where a search for the shortest translation ends at one of several. Above max_phi any phi above it
/// is returned. Of a body of any kind but a triangle.
[[nodiscard]] SignedDistance point_distance(const Vector3& p, const ConvexSupport& body, double max_phi);

/// The same of the segment from p to q, as body a. Where the plane that holds the body at an end's nearest
/// point has the other end above that end, the distance is that end's: no way out of the segment is shorter
/// than that of its end, and this one is a way out. Where both are above by more than max_phi, so is the
/// segment. Elsewhere a search finds it: signed_distance().
[[nodiscard]] SignedDistance segment_distance(const Vector3& p, const Vector3& q, const ConvexSupport& body,
                                              double max_phi);

}  // namespace csim
