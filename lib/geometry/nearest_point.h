// Nearest points in closed form: on primitives' surfaces, segments and triangles.
#pragma once

#include "core/types.h"

namespace csim {

/// The point of a solid's surface nearest to a query point, in the frame of the solid.
struct NearestPoint {
  Vector3 point;
  Vector3 normal;           // unit, outward
  double distance = 0.0;    // m, of the query point: < 0 inside
  bool degenerate = false;  // several surface points are equally near; one was chosen by convention
};

/// Of a box with the given half lengths.
[[nodiscard]] NearestPoint nearest_on_box(const Vector3& half_size, const Vector3& x);

/// Of a cylinder along z.
[[nodiscard]] NearestPoint nearest_on_cylinder(double radius, double half_length, const Vector3& x);

/// Of an ellipsoid with the given semi-axes e: the root t > -min(e)^2 of sum (e_i x_i/(t + e_i^2))^2 = 1 by
/// Newton's method, which climbs to it from the left (Eberly 2013, "Distance from a point to an ellipse, an
/// ellipsoid, or a hyperellipsoid", sec. 3).
[[nodiscard]] NearestPoint nearest_on_ellipsoid(const Vector3& semi_axes, const Vector3& x);

/// The parameter in [0, 1] of the point of the segment p + s d nearest to x.
[[nodiscard]] double nearest_on_segment(const Vector3& p, const Vector3& d, const Vector3& x);

/// The parameters in [0, 1] of the nearest points p1 + s d1 and p2 + t d2 of two segments (of parallel ones:
/// the middle of the common part).
void nearest_on_segments(const Vector3& p1, const Vector3& d1, const Vector3& p2, const Vector3& d2,
                         double* s, double* t);

/// The point of the triangle (a, b, c) nearest to x (Ericson 2005, "Real-Time Collision Detection",
/// sec. 5.1.5).
[[nodiscard]] Vector3 nearest_on_triangle(const Vector3& a, const Vector3& b, const Vector3& c,
                                          const Vector3& x);

}  // namespace csim
