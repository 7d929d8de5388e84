// Integrals of a linear pressure over a planar convex polygon, exact.
#pragma once

#include <span>

#include "core/types.h"

namespace csim {

struct PolygonIntegrals {
  double area = 0.0;                          // m^2
  Vector3 centroid = Vector3::Zero();         // m
  double pressure = 0.0;                      // Pa, at the centroid, which is the mean
  Vector3 pressure_moment = Vector3::Zero();  // N m, integral of (x - centroid) p dA, in the plane
};

/// Corners in order about the unit normal, and the pressure at each. A polygon without area has its mean
/// corner for a centroid.
[[nodiscard]] PolygonIntegrals integrate_polygon(std::span<const Vector3> vertices,
                                                 std::span<const double> pressures, const Vector3& normal);

}  // namespace csim
