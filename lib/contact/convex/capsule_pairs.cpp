#include <cmath>

#include "contact/convex/shape_pairs.h"
#include "geometry/nearest_point.h"

namespace csim {

namespace {

// Axes nearer than this fraction of the radii meet: the direction between them is rounding.
constexpr double kCrossing = 1e-14;
constexpr double kNearlyCrossing = 1e-5;

}  // namespace

void query_capsule_capsule(const Capsule& a, const RigidTransform& X_A, const Capsule& b,
                           const RigidTransform& X_B, double max_phi, Manifold* out) {
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
    // Where the axes nearly meet the difference of the points is mostly rounding: it is normal to the axes
    // that it meets inside.
    if (distance < kNearlyCrossing * (radii + a.length + b.length)) {
      const bool inside_a = s > 0.0 && s<1.0, inside_b = t> 0.0 && t < 1.0;
      const Vector3 cross = X_A.R.col(2).cross(X_B.R.col(2));
      if (inside_a && inside_b && cross.norm() > 1e-6) {
        deepest.normal = std::copysign(1.0, cross.dot(gap)) * cross.normalized();
      } else {
        if (inside_a) deepest.normal -= X_A.R.col(2) * X_A.R.col(2).dot(deepest.normal);
        if (inside_b) deepest.normal -= X_B.R.col(2) * X_B.R.col(2).dot(deepest.normal);
        deepest.normal.normalize();
      }
    }
  } else {
    // Crossing axes part soonest along the normal of their plane, parallel ones along any normal; the side is
    // free.
    const Vector3 n = X_A.R.col(2).cross(X_B.R.col(2));
    if (n.norm() > 1e-8 && a.length > 0.0 && b.length > 0.0) {
      deepest.normal = n.normalized();
    } else {
      deepest.normal = b.length > 0.0 ? X_B.R.col(0) : X_A.R.col(0);
    }
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
  add_contact_points(ConvexSupport(a, X_A), ConvexSupport(b, X_B), deepest, DeepestPolicy::kAdd, max_phi,
                     out);
}

}  // namespace csim
