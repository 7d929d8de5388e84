// The part of a body with faces that faces a direction, seen along it: what its partner may touch within a
// step.
#pragma once

#include <vector>

#include "contact/convex/convex_support.h"

namespace csim {

/// Axes of a view along the unit normal n.
struct NormalView {
  explicit NormalView(const Vector3& normal) : n(normal), t0(normal.unitOrthogonal()), t1(normal.cross(t0)) {}
  [[nodiscard]] Vector2 project(const Vector3& p) const { return {p.dot(t0), p.dot(t1)}; }
  [[nodiscard]] Vector3 place(const Vector2& q, double height) const {
    return q.x() * t0 + q.y() * t1 + height * n;
  }

  Vector3 n, t0, t1;
};

/// Vertices, edges and faces of a box, a convex polytope or a triangle, or the ends of a line, m, in a view.
/// Heights are along the view's normal, of the surface that faces its partner. Keeps its memory from call to
/// call.
class FacingPart {
 public:
  struct Vertex {
    Vector2 q;
    double height;
    int id;          // of the body
    bool faces;      // a vertex of this part; others only end its edges and faces
    bool is_corner;  // of a flat side, not a point of one that stands out by unevenness
  };
  struct Edge {
    int first, second;  // indices of vertices()
    bool is_crease;     // between flat sides
    bool is_rim;        // beyond it the body falls away: one of its faces is steep in the view or not seen
  };

  struct Face {
    int begin, size;  // of the vertices' loop
    Vector2 slope;    // of the height over the place
    double height;    // where the place is 0
    [[nodiscard]] double height_at(const Vector2& q) const { return height + slope.dot(q); }
  };

  /// Takes the memory for bodies of this many vertices.
  void reserve(std::size_t num_vertices);

  /// Collects what faces `side` times the view's normal (side 1 or -1) and comes within `reach` (m, may be
  /// infinite) of the farthest point along it: vertices, edges with such a vertex and faces with one.
  void collect(const ConvexSupport& body, const NormalView& view, double side, double reach);

  /// The same of a line from p to r (m, world) that is rounded by `radius` (m): it has no faces, and is no
  /// rim: the body curves away beside it, so that edges cross it at any angle.
  void collect_line(const Vector3& p, const Vector3& r, double radius, const NormalView& view, double side);

  /// True when the place lies on the face, or beside it by `tolerance` (m) at most.
  [[nodiscard]] bool lies_on(const Face& face, const Vector2& q, double tolerance) const;

  /// The collected face on which the place lies, or beside which by `tolerance` (m) at most, the flattest
  /// where several meet; none.
  [[nodiscard]] const Face* find_face(const Vector2& q, double tolerance) const;

  [[nodiscard]] const std::vector<Vertex>& vertices() const { return vertices_; }
  [[nodiscard]] const std::vector<Edge>& edges() const { return edges_; }
  [[nodiscard]] const std::vector<Face>& faces() const { return faces_; }

 private:
  void collect_polytope(const ConvexSupport& body, const NormalView& view, double side, double reach);
  void collect_box(const ConvexSupport& body, const NormalView& view, double side, double reach);
  void collect_triangle(const ConvexSupport& body, const NormalView& view, double side, double reach);
  void clear(double side);
  int add_vertex(const Vector3& p, int id, const NormalView& view);
  void add_face(const Vector3& normal, const Vector3& point, const NormalView& view);

  double side_ = 1.0;
  std::vector<Vertex> vertices_;
  std::vector<Edge> edges_;
  std::vector<Face> faces_;
  std::vector<int> loop_;  // indices of vertices_, counterclockwise from outside

  // Of a polytope: heights of all vertices; indices in vertices_, or -1; faces: how they are seen.
  std::vector<double> heights_;
  std::vector<int> index_;
  std::vector<char> seen_;
};

}  // namespace csim
