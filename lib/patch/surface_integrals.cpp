#include "patch/surface_integrals.h"

#include <algorithm>
#include <array>

namespace csim {
namespace {

/// The part of the triangle (a, b, c) with pressures p where they are positive: up to two triangles.
template <typename Visit>
void visit_positive_part(const std::array<Vector3, 3>& corner, const std::array<double, 3>& p,
                         const Visit& visit) {
  std::array<Vector3, 4> x;
  std::array<double, 4> q;
  int n = 0;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    if (p[i] >= 0.0) {
      x[n] = corner[i];
      q[n++] = p[i];
    }
    if ((p[i] < 0.0) != (p[j] < 0.0)) {
      const double t = p[i] / (p[i] - p[j]);
      x[n] = corner[i] + t * (corner[j] - corner[i]);
      q[n++] = 0.0;
    }
  }
  for (int i = 1; i + 1 < n; ++i) visit(x[0], x[i], x[i + 1], q[0], q[i], q[i + 1]);
}

/// Force and its first moment about the face's centroid, of the positive pressure.
void integrate_face(const ContactSurface& surface, int face, double* force, Vector3* moment) {
  const int begin = surface.vertex_begin[face], end = surface.vertex_begin[face + 1];
  const Vector3 &center = surface.centroid[face], &n = surface.normal[face];
  const auto add = [&](const Vector3& a, const Vector3& b, const Vector3& c, double pa, double pb,
                       double pc) {
    const double area = 0.5 * (b - a).cross(c - a).dot(n);
    *force += area / 3.0 * (pa + pb + pc);
    // Midpoints of the edges: exact for quadratics.
    *moment += area / 12.0 * ((pa + pb) * (a + b) + (pb + pc) * (b + c) + (pc + pa) * (c + a));
  };
  for (int i = begin + 1; i + 1 < end; ++i) {
    visit_positive_part(
        {surface.vertices[begin] - center, surface.vertices[i] - center, surface.vertices[i + 1] - center},
        {surface.vertex_pressures[begin], surface.vertex_pressures[i], surface.vertex_pressures[i + 1]}, add);
  }
}

}  // namespace

SurfaceIntegrals integrate_surface(const ContactSurface& surface, int begin, int end) {
  SurfaceIntegrals result;
  if (begin == end) return result;
  // About the first face: no cancellation far from the origin.
  const Vector3 origin = surface.centroid[begin];
  Vector3 area_moment = Vector3::Zero(), moment = Vector3::Zero();
  result.max_pressure = surface.vertex_pressures[surface.vertex_begin[begin]];
  for (int face = begin; face < end; ++face) {
    const Vector3 arm = surface.centroid[face] - origin;
    result.area += surface.area[face];
    area_moment += surface.area[face] * arm;
    double force = 0.0;
    Vector3 first_moment = Vector3::Zero();
    integrate_face(surface, face, &force, &first_moment);
    result.force += force * surface.normal[face];
    moment += (force * arm + first_moment).cross(surface.normal[face]);
    for (int i = surface.vertex_begin[face]; i < surface.vertex_begin[face + 1]; ++i)
      result.max_pressure = std::max(result.max_pressure, surface.vertex_pressures[i]);
  }
  const Vector3 center = result.area > 0.0 ? Vector3(area_moment / result.area) : Vector3::Zero();
  result.centroid = origin + center;
  result.moment = moment - center.cross(result.force);
  return result;
}

}  // namespace csim
