#include "geometry/mass_properties.h"

#include <cmath>
#include <numbers>

namespace csim {

namespace {

using std::numbers::pi;

/// Volume, first and second moments of a solid bounded by triangles, by the divergence theorem as signed
/// tetrahedra from `origin`: for the tetrahedron (0, a, b, c) with d = det[a b c],
///   V = d/6,   int x = d/24 s,   int x x^T = d/120 (s s^T + a a^T + b b^T + c c^T),   s = a + b + c.
/// `origin` near the solid keeps cancellation small.
class PolyhedronMoments {
 public:
  explicit PolyhedronMoments(const Vector3& origin) : origin_(origin) {}

  void add_triangle(const Vector3& p, const Vector3& q, const Vector3& r) {
    const Vector3 a = p - origin_, b = q - origin_, c = r - origin_, s = a + b + c;
    const double d = a.dot(b.cross(c));
    volume_ += d / 6.0;
    first_ += d / 24.0 * s;
    second_ += d / 120.0 * (s * s.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
  }

  [[nodiscard]] MassProperties unit_density() const {
    if (volume_ == 0.0) return {};
    const Vector3 c = first_ / volume_;
    const Matrix3 about_com = second_ - volume_ * c * c.transpose();
    MassProperties result;
    result.mass = volume_;
    result.com = origin_ + c;
    result.inertia = about_com.trace() * Matrix3::Identity() - about_com;
    return result;
  }

 private:
  Vector3 origin_;
  double volume_ = 0.0;
  Vector3 first_ = Vector3::Zero();
  Matrix3 second_ = Matrix3::Zero();
};

Vector3 mean(const std::vector<Vector3>& points) {
  Vector3 sum = Vector3::Zero();
  for (const Vector3& p : points) sum += p;
  return sum / std::max<double>(1.0, static_cast<double>(points.size()));
}

MassProperties centered(double mass, const Vector3& inertia) {
  MassProperties result;
  result.mass = mass;
  result.inertia = inertia.asDiagonal();
  return result;
}

/// Mass properties of each solid of density 1.
struct UnitDensity {
  MassProperties operator()(const Sphere& s) const {
    const double m = 4.0 / 3.0 * pi * s.radius * s.radius * s.radius;
    return centered(m, Vector3::Constant(0.4 * m * s.radius * s.radius));
  }
  MassProperties operator()(const Box& s) const {
    const double m = s.size.prod();
    const Vector3 q = m / 12.0 * s.size.cwiseAbs2();
    return centered(m, {q.y() + q.z(), q.x() + q.z(), q.x() + q.y()});
  }
  MassProperties operator()(const Cylinder& s) const {
    const double r2 = s.radius * s.radius;
    const double m = pi * r2 * s.length;
    const double across = m * (r2 / 4.0 + s.length * s.length / 12.0);
    return centered(m, {across, across, 0.5 * m * r2});
  }
  /// A cylinder and the two halves of a ball, whose centres of mass lie L/2 + 3r/8 off the centre.
  MassProperties operator()(const Capsule& s) const {
    const double r = s.radius, L = s.length;
    const double cylinder = pi * r * r * L;
    const double ball = 4.0 / 3.0 * pi * r * r * r;
    const double across =
        cylinder * (r * r / 4.0 + L * L / 12.0) + ball * (0.4 * r * r + 0.25 * L * L + 0.375 * L * r);
    return centered(cylinder + ball, {across, across, 0.5 * cylinder * r * r + 0.4 * ball * r * r});
  }
  MassProperties operator()(const Ellipsoid& s) const {
    const double m = 4.0 / 3.0 * pi * s.semi_axes.prod();
    const Vector3 q = m / 5.0 * s.semi_axes.cwiseAbs2();
    return centered(m, {q.y() + q.z(), q.x() + q.z(), q.x() + q.y()});
  }
  MassProperties operator()(const HalfSpace&) const { return {}; }
  MassProperties operator()(const Convex& s) const {
    const ConvexPolytope& polytope = *s.polytope;
    PolyhedronMoments moments(mean(polytope.vertices));
    for (std::size_t f = 0; f + 1 < polytope.face_begin.size(); ++f) {
      const int begin = polytope.face_begin[f];
      const auto vertex = [&](int i) { return polytope.vertices[polytope.face_vertices[i]]; };
      for (int i = begin + 1; i + 1 < polytope.face_begin[f + 1]; ++i) {
        moments.add_triangle(vertex(begin), vertex(i), vertex(i + 1));
      }
    }
    return moments.unit_density();
  }
  MassProperties operator()(const Mesh& s) const {
    const TriangleMesh& mesh = *s.mesh;
    if (!mesh.closed) return {};
    PolyhedronMoments moments(mean(mesh.vertices));
    for (const auto& [i, j, k] : mesh.triangles) {
      moments.add_triangle(mesh.vertices[i], mesh.vertices[j], mesh.vertices[k]);
    }
    return moments.unit_density();
  }
};

}  // namespace

double volume(const Shape& shape) {
  return std::visit(UnitDensity{}, shape).mass;
}

MassProperties solid_mass_properties(const Shape& shape, double density) {
  MassProperties result = std::visit(UnitDensity{}, shape);
  result.mass *= density;
  result.inertia *= density;
  return result;
}

}  // namespace csim
