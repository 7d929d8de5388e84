#include "contact/convex/epa.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace csim {

namespace {

// A closed surface of V vertices has 2 V - 4 triangles; an expansion makes its new ones before it frees the
// old.
constexpr int kMaxVertices = 100;
constexpr int kMaxFaces = 3 * kMaxVertices;

// A face of the growing polytope, counterclockwise from outside; edge i runs from vertex i to vertex i + 1.
// Without initial values: an array of these stands on the stack.
struct Face {
  std::array<int, 3> vertex;
  std::array<int, 3> neighbor;       // face across edge i
  std::array<int, 3> neighbor_edge;  // which edge of it that is
  Vector3 normal;
  double distance;
  bool alive;
};

class Polytope {
 public:
  Polytope(const ConvexSupport& a, const ConvexSupport& b, double scale) : a_(a), b_(b), scale_(scale) {}

  // Grows the simplex to a tetrahedron; false when A - B is flat.
  bool start(const GjkResult& gjk);

  Penetration run(double tolerance, double floor);

  // A normal of the vertices so far, when they span no volume.
  Vector3 flat_normal() const;

 private:
  const Vector3& w(int i) const { return vertices_[i].w; }
  int add_vertex(const Vector3& direction) {
    vertices_[num_vertices_] = minkowski_support(a_, b_, direction);
    return num_vertices_++;
  }
  bool grow(const Vector3& direction, double reach);
  int add_face(int i, int j, int k);
  void link(int f, int e, int g, int h) {
    faces_[f].neighbor[e] = g;
    faces_[f].neighbor_edge[e] = h;
    faces_[g].neighbor[h] = f;
    faces_[g].neighbor_edge[h] = e;
  }
  int nearest_face() const;
  void remove(int f) {
    faces_[f].alive = false;
    dead_[num_dead_++] = f;
  }
  void find_points(int f, Penetration* out) const;
  bool expand(int seen, int vertex);
  bool flood(int face, int edge, int vertex);

