// The part of a polytope that faces a direction, seen along it: what its partner may touch within a step.
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

/// Vertices, edges and faces of a box or a convex polytope, m, in a view. Heights are along the view's
/// normal, of the surface that faces its partner. Keeps its memory from call to call.
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

  /// Takes the memory for bodies of this many vertices.
  void reserve(std::size_t num_vertices);

  /// Collects what faces `side` times the view's normal (side 1 or -1) and comes within `reach` (m, may be
  /// infinite) of the farthest point along it: vertices, edges with such a vertex and faces with one.
  void collect(const ConvexSupport& body, const NormalView& view, double side, double reach);

  /// True when the place lies on the collected faces, or beside them by `tolerance` (m) at most, and the
  /// height of the surface there: of the flattest face, where several meet.
  [[nodiscard]] bool find_height(const Vector2& q, double tolerance, double* height) const;

  [[nodiscard]] const std::vector<Vertex>& vertices() const { return vertices_; }
  [[nodiscard]] const std::vector<Edge>& edges() const { return edges_; }

 private:
  struct Face {
    int begin, size;  // of loop_
    Vector2 slope;    // of the height over the place
    double height;    // where the place is 0
  };
  void collect_polytope(const ConvexSupport& body, const NormalView& view, double side, double reach);
  void collect_box(const ConvexSupport& body, const NormalView& view, double side, double reach);
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
