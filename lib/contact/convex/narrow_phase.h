// Two shapes at two poses -> signed distance, witness points and normals: one point, or the manifold of a
// face or a line contact.
#pragma once

#include <array>
#include <cstdint>

#include "contact/convex/convex_support.h"
#include "core/rigid_transform.h"
#include "geometry/shape.h"

namespace csim {

class QueryEngine;

/// One contact point of a pair (a, b), world axes. p_b - p_a = phi * normal.
struct ManifoldPoint {
  Vector3 p_a, p_b;  // m, on the surfaces of a and b
  Vector3 normal;    // unit, from a to b
  double phi;        // m, < 0 overlap
  /// Tells the points of one pair apart; the same from step to step while the features are the same.
  std::int64_t feature;
};

/// The contact points of a pair, ordered by feature. Points of one manifold are distinct springs: none lies
/// on another.
struct Manifold {
  static constexpr int kCapacity = 65;  // the corners that carry and the deepest point
  int size = 0;
  std::array<ManifoldPoint, kCapacity> points;
  bool degenerate = false;  // a direction had to be chosen by convention (coincident centres, a body through
                            // another's axis …)
  bool unanswered = false;  // the engine that was asked had no answer, or one that our supports contradict

  [[nodiscard]] const ManifoldPoint* begin() const { return points.data(); }
  [[nodiscard]] const ManifoldPoint* end() const { return points.data() + size; }
};

/// Fills *out with the contact points of two shapes whose phi is below max_phi (none: size 0). Every pair of
/// sphere, box, cylinder, capsule, ellipsoid, convex polytope and half space, except half space with half
/// space (size 0); meshes are not handled here (size 0). The deepest point is exact to rounding where a
/// closed form exists, else its phi is a separating translation along its normal, to about 1e-12 of the size.
/// Swapping a and b mirrors the result. Never throws, never allocates; finite poses give finite results.
///
/// With an engine the direction of the signed distance is the engine's, checked and brought to its last
/// digits by our supports, and the engine may allocate. What it leaves unanswered is answered without it.
void query_pair(const Shape& a, const RigidTransform& X_WA, const Shape& b, const RigidTransform& X_WB,
                double max_phi, Manifold* out, QueryEngine* engine = nullptr);

}  // namespace csim
