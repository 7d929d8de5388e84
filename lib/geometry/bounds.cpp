#include "geometry/bounds.h"

#include <cmath>

namespace csim {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Aabb centered_box(const Vector3& half) {
  Aabb box;
  box.lower = -half;
  box.upper = half;
  return box;
}

Aabb box_of_points(const std::vector<Vector3>& points) {
  Aabb box;
  for (const Vector3& p : points) box.add(p);
  return box;
}

Ball ball_of_points(const std::vector<Vector3>& points) {
  Ball ball{box_of_points(points).center(), 0.0};
  for (const Vector3& p : points) ball.radius = std::max(ball.radius, (p - ball.center).norm());
  return ball;
}

struct BoxOf {
  Aabb operator()(const Sphere& s) const { return centered_box(Vector3::Constant(s.radius)); }
  Aabb operator()(const Box& s) const { return centered_box(0.5 * s.size); }
  Aabb operator()(const Cylinder& s) const { return centered_box({s.radius, s.radius, 0.5 * s.length}); }
  Aabb operator()(const Capsule& s) const {
    return centered_box({s.radius, s.radius, 0.5 * s.length + s.radius});
  }
  Aabb operator()(const Ellipsoid& s) const { return centered_box(s.semi_axes); }
  Aabb operator()(const HalfSpace&) const {
    Aabb box = centered_box(Vector3::Constant(kInfinity));
    box.upper.z() = 0.0;
    return box;
  }
  Aabb operator()(const Convex& s) const { return box_of_points(s.polytope->vertices); }
  Aabb operator()(const Mesh& s) const { return box_of_points(s.mesh->vertices); }
};

struct BallOf {
  Ball operator()(const Sphere& s) const { return {Vector3::Zero(), s.radius}; }
  Ball operator()(const Box& s) const { return {Vector3::Zero(), 0.5 * s.size.norm()}; }
  Ball operator()(const Cylinder& s) const { return {Vector3::Zero(), std::hypot(s.radius, 0.5 * s.length)}; }
  Ball operator()(const Capsule& s) const { return {Vector3::Zero(), s.radius + 0.5 * s.length}; }
  Ball operator()(const Ellipsoid& s) const { return {Vector3::Zero(), s.semi_axes.maxCoeff()}; }
  Ball operator()(const HalfSpace&) const { return {Vector3::Zero(), kInfinity}; }
  Ball operator()(const Convex& s) const { return ball_of_points(s.polytope->vertices); }
  Ball operator()(const Mesh& s) const { return ball_of_points(s.mesh->vertices); }
};

}  // namespace

Aabb bounding_box(const Shape& shape) {
  return std::visit(BoxOf{}, shape);
}

Ball bounding_ball(const Shape& shape) {
  return std::visit(BallOf{}, shape);
}

}  // namespace csim
