#include "contact/mesh/arc_optimum.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "contact/mesh/mesh_tolerances.h"

namespace csim {
namespace {

// The best direction is known when its bracket is this fraction of the arc: then its height is exact to
// rounding. A polytope's is known before. Each section halves the bracket where the shape is round, which
// takes 28.
constexpr double kBracket = 4e-9;
constexpr int kMostSections = 60;

// The search for the highest maximum ends in any case after this many directions: some ten for each side of
// a polygon of twelve that the arc could see.
constexpr int kMostDirections = 100;

/// A direction n0 cos + m sin of the arc, m being across n0 in its plane, and the shape's core there.
struct ArcPoint {
  Vector2 n;   // (cos, sin)
  Vector3 x;   // m, the core's lowest point
  Vector2 to;  // m, x - a along n0 and m

  [[nodiscard]] double height() const { return n.dot(to); }
  [[nodiscard]] double slope() const { return n.x() * to.y() - n.y() * to.x(); }  // m/rad
};

class Arc {
 public:
  Arc(const ConvexSupport& support, const Vector3& a, const Vector3& n0, const Vector3& n1)
      : support_(support), a_(a), n0_(n0), m_((n1 - n0.dot(n1) * n0).normalized()) {}

  [[nodiscard]] Vector3 normal(const Vector2& n) const { return n.x() * n0_ + n.y() * m_; }

  [[nodiscard]] ArcPoint at(const Vector2& n) const {
    const Vector3 x = support_.support(-normal(n)), r = x - a_;
    return {n, x, {n0_.dot(r), m_.dot(r)}};
  }

  /// At an angle (rad) from n0.
  [[nodiscard]] ArcPoint at(double angle) const { return at(Vector2(std::cos(angle), std::sin(angle))); }

 private:
  const ConvexSupport& support_;
  Vector3 a_, n0_, m_;
};

/// The sine of the angle from p to q, positive towards n1, times their lengths.
double sine(const Vector2& p, const Vector2& q) {
  return p.x() * q.y() - p.y() * q.x();
}

bool is_between(const Vector2& low, const Vector2& direction, const Vector2& high) {
  return sine(low, direction) > 0.0 && sine(direction, high) > 0.0;
}

/// A direction between two others and a bound (m) of h there.
struct Bound {
  Vector2 n;
  double height;
};

/// The points found in two directions bound h between them from above. Where their bound is highest: in one
/// of the two; where both points are equally high, along the normal of their connection; or towards one of
/// them, of a core that is above a.
Bound highest_between(const ArcPoint& low, const ArcPoint& high) {
  Bound highest = low.height() > high.height() ? Bound{low.n, low.height()} : Bound{high.n, high.height()};
  const auto consider = [&](const Vector2& n, double height) {
    if (height > highest.height) highest = {n, height};
  };
  const Vector2 connection = high.to - low.to;
  Vector2 across = Vector2(connection.y(), -connection.x());
  if (connection.isZero(0.0)) {
    across = high.n;
  } else {
    across = (sine(low.n, across) > 0.0 ? 1.0 : -1.0) * across.normalized();
    if (!is_between(low.n, across, high.n)) return highest;
    consider(across, across.dot(low.to));
  }
  if (is_between(low.n, low.to, across)) consider(low.to.normalized(), low.to.norm());
  if (is_between(across, high.to, high.n)) consider(high.to.normalized(), high.to.norm());
  return highest;
}

/// Where h is highest next to `low`, where it climbs, and `high`, where it falls, to `width` (rad) or to
/// rounding: in the direction in which the bound is highest the core has one of the two for its lowest point,
/// and the bound is reached, or a lower one that takes the place of one of them.
ArcPoint climb(const Arc& arc, double width, ArcPoint low, ArcPoint high) {
  ArcPoint best = low.height() > high.height() ? low : high;
  for (int i = 0; i < kMostSections && sine(low.n, high.n) > width; ++i) {
    const Bound bound = highest_between(low, high);
    if (bound.n == low.n || bound.n == high.n) break;
    best = arc.at(bound.n);
    if (best.height() >= bound.height - MeshTolerances::kRounding * (high.x - low.x).norm()) break;
    (best.slope() > 0.0 ? low : high) = best;
  }
  return best;
}

/// The highest of all maxima between two directions, branch and bound: an interval whose bound is no higher
/// than what has been found, by more than `rounding` (m), is done.
ArcPoint highest_of_arc(const Arc& arc, double width, double rounding, const ArcPoint& first,
                        const ArcPoint& last) {
  struct Interval {
    ArcPoint low, high;
    Bound bound;
  };
  const auto interval = [](const ArcPoint& low, const ArcPoint& high) {
    return Interval{low, high, highest_between(low, high)};
  };
  ArcPoint best = first.height() > last.height() ? first : last, low = best, high = best;
  std::array<Interval, kMostDirections + 1> open;  // each direction opens one more than it closes
  int num_open = 0;
  open[num_open++] = interval(first, last);
  for (int i = 0; i < kMostDirections && num_open > 0;) {
    const Interval at = open[--num_open];
    if (at.bound.height <= best.height() + rounding) continue;
    const ArcPoint middle = arc.at(at.bound.n);
    ++i;
    if (middle.height() > best.height()) {
      best = middle;
      low = at.low;
      high = at.high;
    }
    Interval left = interval(at.low, middle), right = interval(middle, at.high);
    if (left.bound.height > right.bound.height) std::swap(left, right);
    open[num_open++] = left;
    open[num_open++] = right;
  }
  return best.slope() > 0.0 ? climb(arc, width, best, high) : climb(arc, width, low, best);
}

}  // namespace

/// Within the arc the shape's support changes from one point x0 to another x1, and their connection (an edge
/// of the shape) crosses the edge.
ArcOptimum best_on_arc(const ConvexSupport& support, const Vector3& a, const Vector3& along,
                       const Vector3& n0, const Vector3& n1, double size) {
  const Arc arc(support, a, n0, n1);
  const double angle = std::atan2(n0.cross(n1).norm(), n0.dot(n1));
  const ArcPoint best = highest_of_arc(arc, kBracket * angle, MeshTolerances::kRounding * size,
                                       arc.at(Vector2(1.0, 0.0)), arc.at(angle));
  const double at = std::atan2(best.n.y(), best.n.x()), facet = MeshTolerances::kAtFacet * angle;
  if (at < facet || at > angle - facet) return {};
  const auto lowest = [&](const ArcPoint& point) {
    return Vector3(point.x - support.radius() * arc.normal(point.n));
  };
  ArcOptimum optimum;
  optimum.inside = true;
  optimum.normal = optimum.direction = arc.normal(best.n);
  optimum.x = lowest(best);
  // One point where the shape is round.
  const Vector3 x0 = lowest(arc.at(at - facet)), u = lowest(arc.at(at + facet)) - x0, axis = along.cross(u);
  if (u.norm() > 10.0 * MeshTolerances::kAtFacet * size && axis.norm() > MeshTolerances::kRounding * size) {
    optimum.normal = (axis.dot(optimum.direction) > 0.0 ? 1.0 : -1.0) * axis.normalized();
    const Vector3 across = optimum.normal.cross(along);
    optimum.x = x0 + std::clamp(across.dot(a - x0) / across.dot(u), 0.0, 1.0) * u;
  }
  return optimum;
}

}  // namespace csim
