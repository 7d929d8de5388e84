// Sharp edges of two surfaces that cross.
#include <algorithm>
#include <cmath>

#include "contact/mesh/mesh_pair.h"

namespace csim {

namespace {

/// Sine by which a normal may leave the arc of an edge: rounding where two edges cross, 30 degrees where one
/// of them lies on a facet.
constexpr double kStrict = 1e-6;
constexpr double kResting = 0.5;

/// An edge lies on a facet when the sine of the angle between them is less.
constexpr double kOnFacet = 0.02;

/// Edges with a larger sine between them have a normal of their own.
constexpr double kOblique = 0.1;

/// Edges with a smaller sine between them are parallel and do not cross.
constexpr double kParallel = 1e-6;

/// Fraction of an edge's length by which it may be missed: corners lie on edges to rounding.
constexpr double kEnd = 1e-9;

/// Where edges overlap each must be inside the other's solid, or outside by no more than this fraction of the
/// overlap: a part that is thinner has been passed through.
constexpr double kOutside = 0.5;
constexpr double kRounding = 1e-10;  // of the smaller surface's size

/// Overlaps below this fraction of the smaller surface's size pass through no part of it.
constexpr double kGraze = 1e-3;

/// Edges do not hold an overlap that is thinner by this factor along another normal, the cosine between the
/// two less than kOther, within kNear times the overlap.
constexpr double kThinner = 0.3;
constexpr double kOther = 0.8;
constexpr double kNear = 2.0;

/// A way out is shorter than another when it is so by this factor, and other than it when their directions
/// differ by more than kSameWay (rad): edges that are nearly parallel cross along several. Contacts whose
/// normals differ by less than kSameNormal (rad) have one.
constexpr double kWhole = 0.99;
constexpr double kSameWay = 0.2;
constexpr double kSameNormal = 1e-3;

/// Fraction of the smaller surface's size that a way out goes on to be clear of what it parts; and by which
/// it is shorter than another along nearly the same normal, which is then other than it all the same: edges
/// that cross in the sliver between two walls.
constexpr double kGoesOn = 1e-3, kOtherWay = 10.0 * kGoesOn;

bool can_cross(const MeshSurface& surface, const SurfaceEdge& edge) {
  return edge.kind != EdgeKind::kFlat && !(edge.kind == EdgeKind::kConcave && surface.closed());
}

}  // namespace

/// Edges on the far sides of an overlap fulfil all that is asked of those on its near sides, too.
void MeshPairQuery::drop_far_edges() {
  // What drops another comes before it.
  std::sort(found_.begin(), found_.end(), [](const ManifoldPoint& x, const ManifoldPoint& y) {
    return x.phi > y.phi || (x.phi == y.phi && x.feature < y.feature);
  });
  std::size_t kept = 0;
  for (const ManifoldPoint& c : found_) {
    const auto thinner = [&](const ManifoldPoint& other) {
      return other.phi < 0.0 && other.phi > kThinner * c.phi && other.normal.dot(c.normal) < kOther &&
             (0.5 * (other.p_a + other.p_b - c.p_a - c.p_b)).squaredNorm() <= kNear * kNear * c.phi * c.phi;
    };
    const auto end = found_.begin() + static_cast<std::ptrdiff_t>(kept);
    const bool is_far = c.phi < 0.0 && is_crossing(c) &&
                        (std::any_of(upright_.begin(), upright_.end(), thinner) ||
                         std::any_of(found_.begin(), end, [&](const ManifoldPoint& other) {
                           return is_crossing(other) && thinner(other);
                         }));
    if (!is_far) found_[kept++] = c;
  }
  found_.resize(kept);
}

/// Whether a way out (m), from a to b, and a little more of the direction `onward` part the two solids at a
/// contact, too: in the corner of a room the other wall is still there.
bool MeshPairQuery::parts(const ManifoldPoint& c, const Vector3& way, const Vector3& onward) const {
  const Vector3 beyond = way + kGoesOn * size_ * onward.normalized();
  return !holds(*a_, c.p_b + beyond, 0.0) && !holds(*b_, X_BA_ * (c.p_a - beyond), 0.0);
}

/// Of two solids drops the contacts that a shorter way out parts. Each contact at which neither surface rises
/// above the plane between them is such a way, and so are several of them one after the other: a solid that
/// lies in the corner of a room is parted from both walls.
void MeshPairQuery::drop_parted() {
  const auto same = [](const ManifoldPoint& c, const ManifoldPoint& h, double angle) {
    return (c.normal - h.normal).squaredNorm() < angle * angle;
  };
  for (ManifoldPoint& h : holders_) {
    // Of contacts with one normal the deepest stands for all, as deep as nearly parallel faces can be.
    const double deepest = h.phi - 2.0 * kSameNormal * size_;
    for (const ManifoldPoint& c : found_)
      if (same(c, h, kSameNormal) && c.phi > deepest) h.phi = std::min(h.phi, c.phi);
  }
  std::sort(holders_.begin(), holders_.end(), [](const ManifoldPoint& x, const ManifoldPoint& y) {
    return x.phi > y.phi || (x.phi == y.phi && x.feature < y.feature);
  });
  std::erase_if(found_, [&](const ManifoldPoint& c) {
    if (!(c.phi < 0.0)) return false;
    const auto length = [](const ManifoldPoint& h) { return std::max(-h.phi, 0.0); };
    const auto leads_out = [&](const ManifoldPoint& h) {
      return h.phi > kWhole * c.phi && (!same(c, h, kSameWay) || h.phi - c.phi > kOtherWay * size_);
    };
    if (std::any_of(holders_.begin(), holders_.end(), [&](const ManifoldPoint& h) {
          return leads_out(h) && parts(c, length(h) * h.normal, h.normal);
        })) {
      return true;
    }
    Vector3 way = Vector3::Zero(), onward = Vector3::Zero();
    for (const ManifoldPoint& h : holders_) {
      if (!leads_out(h) || onward.dot(h.normal) > kWhole) continue;
      way += (length(h) - way.dot(h.normal)) * h.normal;
      onward += (1.0 - onward.dot(h.normal)) * h.normal;
      if (way.norm() > -kWhole * c.phi) return false;
      if (parts(c, way, onward)) return true;
    }
    return false;
  });
}

/// Whether the way from p_a, on an edge of a, to p_b, on one of b, leads through both solids at once. Parts
/// that stand side by side, like the teeth of two gears, have edges that fulfil all the rest without any
/// overlap.
bool MeshPairQuery::share_way(const Vector3& p_a, const Vector3& p_b) const {
  const double rounding = kRounding * size_;
  const Vector3 middle = 0.5 * (p_a + p_b);
  return holds(*a_, p_b, rounding) || holds(*b_, X_BA_ * p_a, rounding) ||
         (holds(*a_, middle, rounding) && holds(*b_, X_BA_ * middle, rounding));
}

/// Whether the solid of `edge` fills the way from p on it to q, an overlap further along the normal n (up to
/// its sign): at q, or where its own axis meets the plane through q, as that of a blade that leans. A way
/// shorter than kGraze is that of its tip.
bool MeshPairQuery::fills(const PlacedEdge& edge, const RigidTransform& X_SA, const Vector3& p,
                          const Vector3& q, const Vector3& n) const {
  const double overlap = (q - p).norm(), tolerance = kRounding * size_ + kOutside * overlap;
  if (overlap <= kGraze * size_ || holds(*edge.surface, X_SA * q, tolerance)) return true;
  const Vector3 axis = edge.normal[0] + edge.normal[1];
  return holds(*edge.surface, X_SA * Vector3(p + n.dot(q - p) / n.dot(axis) * axis), tolerance);
}

void MeshPairQuery::find_edges(int t_a, int t_b) {
  for (int i = 0; i < 3; ++i) {
    const int e_a = a_->edge_of(t_a, i);
    if (!can_cross(*a_, a_->edge(e_a))) continue;
    for (int j = 0; j < 3; ++j) {
      const int e_b = b_->edge_of(t_b, j);
      if (can_cross(*b_, b_->edge(e_b))) find_crossing(e_a, e_b);
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
/// both, or from where the sine between them and a facet is kOnFacet, by which the crossing moves.
bool MeshPairQuery::may_cross(const PlacedEdge& a, const PlacedEdge& b, const Vector3& across) {
  const double squared = across.squaredNorm();
  const Vector3 r = b.p - a.p;
  const double s = across.dot(r.cross(b.d)) / squared, t = across.dot(r.cross(a.d)) / squared;
  const double lengths2 = a.d.squaredNorm() * b.d.squaredNorm();
  const double gap = std::abs(r.dot(across)) / std::sqrt(squared);
  const double moved = 1.5 * kOnFacet * gap * lengths2 / squared;  // m, 1.5: tangents of small angles
  const double beside_s = kEnd + moved / a.d.norm(), beside_t = kEnd + moved / b.d.norm();
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
      if (!allows(over, -n, kResting) || !allows(under, n, kResting)) continue;
      *slope = sine;
      *out = n;
      found = true;
    }
  }
  return found;
}

void MeshPairQuery::find_crossing(int e_a, int e_b) {
  PlacedEdge a = place(*a_, e_a, RigidTransform()), b = place(*b_, e_b, X_AB_);
  const Vector3 across = a.d.cross(b.d);
  const double lengths = a.d.norm() * b.d.norm();
  if (across.norm() <= kParallel * lengths || !may_cross(a, b, across)) return;
  place_facets(RigidTransform(), &a);
  place_facets(X_AB_, &b);

  // The normal, from a to b. Of edges that are nearly parallel the one across both may point anywhere.
  Vector3 n = across.normalized();
  if (!allows(a, n, kStrict) || !allows(b, -n, kStrict)) n = -n;
  const bool oblique = across.norm() > kOblique * lengths;
  if (!oblique || !allows(a, n, kStrict) || !allows(b, -n, kStrict)) {
    double slope = kOnFacet;
    Vector3 out;
    if (rest_on(a, b, &slope, &out)) n = out;
    if (rest_on(b, a, &slope, &out)) n = -out;
    if (slope == kOnFacet && (!allows(a, n, kStrict) || !allows(b, -n, kStrict))) return;
  }

  // Where they cross, seen along it.
  const double along = n.dot(across);
  if (std::abs(along) <= kParallel * lengths) return;
  const Vector3 r = b.p - a.p;
  const double s = n.dot(r.cross(b.d)) / along, t = n.dot(r.cross(a.d)) / along;
  if (s < -kEnd || s > 1.0 + kEnd || t < -kEnd || t > 1.0 + kEnd) return;
  const Vector3 p_a = a.p + s * a.d, p_b = b.p + t * b.d;
  const double phi = n.dot(p_b - p_a);
  if (!(phi < max_phi_)) return;
  if (phi < 0.0 && ((a_->closed() && !fills(a, RigidTransform(), p_a, p_b, n)) ||
                    (b_->closed() && !fills(b, X_BA_, p_b, p_a, n)))) {
    return;
  }
  if (phi < 0.0 && a_->closed() && b_->closed() && !share_way(p_a, p_b)) return;
  // A sheet holds what has its centre on the side that is pushed.
  if (!b_->closed() && n.dot(p_b - a_->tree().bounds().center()) <= 0.0) return;
  if (!a_->closed() && n.dot(X_AB_ * b_->tree().bounds().center() - p_a) <= 0.0) return;
  const ManifoldPoint contact = add(Kind::kEdges, e_a, e_b, p_a, n, phi);
  if (phi < 0.0 && allows(a, n, kStrict) && allows(b, -n, kStrict)) holders_.push_back(contact);
}

}  // namespace csim
