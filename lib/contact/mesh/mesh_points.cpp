// Points of a shape (a sphere's centre, capsule ends, vertices, supporting points) against the surface.
#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/convex/disc_view.h"
#include "contact/mesh/mesh_contacts.h"
#include "contact/mesh/mesh_tolerances.h"
#include "geometry/flat_sides.h"

namespace csim {

/// +1, or -1 on an open surface for triangles that have the shape behind them.
double MeshQuery::side(int t) const {
  return surface_->closed() || surface_->normal(t).dot(center_ - surface_->corner(t, 0)) >= 0.0 ? 1.0 : -1.0;
}

/// Whether a contact at p with the normal may push the shape: its centre must be in front. Where a supporting
/// point of the shape touches from outside it always is; it is not where a side of the surface is flush with
/// a side of the shape.
bool MeshQuery::pushes(const Vector3& normal, const Vector3& p) const {
  return normal.dot(center_ - p) > 0.0;
}

bool MeshQuery::pushes(int t) const {
  return !surface_->closed() || pushes(surface_->normal(t), surface_->corner(t, 0));
}

/// The nearest point among the triangles that may push the shape; triangle -1 when there is none.
MeshPoint MeshQuery::nearest_pushing(const Vector3& c, double distance) const {
  return surface_->nearest_where(c, distance, [&](int t) { return pushes(t); });
}

/// A sphere whose centre is outside: one contact per point of the surface that is nearest to the centre among
/// its surroundings.
void MeshQuery::find_sphere(double radius) {
  const Vector3& c = center_;
  for (int t : triangles_) {
    const MeshPoint q = surface_->closest_on_triangle(t, c);
    const Vector3 d = c - q.p;
    const double distance = d.norm();
    if (!(distance - radius < max_phi_)) continue;
    // The back of a closed surface is its inside.
    if (surface_->closed() && surface_->pseudonormal(q).dot(d) < -MeshTolerances::kRounding * size_) continue;
    if (!surface_->is_nearest_around(q, c, size_)) continue;
    if (surface_->is_flat(q)) {
      const Vector3 n = side(t) * surface_->normal(t);
      const double height = n.dot(c - surface_->corner(t, 0));
      add(Kind::kPointFacet, 0, surface_->facet(t), c - height * n, n, height - radius);
      continue;
    }
    const bool on_surface = distance <= MeshTolerances::kRounding * size_;
    degenerate_ = degenerate_ || on_surface;
    const Vector3 n = on_surface ? Vector3(surface_->pseudonormal(q).normalized()) : Vector3(d / distance);
    add(q.part == SurfacePart::kEdge ? Kind::kPointEdge : Kind::kPointVertex, 0, q.id, q.p, n,
        distance - radius);
  }
}

/// Whether the point c of the shape is below the surface, `near` being its nearest point. On an open surface
/// that needs the way from the shape's centre to c to lead through the surface, too (is_behind).
bool MeshQuery::is_inside(const MeshPoint& near, const Vector3& c) const {
  const double s = side(near.triangle);
  if (!(s * surface_->pseudonormal(near).dot(c - near.p) < 0.0)) return false;
  if (surface_->closed()) return true;
  // Beside the border there is no sheet to hold c.
  const Vector3& n = surface_->normal(near.triangle);
  return !(near.part == SurfacePart::kEdge && surface_->edge(near.id).kind == EdgeKind::kBorder &&
           n.cross(c - near.p).norm() > MeshTolerances::kRounding * size_);
}

/// Whether the way from the shape's centre to its point c leads through the surface.
bool MeshQuery::is_behind(const Vector3& c) const {
  const double rounding = MeshTolerances::kRounding * size_;
  Aabb way;
  way.add(c);
  way.add(center_);
  bool crosses = false;
  surface_->tree().query(way.inflated(rounding), [&](int t) {
    const double below = surface_->normal(t).dot(c - surface_->corner(t, 0));
    const double above = surface_->normal(t).dot(center_ - surface_->corner(t, 0));
    if (crosses || below == above || below * above > 0.0) return;
    const Vector3 crossing = c + below / (below - above) * (center_ - c);
    crosses = (surface_->closest_on_triangle(t, crossing).p - crossing).norm() <= rounding;
  });
  return crosses;
}

/// Contacts of one point c (rounded by `radius`) with the facets over which it lies. A point inside is first
/// moved to the nearest point of the surface that may push the shape: there it touches the facet to be left
/// (two or three of them at concave edges and corners), and it sees the walls around.
void MeshQuery::find_facets_at(int id, const Vector3& c, double radius, int only_facet) {
  const double reach = std::max(radius + max_phi_, MeshTolerances::kRounding * size_);
  // Points behind an open surface may be as far from it as the shape is large, in any direction.
  const bool may_be_inside = surface_->closed() || is_behind(c);
  const double depth = surface_->closed() || !may_be_inside ? 0.0 : 2.0 * size_;
  if (surface_->tree().bounds().squared_distance(c) > (depth + reach) * (depth + reach)) return;
  const double far = surface_->closed() ? std::numeric_limits<double>::infinity() : depth + reach;
  MeshPoint near = surface_->nearest(c, far);
  if (near.triangle < 0) return;
  bool inside = may_be_inside && is_inside(near, c);
  // On a side face that is flush with the shape's own c counts as inside, too.
  if (surface_->closed() && (inside || (c - near.p).norm() <= MeshTolerances::kRounding * size_)) {
    MeshPoint pushing = nearest_pushing(c, 2.0 * size_);
    if (pushing.triangle >= 0 && only_facet >= 0 && surface_->facet(pushing.triangle) != only_facet) {
      // A supporting point between facets: its own holds it too unless another is much nearer.
      const double not_much_farther = 2.0 * (c - pushing.p).norm();
      const MeshPoint own = surface_->nearest_where(
          c, not_much_farther, [&](int t) { return surface_->facet(t) == only_facet && pushes(t); });
      if (own.triangle >= 0) pushing = own;
    }
    if (pushing.triangle >= 0) {
      near = pushing;
      inside = true;
    }
  }
  const Vector3 outer = inside ? near.p : c;
  Aabb box;
  box.add(outer);
  surface_->tree().query(box.inflated(reach), [&](int t) {
    if ((only_facet >= 0 && surface_->facet(t) != only_facet) || !pushes(t)) return;
    const MeshPoint q = surface_->closest_on_triangle(t, outer);
    const Vector3 d = outer - q.p;
    const bool touching = inside && d.norm() <= MeshTolerances::kRounding * size_;
    if (!touching && !surface_->is_flat(q)) return;
    const Vector3 n = side(t) * surface_->normal(t);
    if (n.dot(d) < -MeshTolerances::kRounding * size_ || d.norm() > reach ||
        (!touching && !surface_->is_nearest_around(q, outer, size_)))
      return;
    const double height = n.dot(c - surface_->corner(t, 0));
    add(Kind::kPointFacet, id, surface_->facet(t), c - height * n, n, height - radius);
  });
}

void MeshQuery::find_points(const Shape& shape) {
  if (const Capsule* capsule = std::get_if<Capsule>(&shape)) {
    for (int i = 0; i < 2; ++i) {
      find_facets_at(i, X_MS_ * Vector3(0, 0, (i - 0.5) * capsule->length), capsule->radius, -1);
    }
  } else if (const Box* box = std::get_if<Box>(&shape)) {
    for (int i = 0; i < 8; ++i) {
      const Vector3 corner(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5);
      find_facets_at(i, X_MS_ * corner.cwiseProduct(box->size), 0.0, -1);
    }
  } else if (const Convex* convex = std::get_if<Convex>(&shape)) {
    for (std::size_t i = 0; i < convex->polytope->vertices.size(); ++i) {
      if (convex->polytope->is_corner[i])
        find_facets_at(static_cast<int>(i), X_MS_ * convex->polytope->vertices[i], 0.0, -1);
    }
  }
}

/// Round shapes have no vertices: their points are those that support them on the plane of each facet near
/// them, which its triangles leave by what is uneven, or places on the rim of a cylinder's cap.
void MeshQuery::find_support_points(const Shape& shape) {
  if (!std::holds_alternative<Cylinder>(shape) && !std::holds_alternative<Ellipsoid>(shape)) return;
  const ConvexSupport support(shape, X_MS_);
  ContactFeature feature;
  facets_.clear();
  for (int t : triangles_) {
    const int facet = surface_->facet(t);
    if (std::find(facets_.begin(), facets_.end(), facet) != facets_.end()) continue;
    if (!pushes(t)) continue;
    facets_.push_back(facet);
    // The facet's normal, not that of the triangle that is met first.
    const Vector3& n = surface_->facet_normal(facet);
    const Vector3 normal = n.dot(surface_->normal(t)) * side(t) < 0.0 ? Vector3(-n) : n;
    query_plane(shape, normal, surface_->closest_on_triangle(t, center_).p,
                max_phi_ + 2.0 * kFlatSide * size_);
    if (manifold_.size == 0) continue;
    find_contact_feature(support, -normal, 0.0, &feature);
    if (feature.kind == ContactFeature::Kind::kDisc) {
      find_rim(feature, normal, facet);
    } else {
      for (int k = 0; k < manifold_.size; ++k) find_facets_at(k, manifold_.points[k].p_b, 0.0, facet);
    }
  }
}

/// Of a cap over a facet: four places of its rim that turn with the tilt where the facet is even and goes on
/// below all of it, else those fixed on it: what lies below places that turn would change with the tilt.
void MeshQuery::find_rim(const ContactFeature& cap, const Vector3& normal, int facet) {
  const NormalView view(normal);
  const DiscView disc = view_disc(cap, view);
  bool is_whole = surface_->unevenness(facet) <= MeshTolerances::kRounding;
  for (const int t : triangles_) {
    for (int i = 0; i < 3 && is_whole && surface_->facet(t) == facet; ++i) {
      const SurfaceEdge& edge = surface_->edge(surface_->edge_of(t, i));
      is_whole = edge.kind == EdgeKind::kFlat || !cuts(disc, view.project(surface_->vertex(edge.vertex[0])),
                                                       view.project(surface_->vertex(edge.vertex[1])));
    }
  }
  const auto find_at = [&](const RimPoint& point) {
    const Vector3 p = cap.center + cap.radius * (point.u.x() * cap.axis_x + point.u.y() * cap.axis_y);
    find_facets_at(point.id, p, 0.0, facet);
  };
  if (is_whole) {
    for (const RimPoint& point : whole_rim(disc, disc.slope)) find_at(point);
  } else {
    for (const RimPoint& point : fixed_rim(disc, disc.slope)) find_at(point);
  }
}

}  // namespace csim
