// Contact points of two features that face each other: the corners of their overlap, seen along the normal.
#pragma once

#include <algorithm>

#include "contact/convex/contact_feature.h"
#include "contact/convex/narrow_phase.h"

namespace csim {

/// A pair of features of the cores of a and b at the unit normal n (from a to b), and the rounding radii (m).
struct FeaturePair {
  const ContactFeature* a;
  const ContactFeature* b;
  Vector3 normal;
  double radius_a, radius_b;
};

/// Appends the corners of the overlap of two features, projected along the normal, with phi < max_phi: p_a
/// and p_b are the points of the two features (rounded by the radii) above such a corner. Two polygons: the
/// corners of the clipped polygon. Two discs: the crossings of their rims and the places of either rim over
/// the other disc (disc_view.h). A segment on a polygon or disc: the ends of its part there; two segments:
/// the ends of the common part when they are parallel, nothing when they cross. A point: nothing. On a half
/// space (always a): every vertex of the feature, four points of a rim. Corners closer than
/// CornerTolerances::kSame of the features' size are one. A polygon on a disc: overlap_corners.h. Returns the
/// least signed distance anywhere in the overlap (m; infinite: there is none).
double add_feature_manifold(const FeaturePair& pair, double max_phi, Manifold* out);

/// Names of contact points by what carries them, unique within a pair of bodies.
enum class FeatureType : std::int64_t {
  kSingle = 0,     // the one point of a smooth pair
  kVertexOfA = 1,  // vertex of a, face of b
  kVertexOfB = 2,  // vertex of b, face of a
  kEdges = 3,      // two edges
  kRimOfA = 4,     // rim of a crossing an edge of b
  kRimOfB = 5,
  kLens = 6,  // rims crossing
};

/// Packs a type and up to four small numbers (15 bits each).
[[nodiscard]] inline std::int64_t feature_id(FeatureType type, std::int64_t i = 0, std::int64_t j = 0,
                                             std::int64_t k = 0, std::int64_t l = 0) {
  constexpr std::int64_t kMask = 0x7fff;
  return static_cast<std::int64_t>(type) << 60 | (i & kMask) << 45 | (j & kMask) << 30 | (k & kMask) << 15 |
         (l & kMask);
}

/// The name of the crossing of a rim (`type`: whose) with the edge (p, r) of the other body; `outwards`:
/// positive where the edge, from p to r, leaves the disc.
[[nodiscard]] inline std::int64_t rim_crossing_id(FeatureType type, int p, int r, int face_id,
                                                  double outwards) {
  const std::int64_t leaves_upwards = (outwards > 0.0) == (p < r) ? 1 : 0;
  return feature_id(type, std::min(p, r), std::max(p, r), face_id, leaves_upwards);
}

/// The name of the crossing of the edge (a0, a1) of a with (b0, b1) of b; ends in either order.
[[nodiscard]] inline std::int64_t edge_pair_id(int a0, int a1, int b0, int b1) {
  return feature_id(FeatureType::kEdges, std::min(a0, a1), std::max(a0, a1), std::min(b0, b1),
                    std::max(b0, b1));
}

}  // namespace csim
