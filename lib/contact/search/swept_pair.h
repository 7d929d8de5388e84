// A pair of geometries on its way through a step: where they meet for the first time, and what a contact of
// that place is at the start of the step (docs/theory.md, "Contacts foreseen").
#pragma once

#include <algorithm>
#include <optional>

#include "contact/contact_set.h"
#include "contact/convex/narrow_phase.h"
#include "contact/search/collision_body.h"
#include "core/spatial.h"

namespace csim {

/// rad, by which one shape turns against the other: for less, the part of second order of the motion is less
/// than a quarter of a percent of the way.
inline constexpr double kLeastTurn = 0.005;

/// A geometry with the velocity of its body, constant in the step: the body's origin goes straight, and the
/// body turns about it.
struct SweptGeometry {
  PlacedGeometry start;
  int body = -1;
  Vector3 origin;      // m, world: the body's, at the start
  Twist V;             // of the body's origin, world axes
  double share = 0.0;  // of the way to the touch by which a contact's arm on this body may be wrong

  // t: s after the start.
  [[nodiscard]] PlacedGeometry at(double t) const;
  [[nodiscard]] Vector3 center_at(double t) const;  // m, world, of its ball
};

struct SweptPair {
  SweptGeometry a, b;
};

/// How two geometries apart lie: their distance (m) and its direction (unit, from a to b).
struct Gap {
  double distance;
  Vector3 normal;
};

/// Speeds (m/s) that bound how fast the distance of a pair shrinks.
struct ClosingSpeed {
  explicit ClosingSpeed(const SweptPair& pair);
  /// Of the balls about the two, whose own turning moves nothing.
  [[nodiscard]] static ClosingSpeed of_balls(const SweptPair& pair);

  [[nodiscard]] double largest() const { return v.norm() + w_a.norm() * radius_a + w_b.norm() * radius_b; }
  /// While the two lie on the two sides of planes with this normal (unit, from a to b).
  [[nodiscard]] double along(const Vector3& normal) const {
    return -normal.dot(v) + normal.cross(w_a).norm() * radius_a + normal.cross(w_b).norm() * radius_b;
  }

  Vector3 v;                  // of b's body origin, less that of a's
  Vector3 w_a, w_b;           // rad/s
  double radius_a, radius_b;  // m, about the bodies' origins, of what turning moves
};

/// Advances of first_touch that are as long as the gap surely lasts. A pair that flies straight takes up to
/// ten; one that turns and stays near takes many, and after these goes on by this part of the way at least.
inline constexpr int kMostAdvances = 64;

/// When (s, 0 to `duration`) the two come as near as `distance` (m, and `tolerance` more) for the first time;
/// none: they do not. gap_of(t, bound) has the Gap of the two after t (s), or none where they are farther
/// apart than `bound` (m); an overlap has one that is not positive. Conservative advancement (Mirtich 1996,
/// "Impulse-based dynamic simulation", 2.3): a gap lasts as long as its closing speed needs for it. Where
/// that takes too many advances the touch is found to a 64th of the duration, or is missed if it is over
/// sooner.
template <typename GapOf>
[[nodiscard]] std::optional<double> first_touch(const ClosingSpeed& speed, double duration, double distance,
                                                double tolerance, const GapOf& gap_of) {
  const double largest = speed.largest();
  double t = 0.0;
  for (int k = 0;; ++k) {
    const std::optional<Gap> gap = gap_of(t, distance + tolerance + (duration - t) * largest);
    if (!gap) return std::nullopt;
    const double left = gap->distance - distance;
    if (left <= tolerance) return t;
    const double closing = speed.along(gap->normal);
    if (!(closing > 0.0)) return std::nullopt;
    const double least = k < kMostAdvances ? 0.0 : duration / kMostAdvances;
    t += std::max(left / closing, least);
    if (t > duration) return std::nullopt;
  }
}

/// Whether the contact c of the start is still one of features that face each other after t (s): the point of
/// one body, seen along the normal, lies on the other. Two convex shapes apart that fly straight then meet
/// nowhere else before.
[[nodiscard]] bool still_faces(const SweptPair& pair, const PointContact& c, double t);

/// The point of a manifold at t (s) as a contact of the start: its normal, the points where the bodies'
/// touching material is at the start, at one place by their shares, and the gap (m) that closes as fast as
/// that place foresees. `weight_a`: PairRule's.
[[nodiscard]] PointContact carried_back(const SweptPair& pair, const ManifoldPoint& point, double t,
                                        double weight_a);

}  // namespace csim
