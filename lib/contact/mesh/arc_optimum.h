// The least way out of a convex edge of a surface for a convex shape.
#pragma once

#include "contact/convex/convex_support.h"

namespace csim {

/// The best direction n of those in the normal cone of an edge, the arc between the normals of its facets:
/// that which maximises h(n) = min over the shape of n . (x - a), a being a point of the edge.
struct ArcOptimum {
  bool inside = false;  // of the arc; at an end it is a facet that is left
  Vector3 direction;    // as searched for, to about 1e-8
  Vector3 normal;       // exact where an edge of the shape crosses the edge
  Vector3 x;            // m, the shape's point over the edge
};

/// The arc runs from n0 to n1 (unit, not parallel), both across the unit vector `along` of the edge; `size`
/// (m): of the shape. Of several maxima on the arc it is the highest, to a hundred directions looked at.
/// World, or any frame that all have in common.
[[nodiscard]] ArcOptimum best_on_arc(const ConvexSupport& support, const Vector3& a, const Vector3& along,
                                     const Vector3& n0, const Vector3& n1, double size);

}  // namespace csim
