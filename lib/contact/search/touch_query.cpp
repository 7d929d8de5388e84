#include "contact/search/touch_query.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "contact/convex/point_distance.h"
#include "contact/mesh/triangle_crossing.h"

namespace csim {
namespace {

/// Fraction of the smaller one's size: shapes this near touch.
constexpr double kTouching = 1e-9;

/// No triangle: the geometry is a convex shape.
constexpr int kWhole = -1;

ConvexSupport piece(const PlacedGeometry& g, int triangle) {
  if (triangle == kWhole) return {g.geometry->shape, g.X_WG};
  const MeshSurface& surface = *g.geometry->surface;
  return ConvexSupport::triangle(g.X_WG * surface.corner(triangle, 0), g.X_WG * surface.corner(triangle, 1),
                                 g.X_WG * surface.corner(triangle, 2));
}

/// The gap of two balls about the centres of the two, of these radii (m) together, after t (s).
std::optional<Gap> gap_of_balls(const SweptPair& pair, double radii, double t, double bound) {
  const Vector3 way = pair.b.center_at(t) - pair.a.center_at(t);
  const double length = way.norm();
  return length - radii > bound ? std::nullopt : std::optional<Gap>({length - radii, way / length});
}

/// m, of a sphere itself: the ball about it may have a margin.
double radius_of(const CollisionGeometry& sphere) {
  return std::get<Sphere>(sphere.shape).radius;
}

/// The gap of two pieces after t (s).
std::optional<Gap> gap_of_pieces(const SweptPair& pair, int triangle_a, int triangle_b, double t,
                                 double bound) {
  const CollisionGeometry &a = *pair.a.start.geometry, &b = *pair.b.start.geometry;
  if (a.is_ball && b.is_ball) return gap_of_balls(pair, radius_of(a) + radius_of(b), t, bound);
  // A ball is a point and its radius: closed forms for most partners.
  const bool is_ball_a = a.is_ball && triangle_b == kWhole;
  if (is_ball_a || (b.is_ball && triangle_a == kWhole)) {
    const SweptGeometry &ball = is_ball_a ? pair.a : pair.b, &other = is_ball_a ? pair.b : pair.a;
    const double radius = radius_of(*ball.start.geometry);
    const SignedDistance found =
        point_distance(ball.center_at(t), piece(other.at(t), kWhole), bound + radius);
    if (found.phi - radius > bound) return std::nullopt;
    return Gap{found.phi - radius, is_ball_a ? found.normal : Vector3(-found.normal)};
  }
  const std::optional<SignedGap> found =
      signed_gap(piece(pair.a.at(t), triangle_a), piece(pair.b.at(t), triangle_b), bound);
  if (!found || found->phi > bound) return std::nullopt;
  return Gap{found->phi, found->normal};
}

/// Keeps the first touch of all pairs of pieces that it is shown.
class FirstTouch {
 public:
  FirstTouch(const SweptPair& pair, double duration, double distance)
      : pair_(pair),
        speed_(pair),
        last_(duration),
        distance_(distance),
        tolerance_(kTouching *
                   std::min(pair.a.start.geometry->ball_B.radius, pair.b.start.geometry->ball_B.radius)) {}

  void add(int triangle_a, int triangle_b) {
    const auto gap_of = [&](double t, double bound) {
      return gap_of_pieces(pair_, triangle_a, triangle_b, t, bound);
    };
    if (const auto t = first_touch(speed_, last_, distance_, tolerance_, gap_of)) time_ = last_ = *t;
  }

  /// Whether a plane with the normal n (unit, world, from a to b) that has the two pieces on its sides, `gap`
  /// (m) apart, shows that they do not touch on the way that is left: two supports in place of a distance.
  [[nodiscard]] bool is_missed(const Vector3& n, double gap) const {
    if (gap <= distance_ + tolerance_) return false;
    const double closing = speed_.along(n);
    return !(closing > 0.0) || gap - distance_ > closing * last_;
  }

  [[nodiscard]] std::optional<double> time() const { return time_; }

