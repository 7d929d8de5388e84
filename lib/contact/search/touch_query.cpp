#include "contact/search/touch_query.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

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

/// m, of a sphere itself: the ball about it may have a margin.
double radius_of(const CollisionGeometry& sphere) {
  return std::get<Sphere>(sphere.shape).radius;
}

/// Two balls about the centres of the two, of these radii (m) together.
class Balls {
 public:
  Balls(const SweptPair& pair, double radii) : pair_(pair), radii_(radii) {}

  [[nodiscard]] std::optional<Gap> gap(double t, double bound) {
    arm_a_ = pair_.a.arm_at(t);
    arm_b_ = pair_.b.arm_at(t);
    between_ = pair_.b.pivot_at(t) - pair_.a.pivot_at(t);
    const Vector3 way = between_ + arm_b_ - arm_a_;
    const double length = way.norm();
    return length - radii_ > bound ? std::nullopt : std::optional<Gap>({length - radii_, way / length});
  }
  [[nodiscard]] const Vector3& arm_a(const Vector3& /*direction*/) const { return arm_a_; }
  [[nodiscard]] const Vector3& arm_b(const Vector3& /*direction*/) const { return arm_b_; }
  [[nodiscard]] const Vector3& between() const { return between_; }
  [[nodiscard]] double radii() const { return radii_; }

 private:
  const SweptPair& pair_;
  double radii_;
  Vector3 arm_a_, arm_b_, between_;
};

/// A convex shape and another, or triangles of surfaces. A ball is its centre and its radius: there are
/// closed forms for its distance from most partners.
class Pieces {
 public:
  Pieces(const SweptPair& pair, int triangle_a, int triangle_b)
      : pair_(pair),
        triangle_a_(triangle_a),
        triangle_b_(triangle_b),
        is_ball_a_(pair.a.start.geometry->is_ball && triangle_b == kWhole),
        is_ball_b_(!is_ball_a_ && pair.b.start.geometry->is_ball && triangle_a == kWhole) {}

  [[nodiscard]] std::optional<Gap> gap(double t, double bound) {
    pivot_a_ = pair_.a.pivot_at(t);
    pivot_b_ = pair_.b.pivot_at(t);
    a_ = place(pair_.a, is_ball_a_, triangle_a_, t);
    b_ = place(pair_.b, is_ball_b_, triangle_b_, t);
    if (is_ball_a_) return gap_of_ball(*a_, *b_, 1.0, bound);
    if (is_ball_b_) return gap_of_ball(*b_, *a_, -1.0, bound);
    const std::optional<SignedGap> found = signed_gap(*a_, *b_, bound);
    if (!found || found->phi > bound) return std::nullopt;
    return Gap{found->phi, found->normal};
  }
  [[nodiscard]] Vector3 arm_a(const Vector3& direction) const { return a_->support(direction) - pivot_a_; }
  [[nodiscard]] Vector3 arm_b(const Vector3& direction) const { return b_->support(direction) - pivot_b_; }
  [[nodiscard]] Vector3 between() const { return pivot_b_ - pivot_a_; }
  [[nodiscard]] double radii() const { return a_->radius() + b_->radius(); }

 private:
  [[nodiscard]] static ConvexSupport place(const SweptGeometry& g, bool is_ball, int triangle, double t) {
    if (is_ball) return {g.start.geometry->shape, RigidTransform(g.center_at(t))};
    return piece(g.at(t), triangle);
  }

  /// `sign`: 1 where the ball is a.
  [[nodiscard]] static std::optional<Gap> gap_of_ball(const ConvexSupport& ball, const ConvexSupport& other,
                                                      double sign, double bound) {
    const SignedDistance found = point_distance(ball.center(), other, bound + ball.radius());
    if (found.phi - ball.radius() > bound) return std::nullopt;
    return Gap{found.phi - ball.radius(), sign * found.normal};
  }

  const SweptPair& pair_;
  int triangle_a_, triangle_b_;
  bool is_ball_a_, is_ball_b_;
  Vector3 pivot_a_, pivot_b_;
  std::optional<ConvexSupport> a_, b_;
};

/// m, by which two may be apart and touch.
double touch_tolerance(const SweptPair& pair) {
  return kTouching * std::min(pair.a.start.geometry->ball_B.radius, pair.b.start.geometry->ball_B.radius);
}

