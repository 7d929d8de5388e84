#include "contact/convex/facing_part.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "contact/convex/corner_choice.h"
#include "core/require.h"

namespace csim {

namespace {

// Cosine between a face's normal and the view above which the face is seen; what is steeper has no width.
constexpr double kSeen = 1e-9;

// Cosine between a face's normal and the view below which the body falls away over it: 84 degrees.
constexpr double kSteep = 0.1;

}  // namespace

// By Euler's formula a convex body has fewer than three edges, and two faces, to a vertex.
void FacingPart::reserve(std::size_t num_vertices) {
  vertices_.reserve(num_vertices);
  edges_.reserve(3 * num_vertices);
  faces_.reserve(2 * num_vertices);
  loop_.reserve(6 * num_vertices);
  heights_.reserve(num_vertices);
  index_.reserve(num_vertices);
  seen_.reserve(2 * num_vertices);
}

int FacingPart::add_vertex(const Vector3& p, int id, const NormalView& view) {
  vertices_.push_back({view.project(p), p.dot(view.n), id, false, true});
  return static_cast<int>(vertices_.size()) - 1;
}

// The plane of a face whose loop has been appended to loop_ since the face before.
void FacingPart::add_face(const Vector3& normal, const Vector3& point, const NormalView& view) {
  Face face;
  face.begin = faces_.empty() ? 0 : faces_.back().begin + faces_.back().size;
  face.size = static_cast<int>(loop_.size()) - face.begin;
  face.slope = -view.project(normal) / normal.dot(view.n);
  face.height = point.dot(view.n) - face.slope.dot(view.project(point));
  faces_.push_back(face);
}

void FacingPart::clear(double side) {
  side_ = side;
  vertices_.clear();
  edges_.clear();
  faces_.clear();
  loop_.clear();
}

void FacingPart::collect(const ConvexSupport& body, const NormalView& view, double side, double reach) {
  clear(side);
  switch (body.kind()) {
    case ConvexSupport::Kind::kBox:
      return collect_box(body, view, side, reach);
    case ConvexSupport::Kind::kTriangle:
      return collect_triangle(body, view, side, reach);
    case ConvexSupport::Kind::kPolytope:
      return collect_polytope(body, view, side, reach);
    default:
      CSIM_REQUIRE(false);  // it has no faces
  }
}

void FacingPart::collect_line(const Vector3& p, const Vector3& r, double radius, const NormalView& view,
                              double side) {
  clear(side);
  const Vector3 out = side * radius * view.n;
  add_vertex(p + out, 0, view);
  add_vertex(r + out, 1, view);
  for (Vertex& vertex : vertices_) vertex.faces = true;
  edges_.push_back({0, 1, true, false});
}

// Both of its sides may face the partner; one that is seen edge on has no face.
void FacingPart::collect_triangle(const ConvexSupport& body, const NormalView& view, double side,
                                  double reach) {
  for (int i = 0; i < 3; ++i) add_vertex(body.corner(i), i, view);
  double top = -std::numeric_limits<double>::infinity();
  for (const Vertex& vertex : vertices_) top = std::max(top, side * vertex.height);
  for (Vertex& vertex : vertices_) vertex.faces = side * vertex.height >= top - reach;
  for (int i = 0; i < 3; ++i) edges_.push_back({i, (i + 1) % 3, true, true});
  const Vector3 normal = body.triangle_normal();
  if (std::abs(normal.dot(view.n)) <= kSeen) return;
  const bool is_front = side * normal.dot(view.n) > 0.0;
  for (const int i : {0, is_front ? 1 : 2, is_front ? 2 : 1}) loop_.push_back(i);
  add_face(normal, body.corner(0), view);
}

void FacingPart::collect_box(const ConvexSupport& body, const NormalView& view, double side, double reach) {
  const Vector3& half = body.half_size();
  const Vector3 d = side * (body.pose().R.transpose() * view.n);
  const double top = d.cwiseAbs().dot(half);
  std::array<bool, 8> near, faces;
  for (int id = 0; id < 8; ++id) {
    const Vector3 sign(id & 1 ? 1.0 : -1.0, id & 2 ? 1.0 : -1.0, id & 4 ? 1.0 : -1.0);
    add_vertex(body.pose() * Vector3(sign.cwiseProduct(half)), id, view);
    near[id] = sign.cwiseProduct(half).dot(d) >= top - reach;
    faces[id] = sign.cwiseProduct(d).maxCoeff() > kSeen;
    vertices_[id].faces = near[id] && faces[id];
  }
  for (int axis = 0; axis < 3; ++axis) {
    const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, high = 1 << axis;
    for (const int base : {0, u, v, u | v}) {
      // An edge along this axis is seen where one of its two faces is: those of the other axes.
      const Vector3 sign(base & 1 ? 1.0 : -1.0, base & 2 ? 1.0 : -1.0, base & 4 ? 1.0 : -1.0);
      const auto [steeper, flatter] =
          std::minmax({sign[(axis + 1) % 3] * d[(axis + 1) % 3], sign[(axis + 2) % 3] * d[(axis + 2) % 3]});
      if (flatter > kSeen && (near[base] || near[base | high]))
        edges_.push_back({base, base | high, true, steeper < kSteep});
    }
    if (std::abs(d[axis]) <= kSeen) continue;
    const bool up = d[axis] > 0.0;
    const int base = up ? high : 0;
    std::array<int, 4> loop = {base, base | u, base | u | v, base | v};
    if (!up) std::reverse(loop.begin(), loop.end());
    if (std::none_of(loop.begin(), loop.end(), [&](int id) { return near[id]; })) continue;
    loop_.insert(loop_.end(), loop.begin(), loop.end());
    const Vector3 normal = body.pose().R.col(axis);
    add_face(normal, body.pose().p + (up ? half[axis] : -half[axis]) * normal, view);
  }
}

void FacingPart::collect_polytope(const ConvexSupport& body, const NormalView& view, double side,
                                  double reach) {
  const ConvexPolytope& P = *body.polytope();
  const RigidTransform& X = body.pose();
  const Vector3 d = side * (X.R.transpose() * view.n);
  heights_.resize(P.vertices.size());
  for (std::size_t i = 0; i < P.vertices.size(); ++i) heights_[i] = P.vertices[i].dot(d);
  const double lowest = *std::max_element(heights_.begin(), heights_.end()) - reach;
  const auto is_near = [&](int v) { return heights_[v] >= lowest; };
  index_.assign(P.vertices.size(), -1);
  const auto at = [&](int v) {
    if (index_[v] < 0) index_[v] = add_vertex(X * P.vertices[v], v, view);
    return index_[v];
  };
  seen_.resize(P.face_normals.size());
  for (std::size_t f = 0; f < seen_.size(); ++f) seen_[f] = P.face_normals[f].dot(d) > kSeen;
  constexpr char kSeenAndNear = 2;
  for (std::size_t e = 0; e < P.edges.size(); ++e) {
    const auto& [v, w, f, g] = P.edges[e];
    if (!is_near(v) && !is_near(w)) continue;
    if (!seen_[f] && !seen_[g]) continue;
    const bool is_rim = std::min(P.face_normals[f].dot(d), P.face_normals[g].dot(d)) < kSteep;
    edges_.push_back({at(v), at(w), P.is_crease[e] != 0, is_rim});
    for (const int end : {v, w}) {
      vertices_[index_[end]].is_corner = P.is_corner[end] != 0;
      if (is_near(end)) vertices_[index_[end]].faces = true;
    }
    if (seen_[f]) seen_[f] = kSeenAndNear;
    if (seen_[g]) seen_[g] = kSeenAndNear;
  }
  for (std::size_t f = 0; f < seen_.size(); ++f) {
    if (seen_[f] != kSeenAndNear) continue;
    for (int k = P.face_begin[f]; k < P.face_begin[f + 1]; ++k) loop_.push_back(at(P.face_vertices[k]));
    add_face(X.R * P.face_normals[f], X * Vector3(P.face_offsets[f] * P.face_normals[f]), view);
  }
}

bool FacingPart::lies_on(const Face& face, const Vector2& q, double tolerance) const {
  for (int i = 0; i < face.size; ++i) {
    const Vector2& p = vertices_[loop_[face.begin + i]].q;
    const Vector2 edge = vertices_[loop_[face.begin + (i + 1) % face.size]].q - p;
    if (!(side_ * cross(edge, q - p) >= -tolerance * edge.norm())) return false;
  }
  return true;
}

const FacingPart::Face* FacingPart::find_face(const Vector2& q, double tolerance) const {
  const Face* flattest = nullptr;
  for (const Face& face : faces_) {
    if (!lies_on(face, q, tolerance)) continue;
    if (flattest == nullptr || face.slope.squaredNorm() < flattest->slope.squaredNorm()) flattest = &face;
  }
  return flattest;
}

}  // namespace csim
