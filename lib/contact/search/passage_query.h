// Pressure fields that go through each other within a step.
#pragma once

#include "contact/search/collision_body.h"

namespace csim {

/// Patches are made of the poses at the start of a step alone. Two fields that are apart there, and at its
/// end apart again but on the other side, or one all within the other's surface, never have a face between
/// them.
class PassageQuery {
 public:
  /// `least_cosine`: of the faces that hold the bodies (SurfaceOptions).
  explicit PassageQuery(double least_cosine) : least_cosine_(least_cosine) {}

  /// Whether b, moving by `travel` (m, relative to a, without turning), meets a on the way but has no face
  /// that holds it at the start or at the end. Looks at places half the thickness of the thinner one apart,
  /// at most kMaxPlaces: fields thinner than the travel over that many may be missed.
  [[nodiscard]] bool passes(const PlacedGeometry& a, const PlacedGeometry& b, const Vector3& travel);

  /// The smallest side (m) of the thinner one: fields that travel less neither come out behind each other nor
  /// vanish in each other.
  [[nodiscard]] static double thickness(const CollisionGeometry& a, const CollisionGeometry& b);

 private:
  static constexpr int kMaxPlaces = 64;
  double least_cosine_;
  SurfaceWorkspace workspace_;
  ContactSurface surface_;
};

}  // namespace csim