std::optional<double> first_touch_of_balls(const SweptPair& pair, const ClosingSpeed& speed, double radii,
                                           double duration, double distance) {
  Balls balls(pair, radii);
  return first_touch(speed, duration, distance, touch_tolerance(pair), &balls);
}

/// Two pieces and a time (s) before which they surely do not touch.
struct Candidate {
  double earliest;
  int triangle_a, triangle_b;
};

/// When two pieces may touch at the earliest within `duration`, by planes between them: supports in place of
/// a distance.
class Earliest {
 public:
  Earliest(const ClosingSpeed& speed, double near, double duration)
      : speed_(speed), near_(near), duration_(duration) {}

  /// A plane with the normal n (unit, from a to b) that has the pieces on its sides, `gap` (m) apart.
  void add(const Vector3& n, double gap) {
    if (gap <= near_) return;
    const double closing = speed_.along(n);
    time_ = std::max(time_, closing > 0.0 ? (gap - near_) / closing : kNever);
  }

  /// The same by how these pieces move, not by a bound on all speeds, where that tells too little.
  template <typename Pieces>
  void add(const Vector3& n, double gap, const Pieces& pieces) {
    add(n, gap);
    if (gap <= near_ || time_ > duration_) return;
    const double left = sure_gap(pieces, speed_, n, Vector3::Zero(), near_, duration_);
    // It is concave in time: above its chord.
    time_ = std::max(time_, left > 0.0 ? kNever : duration_ * (gap - near_) / (gap - near_ - left));
  }

  [[nodiscard]] double time() const { return time_; }

 private:
  static constexpr double kNever = std::numeric_limits<double>::infinity();
  const ClosingSpeed& speed_;
  double near_;      // m, of pieces that touch
  double duration_;  // s
  double time_ = 0.0;
};

/// Those of the triangles of a surface within `reach` (m, the way of the step included) of the other that may
/// touch it within `duration`.
void add_triangles_near(const SweptPair& pair, bool surface_is_a, double reach, double duration,
                        const ClosingSpeed& speed, double near, std::vector<Candidate>* candidates) {
  const SweptGeometry &on = surface_is_a ? pair.a : pair.b, &other = surface_is_a ? pair.b : pair.a;
  const MeshSurface& surface = *on.start.geometry->surface;
  const RigidTransform &X_WS = on.start.X_WG, X_SO = X_WS.inverse() * other.start.X_WG;
  const ConvexSupport whole = piece(other.start, kWhole);
  surface.tree().query(transformed(X_SO, other.start.geometry->box_G).inflated(reach), [&](int t) {
    const Vector3 normal = X_WS.R * surface.normal(t), p = X_WS * surface.corner(t, 0);
    Earliest earliest(speed, near, duration);
    for (const Vector3& n : {normal, Vector3(-normal)})  // towards the other
      earliest.add(surface_is_a ? n : Vector3(-n), n.dot(whole.support(-n) - p) - whole.radius());
    if (earliest.time() > duration) return;
    candidates->push_back({earliest.time(), surface_is_a ? t : kWhole, surface_is_a ? kWhole : t});
  });
}

/// Two triangles, in one frame, with their pivots there.
struct TwoTriangles {
  const Triangle &a, &b;
  const Vector3 &pivot_a, &pivot_b;

  [[nodiscard]] Vector3 arm_a(const Vector3& direction) const { return farthest(a, direction) - pivot_a; }
  [[nodiscard]] Vector3 arm_b(const Vector3& direction) const { return farthest(b, direction) - pivot_b; }
  [[nodiscard]] Vector3 between() const { return pivot_b - pivot_a; }
  [[nodiscard]] static double radii() { return 0.0; }

 private:
  static const Vector3& farthest(const Triangle& points, const Vector3& direction) {
    const double x = direction.dot(points[0]), y = direction.dot(points[1]), z = direction.dot(points[2]);
    return x >= y && x >= z ? points[0] : y >= z ? points[1] : points[2];
  }
};

