#include "contact/search/swept_pair.h"

#include <cmath>
#include <variant>

#include "contact/mesh/mesh_pair.h"

namespace csim {
namespace {

/// Fraction of the size: what lies this near a face lies on it.
constexpr double kOnFace = 1e-9;

/// The rotation by w t.
Matrix3 turn(const Vector3& w, double t) {
  const double speed = w.norm();
  return speed > 0.0 ? Eigen::AngleAxisd(speed * t, w / speed).toRotationMatrix() : Matrix3::Identity();
}

/// The arm turned by w t: Rodrigues' formula, less than a matrix.
Vector3 turned(const Vector3& w, double t, const Vector3& arm) {
  const double speed = w.norm();
  if (!(speed > 0.0) || arm.isZero(0.0)) return arm;
  const Vector3 axis = w / speed, across = axis.cross(arm);
  return arm + std::sin(speed * t) * across + (1.0 - std::cos(speed * t)) * axis.cross(across);
}

double radius_of(const SweptGeometry& g) {
  const double offset = (g.start.center_W - g.pivot).norm();
  return g.start.geometry->is_ball ? offset : offset + g.start.geometry->ball_B.radius;
}

bool has_corners(const Shape& shape) {
  return std::holds_alternative<Box>(shape) || std::holds_alternative<Convex>(shape) ||
         std::holds_alternative<Mesh>(shape);
}

/// Where the contact point p (m, world) of a geometry is after t: a corner goes with the body, the lowest
/// point of what is round with its centre.
Vector3 moved(const SweptGeometry& g, const Vector3& p, double t) {
  const Matrix3 R = turn(g.V.w, t);
  const Vector3 center = g.pivot + t * g.V.v + R * (g.start.center_W - g.pivot);
  const Vector3 arm = p - g.start.center_W;
  return center + (has_corners(g.start.geometry->shape) ? Vector3(R * arm) : arm);
}

/// Whether q (m, world) lies on the geometry, whose surface faces `outward` there.
bool lies_on(const PlacedGeometry& g, const Vector3& q, const Vector3& outward) {
  if (g.geometry->surface) {
    const double tolerance = kOnFace * g.geometry->ball_B.radius;
    return g.geometry->surface->nearest(g.X_WG.inverse_times(q), tolerance).triangle >= 0;
  }
  const ConvexSupport support(g.geometry->shape, g.X_WG);
  return support.contains(q - support.radius() * outward, kOnFace * (support.extent() + support.radius()));
}

}  // namespace

Vector3 SweptGeometry::arm_at(double t) const {
  return turned(V.w, t, start.center_W - pivot);
}

PlacedGeometry SweptGeometry::at(double t) const {
  if (t == 0.0) return start;
  if (V.w.isZero(0.0)) {
    PlacedGeometry then = start;
    then.X_WG.p += t * V.v;
    then.center_W += t * V.v;
    return then;
  }
  const Matrix3 R = turn(V.w, t);
  const Vector3 pivot_then = pivot + t * V.v;
  PlacedGeometry then = start;
  then.X_WG.R = R * start.X_WG.R;
  then.X_WG.p = pivot_then + R * (start.X_WG.p - pivot);
  then.center_W = pivot_then + R * (start.center_W - pivot);
  return then;
}

ClosingSpeed::ClosingSpeed(const SweptPair& pair)
    : v(pair.b.V.v - pair.a.V.v),
      w_a(pair.a.V.w),
      w_b(pair.b.V.w),
      radius_a(radius_of(pair.a)),
      radius_b(radius_of(pair.b)) {}

ClosingSpeed ClosingSpeed::of_balls(const SweptPair& pair) {
  ClosingSpeed speed(pair);
  speed.radius_a = (pair.a.start.center_W - pair.a.pivot).norm();
  speed.radius_b = (pair.b.start.center_W - pair.b.pivot).norm();
  return speed;
}

bool still_faces(const SweptPair& pair, const PointContact& c, double t) {
  const auto &surface_a = pair.a.start.geometry->surface, &surface_b = pair.b.start.geometry->surface;
  if (surface_a && surface_b)
    if (const auto edges = MeshPairQuery::crossing_edges(c.feature))  // the crossing slides along both
      return MeshPairQuery::do_cross(*surface_a, pair.a.at(t).X_WG, *surface_b, pair.b.at(t).X_WG, *edges);
  const Vector3 p_a = moved(pair.a, c.p_a, t), p_b = moved(pair.b, c.p_b, t);
  const auto on = [&](const SweptGeometry& face, const Vector3& on_face, const Vector3& point, double sign) {
    const Vector3 n = turn(face.V.w, t) * c.normal;
    return lies_on(face.at(t), point - n.dot(point - on_face) * n, sign * n);
  };
  return on(pair.a, p_a, p_b, 1.0) || on(pair.b, p_b, p_a, -1.0);
}

PointContact carried_back(const SweptPair& pair, const ManifoldPoint& point, double t, double weight_a) {
  const Vector3 middle = weight_a * point.p_a + (1.0 - weight_a) * point.p_b;
  const Vector3 on_a = middle - t * pair.a.V.v, on_b = middle - t * pair.b.V.v;
  const Vector3 place = on_a + pair.a.share * (on_b - on_a);
  PointContact c;
  c.geometry_a = pair.a.start.index;
  c.geometry_b = pair.b.start.index;
  c.body_a = pair.a.body;
  c.body_b = pair.b.body;
  c.feature = point.feature;
  c.normal = point.normal;
  const Vector3 v = pair.b.V.at(place - pair.b.pivot) - pair.a.V.at(place - pair.a.pivot);
  c.phi = point.phi - t * c.normal.dot(v);
  c.p_a = place - (1.0 - weight_a) * c.phi * c.normal;
  c.p_b = place + weight_a * c.phi * c.normal;
  return c;
}

}  // namespace csim
