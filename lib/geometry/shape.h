// The shapes a contact query or an integral over a solid can meet. Axes along z, centred at the shape's frame
// G.
#pragma once

#include <array>
#include <memory>
#include <variant>
#include <vector>

#include "core/types.h"

namespace csim {

struct Sphere {
  double radius;  // m
};
struct Box {
  Vector3 size;  // m, full lengths
};
struct Cylinder {
  double radius;  // m
  double length;  // m
};
struct Capsule {
  double radius;  // m
  double length;  // m, of the cylindrical part
};
struct Ellipsoid {
  Vector3 semi_axes;  // m
};
/// Solid where z < 0.
struct HalfSpace {};

/// A convex polytope: the hull of its vertices, faces as counterclockwise vertex loops seen from outside
/// (coplanar triangles merged), with what a contact query walks along.
struct ConvexPolytope {
  std::vector<Vector3> vertices;  // m
  std::vector<int> face_begin;    // [F+1], offsets into face_vertices
  std::vector<int> face_vertices;
  std::vector<Vector3> face_normals;  // [F], unit, outward
  std::vector<double> face_offsets;   // [F], m: a point x is inside when normal . x <= offset for every face
  std::vector<std::array<int, 4>> edges;  // [E], (vertex, vertex, face, face)
  std::vector<int> neighbor_begin;        // [V+1], offsets into neighbors
  std::vector<int> neighbors;  // vertices one edge away, and more where a climb along edges would end early
  // Which vertices [V] and edges [E] bound its flat sides; others are facets' unevenness (flat_sides.h).
  std::vector<char> is_corner, is_crease;
};

/// A triangle surface: counterclockwise seen from outside. `closed` (every edge shared by two triangles of
/// opposite sense) makes it a solid; an open one is two-sided.
struct TriangleMesh {
  std::vector<Vector3> vertices;  // m
  std::vector<std::array<int, 3>> triangles;
  bool closed = false;
};

struct Convex {
  std::shared_ptr<const ConvexPolytope> polytope;
};
struct Mesh {
  std::shared_ptr<const TriangleMesh> mesh;
};

using Shape = std::variant<Sphere, Box, Cylinder, Capsule, Ellipsoid, HalfSpace, Convex, Mesh>;

}  // namespace csim
