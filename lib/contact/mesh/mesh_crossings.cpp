// Sharp edges of a closed surface that cross the shape deeper than the edge is long.
#include <algorithm>
#include <cmath>

#include "contact/convex/convex_support.h"
#include "contact/convex/shape_faces.h"
#include "contact/mesh/mesh_contacts.h"
#include "contact/mesh/mesh_exit.h"
#include "contact/mesh/mesh_tolerances.h"

namespace csim {

namespace {

// The arc is sampled at this many places and the bracket of the best then shrunk by golden sections to
// 0.618^40 = 4e-9 of its length.
constexpr int kSamples = 9;
constexpr int kSections = 40;

}  // namespace

/// The normal cone of a convex edge is the arc between the normals n0, n1 of its two facets. Of its
/// directions n the one is wanted along which the shape has to move least to be above the plane through the
/// edge,
///
///   h(n) = min over the shape of n . (x - a)   ->   max
///
/// where it is within the arc the shape's support changes from one point x0 to another x1, and their
/// connection (an edge of the shape) crosses the edge.
ArcOptimum best_on_arc(const ConvexSupport& support, const Vector3& a, const Vector3& along,
                       const Vector3& n0, const Vector3& n1, double size) {
  const double angle = std::atan2(n0.cross(n1).norm(), n0.dot(n1));
  const auto normal = [&](double t) {
    return Vector3((std::sin((1.0 - t) * angle) * n0 + std::sin(t * angle) * n1) / std::sin(angle));
  };
  const auto lowest = [&](double t) {
    const Vector3 n = normal(t);
    return Vector3(support.support(-n) - support.radius() * n);
  };
  const auto height = [&](double t) { return normal(t).dot(lowest(t) - a); };

  int best = 0;
  double highest = height(0.0);
  for (int i = 1; i < kSamples; ++i) {
    const double h = height(static_cast<double>(i) / (kSamples - 1));
    if (h > highest) {
      best = i;
      highest = h;
    }
  }
  double low = std::max(best - 1, 0) / (kSamples - 1.0),
         high = std::min(best + 1, kSamples - 1) / (kSamples - 1.0);
  const double golden = 0.5 * (std::sqrt(5.0) - 1.0);
  double t0 = high - golden * (high - low), t1 = low + golden * (high - low);
  double h0 = height(t0), h1 = height(t1);
  for (int i = 0; i < kSections; ++i) {
    if (h0 > h1) {
      high = t1;
      t1 = t0;
      h1 = h0;
      h0 = height(t0 = high - golden * (high - low));
    } else {
      low = t0;
      t0 = t1;
      h0 = h1;
      h1 = height(t1 = low + golden * (high - low));
    }
  }
  const double t = 0.5 * (low + high);
  ArcOptimum best_of_arc;
  best_of_arc.inside = t >= MeshTolerances::kAtFacet && t <= 1.0 - MeshTolerances::kAtFacet;
  if (!best_of_arc.inside) return best_of_arc;
  Vector3 n = normal(t);
  best_of_arc.direction = n;

  // The connection of the two supports over the edge; one point where the shape is round.
  const Vector3 x0 = lowest(t - MeshTolerances::kAtFacet), x1 = lowest(t + MeshTolerances::kAtFacet),
                u = x1 - x0;
  Vector3 x = lowest(t);
  const Vector3 axis = along.cross(u);
  if (u.norm() > 10.0 * MeshTolerances::kAtFacet * size && axis.norm() > MeshTolerances::kRounding * size) {
    n = axis.dot(n) > 0.0 ? Vector3(axis.normalized()) : Vector3(-axis.normalized());
    const Vector3 across = n.cross(along);
    x = x0 + std::clamp(across.dot(a - x0) / across.dot(u), 0.0, 1.0) * u;
  }
  best_of_arc.normal = n;
  best_of_arc.x = x;
  return best_of_arc;
}

/// The shortest way out of the segment alone, which find_edge() knows, points out sideways once the overlap
/// exceeds the segment's length, so that a fine tessellation would be felt: the best direction within the
/// normal cone does not. At an end of the arc it is a facet that is left, which is the facet's contact; where
/// a face of the shape is the support, find_resting_edge() has its points.
void MeshQuery::find_crossing(const Shape& shape, const ConvexSupport& support, int e) {
  const SurfaceEdge& edge = surface_->edge(e);
  if (!surface_->closed() || edge.kind != EdgeKind::kConvex) return;
  const Vector3 &a = surface_->vertex(edge.vertex[0]), &b = surface_->vertex(edge.vertex[1]);
  const Vector3 d = (b - a).normalized();
  const ArcOptimum arc = best_on_arc(support, a, d, surface_->normal(edge.triangle[0]),
                                     surface_->normal(edge.triangle[1]), size_);
  if (!arc.inside || face_towards(shape, X_MS_, -arc.direction)) return;
  const double s = d.dot(arc.x - a);
  const double phi = arc.normal.dot(arc.x - a);
  if (s < 0.0 || s >= (b - a).norm() || !(phi < 0.0) || !pushes(arc.normal, a)) return;
  add(Kind::kEdge, 2, e, a + s * d, arc.normal, phi);
}

}  // namespace csim
