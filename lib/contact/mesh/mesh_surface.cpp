#include "contact/mesh/mesh_surface.h"

#include <algorithm>
#include <cmath>

#include "geometry/flat_sides.h"

namespace csim {

namespace {

/// Squared distances closer than this, relative, are equal: their points lie within 1e-7 of the size of each
/// other, and merging keeps one.
constexpr double kEqual = 1e-14;

/// A sharp edge, seen from a vertex at its end.
struct SharpEnd {
  Vector3 along;              // unit, away from the vertex
  std::array<int, 2> facets;  // that it parts; -1 at a border
};

}  // namespace

MeshSurface::MeshSurface(std::shared_ptr<const TriangleMesh> mesh,
                         std::unique_ptr<const TriangleSearch> search)
    : mesh_(std::move(mesh)), search_(std::move(search)) {
  std::vector<Aabb> boxes;
  for (const auto& [i, j, k] : mesh_->triangles) {
    normals_.push_back((vertex(j) - vertex(i)).cross(vertex(k) - vertex(i)).normalized());
    boxes.emplace_back();
    for (int v : {i, j, k}) boxes.back().add(vertex(v));
  }
  tree_.build(boxes);
  find_edges();
  find_facets();
  find_crossing_sides();
  find_vertices();
}

void MeshSurface::find_edges() {
  triangle_edges_.resize(mesh_->triangles.size());
  owns_edge_.assign(mesh_->triangles.size(), {false, false, false});
  for_each_edge(mesh_->triangles, [&](std::span<const TriangleSide> sides) {
    Vector3 outward = normals_[sides[0].triangle];
    for (const TriangleSide& side : sides.subspan(1)) outward += normals_[side.triangle];
    if (sides.size() == 2) return add_edge(sides, outward);
    if (is_shared_evenly(sides)) return add_crowded_edge(sides, outward);
    for (std::size_t k = 0; k < sides.size(); ++k) add_edge(sides.subspan(k, 1), normals_[sides[k].triangle]);
  });
}

void MeshSurface::add_edge(std::span<const TriangleSide> sides, const Vector3& outward) {
  SurfaceEdge edge;
  edge.vertex = {sides[0].low, sides[0].high};
  edge.outward = outward;
  for (std::size_t k = 0; k < sides.size(); ++k) {
    edge.triangle[k] = sides[k].triangle;
    triangle_edges_[sides[k].triangle][sides[k].side] = static_cast<int>(edges_.size());
  }
  owns_edge_[sides[0].triangle][sides[0].side] = true;
  classify(&edge);
  edges_.push_back(edge);
}

/// Around the edge, seen along it from `low` to `high`, the solid begins at a triangle that runs back along
/// it and ends at one that runs forward: the two are matched like brackets.
void MeshSurface::add_crowded_edge(std::span<const TriangleSide> sides, const Vector3& outward) {
  const Vector3 axis = (vertex(sides[0].high) - vertex(sides[0].low)).normalized();
  const auto into = [&](const TriangleSide& side) {
    const Vector3 n = side.forward ? normals_[side.triangle] : Vector3(-normals_[side.triangle]);
    return Vector3(n.cross(axis));
  };
  const Vector3 x = into(sides[0]), y = axis.cross(x);
  struct Bracket {
    double angle;
    bool begins;
    TriangleSide side;
  };
  std::vector<Bracket> brackets;
  for (const TriangleSide& side : sides)
    brackets.push_back({std::atan2(y.dot(into(side)), x.dot(into(side))), !side.forward, side});
  // Where one part ends and another begins at one angle, as of flush faces, the end comes first.
  std::stable_sort(brackets.begin(), brackets.end(), [](const Bracket& a, const Bracket& b) {
    return a.angle < b.angle || (a.angle == b.angle && a.begins < b.begins);
  });
  // Turned to begin after the end that is deepest, brackets match from left to right.
  int depth = 0, least = 0;
  std::size_t start = 0;
  for (std::size_t k = 0; k < brackets.size(); ++k) {
    depth += brackets[k].begins ? 1 : -1;
    if (depth >= least) continue;
    least = depth;
    start = k + 1;
  }
  std::rotate(brackets.begin(), brackets.begin() + static_cast<std::ptrdiff_t>(start), brackets.end());
  std::vector<TriangleSide> begun;
  for (const Bracket& bracket : brackets) {
    if (bracket.begins) {
      begun.push_back(bracket.side);
      continue;
    }
    std::array<TriangleSide, 2> pair{begun.back(), bracket.side};
    if (pair[1].triangle < pair[0].triangle) std::swap(pair[0], pair[1]);
    begun.pop_back();
    add_edge(pair, outward);
  }
}

/// The neighbour's third corner below the plane of the first triangle: convex; above: concave.
void MeshSurface::classify(SurfaceEdge* edge) const {
  const Vector3 origin = vertex(edge->vertex[0]);
  const Vector3 along = (vertex(edge->vertex[1]) - origin).normalized();
  for (int k = 0; k < 2 && edge->triangle[k] >= 0; ++k) {
    int third = 0;
    for (int v : mesh_->triangles[edge->triangle[k]]) {
      if (v != edge->vertex[0] && v != edge->vertex[1]) third = v;
    }
    const Vector3 r = vertex(third) - origin;
    edge->into[k] = (r - along.dot(r) * along).normalized();
  }
  if (edge->triangle[1] < 0) return;
  const double rise = normals_[edge->triangle[0]].dot(edge->into[1]);
  const bool same_side =
      edge->into[0].dot(edge->into[1]) > 0.0;  // folded back onto itself: a sharp rim, never flat
  edge->kind = std::abs(rise) <= kFlatAngle && !same_side ? EdgeKind::kFlat
               : rise > 0.0                               ? EdgeKind::kConcave
                                                          : EdgeKind::kConvex;
}

/// Sets facets_ to planes: grown over flat edges from the triangle of least index, each parallel to its first
/// triangle. Returns how many.
int MeshSurface::find_planes() {
  const int n = static_cast<int>(mesh_->triangles.size());
  facets_.assign(n, -1);
  int num_planes = 0;
  std::vector<int> stack;
  for (int seed = 0; seed < n; ++seed) {
    if (facets_[seed] >= 0) continue;
    facets_[seed] = num_planes;
    stack.assign(1, seed);
    while (!stack.empty()) {
      const int t = stack.back();
      stack.pop_back();
      for (int e : triangle_edges_[t]) {
        const SurfaceEdge& edge = edges_[e];
        if (edge.kind != EdgeKind::kFlat) continue;
        const int other = edge.triangle[0] == t ? edge.triangle[1] : edge.triangle[0];
        if (facets_[other] >= 0 || normals_[other].cross(normals_[seed]).norm() > kFlatAngle) continue;
        facets_[other] = num_planes;
        stack.push_back(other);
      }
    }
    ++num_planes;
  }
  return num_planes;
}

/// The flat sides of the planes. Edges within one are flat, those between two are not: also where a slow bend
/// was cut.
void MeshSurface::find_facets() {
  const int num_planes = find_planes();
  std::vector<double> areas(num_planes, 0.0), largest(num_planes, 0.0);  // m^2: of it, of a triangle of it
  facet_normals_.assign(num_planes, Vector3::Zero());
  for (int t = 0; t < static_cast<int>(facets_.size()); ++t) {
    const double area = 0.5 * (corner(t, 1) - corner(t, 0)).cross(corner(t, 2) - corner(t, 0)).norm();
    areas[facets_[t]] += area;
    if (!(area > largest[facets_[t]])) continue;
    largest[facets_[t]] = area;
    facet_normals_[facets_[t]] = normals_[t];
  }
  std::vector<std::vector<int>> neighbors(num_planes);
  for (const SurfaceEdge& edge : edges_) {
    if (edge.triangle[1] < 0) continue;
    const int p = facets_[edge.triangle[0]], q = facets_[edge.triangle[1]];
    if (p == q) continue;
    neighbors[p].push_back(q);
    neighbors[q].push_back(p);
  }
  const std::vector<int> side = grow_flat_sides(facet_normals_, areas, neighbors);
  unevenness_.assign(num_planes, 0.0);
  for (std::size_t t = 0; t < facets_.size(); ++t) {
    const int facet = side[facets_[t]];
    facets_[t] = facet;
    unevenness_[facet] = std::max(unevenness_[facet], normals_[t].cross(facet_normals_[facet]).norm());
  }
  for (SurfaceEdge& edge : edges_) {
    if (edge.triangle[1] < 0) continue;
    const bool is_within =
        facets_[edge.triangle[0]] == facets_[edge.triangle[1]] && edge.into[0].dot(edge.into[1]) < 0.0;
    const double rise = normals_[edge.triangle[0]].dot(edge.into[1]);
    if (is_within != (edge.kind == EdgeKind::kFlat))
      edge.kind = is_within ? EdgeKind::kFlat : rise > 0.0 ? EdgeKind::kConcave : EdgeKind::kConvex;
  }
}

void MeshSurface::find_crossing_sides() {
  crossing_sides_.assign(mesh_->triangles.size(), 0);
  for (std::size_t t = 0; t < mesh_->triangles.size(); ++t) {
    for (int i = 0; i < 3; ++i) {
      const EdgeKind kind = edges_[triangle_edges_[t][i]].kind;
      if (kind == EdgeKind::kFlat || (kind == EdgeKind::kConcave && closed())) continue;
      crossing_sides_[t] |= static_cast<unsigned char>((owns_edge_[t][i] ? 9u : 8u) << i);
    }
  }
}

void MeshSurface::find_vertices() {
  const std::size_t n = mesh_->vertices.size();
  std::vector<std::vector<int>> triangles(n);
  std::vector<std::vector<SharpEnd>> sharp(n);
  vertex_pseudonormals_.assign(n, Vector3::Zero());
  owns_vertex_.assign(mesh_->triangles.size(), {false, false, false});
  for (std::size_t t = 0; t < mesh_->triangles.size(); ++t) {
    for (int i = 0; i < 3; ++i) {
      const int v = mesh_->triangles[t][i];
      owns_vertex_[t][i] = triangles[v].empty();
      triangles[v].push_back(static_cast<int>(t));
      const Vector3 a = (corner(t, (i + 1) % 3) - vertex(v)).normalized();
      const Vector3 b = (corner(t, (i + 2) % 3) - vertex(v)).normalized();
      vertex_pseudonormals_[v] += std::atan2(a.cross(b).norm(), a.dot(b)) * normals_[t];
    }
  }
  for (const SurfaceEdge& edge : edges_) {
    if (edge.kind == EdgeKind::kFlat) continue;
    const Vector3 along = (vertex(edge.vertex[1]) - vertex(edge.vertex[0])).normalized();
    std::array<int, 2> facets{facets_[edge.triangle[0]],
                              edge.triangle[1] < 0 ? -1 : facets_[edge.triangle[1]]};
    if (facets[0] < facets[1]) std::swap(facets[0], facets[1]);
    sharp[edge.vertex[0]].push_back({along, facets});
    sharp[edge.vertex[1]].push_back({-along, facets});
  }
  vertex_begin_.assign(1, 0);
  is_corner_.resize(n);
  is_flat_.resize(n);
  const auto is_straight = [&](const std::vector<SharpEnd>& ends) {
    if (ends.size() != 2 || ends[0].along.dot(ends[1].along) > 0.0) return false;
    const bool is_common = ends[0].facets[1] >= 0 && ends[0].facets == ends[1].facets;
    return ends[0].along.cross(ends[1].along).norm() <= (is_common ? kStraightOutline : kFlatAngle);
  };
  for (std::size_t v = 0; v < n; ++v) {
    is_flat_[v] = sharp[v].empty();
    is_corner_[v] = !is_flat_[v] && !is_straight(sharp[v]);
    vertex_triangles_.insert(vertex_triangles_.end(), triangles[v].begin(), triangles[v].end());
    vertex_begin_.push_back(static_cast<int>(vertex_triangles_.size()));
  }
}

bool MeshSurface::is_flat(const MeshPoint& q) const {
  return q.part == SurfacePart::kFace ||
         (q.part == SurfacePart::kEdge && edges_[q.id].kind == EdgeKind::kFlat) ||
         (q.part == SurfacePart::kVertex && is_flat(q.id));
}

bool MeshSurface::is_on_concave_edge(int t, const Vector3& p, double tolerance) const {
  for (int i = 0; i < 3; ++i) {
    if (edges_[triangle_edges_[t][i]].kind != EdgeKind::kConcave) continue;
    const Vector3 side = corner(t, (i + 1) % 3) - corner(t, i), way = p - corner(t, i);
    const double along = std::clamp(side.dot(way) / side.squaredNorm(), 0.0, 1.0);
    if ((way - along * side).norm() <= tolerance) return true;
  }
  return false;
}

bool MeshSurface::is_nearest_around(const MeshPoint& q, const Vector3& c, double size) const {
  const double d2 = (c - q.p).squaredNorm();
  const double least = d2 - kEqual * (d2 + size * size);
  const auto nearer = [&](int t) { return (c - closest_on_triangle(t, c).p).squaredNorm() < least; };
  if (q.part == SurfacePart::kEdge) {
    const auto& triangles = edges_[q.id].triangle;
    return !nearer(triangles[0]) && (triangles[1] < 0 || !nearer(triangles[1]));
  }
  return q.part == SurfacePart::kFace || std::none_of(triangles_begin(q.id), triangles_end(q.id), nearer);
}

double MeshSurface::cone_violation(int v, const Vector3& n) const {
  double violation = 0.0;
  for (const int* t = triangles_begin(v); t != triangles_end(v); ++t) {
    for (int w : mesh_->triangles[*t]) {
      if (w != v) violation = std::max(violation, n.dot((vertex(w) - vertex(v)).normalized()));
    }
  }
  return violation;
}

/// [Ericson 2005, Real-Time Collision Detection, 5.1.5]: the Voronoi regions of the corners, the sides, then
/// the face.
MeshPoint MeshSurface::closest_on_triangle(int t, const Vector3& c) const {
  const Vector3 &A = corner(t, 0), &B = corner(t, 1), &C = corner(t, 2);
  const auto at_vertex = [&](int i) {
    return MeshPoint{corner(t, i), t, SurfacePart::kVertex, mesh_->triangles[t][i]};
  };
  const auto on_edge = [&](int i, const Vector3& p) {
    return MeshPoint{p, t, SurfacePart::kEdge, triangle_edges_[t][i]};
  };
  const Vector3 ab = B - A, ac = C - A, ap = c - A;
  const double d1 = ab.dot(ap), d2 = ac.dot(ap);
  if (d1 <= 0.0 && d2 <= 0.0) return at_vertex(0);
  const Vector3 bp = c - B;
  const double d3 = ab.dot(bp), d4 = ac.dot(bp);
  if (d3 >= 0.0 && d4 <= d3) return at_vertex(1);
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) return on_edge(0, A + d1 / (d1 - d3) * ab);
  const Vector3 cp = c - C;
  const double d5 = ab.dot(cp), d6 = ac.dot(cp);
  if (d6 >= 0.0 && d5 <= d6) return at_vertex(2);
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) return on_edge(2, A + d2 / (d2 - d6) * ac);
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) {
    return on_edge(1, B + (d4 - d3) / ((d4 - d3) + (d5 - d6)) * (C - B));
  }
  // The projection along the normal is exact to rounding where barycentric weights of slivers are not.
  return {c - normals_[t].dot(ap) * normals_[t], t, SurfacePart::kFace, facets_[t]};
}