  const ConvexSupport& a_;
  const ConvexSupport& b_;
  const double scale_;
  std::array<MinkowskiVertex, kMaxVertices> vertices_;
  int num_vertices_ = 0;
  std::array<Face, kMaxFaces> faces_;
  int num_faces_ = 0;  // slots used so far
  std::array<int, kMaxFaces> free_,
      dead_;  // slots that can be used again, and those that the running expansion empties
  int num_free_ = 0, num_dead_ = 0;
  int first_new_ = -1, last_new_ = -1;
};

// Adds the support along `direction` or its opposite when it leaves the span of the vertices so far:
// `direction` is normal to that span and reach the height of the span along it.
bool Polytope::grow(const Vector3& direction, double reach) {
  for (const double sign : {1.0, -1.0}) {
    const int i = add_vertex(sign * direction);
    if (std::abs(w(i).dot(direction) - reach) > 1e-10 * scale_) return true;
    --num_vertices_;
  }
  return false;
}

bool Polytope::start(const GjkResult& gjk) {
  for (int i = 0; i < gjk.size; ++i) vertices_[num_vertices_++] = gjk.simplex[i];
  if (num_vertices_ == 1) {
    for (int axis = 0; axis < 3 && num_vertices_ == 1; ++axis) {
      const Vector3 d = Vector3::Unit(axis);
      grow(d, w(0).dot(d));
    }
  }
  if (num_vertices_ == 2) {
    const Vector3 d = w(1) - w(0);
    const Vector3 u = d.unitOrthogonal();
    const Vector3 v = d.cross(u).normalized();
    if (!grow(u, u.dot(w(0)))) grow(v, v.dot(w(0)));
  }
  if (num_vertices_ == 3) {
    const Vector3 normal = (w(1) - w(0)).cross(w(2) - w(0));
    const double length = normal.norm();
    if (length > 0.0) grow(normal / length, normal.dot(w(0)) / length);
  }
  if (num_vertices_ < 4) return false;
  if ((w(1) - w(0)).cross(w(2) - w(0)).dot(w(3) - w(0)) > 0.0) std::swap(vertices_[1], vertices_[2]);
  // Vertex 3 now lies below the face (0, 1, 2).
  if (add_face(0, 1, 2) < 0 || add_face(1, 0, 3) < 0 || add_face(2, 1, 3) < 0 || add_face(0, 2, 3) < 0)
    return false;
  link(0, 0, 1, 0);
  link(0, 1, 2, 0);
  link(0, 2, 3, 0);
  link(1, 1, 3, 2);
  link(1, 2, 2, 1);
  link(2, 2, 3, 1);
  return true;
}

Vector3 Polytope::flat_normal() const {
  if (num_vertices_ >= 3) {
    const Vector3 normal = (w(1) - w(0)).cross(w(2) - w(0));
    if (normal.squaredNorm() > 0.0) return normal.normalized();
  }
  if (num_vertices_ >= 2 && w(1) != w(0)) return (w(1) - w(0)).unitOrthogonal();
  return Vector3(0.0, 0.0, 1.0);
}

int Polytope::add_face(int i, int j, int k) {
  if (num_free_ == 0 && num_faces_ == kMaxFaces) return -1;
  const int slot = num_free_ > 0 ? free_[num_free_ - 1] : num_faces_;
  Face& face = faces_[slot];
  face.vertex = {i, j, k};
  face.normal = (w(j) - w(i)).cross(w(k) - w(i));
  const double length = face.normal.norm();
  if (!(length > 1e-20 * scale_ * scale_)) return -1;
  face.normal /= length;
  face.distance = face.normal.dot(w(i));
  face.alive = true;
  (slot == num_faces_ ? num_faces_ : num_free_) += slot == num_faces_ ? 1 : -1;
  return slot;
}

int Polytope::nearest_face() const {
  int best = -1;
  double distance = std::numeric_limits<double>::infinity();
  for (int f = 0; f < num_faces_; ++f) {
    if (faces_[f].alive && faces_[f].distance < distance) {
      distance = faces_[f].distance;
      best = f;
    }
  }
  return best;
}

// Removes the faces the new vertex sees, starting across `edge` into `face`; closes each edge of the horizon
// by a new face. New faces are made in order around the horizon, so that each meets the one before.
bool Polytope::flood(int face, int edge, int vertex) {
  const Face& f = faces_[face];
  if (!f.alive) return true;
  if (f.normal.dot(w(vertex)) - f.distance > 1e-14 * scale_) {
    remove(face);
    const int e1 = (edge + 1) % 3, e2 = (edge + 2) % 3;
    return flood(f.neighbor[e1], f.neighbor_edge[e1], vertex) &&
           flood(f.neighbor[e2], f.neighbor_edge[e2], vertex);
  }
  // The kept face holds this edge from its vertex `edge` to the next: the new face runs it backwards.
  const int made = add_face(f.vertex[(edge + 1) % 3], f.vertex[edge], vertex);
  if (made < 0) return false;
  link(made, 0, face, edge);
  if (last_new_ >= 0) {
    // Consecutive new faces share the edge from the horizon's common vertex to the new one.
    if (faces_[last_new_].vertex[1] != faces_[made].vertex[0]) return false;
    link(last_new_, 1, made, 2);
  } else {
    first_new_ = made;
  }
  last_new_ = made;
  return true;
}

bool Polytope::expand(int seen, int vertex) {
  first_new_ = last_new_ = -1;
  const Face& face = faces_[seen];
  remove(seen);
  for (int e = 0; e < 3; ++e) {
    if (!flood(face.neighbor[e], face.neighbor_edge[e], vertex)) return false;
  }
  if (first_new_ < 0 || faces_[last_new_].vertex[1] != faces_[first_new_].vertex[0]) return false;
  link(last_new_, 1, first_new_, 2);
  for (; num_dead_ > 0; --num_dead_) free_[num_free_++] = dead_[num_dead_ - 1];
  return true;
}

void Polytope::find_points(int f, Penetration* out) const {
  // Barycentric coordinates of the origin's projection on the face, kept inside it.
  const MinkowskiVertex &p = vertices_[faces_[f].vertex[0]], &q = vertices_[faces_[f].vertex[1]],
                        &r = vertices_[faces_[f].vertex[2]];
  Vector3 weight(faces_[f].normal.dot(q.w.cross(r.w)), faces_[f].normal.dot(r.w.cross(p.w)),
                 faces_[f].normal.dot(p.w.cross(q.w)));
  weight = weight.cwiseMax(0.0);
  const double sum = weight.sum();
  if (sum > 0.0) {
    weight /= sum;
  } else {
    weight = Vector3(1.0, 0.0, 0.0);
  }
  out->p_a = weight[0] * p.a + weight[1] * q.a + weight[2] * r.a;
  out->p_b = weight[0] * p.b + weight[1] * q.b + weight[2] * r.b;
}

Penetration Polytope::run(double tolerance, double floor) {
  Penetration best;
  best.depth = std::numeric_limits<double>::infinity();
  while (true) {
    const int f = nearest_face();
    if (f < 0 || num_vertices_ == kMaxVertices) return best;
    const Vector3 normal = faces_[f].normal;
    const double distance = faces_[f].distance;
    const int i = add_vertex(normal);
    const double depth = normal.dot(w(i));
    if (depth < best.depth) {
      best.depth = depth;
      best.normal = normal;
      find_points(f, &best);
    }
    // The polytope lies inside A - B: its nearest face bounds the depth from below.
    if (best.depth - distance <= std::max(tolerance * best.depth, floor)) return best;
    if (!expand(f, i)) return best;
  }
}

}  // namespace

Penetration expand_polytope(const ConvexSupport& a, const ConvexSupport& b, const GjkResult& start,
                            double tolerance, double floor) {
  const double scale = a.extent() + b.extent();
  Polytope polytope(a, b, scale);
  if (polytope.start(start)) {
    const Penetration found = polytope.run(tolerance, floor);
    if (std::isfinite(found.depth)) return found;
  }
  Penetration fallback;
  fallback.flat = true;
  fallback.normal = polytope.flat_normal();
  if (fallback.normal.dot(b.center() - a.center()) < 0.0) fallback.normal = -fallback.normal;
  const MinkowskiVertex vertex = minkowski_support(a, b, fallback.normal);
  fallback.depth = vertex.w.dot(fallback.normal);
  fallback.p_a = vertex.a;
  fallback.p_b = vertex.b;
  return fallback;
}

}  // namespace csim
