// A triangle surface prepared for contact: its facets, sharp edges and corners, and the way to its nearest
// point.
#pragma once

#include <array>
#include <limits>
#include <memory>
#include <vector>

#include "contact/engine/query_engine.h"
#include "geometry/bounding_volume_tree.h"
#include "geometry/shape.h"
#include "geometry/triangle_sides.h"

namespace csim {

/// How the surface bends at an edge, seen from the outside of the triangles' winding. An edge that several
/// pairs of triangles share evenly, where parts of a solid touch, is one of each pair with the solid between
/// them; other edges with one triangle, or more than two, are borders of each of them.
enum class EdgeKind { kFlat, kConvex, kConcave, kBorder };

struct SurfaceEdge {
  std::array<int, 2> vertex{};
  std::array<int, 2> triangle{-1, -1};  // the second is -1 at a border
  EdgeKind kind = EdgeKind::kBorder;
  std::array<Vector3, 2> into;  // unit: from the edge into each triangle, in its plane
  Vector3 outward;              // sum of the normals of all triangles there; of the one at a border
};

/// The part of a triangle on which a point lies.
enum class SurfacePart { kFace, kEdge, kVertex };

struct MeshPoint {
  Vector3 p;  // m, mesh frame
  int triangle = -1;
  SurfacePart part = SurfacePart::kFace;
  int id = -1;  // of the facet, edge or vertex
};

/// Everything is in the mesh's frame. Neighbouring triangles whose planes agree to kFlatAngle are in one
/// plane, and what is planar and connected is one facet where it is one flat side (geometry/flat_sides.h): a
/// contact belongs to a facet, a sharp edge or a corner, never to a triangle, so that neither tessellation
/// nor the unevenness of files is felt.
class MeshSurface {
 public:
  /// rad; the noise of single-precision files stays below it, the finest useful tessellation of a curved
  /// surface above.
  static constexpr double kFlatAngle = 1e-5;

  /// An engine's search, where there is one, finds the triangles near another geometry in place of our tree.
  explicit MeshSurface(std::shared_ptr<const TriangleMesh> mesh,
                       std::unique_ptr<const TriangleSearch> search = nullptr);

  [[nodiscard]] bool closed() const { return mesh_->closed; }
  [[nodiscard]] const BoundingVolumeTree& tree() const { return tree_; }        // over triangles
  [[nodiscard]] const TriangleSearch* search() const { return search_.get(); }  // an engine's, or null
  [[nodiscard]] const Vector3& vertex(int v) const { return mesh_->vertices[v]; }
  [[nodiscard]] int num_vertices() const { return static_cast<int>(mesh_->vertices.size()); }
  [[nodiscard]] int vertex_of(int t, int i) const { return mesh_->triangles[t][i]; }
  [[nodiscard]] const Vector3& corner(int t, int i) const { return vertex(mesh_->triangles[t][i]); }
  [[nodiscard]] const Vector3& normal(int t) const { return normals_[t]; }  // unit
  [[nodiscard]] int facet(int t) const { return facets_[t]; }
  /// Of a facet; those of its triangles are within kFlatSide.
  [[nodiscard]] const Vector3& facet_normal(int facet) const { return facet_normals_[facet]; }
  /// The largest sine between the normals of a facet and of a triangle of it.
  [[nodiscard]] double unevenness(int facet) const { return unevenness_[facet]; }
  [[nodiscard]] int num_edges() const { return static_cast<int>(edges_.size()); }
  [[nodiscard]] const SurfaceEdge& edge(int e) const { return edges_[e]; }
  /// The edge from corner i of triangle t to the next.
  [[nodiscard]] int edge_of(int t, int i) const { return triangle_edges_[t][i]; }
  /// Bit i is set when that edge may cross those of other surfaces: a sharp one, of a solid no concave one;
  /// `owned`: of an edge with two triangles only where t owns it.
  [[nodiscard]] unsigned crossing_sides(int t, bool owned) const {
    return owned ? crossing_sides_[t] & 7u : crossing_sides_[t] >> 3;
  }
  /// Edges and corners, each listed with one of its triangles: whatever box meets the edge or corner meets
  /// the triangle's box.
  [[nodiscard]] int owned_edge(int t, int i) const { return owns_edge_[t][i] ? triangle_edges_[t][i] : -1; }
  [[nodiscard]] int owned_vertex(int t, int i) const {
    return owns_vertex_[t][i] ? mesh_->triangles[t][i] : -1;
  }

