#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/convex/contact_feature.h"
#include "contact/convex/epa.h"
#include "contact/convex/feature_manifold.h"
#include "contact/convex/gjk.h"
#include "contact/convex/overlap_corners.h"
#include "contact/convex/separation.h"
#include "contact/convex/shape_pairs.h"

namespace csim {

namespace {

// Relative tolerance of the first search for the distance: its direction is then good to sqrt(2e-4) rad, from
// where Newton's method finds the digits in fewer steps than GJK.
constexpr double kSearchTolerance = 1e-4;

// Relative tolerance of the second search, where the first one's direction did not lead to the closest
// points.
constexpr double kFineTolerance = 1e-13;

// Fractions of the size: distances equal to rounding; touching; overlaps that may turn out to be touching;
// EPA's tolerance for pairs with smooth parts and without.
constexpr double kRounding = 1e-12;
constexpr double kShapesTouch = 1e-13;
constexpr double kShallow = 1e-6;
constexpr double kSmoothDepth = 1e-5;  // of the depth
constexpr double kFlatDepth = 1e-11;

// Fractions of the size: a pair whose points miss each other by more is no pair of closest points; points
// nearer than this are one spring.
constexpr double kOpenPlace = 1e-7;
constexpr double kSamePoint = 1e-5;

// cos 25 degrees: at least one face of a pair must be this near to normal to n for the two to meet as faces,
// and the other within 60 degrees.
constexpr double kFaceContact = 0.9;
constexpr double kOtherFace = 0.5;

// Fraction of the size, and of 1: a direction found elsewhere is refused when the separation along it is not
// what it was found to be by more than this. (FCL's polytopes are good to 1e-12, its rims to 1e-4.)
constexpr double kAgreement = 1e-3;

// Fraction of the size: of bodies apart, by how much their distance may exceed the separation of a direction
// that was found elsewhere.
constexpr double kProven = 1e-9;

bool is_smooth(const ConvexSupport& s) {
  return s.kind() == ConvexSupport::Kind::kCylinder || s.kind() == ConvexSupport::Kind::kEllipsoid;
}

bool is_thin(const ConvexSupport& s) {
  return s.kind() == ConvexSupport::Kind::kPoint || s.kind() == ConvexSupport::Kind::kSegment;
}

bool is_round(const ConvexSupport& s) {
  return s.kind() == ConvexSupport::Kind::kPoint || s.kind() == ConvexSupport::Kind::kEllipsoid;
}

// One face each meets another: those of a polytope may be uneven.
bool has_even_faces(const ConvexSupport& s) {
  return has_faces(s) && s.kind() != ConvexSupport::Kind::kPolytope;
}

// True when the points of s lie on the bodies and face each other: what is apart by s then has no smaller
// distance.
bool is_closest_pair(const ConvexSupport& a, const ConvexSupport& b, const Separation& s, double tolerance) {
  return s.lateral <= tolerance && a.contains(s.p_a, tolerance) && b.contains(s.p_b, tolerance);
}

// Parallel features leave the support points far from facing each other: those of the search do it better.
void replace_open_points(const Vector3& p_a, const Vector3& p_b, double tolerance, Separation* s) {
  if (s->lateral <= tolerance) return;
  const Vector3 gap = p_b - p_a;
  const double lateral = (gap - s->normal * s->normal.dot(gap)).norm();
  if (lateral >= s->lateral) return;
  s->p_a = p_a;
  s->p_b = p_b;
  s->lateral = lateral;
}

// The support of a round body is one point: the other's, which may be any of an edge or a face, lies across
// from it.
void slide_round(const ConvexSupport& a, const ConvexSupport& b, Separation* s) {
  if (is_round(a)) {
    s->p_b = s->p_a + s->value * s->normal;
  } else if (is_round(b)) {
    s->p_a = s->p_b - s->value * s->normal;
  } else {
    return;
  }
  s->lateral = 0.0;
}

// The largest separation of the cores, or nothing (false) when it is beyond max_distance.
bool find_separation(const ConvexSupport& a, const ConvexSupport& b, double max_distance, Separation* best,
                     bool* degenerate) {
  const double scale = a.extent() + b.extent();
  const Vector3 guess = b.center() - a.center();
  // Two ellipsoids apart: Newton's method from the line of centres mostly gets there, in a fifth of the time
  // of a search, and proves it. (Rims and corners stop it too often to pay.)
  const bool all_smooth =
      a.kind() == ConvexSupport::Kind::kEllipsoid && b.kind() == ConvexSupport::Kind::kEllipsoid;
  if (all_smooth && guess.squaredNorm() > 0.0) {
    *best = maximize_separation(a, b, guess.normalized());
    if (best->value > max_distance) return false;
    if (best->value > kShallow * scale && is_closest_pair(a, b, *best, kRounding * scale)) return true;
  }
  GjkResult found = gjk(a, b, guess, max_distance, kSearchTolerance);
  if (found.status == GjkResult::Status::kBeyond) return false;
  *best = separation_along(a, b, found.normal);
  // A deep overlap has its own search for the direction.
  const bool shallow = best->value > -kShallow * scale;
  if (found.status == GjkResult::Status::kSeparated || shallow) {
    *best = maximize_separation(a, b, found.normal);
  }
  if (found.status == GjkResult::Status::kSeparated) {
    // The distance of any two points of the bodies bounds the separation from above. (Points slid along edges
    // may have left them.)
    double distance = (found.p_b - found.p_a).norm();
    const double tolerance = kRounding * scale;
    if (is_closest_pair(a, b, *best, tolerance)) distance = best->value;
    if (distance - best->value > tolerance) {
      found = gjk(a, b, guess, max_distance, kFineTolerance);
      if (found.status == GjkResult::Status::kSeparated) {
        const Separation finer = maximize_separation(a, b, found.normal);
        if (finer.value > best->value) *best = finer;
      }
    }
    replace_open_points(found.p_a, found.p_b, tolerance, best);
    if (found.status == GjkResult::Status::kSeparated) return true;
  }
  if (best->value >= -kShapesTouch * scale) return true;
  const double tolerance = is_smooth(a) || is_smooth(b) ? kSmoothDepth : kFlatDepth;
  const Penetration penetration = expand_polytope(a, b, found, tolerance, kFlatDepth * scale);
  const Separation overlap = maximize_separation(a, b, penetration.normal);
  if (!shallow || overlap.value > best->value) *best = overlap;
  replace_open_points(penetration.p_a, penetration.p_b, kOpenPlace * scale, best);
  *degenerate = penetration.flat;
  return true;
}

void find_features(const ConvexSupport& a, const ConvexSupport& b, const Vector3& n, ContactFeature* fa,
                   ContactFeature* fb) {
  find_contact_feature(a, n, kOtherFace, fa);
  find_contact_feature(b, -n, kOtherFace, fb);
  // Steep on both sides: edges and vertices meet, not faces.
  if (std::max(fa->alignment, fb->alignment) < kFaceContact) {
    if (fa->kind == ContactFeature::Kind::kPolygon) find_contact_feature(a, n, kFaceContact, fa);
    if (fb->kind == ContactFeature::Kind::kPolygon) find_contact_feature(b, -n, kFaceContact, fb);
  }
}

DeepestPair rounded(const Separation& s, const ConvexSupport& a, const ConvexSupport& b) {
  return {s.normal, s.value - a.radius() - b.radius(), s.p_a + a.radius() * s.normal,
          s.p_b - b.radius() * s.normal};
}

// Adds the deepest point, in place of any point that it nearly coincides with.
void add_deepest_point(const DeepestPair& deepest, double distance, Manifold* out) {
  const Vector3 middle = 0.5 * (deepest.p_a + deepest.p_b);
  int kept = 0;
  for (int i = 0; i < out->size; ++i) {
    const ManifoldPoint point = out->points[i];
    if ((0.5 * (point.p_a + point.p_b) - middle).norm() > distance) out->points[kept++] = point;
  }
  out->size = kept;
  add_single_point(deepest, out);
}

}  // namespace

bool add_contact_points(const ConvexSupport& a, const ConvexSupport& b, const DeepestPair& deepest,
                        DeepestPolicy policy, double max_phi, Manifold* out) {
  if (!(deepest.phi < max_phi)) return true;
  if (is_round(a) || is_round(b)) {
    add_single_point(deepest, out);
    return true;
  }
  double reached = 0.0;
  if ((has_even_faces(a) && has_even_faces(b)) || (!has_faces(a) && !has_faces(b))) {
    ContactFeature fa, fb;
    find_features(a, b, deepest.normal, &fa, &fb);
    reached = add_feature_manifold({&fa, &fb, deepest.normal, a.radius(), b.radius()}, max_phi, out);
  } else {
    reached = add_overlap_corners(a, b, deepest.normal, deepest.phi, max_phi, out);
  }
  const double scale = a.extent() + b.extent() + a.radius() + b.radius();
  if (reached <= deepest.phi + kRounding * scale) {
    if (out->size == 0) add_single_point(deepest, out);  // what reaches so deep is no corner
    return true;
  }
  if (policy == DeepestPolicy::kRequire) {
    out->size = 0;
    return false;
  }
  // The direction of an overlap, and with it the depth, is no better than the search for it.
  if (out->size > 0 && reached <= (1.0 - kSmoothDepth) * deepest.phi) return true;
  // Features parallel to within rounding leave the place of the deepest point open; their common points then
  // stand for it.
  const double lateral = (deepest.p_b - deepest.p_a - deepest.phi * deepest.normal).norm();
  if (out->size > 0 && lateral > kOpenPlace * scale) return true;
  add_deepest_point(deepest, kSamePoint * scale, out);
  return true;
}

void query_supports(const ConvexSupport& a, const ConvexSupport& b, double max_phi, Manifold* out) {
  Separation best;
  if (!find_separation(a, b, max_phi + a.radius() + b.radius(), &best, &out->degenerate)) return;
  add_contact_points(a, b, rounded(best, a, b), DeepestPolicy::kAdd, max_phi, out);
}

bool query_along(const ConvexSupport& a, const ConvexSupport& b, const PairDirection& found, double max_phi,
                 Manifold* out) {
  const double scale = a.extent() + b.extent() + a.radius() + b.radius(), radii = a.radius() + b.radius();
  if (!(std::abs(found.normal.squaredNorm() - 1.0) < kAgreement)) return false;
  const Separation along = separation_along(a, b, found.normal);
  if (!(std::abs(along.value - radii - found.phi) < kAgreement * scale)) return false;
  if (along.value - radii >= max_phi) return true;
  Separation best = maximize_separation(a, b, found.normal);
  // Cores without volume that touch: the direction between them is rounding.
  if (is_thin(a) && is_thin(b) && best.value <= kShapesTouch * scale) return false;
  // Points of the bodies that face each other prove the distance: those of the features, else the found ones.
  if (!is_round(a) && !is_round(b) &&
      add_contact_points(a, b, rounded(best, a, b), DeepestPolicy::kRequire, max_phi, out))
    return true;
  const double tolerance = (found.status == PairDirection::Status::kApart ? kProven : kOpenPlace) * scale;
  slide_round(a, b, &best);
  replace_open_points(found.p_a - a.radius() * found.normal, found.p_b + b.radius() * found.normal, tolerance,
                      &best);
  if (!is_closest_pair(a, b, best, tolerance)) return false;
  add_contact_points(a, b, rounded(best, a, b), DeepestPolicy::kAdd, max_phi, out);
  return true;
}

std::optional<SignedGap> signed_gap(const ConvexSupport& a, const ConvexSupport& b, double max_phi) {
  const Vector3 origin = 0.5 * (a.center() + b.center());
  Separation best;
  bool degenerate = false;
  if (!find_separation(a.translated(-origin), b.translated(-origin), max_phi + a.radius() + b.radius(), &best,
                       &degenerate))
    return std::nullopt;
  return SignedGap{best.value - a.radius() - b.radius(), best.normal};
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
