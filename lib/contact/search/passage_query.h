// Pressure fields that go through each other within a step.
#pragma once

#include "contact/search/collision_body.h"

namespace csim {

/// Patches are made of the poses at the start of a step alone. Two fields that are apart there, and apart
/// again at its end but on the other side, never have a face between them.
class PassageQuery {
 public:
  /// Whether b, moving by `travel` (m, relative to a, without turning), meets a on the way but neither at the
  /// start nor at the end. Looks at places half the thickness of both apart, at most kMaxPlaces: fields
  /// thinner than the travel over that many may be missed.
  [[nodiscard]] bool passes(const PlacedGeometry& a, const PlacedGeometry& b, const Vector3& travel);

  /// Sides of the smallest extent, m, both together: bodies that travel less do not come out behind each
  /// other.
  [[nodiscard]] static double thickness(const CollisionGeometry& a, const CollisionGeometry& b);

 private:
  static constexpr int kMaxPlaces = 64;
  SurfaceWorkspace workspace_;
  ContactSurface surface_;
};

}  // namespace csim