/// The same of the pairs of triangles of two surfaces.
void add_pairs_near(const SweptPair& pair, double reach, double duration, const ClosingSpeed& speed,
                    double near, std::vector<Candidate>* candidates) {
  const MeshSurface &surface_a = *pair.a.start.geometry->surface,
                    &surface_b = *pair.b.start.geometry->surface;
  const RigidTransform &X_WA = pair.a.start.X_WG, X_AW = X_WA.inverse(), X_AB = X_AW * pair.b.start.X_WG;
  const Vector3 pivot_a = X_AW * pair.a.pivot, pivot_b = X_AW * pair.b.pivot;
  ClosingSpeed in_A = speed;
  for (Vector3* x : {&in_A.v, &in_A.w_a, &in_A.w_b}) *x = X_AW.R * *x;
  int placed = -1;  // the tree visits the triangles near j one after the other
  Triangle q;
  surface_a.tree().query_tree(surface_b.tree(), X_AB, reach, [&](int i, int j) {
    if (std::exchange(placed, j) != j) q = triangle_of(surface_b, j, X_AB);
    const Triangle p = triangle_of(surface_a, i);
    const TwoTriangles triangles{p, q, pivot_a, pivot_b};
    Earliest earliest(in_A, near, duration);
    // The plane of one triangle; `sense`: 1 where that is b's when the other is above it.
    const auto add = [&](const Vector3& normal, const Vector3& on, const Triangle& other, double sense) {
      const double x = normal.dot(other[0] - on), y = normal.dot(other[1] - on),
                   z = normal.dot(other[2] - on);
      const double above = std::min({x, y, z}), below = -std::max({x, y, z});
      if (std::max(above, below) > near)
        earliest.add((above > below ? -sense : sense) * normal, std::max(above, below), triangles);
    };
    add(surface_a.normal(i), p[0], q, -1.0);
    if (earliest.time() <= duration) add(X_AB.R * surface_b.normal(j), q[0], p, 1.0);
    if (earliest.time() <= duration) candidates->push_back({earliest.time(), i, j});
  });
}

/// The pieces that may come as near as `near` (m) within `duration`, those that may do so first in front.
void find_candidates(const SweptPair& pair, double duration, double near,
                     std::vector<Candidate>* candidates) {
  candidates->clear();
  const ClosingSpeed speed(pair);
  const double reach = near + duration * speed.largest();
  const bool is_surface_a = pair.a.start.geometry->surface != nullptr,
             is_surface_b = pair.b.start.geometry->surface != nullptr;
  if (is_surface_a && is_surface_b) {
    add_pairs_near(pair, reach, duration, speed, near, candidates);
  } else if (is_surface_a || is_surface_b) {
    add_triangles_near(pair, is_surface_a, reach, duration, speed, near, candidates);
  } else {
    candidates->push_back({0.0, kWhole, kWhole});
  }
  std::sort(candidates->begin(), candidates->end(), [](const Candidate& x, const Candidate& y) {
    return std::tie(x.earliest, x.triangle_a, x.triangle_b) <
           std::tie(y.earliest, y.triangle_a, y.triangle_b);
  });
}

/// The first touch of all candidates, or that of the first that has one.
std::optional<double> find_first(const SweptPair& pair, double duration, double distance, bool any) {
  const CollisionGeometry &a = *pair.a.start.geometry, &b = *pair.b.start.geometry;
  const ClosingSpeed speed(pair);
  const double tolerance = touch_tolerance(pair);
  if (a.is_ball && b.is_ball)
    return first_touch_of_balls(pair, speed, radius_of(a) + radius_of(b), duration, distance);
  if (!balls_touch(pair, duration, distance)) return std::nullopt;
  thread_local std::vector<Candidate> candidates;  // keeps its memory from query to query
  find_candidates(pair, duration, distance + tolerance, &candidates);
  std::optional<double> first;
  for (const Candidate& one : candidates) {
    const double last = first.value_or(duration);
    if (one.earliest > last || (any && first)) break;
    Pieces pieces(pair, one.triangle_a, one.triangle_b);
    if (const auto t = first_touch(speed, last, distance, tolerance, &pieces)) first = t;
  }
  return first;
}

}  // namespace

bool balls_touch(const SweptPair& pair, double duration, double distance) {
  const double radii = pair.a.start.geometry->ball_B.radius + pair.b.start.geometry->ball_B.radius;
  return first_touch_of_balls(pair, ClosingSpeed::of_balls(pair), radii, duration, distance).has_value();
}

std::optional<double> find_touch(const SweptPair& pair, double duration, double distance) {
  return find_first(pair, duration, distance, false);
}

bool touches(const SweptPair& pair, double duration, double distance) {
  return find_first(pair, duration, distance, true).has_value();
}

}  // namespace csim