void MeshSurface::find_near(const RigidTransform& X_MO, const Aabb& box_O,
                            std::vector<int>* triangles) const {
  triangles->clear();
  if (search_ != nullptr) {
    search_->find_near(X_MO, box_O, triangles);
  } else {
    const RigidTransform X_OM = X_MO.inverse();
    const Aabb box_M = transformed(X_MO, box_O);
    tree_.query_where(
        [&](const Aabb& box) { return box.overlaps(box_M) && transformed(X_OM, box).overlaps(box_O); },
        [&](int t) { triangles->push_back(t); });
  }
  std::sort(triangles->begin(), triangles->end());
}

MeshPoint MeshSurface::nearest(const Vector3& c, double distance) const {
  double best = distance * distance;
  MeshPoint result;
  const int t =
      tree_.nearest(c, &best, [&](int item) { return (closest_on_triangle(item, c).p - c).squaredNorm(); });
  return t < 0 ? result : closest_on_triangle(t, c);
}

bool MeshSurface::holds(const Vector3& p, double tolerance) const {
  if (!(tree_.bounds().squared_distance(p) <= tolerance * tolerance)) return false;
  const MeshPoint near = nearest(p, std::numeric_limits<double>::infinity());
  const Vector3 d = p - near.p;
  return d.squaredNorm() <= tolerance * tolerance || (closed() && pseudonormal(near).dot(d) < 0.0);
}

Vector3 MeshSurface::pseudonormal(const MeshPoint& point) const {
  if (point.part == SurfacePart::kVertex) return vertex_pseudonormals_[point.id];
  return point.part == SurfacePart::kFace ? normals_[point.triangle] : edges_[point.id].outward;
}

}  // namespace csim
