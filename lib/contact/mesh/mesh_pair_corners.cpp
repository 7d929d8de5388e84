// Corners of one surface against the facets, edges and corners of another.
#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/mesh/mesh_pair.h"
#include "contact/mesh/mesh_tolerances.h"

namespace csim {

/// +1, or -1 for triangles of an open surface that have the other's centre behind them.
double MeshPairQuery::side(const View& view, int t) const {
  const MeshSurface& onto = *view.onto;
  return onto.closed() || onto.normal(t).dot(view.center - onto.corner(t, 0)) >= 0.0 ? 1.0 : -1.0;
}

/// MeshSurface::cone_violation of the vertex looked at, for a normal in the frame of `onto`.
double MeshPairQuery::violation(const Vector3& normal) const {
  double largest = 0.0;
  for (const Vector3& ray : rays_) largest = std::max(largest, normal.dot(ray));
  return largest;
}

/// Whether the vertex looked at can rest on triangle t.
bool MeshPairQuery::fits(const View& view, int t) const {
  const Vector3 normal = -side(view, t) * view.onto->normal(t);
  // The cone alone does not tell the tip of a spike from the bottom of a pit.
  return (!view.from->closed() || outward_.dot(normal) > 0.0) &&
         std::none_of(rays_.begin(), rays_.end(),
                      [&](const Vector3& ray) { return normal.dot(ray) > MeshTolerances::kResting; });
}

/// The nearest point to c of the triangles on which the vertex looked at can rest; `near` is that of all. No
/// nearer than the triangle on which the vertex before, its neighbour as a rule, can rest; without this bound
/// the search would go through all the surface around c that does not fit before it comes to what does.
MeshPoint MeshPairQuery::nearest_fitting(const View& view, const Vector3& c, const MeshPoint& near) {
  const auto squared_distance = [&](int t) {
    return (view.onto->closest_on_triangle(t, c).p - c).squaredNorm();
  };
  double best = kInfinity;
  for (const int t : {near.triangle, fitting_}) {
    // Itself and its equals are still to be found.
    if (t >= 0 && fits(view, t)) best = std::min(best, std::nextafter(squared_distance(t), kInfinity));
  }
  fitting_ = view.onto->tree().nearest(
      c, &best, [&](int t) { return fits(view, t) ? squared_distance(t) : kInfinity; });
  return fitting_ < 0 ? MeshPoint() : view.onto->closest_on_triangle(fitting_, c);
}

/// MeshSurface::nearest among the triangles that are known to be near the vertex looked at.
MeshPoint MeshPairQuery::nearest_known(const MeshSurface& onto, const Vector3& c, double distance) const {
  double best = distance * distance;
  MeshPoint nearest;
  for (const NearPairs::Near& other : known_) {
    const double least = other.distance - kept_->drift();
    if (least > 0.0 && least * least > best) break;
    const MeshPoint q = onto.closest_on_triangle(other.triangle, c);
    const double own = (q.p - c).squaredNorm();
    if (!(own < best || (own == best && other.triangle < nearest.triangle))) continue;
    best = own;
    nearest = q;
  }
  return nearest;
}

/// Vertices of the candidates, and from those inside on along the surface for as long as it is inside.
void MeshPairQuery::find_corners(const View& view, std::vector<int>* seen) {
  const MeshSurface& from = *view.from;
  const auto look_at = [&](int t) {
    for (int i = 0; i < 3; ++i) {
      const int v = from.vertex_of(t, i);
      if ((*seen)[v] == query_) continue;
      (*seen)[v] = query_;
      pending_.push_back(v);
    }
  };
  pending_.clear();
  fitting_ = -1;
  for (const auto& pair : pairs_) look_at(pair[view.from_a ? 0 : 1]);
  while (!pending_.empty()) {
    const int v = pending_.back();
    pending_.pop_back();
    if (find_corner(view, v)) std::for_each(from.triangles_begin(v), from.triangles_end(v), look_at);
  }
}

/// The contacts of one vertex. True when it is inside the other solid or behind the other sheet.
bool MeshPairQuery::find_corner(const View& view, int v) {
  const MeshSurface &from = *view.from, &onto = *view.onto;
  const double rounding = MeshTolerances::kRounding * size_, reach = std::max(max_phi_, rounding);
  const Vector3 c = view.X_OF * from.vertex(v);
  const RigidTransform& X_FO = view.from_a ? X_AB_ : X_BA_;
  // Behind a sheet a vertex may be as far from it as its solid is large.
  if (onto.closed() && onto.tree().bounds().squared_distance(c) > reach * reach) return false;
  if (kept_ != nullptr && kept_->is_outside(view.from_a, v, reach)) return false;
  const double farthest = kept_ != nullptr ? kept_->farthest(view.from_a, v) : kInfinity;
  const double within = onto.closed() ? kInfinity : reach + 2.0 * size_;
  is_known_ = kept_ != nullptr && farthest <= kept_->few_within();
  if (is_known_) known_ = kept_->near_triangles(view.from_a, v, onto, c, std::max(farthest, reach));
  const MeshPoint near = is_known_ ? nearest_known(onto, c, std::min(farthest, within))
                                   : onto.nearest(c, std::min(farthest, within));
  if (near.triangle < 0) return false;
  const Vector3 d = c - near.p;
  const double distance = d.norm();
  if (kept_ != nullptr) kept_->set_farthest(view.from_a, v, distance);
  bool inside = side(view, near.triangle) * onto.pseudonormal(near).dot(d) < 0.0;
  if (inside && !onto.closed())
    inside = from.holds(X_FO * near.p, rounding + MeshTolerances::kOutside * distance);
  if (kept_ != nullptr && onto.closed() && !inside) kept_->set_outside(view.from_a, v, distance);
  if (!from.is_corner(v)) return inside;
  if (!inside && distance > reach) return false;

  rays_.clear();
  for (const int* t = from.triangles_begin(v); t != from.triangles_end(v); ++t) {
    const int i = from.vertex_of(*t, 0) == v ? 0 : from.vertex_of(*t, 1) == v ? 1 : 2;
    // Around a vertex of a closed surface each edge is the first of one triangle and the second of another.
    for (const int k : {1, 2}) {
      if (k == 2 && from.closed()) continue;
      const int w = from.vertex_of(*t, (i + k) % 3);
      rays_.push_back(view.X_OF.R * (from.vertex(w) - from.vertex(v)).normalized());
    }
  }
  const int t = *from.triangles_begin(v);
  outward_ = view.X_OF.R * from.pseudonormal({from.vertex(v), t, SurfacePart::kVertex, v});
  if (!inside && distance > rounding) {
    find_parts_at(view, v, c, c, false);
    return false;
  }
  const MeshPoint out = nearest_fitting(view, c, near);
  if (out.triangle >= 0) find_parts_at(view, v, c, out.p, true);
  return inside;
}

/// The contacts of the vertex v at c with what lies around `outer`: c itself, or where c is pushed out.
void MeshPairQuery::find_parts_at(const View& view, int v, const Vector3& c, const Vector3& outer,
                                  bool overlaps) {
  const MeshSurface& onto = *view.onto;
  const double rounding = MeshTolerances::kRounding * size_, reach = std::max(max_phi_, rounding);
  const auto add_part = [&](Kind from_a, Kind from_b, int part, const Vector3& out, double phi) {
    add_corner(view, view.from_a ? from_a : from_b, view.from_a ? v : part, view.from_a ? part : v, c, out,
               phi);
  };
  // Whether the vertex lies over the facet of t, or under it at `height`; q: the point of t next to `outer`.
  const auto rests_on = [&](int t, const MeshPoint& q, const Vector3& n, double height, bool touching) {
    if (!fits(view, t) || n.dot(outer - q.p) < -rounding) return false;
    if (!touching) return onto.is_nearest_around(q, outer, size_);
    // Beside the end of a facet there is nothing to leave it through, but where another rises from there.
    return !((c - q.p - height * n).norm() > MeshTolerances::kBesideFacet * std::abs(height) + rounding) ||
           onto.is_on_concave_edge(t, outer, rounding);
  };
  // Whether it stands beside the edge or corner of q, apart along `out`.
  const auto stands_beside = [&](const MeshPoint& q, const Vector3& out) {
    return onto.is_nearest_around(q, outer, size_) &&
           !(onto.closed() && onto.pseudonormal(q).dot(out) <= 0.0) &&
           !(violation(-out) > MeshTolerances::kStrict) && !(view.from->closed() && outward_.dot(out) >= 0.0);
  };
  Aabb box;
  box.add(outer);
  const auto look_at = [&](int t) {
    const MeshPoint q = onto.closest_on_triangle(t, outer);
    const double distance = (outer - q.p).norm();
    const bool touching = overlaps && distance <= rounding;
    if (distance > reach) return;
    if (touching || onto.is_flat(q)) {
      const Vector3 n = side(view, t) * onto.normal(t);
      const double height = n.dot(c - onto.corner(t, 0));
      if (rests_on(t, q, n, height, touching))
        add_part(Kind::kCornerFacet, Kind::kFacetCorner, onto.facet(t), n, height);
    } else if (!overlaps && distance > rounding) {
      const Vector3 out = (outer - q.p) / distance;
      const bool on_edge = q.part == SurfacePart::kEdge;
      if (stands_beside(q, out))
        add_part(on_edge ? Kind::kCornerEdge : Kind::kCorners, on_edge ? Kind::kEdgeCorner : Kind::kCorners,
                 q.id, out, distance);
    }
  };
  if (overlaps || !is_known_) return onto.tree().query(box.inflated(reach), look_at);
  for (const NearPairs::Near& other : known_) {
    if (other.distance - kept_->drift() > reach) break;
    look_at(other.triangle);
  }
}

}  // namespace csim
