// Sharp edges of two surfaces that cross.
#include <algorithm>
#include <cmath>

#include "contact/mesh/mesh_pair.h"
#include "contact/mesh/mesh_tolerances.h"

namespace csim {

namespace {

bool can_cross(const MeshSurface& surface, const SurfaceEdge& edge) {
  return edge.kind != EdgeKind::kFlat && !(edge.kind == EdgeKind::kConcave && surface.closed());
}

}  // namespace

bool MeshPairQuery::triangles_cross(int t_a, int t_b) const {
  const Triangle p{a_->corner(t_a, 0), a_->corner(t_a, 1), a_->corner(t_a, 2)};
  const Triangle q{X_AB_ * b_->corner(t_b, 0), X_AB_ * b_->corner(t_b, 1), X_AB_ * b_->corner(t_b, 2)};
  return cross(p, q, MeshTolerances::kRounding * size_);
}

void MeshPairQuery::find_edges(int t_a, int t_b) {
  for (int i = 0; i < 3; ++i) {
    const int e_a = a_->edge_of(t_a, i);
    if (!can_cross(*a_, a_->edge(e_a))) continue;
    for (int j = 0; j < 3; ++j) {
      const int e_b = b_->edge_of(t_b, j);
      if (can_cross(*b_, b_->edge(e_b))) find_crossing(e_a, e_b, t_a, t_b);
    }
  }
}

MeshPairQuery::PlacedEdge MeshPairQuery::place(const MeshSurface& surface, int e,
                                               const RigidTransform& X_AS) const {
  PlacedEdge placed;
  placed.surface = &surface;
  placed.edge = &surface.edge(e);
  placed.p = X_AS * surface.vertex(placed.edge->vertex[0]);
  placed.d = X_AS * surface.vertex(placed.edge->vertex[1]) - placed.p;
  return placed;
}

void MeshPairQuery::place_facets(const RigidTransform& X_AS, PlacedEdge* edge) {
  for (int k = 0; k < edge->num_triangles(); ++k) {
    edge->into[k] = X_AS.R * edge->edge->into[k];
    edge->normal[k] = X_AS.R * edge->surface->normal(edge->edge->triangle[k]);
  }
}

/// False when two edges surely pass beside each other, seen along any normal that they may have: seen across
/// both, or from where the sine between them and a facet is MeshTolerances::kOnFacet, by which the crossing
/// moves.
bool MeshPairQuery::may_cross(const PlacedEdge& a, const PlacedEdge& b, const Vector3& across) {
  const double squared = across.squaredNorm();
  const Vector3 r = b.p - a.p;
  const double s = across.dot(r.cross(b.d)) / squared, t = across.dot(r.cross(a.d)) / squared;
  const double lengths2 = a.d.squaredNorm() * b.d.squaredNorm();
  const double gap = std::abs(r.dot(across)) / std::sqrt(squared);
  const double moved =
      1.5 * MeshTolerances::kOnFacet * gap * lengths2 / squared;  // m, 1.5: tangents of small angles
  const double beside_s = MeshTolerances::kEnd + moved / a.d.norm(),
               beside_t = MeshTolerances::kEnd + moved / b.d.norm();
  return s >= -beside_s && s <= 1.0 + beside_s && t >= -beside_t && t <= 1.0 + beside_t;
}

/// Whether a plane with the normal `out` can hold the edge from outside, the surface behind it.
bool MeshPairQuery::allows(const PlacedEdge& edge, const Vector3& out, double tolerance) const {
  Vector3 normals = Vector3::Zero();
  for (int k = 0; k < edge.num_triangles(); ++k) {
    if (out.dot(edge.into[k]) > tolerance) return false;
    normals += edge.normal[k];
  }
  return !edge.surface->closed() || normals.dot(out) > 0.0;
}

/// Whether the edge `over` lies on a facet of the edge `under`, more nearly so than *slope; *out is then the
/// facet's normal, *slope the sine of the angle between them.
bool MeshPairQuery::rest_on(const PlacedEdge& under, const PlacedEdge& over, double* slope,
                            Vector3* out) const {
  bool found = false;
  for (int k = 0; k < under.num_triangles(); ++k) {
    const double sine = std::abs(over.d.dot(under.normal[k])) / over.d.norm();
    if (!(sine < *slope)) continue;
    // A facet of a sheet has two sides; the edge of a solid fits on one of them.
    for (const double s : {1.0, -1.0}) {
      if (s < 0.0 && under.surface->closed()) continue;
      const Vector3 n = s * under.normal[k];
      if (!allows(over, -n, MeshTolerances::kResting) || !allows(under, n, MeshTolerances::kResting))
        continue;
      *slope = sine;
      *out = n;
      found = true;
    }
  }
  return found;
}

void MeshPairQuery::find_crossing(int e_a, int e_b, int t_a, int t_b) {
  PlacedEdge a = place(*a_, e_a, RigidTransform()), b = place(*b_, e_b, X_AB_);
  const Vector3 across = a.d.cross(b.d);
  const double lengths = a.d.norm() * b.d.norm();
  if (across.norm() <= MeshTolerances::kParallel * lengths || !may_cross(a, b, across)) return;
  place_facets(RigidTransform(), &a);
  place_facets(X_AB_, &b);

  // The normal, from a to b. Of edges that are nearly parallel the one across both may point anywhere.
  Vector3 n = across.normalized();
  if (!allows(a, n, MeshTolerances::kStrict) || !allows(b, -n, MeshTolerances::kStrict)) n = -n;
  const bool oblique = across.norm() > MeshTolerances::kOblique * lengths;
  if (!oblique || !allows(a, n, MeshTolerances::kStrict) || !allows(b, -n, MeshTolerances::kStrict)) {
    double slope = MeshTolerances::kOnFacet;
    Vector3 out;
    if (rest_on(a, b, &slope, &out)) n = out;
    if (rest_on(b, a, &slope, &out)) n = -out;
    if (slope == MeshTolerances::kOnFacet &&
        (!allows(a, n, MeshTolerances::kStrict) || !allows(b, -n, MeshTolerances::kStrict)))
      return;
  }

  // Where they cross, seen along it.
  const double along = n.dot(across);
  if (std::abs(along) <= MeshTolerances::kParallel * lengths) return;
  const Vector3 r = b.p - a.p;
  const double s = n.dot(r.cross(b.d)) / along, t = n.dot(r.cross(a.d)) / along;
  if (s < -MeshTolerances::kEnd || s > 1.0 + MeshTolerances::kEnd || t < -MeshTolerances::kEnd ||
      t > 1.0 + MeshTolerances::kEnd)
    return;
  const Vector3 p_a = a.p + s * a.d, p_b = b.p + t * b.d;
  const double phi = n.dot(p_b - p_a);
  if (!(phi < max_phi_)) return;
  // Edges on the far sides of an overlap fulfil all that is asked of those on its near sides, too.
  if (phi < 0.0 && !triangles_cross(t_a, t_b)) return;
  // A sheet holds what has its centre on the side that is pushed.
  if (!b_->closed() && n.dot(p_b - a_->tree().bounds().center()) <= 0.0) return;
  if (!a_->closed() && n.dot(X_AB_ * b_->tree().bounds().center() - p_a) <= 0.0) return;
  add(Kind::kEdges, e_a, e_b, p_a, n, phi);
}

}  // namespace csim
