#include "contact/search/touch_query.h"

#include <algorithm>
#include <variant>

#include "contact/convex/point_distance.h"

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
  surface.start.geometry->surface->tree().query(
      box, [&](int t) { surface_is_a ? touch->add(t, kWhole) : touch->add(kWhole, t); });
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
    const RigidTransform X_AB = pair.a.start.X_WG.inverse() * pair.b.start.X_WG;
    surface_a->tree().query_tree(surface_b->tree(), X_AB, reach, [&](int i, int j) { touch.add(i, j); });
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
