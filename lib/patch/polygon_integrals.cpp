#include "patch/polygon_integrals.h"

namespace csim {

PolygonIntegrals integrate_polygon(std::span<const Vector3> vertices, std::span<const double> pressures,
                                   const Vector3& normal) {
  const std::size_t n = vertices.size();
  PolygonIntegrals result;
  // About the first corner: no cancellation far from the origin.
  const Vector3& origin = vertices[0];
  Vector3 first_moment = Vector3::Zero(), mean = Vector3::Zero();
  double force = 0.0, mean_pressure = 0.0;
  Vector3 force_moment = Vector3::Zero();
  for (std::size_t i = 0; i < n; ++i) {
    mean += (vertices[i] - origin) / static_cast<double>(n);
    mean_pressure += pressures[i] / static_cast<double>(n);
  }
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const Vector3 u = vertices[i] - origin, w = vertices[i + 1] - origin;
    const double area = 0.5 * u.cross(w).dot(normal);
    const double p0 = pressures[0], pu = pressures[i], pw = pressures[i + 1];
    result.area += area;
    first_moment += area / 3.0 * (u + w);
    force += area / 3.0 * (p0 + pu + pw);
    // Midpoints of the edges: exact for quadratics.
    force_moment += area / 3.0 * (0.25 * (p0 + pu) * u + 0.25 * (p0 + pw) * w + 0.25 * (pu + pw) * (u + w));
  }
  if (!(result.area > 0.0)) {
    result.area = 0.0;
    result.centroid = origin + mean;
    result.pressure = mean_pressure;
    return result;
  }
  const Vector3 center = first_moment / result.area;
  result.centroid = origin + center;
  result.pressure = force / result.area;
  result.pressure_moment = force_moment - force * center;
  return result;
}

}  // namespace csim
