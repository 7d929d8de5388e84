#include "contact/convex/contact_feature.h"
#include "contact/convex/feature_manifold.h"
#include "contact/convex/overlap_corners.h"
#include "contact/convex/shape_pairs.h"

namespace csim {

void query_half_space(const RigidTransform& X_A, const Shape& b, const RigidTransform& X_B, double max_phi,
                      Manifold* out) {
  const ConvexSupport body(b, X_B);
  const Vector3 normal = X_A.R.col(2);
  const Vector3 lowest = body.support(-normal);
  const double phi = normal.dot(lowest - X_A.p) - body.radius();
  if (!(phi < max_phi)) return;

  if (body.kind() == ConvexSupport::Kind::kPoint || body.kind() == ConvexSupport::Kind::kEllipsoid) {
    ManifoldPoint& point = out->points[out->size++];
    point.normal = normal;
    point.p_b = lowest - body.radius() * normal;
    point.p_a = point.p_b - phi * normal;
    point.phi = phi;
    point.feature = 0;
    return;
  }
  if (body.kind() == ConvexSupport::Kind::kPolytope)
    return add_corners_on_plane(normal.dot(X_A.p), normal, body, phi, max_phi, out);
  ContactFeature plane, feature;
  plane.kind = ContactFeature::Kind::kPlane;
  plane.size = 0;
  plane.normal = normal;
  plane.center = X_A.p;
  find_contact_feature(body, -normal, 0.0, &feature);
  add_feature_manifold({&plane, &feature, normal, 0.0, body.radius()}, max_phi, out);
}

}  // namespace csim
