// A pair of geometries on its way through a step: where they meet for the first time, and what a contact of
// that place is at the start of the step (docs/theory.md, "Contacts foreseen").
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "contact/contact_set.h"
#include "contact/convex/narrow_phase.h"
#include "contact/search/collision_body.h"
#include "core/spatial.h"

namespace csim {

/// rad, by which one shape turns against the other: for less, the part of second order of the motion is less
/// than a quarter of a percent of the way.
inline constexpr double kLeastTurn = 0.005;

/// A geometry with the velocity of its body, constant in the step: one point of the body goes straight, its
/// pivot, and the body turns about it.
struct SweptGeometry {
  PlacedGeometry start;
  int body = -1;
  Vector3 pivot;       // m, world, at the start
  Twist V;             // of the pivot, world axes
  double share = 0.0;  // of the way to the touch by which a contact's arm on this body may be wrong

  // t: s after the start.
  [[nodiscard]] PlacedGeometry at(double t) const;
  [[nodiscard]] Vector3 pivot_at(double t) const { return pivot + t * V.v; }  // m, world
  [[nodiscard]] Vector3 arm_at(double t) const;  // m, world: from there to the centre of its ball
  [[nodiscard]] Vector3 center_at(double t) const { return pivot_at(t) + arm_at(t); }
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

  Vector3 v;                  // of b's pivot, less that of a's
  Vector3 w_a, w_b;           // rad/s
  double radius_a, radius_b;  // m, about the pivots, of what turning moves
};

/// Two pieces with rounded cores after a time t. Each type has
///   std::optional<Gap> gap(t, bound)   places them there; none: they are farther apart than `bound` (m). An
///                                      overlap has a gap that is not positive.
///   Vector3 arm_a(direction), arm_b    m, world: from the pivot to the core's farthest point
///   Vector3 between()                  m, world: from a's pivot to b's
///   double radii()                     m, of both roundings
///
/// By how much (m) they surely are farther apart than `distance` s (s) later: by their separation along
/// d = n + s n', n unit, n' across n (1/s), times |d|, with s w x r + (s w)^2 r/2 for the way of a point.
/// Concave in s.
template <typename Pieces>
[[nodiscard]] double sure_gap(const Pieces& pieces, const ClosingSpeed& speed, const Vector3& n,
                              const Vector3& n_rate, double distance, double s) {
  const Vector3 turn_a = n.cross(speed.w_a), turn_b = n.cross(speed.w_b);  // n . (w x r) = (n x w) . r
  const Vector3 on_a = n + s * (turn_a + n_rate), on_b = n + s * (turn_b + n_rate);
  const Vector3 between = pieces.between();
  const double rate = n_rate.norm();
  const double second = 0.5 * speed.w_a.norm() * speed.radius_a * (turn_a.norm() + 2.0 * rate) +
                        0.5 * speed.w_b.norm() * speed.radius_b * (turn_b.norm() + 2.0 * rate) -
                        std::min(n_rate.dot(speed.v), 0.0);
  return n.dot(between) + s * (n.dot(speed.v) + n_rate.dot(between)) + on_b.dot(pieces.arm_b(-on_b)) -
         on_a.dot(pieces.arm_a(on_a)) - s * s * second -
         std::sqrt(1.0 + s * s * rate * rate) * (pieces.radii() + distance);
}

/// The length of s (s) for which a concave function, at(0) > 0, is surely positive; infinite where it is at
/// `limit`. Its root lies between that of the chord of two points about it and that of the line through two
/// points before it, where that falls.
template <typename Function>
[[nodiscard]] double surely_positive(const Function& at, double limit) {
  constexpr int kMostRounds = 6;
  constexpr double kClose = 0.1;  // of the length: what the last chord leaves is of the order of its square
  double before = 0.0, at_before = at(0.0), after = limit, at_after = at(limit);
  if (at_after >= 0.0) return std::numeric_limits<double>::infinity();
  const auto chord_root = [&] { return before + (after - before) * at_before / (at_before - at_after); };
  for (int k = 0; k < kMostRounds && after - before > kClose * before; ++k) {
    const double next = chord_root(), at_next = std::max(at(next), 0.0);
    const double fall = (at_before - at_next) / (next - before);
    double beyond = fall > 0.0 ? next + at_next / fall : after;
    if (!(beyond < after)) beyond = 0.5 * (next + after);
    before = next;
    at_before = at_next;
    const double at_beyond = at(beyond);
    (at_beyond < 0.0 ? after : before) = beyond;
    (at_beyond < 0.0 ? at_after : at_before) = at_beyond;
  }
  return chord_root();
}

/// Advances of first_touch that are as long as the gap surely lasts. A pair takes up to five; one that turns
/// and stays near may take many, and after these goes on by this part of the way at least.
inline constexpr int kMostAdvances = 64;

/// When (s, 0 to `duration`) the two come as near as `distance` (m, and `tolerance` more) for the first time;
/// none: they do not. Conservative advancement (Mirtich 1996, "Impulse-based dynamic simulation", 2.3): a gap
/// lasts as long as its closing speed needs for it. With what points do along a plane that turns as the
/// normal did between the last two advances, in place of one bound on their speeds, it converges
/// quadratically. Where that takes too many advances the touch is found to a 64th of the duration, or is
/// missed if it is over sooner.
template <typename Pieces>
[[nodiscard]] std::optional<double> first_touch(const ClosingSpeed& speed, double duration, double distance,
                                                double tolerance, Pieces* pieces) {
  const double largest = speed.largest();
  double t = 0.0, advance = 0.0;
  Vector3 last_normal;
  for (int k = 0;; ++k) {
    const std::optional<Gap> gap = pieces->gap(t, distance + tolerance + (duration - t) * largest);
    if (!gap) return std::nullopt;
    if (gap->distance - distance <= tolerance) return t;
    // To the middle of what counts as a touch: nearer, rounding turns the normal.
    const double end = distance + 0.5 * tolerance;
    const Vector3& n = gap->normal;
    const double closing = speed.along(n);
    if (!(closing > 0.0)) return std::nullopt;
    Vector3 n_rate = Vector3::Zero();
    if (k > 0) n_rate = (n.dot(last_normal) * n - last_normal) / advance;
    const auto at = [&](double s) { return sure_gap(*pieces, speed, n, n_rate, end, s); };
    last_normal = n;
    advance = std::max({(gap->distance - end) / closing, surely_positive(at, duration - t),
                        k < kMostAdvances ? 0.0 : duration / kMostAdvances});
    t += advance;
    if (t > duration) return std::nullopt;
  }
}

/// Whether the contact c of the start is still one of features that face each other after t (s): the point of
/// one body, seen along the normal, lies on the other; edges of two surfaces still cross. Two convex shapes
/// apart that fly straight then meet nowhere else before.
[[nodiscard]] bool still_faces(const SweptPair& pair, const PointContact& c, double t);

/// The point of a manifold at t (s) as a contact of the start: its normal, the points where the bodies'
/// touching material is at the start, at one place by their shares, and the gap (m) that closes as fast as
/// that place foresees. `weight_a`: PairRule's.
[[nodiscard]] PointContact carried_back(const SweptPair& pair, const ManifoldPoint& point, double t,
                                        double weight_a);

}  // namespace csim
