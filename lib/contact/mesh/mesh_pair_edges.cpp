// Sharp edges of two surfaces that cross.
#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "contact/mesh/mesh_pair.h"
#include "contact/mesh/mesh_tolerances.h"

namespace csim {

namespace {

/// A sharp edge in the frame of a.
struct PlacedEdge {
  const MeshSurface* surface = nullptr;
  int id = -1;
  Vector3 p, d;                 // m: its first vertex, and from there to its second
  double length = 0.0;          // m
  std::array<Vector3, 2> into;  // as of SurfaceEdge; of each triangle, with its normal after place_facets()
  std::array<Vector3, 2> normal;
  [[nodiscard]] const SurfaceEdge& edge() const { return surface->edge(id); }
  [[nodiscard]] int num_triangles() const { return edge().triangle[1] < 0 ? 1 : 2; }
};

/// The edges of triangle t that may cross others (MeshSurface::crossing_sides). Returns how many.
int place_edges(const MeshSurface& surface, int t, const RigidTransform* X_AS, bool owned,
                std::array<PlacedEdge, 3>* placed) {
  int count = 0;
  for (unsigned sides = surface.crossing_sides(t, owned); sides != 0; sides &= sides - 1) {
    PlacedEdge& edge = (*placed)[count++];
    edge.surface = &surface;
    edge.id = surface.edge_of(t, std::countr_zero(sides));
    const auto& [begin, end] = edge.edge().vertex;
    edge.p = X_AS != nullptr ? *X_AS * surface.vertex(begin) : surface.vertex(begin);
    edge.d = (X_AS != nullptr ? *X_AS * surface.vertex(end) : surface.vertex(end)) - edge.p;
    edge.length = edge.d.norm();
  }
  return count;
}

void place_facets(const Matrix3& R_AS, PlacedEdge* edge) {
  for (int k = 0; k < edge->num_triangles(); ++k) {
    edge->into[k] = R_AS * edge->edge().into[k];
    edge->normal[k] = R_AS * edge->surface->normal(edge->edge().triangle[k]);
  }
}

/// Where the lines of two edges pass each other, seen along n, in lengths of the edges from their beginnings;
/// `along` is n . (a.d x b.d).
struct Passing {
  double s, t;
  Passing(const PlacedEdge& a, const PlacedEdge& b, const Vector3& n, double along)
      : s(n.dot((b.p - a.p).cross(b.d)) / along), t(n.dot((b.p - a.p).cross(a.d)) / along) {}
  /// Whether that is on both edges, or no more beside their ends than these fractions of their lengths.
  [[nodiscard]] bool is_within(double beside_a, double beside_b) const {
    return s >= -beside_a && s <= 1.0 + beside_a && t >= -beside_b && t <= 1.0 + beside_b;
  }
};

/// False when two edges surely pass beside each other, seen along any normal that they may have: seen across
/// both, or from where the sine between them and a facet is MeshTolerances::kOnFacet, by which the crossing
/// moves.
bool may_cross(const PlacedEdge& a, const PlacedEdge& b, const Vector3& across, double norm) {
  const double squared = across.squaredNorm();
  const double gap = std::abs((b.p - a.p).dot(across)) / norm;
  const double lengths2 = a.d.squaredNorm() * b.d.squaredNorm();
  const double moved =
      1.5 * MeshTolerances::kOnFacet * gap * lengths2 / squared;  // m, 1.5: tangents of small angles
  return Passing(a, b, across, squared)
      .is_within(MeshTolerances::kEnd + moved / a.length, MeshTolerances::kEnd + moved / b.length);
}

/// Whether a plane with the normal `out` can hold the edge from outside, the surface behind it.
bool allows(const PlacedEdge& edge, const Vector3& out, double tolerance) {
  Vector3 normals = Vector3::Zero();
  for (int k = 0; k < edge.num_triangles(); ++k) {
    if (out.dot(edge.into[k]) > tolerance) return false;
    normals += edge.normal[k];
  }
  return !edge.surface->closed() || normals.dot(out) > 0.0;
}

/// The same of two edges, a behind the plane and b in front of it.
bool parts(const PlacedEdge& a, const PlacedEdge& b, const Vector3& n, double tolerance) {
  return allows(a, n, tolerance) && allows(b, -n, tolerance);
}

/// Whether the edge `over` lies on a facet of the edge `under`, more nearly so than *slope; *out is then the
/// facet's normal, *slope the sine of the angle between them.
bool rest_on(const PlacedEdge& under, const PlacedEdge& over, double* slope, Vector3* out) {
  bool found = false;
  for (int k = 0; k < under.num_triangles(); ++k) {
    const double sine = std::abs(over.d.dot(under.normal[k])) / over.d.norm();
    if (!(sine < *slope)) continue;
    // A facet of a sheet has two sides; the edge of a solid fits on one of them.
    for (const double s : {1.0, -1.0}) {
      if (s < 0.0 && under.surface->closed()) continue;
      const Vector3 n = s * under.normal[k];
      if (!parts(under, over, n, MeshTolerances::kResting)) continue;
      *slope = sine;
      *out = n;
      found = true;
    }
  }
  return found;
}

/// The normal, from a to b, of edges that cross: across both, or that of a facet on which one of them lies.
/// Of edges that are nearly parallel the one across both may point anywhere.
std::optional<Vector3> crossing_normal(const PlacedEdge& a, const PlacedEdge& b, const Vector3& across) {
  Vector3 n = across.normalized();
  bool good = parts(a, b, n, MeshTolerances::kStrict);
  if (!good) {
    n = -n;
    good = parts(a, b, n, MeshTolerances::kStrict);
  }
  if (good && across.norm() > MeshTolerances::kOblique * (a.d.norm() * b.d.norm())) return n;
  double slope = MeshTolerances::kOnFacet;
  Vector3 out;
  if (rest_on(a, b, &slope, &out)) n = out;
  if (rest_on(b, a, &slope, &out)) n = -out;
  return good || slope < MeshTolerances::kOnFacet ? std::optional(n) : std::nullopt;
}

struct Crossing {
  Vector3 p_a, p_b, normal;  // m, m, unit from a to b
};

std::optional<Crossing> find_crossing(PlacedEdge* a, PlacedEdge* b, const Matrix3& R_AB) {
  const Vector3 across = a->d.cross(b->d);
  const double norm = across.norm(), parallel = MeshTolerances::kParallel * (a->length * b->length);
  if (norm <= parallel || !may_cross(*a, *b, across, norm)) return std::nullopt;
  place_facets(Matrix3::Identity(), a);
  place_facets(R_AB, b);
  const std::optional<Vector3> n = crossing_normal(*a, *b, across);
  if (!n || std::abs(n->dot(across)) <= parallel) return std::nullopt;
  const Passing at(*a, *b, *n, n->dot(across));
  if (!at.is_within(MeshTolerances::kEnd, MeshTolerances::kEnd)) return std::nullopt;
  return Crossing{a->p + at.s * a->d, b->p + at.t * b->d, *n};
}

}  // namespace

std::optional<std::array<int, 2>> MeshPairQuery::crossing_edges(std::int64_t feature) {
  if (MeshFeature::kind(feature) != static_cast<int>(Kind::kEdges)) return std::nullopt;
  return std::array{MeshFeature::i(feature), MeshFeature::j(feature)};
}

bool MeshPairQuery::do_cross(const MeshSurface& a, const RigidTransform& X_WA, const MeshSurface& b,
                             const RigidTransform& X_WB, const std::array<int, 2>& edges) {
  const auto place = [](const MeshSurface& surface, const RigidTransform& X, int id) {
    PlacedEdge edge;
    const auto& [begin, end] = surface.edge(id).vertex;
    edge.p = X * surface.vertex(begin);
    edge.d = X * surface.vertex(end) - edge.p;
    return edge;
  };
  const PlacedEdge of_a = place(a, X_WA, edges[0]), of_b = place(b, X_WB, edges[1]);
  const Vector3 across = of_a.d.cross(of_b.d);
  return across.norm() > MeshTolerances::kParallel * (of_a.d.norm() * of_b.d.norm()) &&
         Passing(of_a, of_b, across, across.squaredNorm())
             .is_within(MeshTolerances::kEnd, MeshTolerances::kEnd);
}

/// Edges apart are as near as a contact of theirs says, and so are the triangles that own them. Edges that
/// overlap may be farther from each other than the query reaches: those of triangles that cross. (Edges on
/// the far sides of an overlap fulfil all that is asked of those on its near sides, too.)
void MeshPairQuery::find_edges() {
  find_edges_of(pairs_, true, [&](double phi, int, int) { return phi >= 0.0 && phi < max_phi_; });
  find_edges_of(meeting_, false, [&](double phi, int t_a, int t_b) {
    return phi < 0.0 && phi < max_phi_ &&
           cross(triangle_of(*a_, t_a), triangle_of(*b_, t_b, X_AB_), MeshTolerances::kRounding * size_);
  });
}

template <typename Accept>
void MeshPairQuery::find_edges_of(const std::vector<std::array<int, 2>>& pairs, bool owned,
                                  const Accept& accepts) {
  std::array<PlacedEdge, 3> of_a, of_b;
  int placed = -1, num_b = 0;  // pairs with one triangle of b stand one after the other
  for (const auto& [t_a, t_b] : pairs) {
    if (t_b != placed) num_b = place_edges(*b_, t_b, &X_AB_, owned, &of_b);
    placed = t_b;
    if (num_b == 0) continue;
    const int num_a = place_edges(*a_, t_a, nullptr, owned, &of_a);
    for (int i = 0; i < num_a; ++i) {
      for (int j = 0; j < num_b; ++j) {
        const std::optional<Crossing> found = find_crossing(&of_a[i], &of_b[j], X_AB_.R);
        if (!found) continue;
        const auto& [p_a, p_b, n] = *found;
        const double phi = n.dot(p_b - p_a);
        if (!accepts(phi, t_a, t_b)) continue;
        // A sheet holds what has its centre on the side that is pushed.
        if (!b_->closed() && n.dot(p_b - a_->tree().bounds().center()) <= 0.0) continue;
        if (!a_->closed() && n.dot(X_AB_ * b_->tree().bounds().center() - p_a) <= 0.0) continue;
        add(Kind::kEdges, of_a[i].id, of_b[j].id, p_a, n, phi);
      }
    }
  }
}

}  // namespace csim
