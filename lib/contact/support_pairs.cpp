#include <algorithm>
#include <cmath>

#include "contact/contact_feature.h"
#include "contact/epa.h"
#include "contact/feature_manifold.h"
#include "contact/gjk.h"
#include "contact/separation.h"
#include "contact/shape_pairs.h"

namespace csim {

namespace {

// Relative tolerance of the first search for the distance: its direction is then good to 1e-3, from where Newton's method is certain.
constexpr double kSearchTolerance = 1e-6;

// Relative tolerance of the second search, where the first one's direction did not lead to the closest points.
constexpr double kFineTolerance = 1e-13;

// Fractions of the size: distances equal to rounding; touching; EPA's tolerance for pairs with smooth parts and without.
constexpr double kRounding = 1e-12;
constexpr double kTouching = 1e-13;
constexpr double kSmoothDepth = 1e-4;
constexpr double kFlatDepth = 1e-11;

// cos 25 degrees: at least one face of a pair must be this near to normal to n for the two to meet as faces, and the other within 60 degrees.
constexpr double kFaceContact = 0.9;
constexpr double kOtherFace = 0.5;

bool is_smooth(const ConvexSupport& s) {
  return s.kind() == ConvexSupport::Kind::kCylinder || s.kind() == ConvexSupport::Kind::kEllipsoid;
}

bool is_round(const ConvexSupport& s) {
  return s.kind() == ConvexSupport::Kind::kPoint || s.kind() == ConvexSupport::Kind::kEllipsoid;
}

// The largest separation of the cores, or nothing (false) when it is beyond max_distance.
bool find_separation(const ConvexSupport& a, const ConvexSupport& b, double max_distance, Separation* best, bool* degenerate) {
  const double scale = a.extent() + b.extent();
  const Vector3 guess = b.center() - a.center();
  GjkResult found = gjk(a, b, guess, max_distance, kSearchTolerance);
  if (found.status == GjkResult::Status::kBeyond) return false;
  *best = maximize_separation(a, b, found.normal);
  if (found.status == GjkResult::Status::kSeparated) {
    // The distance of any two points of the bodies bounds the separation from above. (Points slid along edges may have left them.)
    double distance = (found.p_b - found.p_a).norm();
    const double tolerance = kRounding * scale;
    if (best->lateral <= tolerance && a.contains(best->p_a, tolerance) && b.contains(best->p_b, tolerance)) distance = best->value;
    if (distance - best->value > tolerance) {
      found = gjk(a, b, guess, max_distance, kFineTolerance);
      if (found.status == GjkResult::Status::kSeparated) {
        const Separation finer = maximize_separation(a, b, found.normal);
        if (finer.value > best->value) *best = finer;
        if (best->lateral > tolerance || !a.contains(best->p_a, tolerance) || !b.contains(best->p_b, tolerance)) {
          best->p_a = found.p_a;
          best->p_b = found.p_b;
        }
      }
    }
    if (found.status == GjkResult::Status::kSeparated) return true;
  }
  if (best->value >= -kTouching * scale) return true;
  const double tolerance = (is_smooth(a) || is_smooth(b) ? kSmoothDepth : kFlatDepth) * scale;
  const Penetration penetration = expand_polytope(a, b, found, tolerance);
  const Separation overlap = maximize_separation(a, b, penetration.normal);
  if (overlap.value > best->value) *best = overlap;
  *degenerate = penetration.flat;
  return true;
}

void find_features(const ConvexSupport& a, const ConvexSupport& b, const Vector3& n, ContactFeature* fa, ContactFeature* fb) {
  find_contact_feature(a, n, kOtherFace, fa);
  find_contact_feature(b, -n, kOtherFace, fb);
  // Steep on both sides: edges and vertices meet, not faces.
  if (std::max(fa->alignment, fb->alignment) < kFaceContact) {
    if (fa->kind == ContactFeature::Kind::kPolygon) find_contact_feature(a, n, kFaceContact, fa);
    if (fb->kind == ContactFeature::Kind::kPolygon) find_contact_feature(b, -n, kFaceContact, fb);
  }
}

DeepestPair rounded(const Separation& s, const ConvexSupport& a, const ConvexSupport& b) {
  return {s.normal, s.value - a.radius() - b.radius(), s.p_a + a.radius() * s.normal, s.p_b - b.radius() * s.normal};
}

}  // namespace

bool add_contact_points(const ConvexSupport& a, const ConvexSupport& b, const DeepestPair& deepest, DeepestPolicy policy,
                        double max_phi, Manifold* out) {
  if (!(deepest.phi < max_phi)) return true;
  if (is_round(a) || is_round(b)) {
    add_single_point(deepest, out);
    return true;
  }
  ContactFeature fa, fb;
  find_features(a, b, deepest.normal, &fa, &fb);
  add_feature_manifold({&fa, &fb, deepest.normal, a.radius(), b.radius()}, max_phi, out);
  double reached = max_phi;
  for (const ManifoldPoint& point : *out) reached = std::min(reached, point.phi);
  const double scale = a.extent() + b.extent() + a.radius() + b.radius();
  if (out->size > 0 && reached <= deepest.phi + kRounding * scale) return true;
  if (policy == DeepestPolicy::kRequire) {
    out->size = 0;
    return false;
  }
  if (out->size < Manifold::kCapacity) add_single_point(deepest, out);
  return true;
}

void query_supports(const ConvexSupport& a, const ConvexSupport& b, double max_phi, Manifold* out) {
  Separation best;
  if (!find_separation(a, b, max_phi + a.radius() + b.radius(), &best, &out->degenerate)) return;
  add_contact_points(a, b, rounded(best, a, b), DeepestPolicy::kAdd, max_phi, out);
}

SignedDistance signed_distance(const ConvexSupport& a, const ConvexSupport& b, double max_phi) {
  const Vector3 origin = 0.5 * (a.center() + b.center());
  const ConvexSupport a0 = a.translated(-origin), b0 = b.translated(-origin);
  SignedDistance result;
  Separation best;
  if (!find_separation(a0, b0, max_phi + a.radius() + b.radius(), &best, &result.degenerate)) {
    const Vector3 gap = b.center() - a.center();
    result.normal = gap.normalized();
    result.phi = std::nextafter(max_phi, 2.0 * max_phi + 1.0);
    result.p_a = a.center();
    result.p_b = b.center();
    return result;
  }
  const DeepestPair deepest = rounded(best, a0, b0);
  // The middle of the points where the features meet at this depth.
  Manifold manifold;
  const double scale = a.extent() + b.extent() + a.radius() + b.radius();
  add_contact_points(a0, b0, deepest, DeepestPolicy::kAdd, deepest.phi + 2.0 * kRounding * scale, &manifold);
  Vector3 middle = Vector3::Zero();
  for (const ManifoldPoint& point : manifold) middle += 0.5 * (point.p_a + point.p_b);
  if (manifold.size > 0) {
    middle /= manifold.size;
  } else {
    middle = 0.5 * (deepest.p_a + deepest.p_b);
  }
  result.normal = deepest.normal;
  result.phi = deepest.phi;
  result.p_a = origin + middle - (0.5 * deepest.phi) * deepest.normal;
  result.p_b = origin + middle + (0.5 * deepest.phi) * deepest.normal;
  return result;
}

}  // namespace csim
