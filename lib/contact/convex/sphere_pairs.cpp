#include <cmath>

#include "contact/convex/shape_pairs.h"
#include "geometry/nearest_point.h"

namespace csim {

namespace {

// Below this fraction of the sizes two centres coincide and the direction between them is rounding.
constexpr double kCoincident = 1e-15;

// The sphere against a point of the other body's surface given in that body's frame.
void add_surface_point(double radius, const Vector3& center, const NearestPoint& s, const RigidTransform& X_B,
                       double max_phi, Manifold* out) {
  const double phi = s.distance - radius;
  if (!(phi < max_phi)) return;
  ManifoldPoint& point = out->points[out->size++];
  point.normal = -(X_B.R * s.normal);
  point.p_a = center + radius * point.normal;
  point.p_b = point.p_a + phi * point.normal;
  point.phi = phi;
  point.feature = 0;
  out->degenerate |= s.degenerate;
}

}  // namespace

void query_sphere_sphere(const Sphere& a, const Vector3& p_A, const Sphere& b, const Vector3& p_B,
                         double max_phi, Manifold* out) {
  const Vector3 gap = p_B - p_A;
  const double distance = gap.norm();
  const double phi = distance - (a.radius + b.radius);
  if (!(phi < max_phi)) return;
  Vector3 normal(0.0, 0.0, 1.0);
  if (distance > kCoincident * (a.radius + b.radius)) {
    normal = gap / distance;
  } else {
    out->degenerate = true;
  }
  ManifoldPoint& point = out->points[out->size++];
  point.normal = normal;
  point.p_a = p_A + a.radius * normal;
  point.p_b = point.p_a + phi * normal;
  point.phi = phi;
  point.feature = 0;
}

void query_sphere_box(const Sphere& a, const Vector3& p_A, const Box& b, const RigidTransform& X_B,
                      double max_phi, Manifold* out) {
  add_surface_point(a.radius, p_A, nearest_on_box(0.5 * b.size, X_B.inverse_times(p_A)), X_B, max_phi, out);
}

void query_sphere_cylinder(const Sphere& a, const Vector3& p_A, const Cylinder& b, const RigidTransform& X_B,
                           double max_phi, Manifold* out) {
  add_surface_point(a.radius, p_A, nearest_on_cylinder(b.radius, 0.5 * b.length, X_B.inverse_times(p_A)), X_B,
                    max_phi, out);
}

void query_sphere_capsule(const Sphere& a, const Vector3& p_A, const Capsule& b, const RigidTransform& X_B,
                          double max_phi, Manifold* out) {
  const Vector3 x = X_B.inverse_times(p_A);
  const double half = 0.5 * b.length;
  const Vector3 foot(0.0, 0.0, std::max(-half, std::min(half, x.z())));
  NearestPoint s;
  const Vector3 d = x - foot;
  const double length = d.norm();
  s.degenerate = length <= kCoincident * (a.radius + b.radius);
  s.normal = s.degenerate ? Vector3(1.0, 0.0, 0.0) : Vector3(d / length);
  s.distance = length - b.radius;
  s.point = foot + b.radius * s.normal;
  add_surface_point(a.radius, p_A, s, X_B, max_phi, out);
}

void query_sphere_ellipsoid(const Sphere& a, const Vector3& p_A, const Ellipsoid& b,
                            const RigidTransform& X_B, double max_phi, Manifold* out) {
  const Vector3 x = X_B.inverse_times(p_A);
  const double reach = max_phi + a.radius + b.semi_axes.maxCoeff();
  if (reach <= 0.0 || x.squaredNorm() >= reach * reach) return;
  add_surface_point(a.radius, p_A, nearest_on_ellipsoid(b.semi_axes, x), X_B, max_phi, out);
}

}  // namespace csim
