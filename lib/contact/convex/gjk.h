// Closest points of two disjoint convex bodies, and a simplex about the origin of A - B when they overlap
// (Gilbert, Johnson, Keerthi 1988; the stopping rule is van den Bergen 1999, "A fast and robust GJK
// implementation", sec. 4).
#pragma once

#include <array>

#include "contact/convex/convex_support.h"

namespace csim {

/// A vertex w = a - b of the Minkowski difference A - B and the points of the cores it comes from (m, world).
struct MinkowskiVertex {
  Vector3 w, a, b;
};

/// The vertex of A - B farthest along `direction`.
[[nodiscard]] inline MinkowskiVertex minkowski_support(const ConvexSupport& a, const ConvexSupport& b,
                                                       const Vector3& direction) {
  MinkowskiVertex vertex;
  vertex.a = a.support(direction);
  vertex.b = b.support(-direction);
  vertex.w = vertex.a - vertex.b;
  return vertex;
}

struct GjkResult {
  enum class Status { kSeparated, kOverlapping, kBeyond };
  Status status = Status::kSeparated;
  Vector3 normal;           // unit, from a to b: the direction of the best lower bound seen
  double separation = 0.0;  // m, that bound: the gap between the cores along `normal`
  Vector3 p_a, p_b;         // m, closest points of the cores found (when separated)
  int size = 0;             // vertices of the last simplex
  std::array<MinkowskiVertex, 4> simplex;
};

/// Runs until the distance of the cores (rounding radii left out) is known to the relative `tolerance`, or to
/// exceed max_distance (kBeyond), or the cores are found to meet (kOverlapping, also when they touch to
/// rounding). `guess` is a direction from a to b, any length.
[[nodiscard]] GjkResult gjk(const ConvexSupport& a, const ConvexSupport& b, const Vector3& guess,
                            double max_distance, double tolerance);

}  // namespace csim
