#include "contact/mesh/triangle_crossing.h"

#include <algorithm>
#include <cmath>

#include "contact/mesh/mesh_tolerances.h"

namespace csim {

/// The line along d is cut with the convex hull of all differences of the triangles' corners, whose faces
/// have the axes that could separate the two: both normals and the products of their sides.
CrossingInterval crossing_interval(const Triangle& p, const Triangle& q, const Vector3& d, double margin) {
  CrossingInterval t;
  const auto cut = [&](const Vector3& axis, double length) {
    const auto [p0, p1] = std::minmax({axis.dot(p[0]), axis.dot(p[1]), axis.dot(p[2])});
    const auto [q0, q1] = std::minmax({axis.dot(q[0]), axis.dot(q[1]), axis.dot(q[2])});
    const double low = p0 - q1 + margin * length, high = p1 - q0 - margin * length, speed = axis.dot(d);
    if (low > high || (std::abs(speed) <= MeshTolerances::kParallel * length && (low > 0.0 || high < 0.0))) {
      t.high = t.low;
    } else if (std::abs(speed) > MeshTolerances::kParallel * length) {
      t.low = std::max(t.low, (speed > 0.0 ? low : high) / speed);
      const double end = (speed > 0.0 ? high : low) / speed;
      if (end < t.high) t.normal = axis;
      t.high = std::min(t.high, end);
    }
    return !t.empty();
  };
  const Triangle u{p[1] - p[0], p[2] - p[1], p[0] - p[2]}, v{q[1] - q[0], q[2] - q[1], q[0] - q[2]};
  const Vector3 m = u[0].cross(u[1]), n = v[0].cross(v[1]);
  if (!cut(m, m.norm()) || !cut(n, n.norm())) return t;
  for (const Vector3& x : u) {
    for (const Vector3& y : v) {
      const Vector3 axis = x.cross(y);
      const double length = axis.norm();
      if (length > MeshTolerances::kParallel * x.norm() * y.norm() && !cut(axis, length)) return t;
    }
  }
  return t;
}

bool cross(const Triangle& p, const Triangle& q, double margin) {
  return !crossing_interval(p, q, Vector3::Zero(), margin).empty();
}

}  // namespace csim
