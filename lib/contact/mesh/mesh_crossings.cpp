// Sharp edges of a closed surface that cross the shape deeper than the edge is long.
#include "contact/convex/convex_support.h"
#include "contact/convex/shape_faces.h"
#include "contact/mesh/arc_optimum.h"
#include "contact/mesh/mesh_contacts.h"
#include "contact/mesh/mesh_tolerances.h"

namespace csim {

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
