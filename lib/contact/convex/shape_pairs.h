// The pair functions behind query_pair. Each appends to an empty manifold, a being the first shape of its
// name; positions are near the origin (query_pair moves it there), so that rounding scales with the pair and
// not with its place in the world.
#pragma once

#include "contact/convex/narrow_phase.h"
#include "contact/engine/query_engine.h"

namespace csim {

/// A sphere against another sphere, a box, a cylinder, a capsule or an ellipsoid: closed forms.
void query_sphere_sphere(const Sphere& a, const Vector3& p_A, const Sphere& b, const Vector3& p_B,
                         double max_phi, Manifold* out);
void query_sphere_box(const Sphere& a, const Vector3& p_A, const Box& b, const RigidTransform& X_B,
                      double max_phi, Manifold* out);
void query_sphere_cylinder(const Sphere& a, const Vector3& p_A, const Cylinder& b, const RigidTransform& X_B,
                           double max_phi, Manifold* out);
void query_sphere_capsule(const Sphere& a, const Vector3& p_A, const Capsule& b, const RigidTransform& X_B,
                          double max_phi, Manifold* out);
void query_sphere_ellipsoid(const Sphere& a, const Vector3& p_A, const Ellipsoid& b,
                            const RigidTransform& X_B, double max_phi, Manifold* out);

/// Two capsules: the nearest points of their axes; the two ends of the common part where they are parallel.
void query_capsule_capsule(const Capsule& a, const RigidTransform& X_A, const Capsule& b,
                           const RigidTransform& X_B, double max_phi, Manifold* out);

/// A half space (a, its plane through X_A.p) against a bounded shape: the vertices of the feature that faces
/// the plane.
void query_half_space(const RigidTransform& X_A, const Shape& b, const RigidTransform& X_B, double max_phi,
                      Manifold* out);

/// Two boxes: the separating axis test over the 15 axes (Gottschalk, Lin, Manocha 1996, "OBBTree", sec. 5).
void query_box_box(const Box& a, const RigidTransform& X_A, const Box& b, const RigidTransform& X_B,
                   double max_phi, Manifold* out);

/// Any two bounded convex bodies: gjk or expand_polytope for the direction, maximize_separation for its
/// digits, the features along it for the points.
void query_supports(const ConvexSupport& a, const ConvexSupport& b, double max_phi, Manifold* out);

/// The same with a direction that was found elsewhere: maximize_separation for its digits, the features along
/// it for the points. False, with nothing appended, where it is not what a search of our own would have led
/// to: when our supports do not separate along it by found.phi, or do not prove it the closest of bodies
/// apart.
bool query_along(const ConvexSupport& a, const ConvexSupport& b, const PairDirection& found, double max_phi,
                 Manifold* out);

/// A direction of the signed distance phi (m), and a pair of points on the rounded surfaces (m) that takes
/// it.
struct DeepestPair {
  Vector3 normal;
  double phi;
  Vector3 p_a, p_b;
};

/// Appends the points of the features along deepest.normal. Where they do not reach the depth deepest.phi,
/// kAdd appends the deepest pair itself; kRequire appends nothing and returns false: phi was not the signed
/// distance.
enum class DeepestPolicy { kAdd, kRequire };
bool add_contact_points(const ConvexSupport& a, const ConvexSupport& b, const DeepestPair& deepest,
                        DeepestPolicy policy, double max_phi, Manifold* out);

/// Appends one point, p_b - p_a = phi * normal up to a part across the normal, which is split between the
/// two.
inline void add_single_point(const DeepestPair& pair, Manifold* out) {
  const Vector3 middle = 0.5 * (pair.p_a + pair.p_b);
  ManifoldPoint& point = out->points[out->size++];
  point.p_a = middle - (0.5 * pair.phi) * pair.normal;
  point.p_b = middle + (0.5 * pair.phi) * pair.normal;
  point.normal = pair.normal;
  point.phi = pair.phi;
  point.feature = 0;
}

}  // namespace csim
