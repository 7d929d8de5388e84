// Contacts of a body with what another contact holds it off: with the end face of a floor box that is flush
// with the one on which it lies (docs/theory.md, "Contacts foreseen").
#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <variant>

#include "contact/contact_set.h"
#include "contact/search/contact_search.h"
#include "contact/search/offering_rule.h"

namespace csim {
namespace {

/// rad: contacts whose normals differ by less hold together.
constexpr double kSameNormal = 1e-3;

/// Of the way that a body at rest could fall in the step: a pair that closes by less is at rest, where no
/// seam is looked for.
constexpr double kLeastClosing = 1e-3;

/// Fraction of the smaller one's size by which surfaces that are flush differ: the unevenness of files and of
/// cut parts. A step of the floor that is no higher is overlapped unforeseen, and holds as little energy.
constexpr double kFlush = 1e-4;

/// The vertex of a triangle surface that is farthest along `direction` (unit, its frame) of those that reach
/// beyond `limit` (m), or with `any` the first such one met; -1: none does.
int vertex_beyond(const MeshSurface& surface, const Vector3& direction, double limit, bool any) {
  int found = -1;
  surface.tree().query_where(
      [&](const Aabb& box) {
        return direction.dot(box.center()) + direction.cwiseAbs().dot(box.half_size()) > limit;
      },
      [&](int t) {
        for (int i = 0; i < 3; ++i) {
          const double reach = direction.dot(surface.corner(t, i));
          if (!(reach > limit)) continue;
          found = surface.vertex_of(t, i);
          limit = any ? std::numeric_limits<double>::infinity() : reach;
        }
      });
  return found;
}

/// Whether a geometry reaches beyond `limit` (m) along `direction` (unit), from the world's origin.
bool reaches_beyond(const PlacedGeometry& g, const Vector3& direction, double limit) {
  if (std::holds_alternative<HalfSpace>(g.geometry->shape)) return true;
  if (g.geometry->surface)
    return vertex_beyond(*g.geometry->surface, g.X_WG.R.transpose() * direction,
                         limit - direction.dot(g.X_WG.p), true) >= 0;
  const ConvexSupport support(g.geometry->shape, g.X_WG);
  return direction.dot(support.support(direction)) + support.radius() > limit;
}

/// How far (m) the material of body b moves in the step along `direction` (unit) past that of a at p (world).
double rise(int a, int b, const Vector3& p, const Vector3& direction, const ContactQuery& query) {
  const auto speed = [&](const std::vector<Twist>& V) {
    const auto at = [&](int body) { return V[body].at(p - (*query.X_WB)[body].p); };
    return direction.dot(at(b) - at(a));
  };
  return query.step * std::max(speed(*query.V0), speed(*query.V_star));
}

/// How far (m) the turning of body b against a in the step moves its point p beside its point `center`
/// (world) along `direction` (unit).
double turn_along(int a, int b, const Vector3& center, const Vector3& p, const Vector3& direction,
                  const ContactQuery& query) {
  const auto speed = [&](const std::vector<Twist>& V) {
    return direction.dot((V[b].w - V[a].w).cross(p - center));
  };
  return query.step * std::max(speed(*query.V0), speed(*query.V_star));
}

bool has_flat_sides(const Shape& shape) {
  return !std::holds_alternative<Sphere>(shape) && !std::holds_alternative<Capsule>(shape) &&
         !std::holds_alternative<Ellipsoid>(shape);
}

constexpr double kAlong = 1.0 - 0.5 * kSameNormal * kSameNormal;  // cosine

/// Whether a geometry has a face with this outward normal (unit, world), so that what slides on it stays on
/// one side of a plane. Meshes count as flat: their triangles are.
bool is_flat_along(const PlacedGeometry& g, const Vector3& normal) {
  const Shape& shape = g.geometry->shape;
  const Vector3 n = g.X_WG.R.transpose() * normal;
  if (std::holds_alternative<Box>(shape)) return n.cwiseAbs().maxCoeff() > kAlong;
  if (std::holds_alternative<Cylinder>(shape)) return std::abs(n.z()) > kAlong;
  if (std::holds_alternative<HalfSpace>(shape)) return n.z() > kAlong;
  if (const auto* convex = std::get_if<Convex>(&shape)) {
    const std::vector<Vector3>& faces = convex->polytope->face_normals;
    return std::any_of(faces.begin(), faces.end(), [&](const Vector3& face) { return face.dot(n) > kAlong; });
  }
  return std::holds_alternative<Mesh>(shape);
}

/// How far a geometry reaches along `normal` (unit, world), m from the world's origin, where that is a face
/// of it; none: it is an edge, a corner or a round place, or the geometry has no end.
std::optional<double> flat_end(const PlacedGeometry& g, const Vector3& normal) {
  if (std::holds_alternative<HalfSpace>(g.geometry->shape) || !is_flat_along(g, normal)) return std::nullopt;
  if (!g.geometry->surface) {
    const ConvexSupport support(g.geometry->shape, g.X_WG);
    return normal.dot(support.support(normal)) + support.radius();
  }
  const MeshSurface& surface = *g.geometry->surface;
  const Vector3 n = g.X_WG.R.transpose() * normal;
  const int v = vertex_beyond(surface, n, -std::numeric_limits<double>::infinity(), false);
  const auto is_along = [&](int t) { return surface.facet_normal(surface.facet(t)).dot(n) > kAlong; };
  if (v < 0 || std::none_of(surface.triangles_begin(v), surface.triangles_end(v), is_along))
    return std::nullopt;
  return normal.dot(g.X_WG.p) + n.dot(surface.vertex(v));
}

/// The contact's normal, away from one of its bodies.
Vector3 normal_from(const PointContact& c, int body) {
  return c.body_a == body ? c.normal : Vector3(-c.normal);
}

/// m, world: the body's point of the contact.
Vector3 own_point(const PointContact& c, int body) {
  return c.body_a == body ? c.p_a : c.p_b;
}

}  // namespace

/// Sorts the contacts by the bodies that they hold: [held_begin_[b], held_begin_[b + 1]) of held_, indices in
/// `points`.
void ContactSearch::sort_by_body(const std::vector<PointContact>& points) {
  held_begin_.assign(bodies_.size() + 1, 0);
  for (const PointContact& c : points) {
    ++held_begin_[c.body_a + 1];
    ++held_begin_[c.body_b + 1];
  }
  std::partial_sum(held_begin_.begin(), held_begin_.end(), held_begin_.begin());
  held_.resize(2 * points.size());
  next_held_ = held_begin_;
  for (std::size_t k = 0; k < points.size(); ++k) {
    held_[next_held_[points[k].body_a]++] = static_cast<int>(k);
    held_[next_held_[points[k].body_b]++] = static_cast<int>(k);
  }
}

/// Whether a contact of `body` holds it off the partner of its contact d: along that contact's normal the
/// face of the partner is no higher than the one that the contact is with, which the body lies on, or is
/// fixed; and it does not rise past that in the step.
bool ContactSearch::is_held_off(const PointContact& d, int body, const std::vector<PointContact>& points,
                                const ContactQuery& query) const {
  const bool is_a = d.body_a == body;
  const int own_geometry = is_a ? d.geometry_a : d.geometry_b,
            other_geometry = is_a ? d.geometry_b : d.geometry_a;
  if (bodies_[body].is_fixed || !has_flat_sides(geometries_[other_geometry]->shape)) return false;
  return std::any_of(held_.begin() + held_begin_[body], held_.begin() + held_begin_[body + 1], [&](int k) {
    const PointContact& c = points[k];
    const Vector3 m = normal_from(c, body);
    const int partner = c.body_a == body ? c.body_b : c.body_a;
    if (is_dropped_[k] != 0 || (c.phi > query.fall && !bodies_[partner].is_fixed) ||
        (m - normal_from(d, body)).squaredNorm() < kSameNormal * kSameNormal)
      return false;
    const int floor = c.body_a == body ? c.geometry_b : c.geometry_a;
    if (!has_flat_sides(geometries_[floor]->shape) || !is_flat_along(place_at(floor, *query.X_WB), -m))
      return false;
    const PlacedGeometry own = place_at(own_geometry, *query.X_WB);
    const PlacedGeometry other = place_at(other_geometry, *query.X_WB);
    const double tolerance = kFlush * std::min(own.geometry->ball_B.radius, other.geometry->ball_B.radius);
    // A surface meets the end of what it lies on by several features. What turns may come down on its edge.
    if (pair_key(c) == pair_key(d) &&
        !(turn_along(partner, body, own_point(c, body), own_point(d, body), m, query) < tolerance))
      return false;
    const double least = c.phi - tolerance;
    if (!(m.dot(other.center_W - own.center_W) > least) ||
        !(rise(partner, is_a ? d.body_b : d.body_a, is_a ? d.p_b : d.p_a, -m, query) < tolerance))
      return false;
    const std::optional<double> end = flat_end(other, -m);
    return end && !reaches_beyond(own, m, -*end - least);
  });
}

/// Whether the contact d, which closes, is none since one of `points` holds a body of it off the other.
bool ContactSearch::is_held_off(const PointContact& d, const std::vector<PointContact>& points,
                                const ContactQuery& query) const {
  if (!(end_gap(d, query, *query.V0) - d.phi < -kLeastClosing * query.fall)) return false;
  return is_held_off(d, d.body_a, points, query) || is_held_off(d, d.body_b, points, query);
}

/// Drops the contacts that are none since others of their bodies, which stay, hold them off.
void ContactSearch::drop_held_off(const ContactQuery& query, std::vector<PointContact>* points) {
  sort_by_body(*points);
  is_dropped_.assign(points->size(), 0);
  may_drop_.resize(points->size());
  // What is dropped holds nothing off: who is not held off by all of them is not by those that stay.
  constexpr double kCost = 0.1;  // us, of a contact
  for_shares(workers_, static_cast<int>(points->size()), kCost, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) may_drop_[k] = is_held_off((*points)[k], *points, query);
  });
  for (std::size_t k = 0; k < points->size(); ++k)
    is_dropped_[k] = may_drop_[k] && is_held_off((*points)[k], *points, query);
  std::size_t kept = 0;
  for (std::size_t k = 0; k < points->size(); ++k) {
    if (is_dropped_[k] == 0) (*points)[kept++] = (*points)[k];
  }
  points->resize(kept);
}

}  // namespace csim