 private:
  const SweptPair& pair_;
  ClosingSpeed speed_;
  double last_;  // s, of the way that is left to look at
  double distance_, tolerance_;
  std::optional<double> time_;
};

/// The triangles of a surface that may come as near as `reach` (m, the way of the step included) to the
/// other.
void add_triangles_near(const SweptGeometry& surface, const SweptGeometry& other, double reach,
                        bool surface_is_a, FirstTouch* touch) {
  const RigidTransform X_SO = surface.start.X_WG.inverse() * other.start.X_WG;
  const Aabb box = transformed(X_SO, other.start.geometry->box_G).inflated(reach);
  const ConvexSupport whole = piece(other.start, kWhole);
  surface.start.geometry->surface->tree().query(box, [&](int t) {
    const Vector3 normal = surface.start.X_WG.R * surface.start.geometry->surface->normal(t),
                  on = surface.start.X_WG * surface.start.geometry->surface->corner(t, 0);
    for (const Vector3& n : {normal, Vector3(-normal)}) {  // towards the other
      const double gap = n.dot(whole.support(-n) - on) - whole.radius();
      if (touch->is_missed(surface_is_a ? n : Vector3(-n), gap)) return;
    }
    surface_is_a ? touch->add(t, kWhole) : touch->add(kWhole, t);
  });
}

/// The pairs of triangles of two surfaces that may come as near as `reach` to each other.
void add_pairs_near(const SweptPair& pair, double reach, FirstTouch* touch) {
  const MeshSurface &surface_a = *pair.a.start.geometry->surface,
                    &surface_b = *pair.b.start.geometry->surface;
  const RigidTransform &X_WA = pair.a.start.X_WG, &X_WB = pair.b.start.X_WG;
  const RigidTransform X_AB = X_WA.inverse() * X_WB;
  // A plane that has one of the triangles in it and the other on one of its sides; `sign`: of the way from
  // that triangle's surface to the other, seen from a.
  const auto is_missed_past = [&](const Vector3& normal, double sign, const Vector3& on,
                                  const Triangle& other) {
    const double x = normal.dot(other[0] - on), y = normal.dot(other[1] - on), z = normal.dot(other[2] - on);
    const double above = std::min({x, y, z}), below = -std::max({x, y, z});
    if (std::max(above, below) <= 0.0) return false;
    return touch->is_missed((above > below ? sign : -sign) * (X_WA.R * normal), std::max(above, below));
  };
  int placed = -1;  // the tree visits the triangles near j one after the other
  Triangle q;
  surface_a.tree().query_tree(surface_b.tree(), X_AB, reach, [&](int i, int j) {
    if (std::exchange(placed, j) != j) q = triangle_of(surface_b, j, X_AB);
    const Triangle p = triangle_of(surface_a, i);
    if (is_missed_past(surface_a.normal(i), 1.0, p[0], q) ||
        is_missed_past(X_AB.R * surface_b.normal(j), -1.0, q[0], p))
      return;
    touch->add(i, j);
  });
}

}  // namespace

bool balls_touch(const SweptPair& pair, double duration, double distance) {
  const double radii = pair.a.start.geometry->ball_B.radius + pair.b.start.geometry->ball_B.radius;
  const auto gap_of = [&](double t, double bound) { return gap_of_balls(pair, radii, t, bound); };
  return first_touch(ClosingSpeed::of_balls(pair), duration, distance, 0.0, gap_of).has_value();
}

std::optional<double> find_touch(const SweptPair& pair, double duration, double distance) {
  const bool are_balls = pair.a.start.geometry->is_ball && pair.b.start.geometry->is_ball;
  if (!are_balls && !balls_touch(pair, duration, distance)) return std::nullopt;
  FirstTouch touch(pair, duration, distance);
  const auto &surface_a = pair.a.start.geometry->surface, &surface_b = pair.b.start.geometry->surface;
  const double reach = distance + duration * ClosingSpeed(pair).largest();
  if (surface_a && surface_b) {
    add_pairs_near(pair, reach, &touch);
  } else if (surface_a) {
    add_triangles_near(pair.a, pair.b, reach, true, &touch);
  } else if (surface_b) {
    add_triangles_near(pair.b, pair.a, reach, false, &touch);
  } else {
    touch.add(kWhole, kWhole);
  }
  return touch.time();
}

}  // namespace csim
