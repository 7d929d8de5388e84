#include "geometry/local_surface.h"

#include <algorithm>
#include <cmath>

namespace csim {
namespace {

// Sine within which a normal is that of a face, or normal to an edge or axis; fraction of the size within
// which a point lies on a face, an edge or a rim. Contact points come from clipping and have 1e-12 or better.
constexpr double kAligned = 1e-6, kOnFeature = 1e-6;

LocalSurface curved(const Matrix3& S) {
  return {LocalSurface::Kind::kCurved, S, Vector3::Zero()};
}
LocalSurface vertex() {
  return curved(Matrix3::Zero());
}
LocalSurface flat() {
  return {LocalSurface::Kind::kFlat, Matrix3::Zero(), Vector3::Zero()};
}

Matrix3 across(const Vector3& n) {
  return Matrix3::Identity() - n * n.transpose();
}

LocalSurface sphere(double radius, const Vector3& n) {
  return curved(radius * across(n));
}

/// A generator along z at the radius `radius`, with the normal n, which is across it but for rounding and for
/// what a manifold's common normal is off at one of its points.
LocalSurface generator(double radius, const Vector3& n) {
  const Vector3 t = Vector3::UnitZ().cross(n).normalized();
  return {LocalSurface::Kind::kLine, radius * t * t.transpose(), Vector3::UnitZ()};
}

LocalSurface at(const Sphere& s, const Vector3&, const Vector3& n, double) {
  return sphere(s.radius, n);
}

LocalSurface at(const Box& box, const Vector3& p, const Vector3& n, double) {
  int outside = 0, free_axis = 0;
  for (int i = 0; i < 3; ++i) {
    if (std::abs(n[i]) * std::abs(n[i]) > 1.0 - kAligned * kAligned) return flat();
    const double half = 0.5 * box.size[i];
    if (std::abs(p[i]) >= half * (1.0 - kOnFeature)) {
      ++outside;
    } else {
      free_axis = i;
    }
  }
  if (outside == 1) return flat();  // within a face
  if (outside == 2 && std::abs(n[free_axis]) < kAligned)
    return {LocalSurface::Kind::kLine, Matrix3::Zero(), Vector3::Unit(free_axis)};
  return vertex();
}

LocalSurface at(const Cylinder& cylinder, const Vector3& p, const Vector3& n, double least_tilt) {
  const double r = cylinder.radius, half = 0.5 * cylinder.length, tilt = std::hypot(n.x(), n.y());
  const bool at_end = std::abs(p.z()) >= half * (1.0 - kOnFeature);
  if (!at_end) return tilt > 0.0 ? generator(r, n) : vertex();
  if (std::hypot(p.x(), p.y()) < r * (1.0 - kOnFeature)) return flat();
  // The rim, where the normal picks this place of it; other points of it are as fixed as a vertex.
  const double d = std::max(tilt, least_tilt);
  if (d == 0.0) return vertex();  // nothing turns, and S does not matter
  const Vector3 t = Vector3(-p.y(), p.x(), 0.0) / std::hypot(p.x(), p.y());
  if (std::abs(t.dot(n)) > kAligned * tilt) return vertex();
  return curved(r / d * t * t.transpose());
}

LocalSurface at(const Capsule& capsule, const Vector3& p, const Vector3& n, double) {
  const bool on_side =
      std::abs(p.z()) < 0.5 * capsule.length * (1.0 - kOnFeature) && std::hypot(n.x(), n.y()) > 0.0;
  return on_side ? generator(capsule.radius, n) : sphere(capsule.radius, n);
}

/// The support x(n) = D n/|D^1/2 n|, D the squares of the semi-axes.
LocalSurface at(const Ellipsoid& ellipsoid, const Vector3&, const Vector3& n, double) {
  const Vector3 D = ellipsoid.semi_axes.cwiseAbs2(), Dn = D.cwiseProduct(n);
  const double length = std::sqrt(n.dot(Dn));
  const Matrix3 S = Matrix3(D.asDiagonal()) / length - Dn * Dn.transpose() / (length * length * length);
  return curved(across(n) * S * across(n));
}

LocalSurface at(const HalfSpace&, const Vector3&, const Vector3&, double) {
  return flat();
}

LocalSurface at(const Convex&, const Vector3&, const Vector3&, double) {
  return {};
}

LocalSurface at(const Mesh&, const Vector3&, const Vector3&, double) {
  return {};
}

}  // namespace

LocalSurface local_surface(const Shape& shape, const Vector3& p, const Vector3& n, double least_tilt) {
  return std::visit([&](const auto& s) { return at(s, p, n, least_tilt); }, shape);
}

}  // namespace csim
