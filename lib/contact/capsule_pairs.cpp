#include <cmath>

#include "contact/nearest_point.h"
#include "contact/shape_pairs.h"

namespace csim {

namespace {

// Axes nearer than this fraction of the radii meet: the direction between them is rounding.
constexpr double kCrossing = 1e-14;

}  // namespace

void query_capsule_capsule(const Capsule& a, const RigidTransform& X_A, const Capsule& b, const RigidTransform& X_B,
                           double max_phi, Manifold* out) {
  const Vector3 d_A = a.length * X_A.R.col(2), d_B = b.length * X_B.R.col(2);
  const Vector3 p_A = X_A.p - 0.5 * d_A, p_B = X_B.p - 0.5 * d_B;
  double s = 0.0, t = 0.0;
  nearest_on_segments(p_A, d_A, p_B, d_B, &s, &t);
  const Vector3 on_a = p_A + s * d_A, on_b = p_B + t * d_B;
  const Vector3 gap = on_b - on_a;
  const double distance = gap.norm(), radii = a.radius + b.radius;
  const double phi = distance - radii;
  if (!(phi < max_phi)) return;

  DeepestPair deepest;
  deepest.phi = phi;
  if (distance > kCrossing * (radii + a.length + b.length)) {
    deepest.normal = gap / distance;
  } else {
    // Crossing axes part soonest along the normal of their plane; its side is free.
    const Vector3 n = X_A.R.col(2).cross(X_B.R.col(2));
    const double sine = n.norm();
    deepest.normal = sine > 1e-8 && d_A.squaredNorm() > 0.0 && d_B.squaredNorm() > 0.0 ? Vector3(n / sine) : Vector3(X_A.R.col(0));
    if (deepest.normal.dot(X_B.p - X_A.p) < 0.0) deepest.normal = -deepest.normal;
    out->degenerate = true;
  }
  deepest.p_a = on_a + a.radius * deepest.normal;
  deepest.p_b = on_b - b.radius * deepest.normal;
  // One point, unless the axes are parallel enough to share a line.
  if (std::abs(X_A.R.col(2).dot(X_B.R.col(2))) < 0.99) {
    add_single_point(deepest, out);
    return;
  }
  add_contact_points(ConvexSupport(a, X_A), ConvexSupport(b, X_B), deepest, DeepestPolicy::kAdd, max_phi, out);
}

}  // namespace csim
