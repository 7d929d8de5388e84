#include "contact/search/touch_query.h"

#include <algorithm>

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

std::optional<Gap> gap_of_pieces(const PlacedGeometry& a, int triangle_a, const PlacedGeometry& b,
                                 int triangle_b, double bound) {
  // A ball is a point and its radius: closed forms for most partners.
  const bool is_ball_a = a.geometry->is_ball && triangle_b == kWhole;
  if (is_ball_a || (b.geometry->is_ball && triangle_a == kWhole)) {
    const PlacedGeometry &ball = is_ball_a ? a : b, &other = is_ball_a ? b : a;
    const double radius = ball.geometry->ball_B.radius;
    const SignedDistance found = point_distance(ball.center_W, piece(other, kWhole), bound + radius);
    if (found.phi - radius > bound) return std::nullopt;
    return Gap{found.phi - radius, is_ball_a ? found.normal : Vector3(-found.normal)};
  }
  const std::optional<SignedGap> found = signed_gap(piece(a, triangle_a), piece(b, triangle_b), bound);
  if (!found || found->phi > bound) return std::nullopt;
  return Gap{found->phi, found->normal};
}

/// Keeps the first touch of all pairs of pieces that it is shown.
class FirstTouch {
 public:
  FirstTouch(const SweptPair& pair, double duration, double distance)
      : pair_(pair),
        last_(duration),
        distance_(distance),
        tolerance_(kTouching *
                   std::min(pair.a.start.geometry->ball_B.radius, pair.b.start.geometry->ball_B.radius)) {}

  void add(int triangle_a, int triangle_b) {
    const auto gap_of = [&](const PlacedGeometry& a, const PlacedGeometry& b, double bound) {
      return gap_of_pieces(a, triangle_a, b, triangle_b, bound);
    };
    if (const auto t = first_touch(pair_, last_, distance_, tolerance_, gap_of)) time_ = last_ = *t;
  }

  [[nodiscard]] std::optional<double> time() const { return time_; }

 private:
  const SweptPair& pair_;
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
  const auto ball = [](const SweptGeometry& g, CollisionGeometry* geometry) {
    geometry->ball_B.radius = g.start.geometry->ball_B.radius;
    geometry->is_ball = true;
    SweptGeometry swept = g;
    swept.start.geometry = geometry;
    return swept;
  };
  CollisionGeometry ball_a, ball_b;
  const SweptPair balls{ball(pair.a, &ball_a), ball(pair.b, &ball_b)};
  const auto gap_of = [](const PlacedGeometry& a, const PlacedGeometry& b, double bound) {
    const Vector3 way = b.center_W - a.center_W;
    const double length = way.norm(), gap = length - a.geometry->ball_B.radius - b.geometry->ball_B.radius;
    return gap > bound ? std::nullopt : std::optional<Gap>({gap, way / length});
  };
  return first_touch(balls, duration, distance, 0.0, gap_of).has_value();
}

std::optional<double> find_touch(const SweptPair& pair, double duration, double distance) {
  if (!balls_touch(pair, duration, distance)) return std::nullopt;
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
