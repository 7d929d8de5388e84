#include "contact/convex/narrow_phase.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "contact/convex/feature_manifold.h"
#include "contact/convex/shape_pairs.h"

namespace csim {

namespace {

// True when the second of two shapes of one kind goes first: the order hangs on their poses and sizes alone,
// so that swapping the arguments mirrors the result to the last bit.
bool second_leads(const Shape& a, const RigidTransform& X_A, const Shape& b, const RigidTransform& X_B) {
  for (int i = 2; i >= 0; --i) {
    if (X_A.p[i] != X_B.p[i]) return X_B.p[i] < X_A.p[i];
  }
  for (int i = 0; i < 9; ++i) {
    if (X_A.R(i) != X_B.R(i)) return X_B.R(i) < X_A.R(i);
  }
  const ConvexSupport A(a, X_A), B(b, X_B);
  if (A.radius() != B.radius()) return B.radius() < A.radius();
  return B.extent() < A.extent();
}

std::int64_t mirrored_feature(std::int64_t feature) {
  const auto type = static_cast<FeatureType>(feature >> 60);
  const std::int64_t i = feature >> 45, j = feature >> 30, k = feature >> 15, l = feature;
  switch (type) {
    case FeatureType::kSingle:
      return feature;
    case FeatureType::kVertexOfA:
      return feature_id(FeatureType::kVertexOfB, i, j, k, l);
    case FeatureType::kVertexOfB:
      return feature_id(FeatureType::kVertexOfA, i, j, k, l);
    case FeatureType::kEdges:
      return feature_id(FeatureType::kEdges, k, l, i, j);
    case FeatureType::kRimOfA:
      return feature_id(FeatureType::kRimOfB, i, j, k, l);
    case FeatureType::kRimOfB:
      return feature_id(FeatureType::kRimOfA, i, j, k, l);
    case FeatureType::kLens:
      return feature_id(FeatureType::kLens, j, i, k, l);
  }
  return feature;
}

void mirror(Manifold* manifold) {
  for (int i = 0; i < manifold->size; ++i) {
    ManifoldPoint& point = manifold->points[i];
    std::swap(point.p_a, point.p_b);
    point.normal = -point.normal;
    point.feature = mirrored_feature(point.feature);
  }
}

void sort_by_feature(Manifold* manifold) {
  if (manifold->size < 2) return;
  std::sort(manifold->points.begin(), manifold->points.begin() + manifold->size,
            [](const ManifoldPoint& x, const ManifoldPoint& y) { return x.feature < y.feature; });
}

// Fraction of the size (and of 1, for the normal) to which an engine and our supports agree on a half space.
constexpr double kSamePlane = 1e-9;

// By the engine's direction; false where it has none, or one that our supports contradict.
bool query_engine(QueryEngine* engine, const Shape& a, const RigidTransform& X_A, const Shape& b,
                  const RigidTransform& X_B, double max_phi, Manifold* out) {
  if (!std::isfinite(max_phi)) return false;
  const bool plane = std::holds_alternative<HalfSpace>(a);
  const PairDirection found = plane ? engine->find_direction(b, X_B, a, X_A, max_phi)
                                    : engine->find_direction(a, X_A, b, X_B, max_phi);
  if (found.status == PairDirection::Status::kUnknown) return false;
  const ConvexSupport B(b, X_B);
  if (!plane) return query_along(ConvexSupport(a, X_A), B, found, max_phi, out);
  const Vector3 normal = X_A.R.col(2);
  const double phi = normal.dot(B.support(-normal) - X_A.p) - B.radius();
  const double tolerance = kSamePlane * (B.extent() + B.radius() + std::abs(max_phi));
  if (found.status == PairDirection::Status::kApart) return phi > max_phi - tolerance;
  if (!(std::abs(phi - found.phi) < tolerance && (found.normal + normal).norm() < kSamePlane)) return false;
  query_half_space(X_A, b, X_B, max_phi, out);
  return true;
}

// The pairs in the order of the kinds in Shape, the half space first.
void query_ordered(const Shape& a, const RigidTransform& X_A, const Shape& b, const RigidTransform& X_B,
                   double max_phi, Manifold* out) {
  if (std::holds_alternative<HalfSpace>(a)) return query_half_space(X_A, b, X_B, max_phi, out);
  if (const auto* sphere = std::get_if<Sphere>(&a)) {
    if (const auto* s = std::get_if<Sphere>(&b))
      return query_sphere_sphere(*sphere, X_A.p, *s, X_B.p, max_phi, out);
    if (const auto* s = std::get_if<Box>(&b)) return query_sphere_box(*sphere, X_A.p, *s, X_B, max_phi, out);
    if (const auto* s = std::get_if<Cylinder>(&b))
      return query_sphere_cylinder(*sphere, X_A.p, *s, X_B, max_phi, out);
    if (const auto* s = std::get_if<Capsule>(&b))
      return query_sphere_capsule(*sphere, X_A.p, *s, X_B, max_phi, out);
    if (const auto* s = std::get_if<Ellipsoid>(&b))
      return query_sphere_ellipsoid(*sphere, X_A.p, *s, X_B, max_phi, out);
  }
  const auto* box = std::get_if<Box>(&a);
  if (box != nullptr && std::holds_alternative<Box>(b))
    return query_box_box(*box, X_A, std::get<Box>(b), X_B, max_phi, out);
  const auto* capsule = std::get_if<Capsule>(&a);
  if (capsule != nullptr && std::holds_alternative<Capsule>(b)) {
    return query_capsule_capsule(*capsule, X_A, std::get<Capsule>(b), X_B, max_phi, out);
  }
  query_supports(ConvexSupport(a, X_A), ConvexSupport(b, X_B), max_phi, out);
}

}  // namespace

void query_pair(const Shape& a, const RigidTransform& X_WA, const Shape& b, const RigidTransform& X_WB,
                double max_phi, Manifold* out, QueryEngine* engine) {
  out->size = 0;
  out->degenerate = out->unanswered = false;
  const bool a_plane = std::holds_alternative<HalfSpace>(a), b_plane = std::holds_alternative<HalfSpace>(b);
  if (std::holds_alternative<Mesh>(a) || std::holds_alternative<Mesh>(b) || (a_plane && b_plane)) return;

  // About the middle of the pair (of the bounded shape where the other is a half space) the digits are all
  // the pair's own.
  const Vector3 origin = a_plane ? X_WB.p : b_plane ? X_WA.p : Vector3(0.5 * (X_WA.p + X_WB.p));
  const RigidTransform X_A(X_WA.R, X_WA.p - origin), X_B(X_WB.R, X_WB.p - origin);

  const bool same_kind = a.index() == b.index();
  const bool swap =
      b_plane || (!a_plane && (same_kind ? second_leads(a, X_WA, b, X_WB) : b.index() < a.index()));
  const Shape &first = swap ? b : a, &second = swap ? a : b;
  const RigidTransform &X_first = swap ? X_B : X_A, &X_second = swap ? X_A : X_B;
  out->unanswered =
      engine != nullptr && !query_engine(engine, first, X_first, second, X_second, max_phi, out);
  if (engine == nullptr || out->unanswered) query_ordered(first, X_first, second, X_second, max_phi, out);
  if (swap) mirror(out);
  for (int i = 0; i < out->size; ++i) {
    out->points[i].p_a += origin;
    out->points[i].p_b += origin;
  }
  sort_by_feature(out);
}

}  // namespace csim
