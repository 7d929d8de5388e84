// Bodies, poses and sums for the tests of contact surfaces.
#pragma once

#include <numbers>
#include <random>

#include "mesh/make_compliant_mesh.h"
#include "patch/find_contact_surface.h"

namespace csim::testing {

inline constexpr double kPi = std::numbers::pi;
inline const SurfaceOptions kUncut{.least_cosine = -2.0};

inline CompliantMesh soft(const Shape& shape, double modulus, double resolution = 0.1,
                          MeshStrategy strategy = MeshStrategy::kSingle, double margin = 0.0) {
  return make_compliant_mesh(
      shape, {.resolution = resolution, .modulus = modulus, .margin = margin, .strategy = strategy});
}

/// A little above the chord of the octahedron's refinement number `level`.
inline double chord(double radius, int level) {
  return 2.0 * radius * std::sin(kPi / std::pow(2.0, level + 2)) * (1.0 + 1e-9);
}

inline ContactSurface find(const PatchGeometry& a, const RigidTransform& X_WA, const PatchGeometry& b,
                           const RigidTransform& X_WB, const SurfaceOptions& options = {}) {
  SurfaceWorkspace workspace;
  ContactSurface surface;
  find_contact_surface(a, X_WA, b, X_WB, options, &workspace, &surface);
  return surface;
}

struct Sums {
  double area = 0.0;
  Vector3 force = Vector3::Zero();   // N, on B
  Vector3 moment = Vector3::Zero();  // N m, on B about the world's origin
  double stiffness = 0.0;            // N/m, sum of gradient * area
};

inline Sums sum(const ContactSurface& s) {
  Sums r;
  for (int i = 0; i < s.num_faces(); ++i) {
    const Vector3 f = s.area[i] * s.pressure[i] * s.normal[i];
    r.area += s.area[i];
    r.force += f;
    r.moment += s.centroid[i].cross(f);
    r.stiffness += s.gradient[i] * s.area[i];
  }
  return r;
}

/// The same with the moment of the linear pressure: exact by the middles of the edges of each triangle of a
/// fan. Needs the corners.
inline Sums sum_exactly(const ContactSurface& s) {
  Sums r = sum(s);
  r.moment.setZero();
  for (int i = 0; i < s.num_faces(); ++i) {
    const int begin = s.vertex_begin[i], end = s.vertex_begin[i + 1];
    for (int k = begin + 1; k + 1 < end; ++k) {
      const int corner[3] = {begin, k, k + 1};
      const Vector3 &a = s.vertices[begin], &b = s.vertices[k], &c = s.vertices[k + 1];
      const double area = 0.5 * (b - a).cross(c - a).dot(s.normal[i]);
      for (int e = 0; e < 3; ++e) {
        const int p = corner[e], q = corner[(e + 1) % 3];
        const double pressure = 0.5 * (s.vertex_pressures[p] + s.vertex_pressures[q]);
        r.moment += area / 3.0 * pressure * (0.5 * (s.vertices[p] + s.vertices[q])).cross(s.normal[i]);
      }
    }
  }
  return r;
}

inline Vector3 random_vector(std::mt19937* rng, double size) {
  std::uniform_real_distribution<double> u(-size, size);
  const double x = u(*rng), y = u(*rng), z = u(*rng);
  return {x, y, z};
}

inline RigidTransform random_pose(std::mt19937* rng, double distance) {
  std::normal_distribution<double> n;
  const double w = n(*rng), x = n(*rng), y = n(*rng), z = n(*rng);
  return {Quaternion(w, x, y, z).normalized(), random_vector(rng, distance)};
}

inline RigidTransform rotated(double angle, const Vector3& axis, const Vector3& p = Vector3::Zero()) {
  return {Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix(), p};
}

}  // namespace csim::testing
