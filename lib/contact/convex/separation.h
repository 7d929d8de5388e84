// The separation of two convex bodies along a direction n, s(n) = min_b n.x - max_a n.x, and its local
// maximum. Their signed distance is the largest separation over all unit directions: where it is positive the
// maximum is unique, where it is negative each local maximum is a translation that separates. Rounding radii
// enter s as a constant and are left out here.
#pragma once

#include "contact/convex/convex_support.h"

namespace csim {

/// A direction with the supports that give its separation.
struct Separation {
  Vector3 normal;        // unit, from a to b
  double value = 0.0;    // m, s(normal) of the cores
  Vector3 p_a, p_b;      // m, support points of the cores: (p_b - p_a) . normal = value
  double lateral = 0.0;  // m, |p_b - p_a - value normal|: 0 when the points are the closest ones (true
                         // features slid onto each other)
};

/// s along a unit direction.
[[nodiscard]] Separation separation_along(const ConvexSupport& a, const ConvexSupport& b,
                                          const Vector3& normal);

/// The local maximum of s next to `start` (unit). Flat parts of the bodies within kSnapAngle of `start` are
/// tried as they are: face normals, cross products of edges, and Newton's method on the circle normal to an
/// edge; the rest by Newton's method on the sphere, with the radii of curvature D = dx/dn of both supports:
/// (D_a + D_b + s I) dn = (x_b - x_a)_tangential. Every step is judged by s itself, so the result is never
/// worse than `start`. A face normal is preferred when it is as good to rounding.
[[nodiscard]] Separation maximize_separation(const ConvexSupport& a, const ConvexSupport& b,
                                             const Vector3& start);

}  // namespace csim
