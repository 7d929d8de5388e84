// Corners and sharp edges of a surface against a shape.
#include <algorithm>
#include <cmath>

#include "contact/convex/point_distance.h"
#include "contact/convex/shape_faces.h"
#include "contact/mesh/mesh_contacts.h"
#include "contact/mesh/mesh_tolerances.h"

namespace csim {

void MeshQuery::find_corners(const Shape& shape) {
  const ConvexSupport support(shape, X_MS_);
  for (int t : triangles_) {
    for (int i = 0; i < 3; ++i) {
      const int v = surface_->owned_vertex(t, i);
      if (v < 0 || !surface_->is_corner(v)) continue;
      const Vector3& p = surface_->vertex(v);
      const SignedDistance d = point_distance(p, support, max_phi_);
      if (!(d.phi < max_phi_)) continue;
      const bool overlaps = d.phi <= MeshTolerances::kRounding * size_;
      // The cone alone does not tell the tip of a spike from the bottom of a pit.
      if (surface_->closed() &&
          !(surface_->pseudonormal({p, t, SurfacePart::kVertex, v}).dot(d.normal) > 0.0)) {
        if (overlaps && !find_overlapped_corner(shape, v)) hidden_.push_back({p, d.phi});
        continue;
      }
      const std::optional<ShapeFace> face = face_towards(shape, X_MS_, -d.normal);
      const bool rests = face && (face->normal + d.normal).norm() < MeshTolerances::kFaceNormal;
      const Vector3 n = rests ? Vector3(-face->normal) : d.normal;
      if (surface_->cone_violation(v, n) > (rests ? MeshTolerances::kResting : MeshTolerances::kStrict) ||
          !pushes(n, p)) {
        if (overlaps && !find_overlapped_corner(shape, v)) hidden_.push_back({p, d.phi});
        continue;
      }
      degenerate_ = degenerate_ || d.degenerate;
      add(Kind::kCorner, 0, v, p, n, rests ? n.dot(face->point - p) : d.phi);
    }
  }
}

/// A corner in the shape whose nearest way out is not one that separates the two: the least overlap with a
/// face of the shape that lies on one of the corner's facets. False when there is none.
bool MeshQuery::find_overlapped_corner(const Shape& shape, int v) {
  const Vector3& p = surface_->vertex(v);
  std::optional<ShapeFace> best;
  double phi = 0.0;
  for (const int* t = surface_->triangles_begin(v); t != surface_->triangles_end(v); ++t) {
    const std::optional<ShapeFace> face = face_towards(shape, X_MS_, -side(*t) * surface_->normal(*t));
    if (!face || !pushes(-face->normal, p) ||
        surface_->cone_violation(v, -face->normal) > MeshTolerances::kResting)
      continue;
    const double d = -face->normal.dot(face->point - p);
    if ((best && d <= phi) || !clip_to_face(shape, X_MS_, *face, p, p)) continue;
    best = face;
    phi = d;
  }
  if (best) add(Kind::kCorner, 0, v, p, -best->normal, phi);
  return best.has_value();
}

void MeshQuery::find_edges(const Shape& shape) {
  const ConvexSupport support(shape, X_MS_);
  for (int t : triangles_) {
    for (int i = 0; i < 3; ++i) {
      const int e = surface_->owned_edge(t, i);
      if (e >= 0 && surface_->edge(e).kind != EdgeKind::kFlat) find_edge(shape, support, e);
    }
  }
}

void MeshQuery::find_edge(const Shape& shape, const ConvexSupport& support, int e) {
  const SurfaceEdge& edge = surface_->edge(e);
  if (edge.kind == EdgeKind::kConcave && surface_->closed()) return;
  if (find_edge_under_line(shape, e)) return;
  const Vector3 &a = surface_->vertex(edge.vertex[0]), &b = surface_->vertex(edge.vertex[1]);
  const SignedDistance d = segment_distance(a, b, support, max_phi_);
  if (!(d.phi < max_phi_)) return;
  bool separates = pushes(d.normal, d.p_a);
  for (int k = 0; k < 2 && edge.triangle[k] >= 0; ++k) {
    separates = separates && d.normal.dot(edge.into[k]) <= MeshTolerances::kResting;
  }
  const bool overlaps = d.phi <= MeshTolerances::kRounding * size_;
  // Deep in a smooth shape the segment has several ways out of nearly one length, of which the search finds
  // any.
  const bool is_smooth = std::holds_alternative<Ellipsoid>(shape) || std::holds_alternative<Cylinder>(shape);
  const bool is_any = is_smooth && surface_->closed() && d.phi < -MeshTolerances::kDeepOverlap * width_;
  if (!separates || is_any) {
    if (overlaps && !find_overlapped_edge(shape, e)) find_crossing(shape, support, e);
    return;
  }
  if (find_resting_edge(shape, e, d.normal)) {
    // A face that rises along the edge so steeply that it does not rest on the edge's corners either.
    if (overlaps && std::abs(d.normal.dot((b - a).normalized())) > MeshTolerances::kResting)
      find_crossing(shape, support, e);
    return;
  }
  // Out of the cone, or past the end of the edge.
  const double ahead = d.normal.dot((b - a).normalized());
  bool beside = overlaps && std::abs(ahead) > MeshTolerances::kStrict;
  for (int k = 0; k < 2 && edge.triangle[k] >= 0; ++k)
    beside = beside || d.normal.dot(edge.into[k]) > MeshTolerances::kStrict;
  // In overlap the place where the two edges cross is exact; the search's point may be the end of one of
  // them.
  if (overlaps && (beside || (surface_->closed() && edge.kind == EdgeKind::kConvex)))
    return find_crossing(shape, support, e);
  if (beside) return;
  // The ends are the corners' own; vertices along a straight rim belong to its edges.
  const double s = (d.p_a - a).dot(b - a) / (b - a).squaredNorm();
  if ((s < MeshTolerances::kEnd && surface_->is_corner(edge.vertex[0])) ||
      (s > 1.0 - MeshTolerances::kEnd && surface_->is_corner(edge.vertex[1])))
    return;
  // Past the end of one edge of the rim the next edge is nearer.
  if ((s < MeshTolerances::kEnd && ahead < -MeshTolerances::kStrict) ||
      (s > 1.0 - MeshTolerances::kEnd && ahead > MeshTolerances::kStrict))
    return;
  degenerate_ = degenerate_ || d.degenerate;
  add(Kind::kEdge, 2, e, d.p_a, d.normal, d.phi);
}

/// A face of the shape over an edge of the surface: contacts where the edge comes out from under the face.
/// True when the face lies over a part of the edge, so that there is nothing else to look for.
bool MeshQuery::find_resting_edge(const Shape& shape, int e, const Vector3& normal) {
  const std::optional<ShapeFace> face = face_towards(shape, X_MS_, -normal);
  if (!face) return false;
  const SurfaceEdge& edge = surface_->edge(e);
  const Vector3 &a = surface_->vertex(edge.vertex[0]), &b = surface_->vertex(edge.vertex[1]);
  const std::optional<Interval> over = clip_to_face(shape, X_MS_, *face, a, b);
  if (!over) return false;
  const Vector3 n = -face->normal;
  for (int k = 0; k < 2 && edge.triangle[k] >= 0; ++k) {
    if (n.dot(edge.into[k]) > MeshTolerances::kResting) return true;
  }
  add_resting_edge(e, *face, *over);
  return true;
}

/// An edge of a facet on which a capsule or cylinder lies: a contact where the line on which it touches comes
/// out from over the facet, tilted to either side, as with the face of a shape. True when a contact was
/// added.
bool MeshQuery::find_edge_under_line(const Shape& shape, int e) {
  const Capsule* capsule = std::get_if<Capsule>(&shape);
  const Cylinder* cylinder = std::get_if<Cylinder>(&shape);
  if (capsule == nullptr && cylinder == nullptr) return false;
  const double radius = capsule != nullptr ? capsule->radius : cylinder->radius;
  const Vector3 axis = (capsule != nullptr ? capsule->length : cylinder->length) * X_MS_.R.col(2);
  const SurfaceEdge& edge = surface_->edge(e);
  const Vector3& a = surface_->vertex(edge.vertex[0]);
  const Vector3 along = surface_->vertex(edge.vertex[1]) - a, across = axis.cross(along);
  const double square = across.squaredNorm(), parallel = MeshTolerances::kParallel;
  if (!(square > parallel * parallel * axis.squaredNorm() * along.squaredNorm())) return false;
  // Where the two lines pass each other, in lengths from the edge's beginning and the axis' middle.
  const Vector3 way = X_MS_.p - a;
  const double at = way.cross(axis).dot(along.cross(axis)) / square;
  const double on_axis = way.cross(along).dot(along.cross(axis)) / square;
  if (at < 0.0 || at > 1.0 || std::abs(on_axis) > 0.5) return false;
  for (int k = 0; k < 2 && edge.triangle[k] >= 0; ++k) {
    const int t = edge.triangle[k];
    const Vector3 out = side(t) * surface_->normal(t);
    const Vector3 n = across * (std::copysign(1.0, across.dot(out)) / std::sqrt(square));
    if (!((n - out).norm() < kFaceAngle) || !pushes(n, a)) continue;
    if (edge.triangle[1] >= 0 && n.dot(edge.into[1 - k]) > MeshTolerances::kResting) continue;
    add(Kind::kEdge, 2, e, a + at * along, n, n.dot(way) - radius);
    return true;
  }
  return false;
}

/// An edge in the shape whose nearest way out is not one that separates the two, as find_overlapped_corner().
/// False when no face of the shape lies on one of its facets.
bool MeshQuery::find_overlapped_edge(const Shape& shape, int e) {
  const SurfaceEdge& edge = surface_->edge(e);
  const Vector3 &a = surface_->vertex(edge.vertex[0]), &b = surface_->vertex(edge.vertex[1]);
  std::optional<ShapeFace> best;
  std::optional<Interval> best_over;
  double phi = 0.0;
  for (int k = 0; k < 2 && edge.triangle[k] >= 0; ++k) {
    const int t = edge.triangle[k];
    const std::optional<ShapeFace> face = face_towards(shape, X_MS_, -side(t) * surface_->normal(t));
    if (!face || !pushes(-face->normal, a)) continue;
    const std::optional<Interval> over = clip_to_face(shape, X_MS_, *face, a, b);
    if (!over) continue;
    const double d = -face->normal.dot(face->point - (a + 0.5 * (over->begin + over->end) * (b - a)));
    if (best && d <= phi) continue;
    best = face;
    best_over = over;
    phi = d;
  }
  if (best) add_resting_edge(e, *best, *best_over);
  return best.has_value();
}

void MeshQuery::add_resting_edge(int e, const ShapeFace& face, const Interval& over) {
  const SurfaceEdge& edge = surface_->edge(e);
  const Vector3 &a = surface_->vertex(edge.vertex[0]), &b = surface_->vertex(edge.vertex[1]);
  const Vector3 n = -face.normal;
  const double ends[2] = {over.begin, over.end};
  for (int k = 0; k < 2; ++k) {
    if (ends[k] <= 0.0 || ends[k] >= 1.0) continue;  // ContactMerger drops those that a corner has
    const Vector3 p = a + ends[k] * (b - a);
    add(Kind::kEdge, k, e, p, n, n.dot(face.point - p));
  }
}

}  // namespace csim
