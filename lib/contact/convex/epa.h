// Direction of least penetration of two overlapping convex bodies: the expanding polytope algorithm (van den
// Bergen 2001, "Proximity queries and penetration depth computation on 3D game objects").
#pragma once

#include "contact/convex/gjk.h"

namespace csim {

/// The unit direction n (from a to b) along which moving the core of b by the returned depth separates it
/// from the core of a. The depth is the support of A - B along n, an upper bound of the least penetration
/// that lies within the relative `tolerance` or `floor` (m) of it unless the search ran out of room or of
/// precision. `start` is the result of gjk with status kOverlapping.
struct Penetration {
  Vector3 normal;
  double depth = 0.0;  // m
  Vector3 p_a, p_b;    // m, points of the cores that lie nearly opposite along the normal
  /// A - B has no volume: the depth is 0 along its normal, whose sense is chosen by convention.
  bool flat = false;
};
[[nodiscard]] Penetration expand_polytope(const ConvexSupport& a, const ConvexSupport& b,
                                          const GjkResult& start, double tolerance, double floor);

}  // namespace csim