  /// True for vertices where the surface is pointed: not within a facet, nor along a straight sharp edge or
  /// the common edge of two facets.
  [[nodiscard]] bool is_corner(int v) const { return is_corner_[v]; }
  /// True for vertices all of whose edges are flat.
  [[nodiscard]] bool is_flat(int v) const { return is_flat_[v]; }
  /// Whether the surface around a point of it is a part of one facet.
  [[nodiscard]] bool is_flat(const MeshPoint& q) const;
  /// Whether p lies within `tolerance` (m) of an edge of triangle t from which another facet rises.
  [[nodiscard]] bool is_on_concave_edge(int t, const Vector3& p, double tolerance) const;
  /// Whether no triangle that shares q's edge or vertex comes nearer to c: then c is in the Voronoi region of
  /// that feature. Squared distances that differ by rounding (relative to them and `size`, m) are equal.
  [[nodiscard]] bool is_nearest_around(const MeshPoint& q, const Vector3& c, double size) const;

  /// The largest of n . e over the unit edges e that leave v (0 where all the surface near v lies below the
  /// plane with the unit normal n): the sine by which n is outside the corner's normal cone.
  [[nodiscard]] double cone_violation(int v, const Vector3& n) const;

  /// Fills *triangles with those whose boxes meet a box given in a frame with the pose X_MO in the mesh's, in
  /// ascending order. The boxes are compared in both frames: the box of a wide plate that is turned would
  /// hold everything.
  void find_near(const RigidTransform& X_MO, const Aabb& box_O, std::vector<int>* triangles) const;

  /// Triangles at a vertex.
  [[nodiscard]] const int* triangles_begin(int v) const {
    return vertex_triangles_.data() + vertex_begin_[v];
  }
  [[nodiscard]] const int* triangles_end(int v) const {
    return vertex_triangles_.data() + vertex_begin_[v + 1];
  }

  /// The closest point of one triangle.
  [[nodiscard]] MeshPoint closest_on_triangle(int t, const Vector3& c) const;

  /// The closest point of the surface, or triangle -1 when none is within `distance` (m). Of triangles that
  /// are as near that of the least number.
  [[nodiscard]] MeshPoint nearest(const Vector3& c, double distance) const;

  /// The same among the triangles for which keep(t) is true.
  template <typename Keep>
  [[nodiscard]] MeshPoint nearest_where(const Vector3& c, double distance, const Keep& keep) const {
    double best = distance * distance;
    const int t = tree_.nearest(c, &best, [&](int item) {
      return keep(item) ? (closest_on_triangle(item, c).p - c).squaredNorm()
                        : std::numeric_limits<double>::infinity();
    });
    return t < 0 ? MeshPoint() : closest_on_triangle(t, c);
  }

  /// Whether the solid within a closed surface holds p, or comes as near to it as `tolerance` (m).
  [[nodiscard]] bool holds(const Vector3& p, double tolerance) const;

  /// Outward direction at a point of the surface, not normalised: the facet's normal, the sum at an edge, the
  /// angle-weighted sum at a vertex [Baerentzen & Aanaes 2005, Signed distance computation using the angle
  /// weighted pseudonormal]. Its product with c - p has the sign of the distance of c from a closed surface
  /// when p is c's nearest point.
  [[nodiscard]] Vector3 pseudonormal(const MeshPoint& point) const;

 private:
  void find_edges();
  void add_edge(std::span<const TriangleSide> sides, const Vector3& outward);
  void add_crowded_edge(std::span<const TriangleSide> sides, const Vector3& outward);
  void classify(SurfaceEdge* edge) const;
  int find_planes();
  void find_facets();
  void find_crossing_sides();
  void find_vertices();

  std::shared_ptr<const TriangleMesh> mesh_;
  std::unique_ptr<const TriangleSearch> search_;
  BoundingVolumeTree tree_;
  std::vector<Vector3> normals_;
  std::vector<int> facets_;  // of triangles
  std::vector<Vector3> facet_normals_;
  std::vector<double> unevenness_;
  std::vector<SurfaceEdge> edges_;
  std::vector<std::array<int, 3>> triangle_edges_;  // side i runs from corner i to corner i + 1
  std::vector<std::array<bool, 3>> owns_edge_, owns_vertex_;
  std::vector<unsigned char> crossing_sides_;  // owned ones, and from bit 3 on all
  std::vector<bool> is_corner_, is_flat_;
  std::vector<Vector3> vertex_pseudonormals_;
  std::vector<int> vertex_begin_, vertex_triangles_;
};

}  // namespace csim
