// Contacts of two triangle surfaces.
#pragma once

#include <vector>

#include "contact/convex/narrow_phase.h"
#include "contact/mesh/mesh_point.h"
#include "contact/mesh/mesh_surface.h"

namespace csim {

/// Contacts belong to features of both surfaces, never to triangles:
///  - corners of one over or below a facet of the other, with the facet's normal;
///  - corners of one beside an edge or a corner of the other, apart, with the direction from one to the
///  other;
///  - sharp edges that cross, with the normal across both, or that of a facet of one on which the other's
///  edge
///    lies.
/// A normal must lie within the normal cones of both features, where a facet lies on a facet within kResting
/// of them: the places at which the two solids, moved along it, touch first. What that test needs is local:
/// neither solid has to be convex, have its centre in front of a facet or touch in one place only.
///
/// A closed surface is a solid. A corner inside it is pushed out at the nearest of the facets that its own
/// cone allows, so that side faces that are flush do not act, and only while its own solid fills half of
/// that way, or of that along its axis: a part that has sunk in by more than twice its thickness is not seen
/// there. An overlap
/// that has no such contact is pushed apart at its deepest vertex. Of two solids contacts that a shorter way
/// out parts are dropped: deep over an edge the two would be pushed by more than the overlap. An open surface
/// is two-sided, as in MeshQuery: each triangle pushes the solid to the side on which the centre of the
/// solid's bounds lies. Two open surfaces do not meet.
///
/// Corners are looked for where triangles of the two come near each other and from there inwards, so that the
/// work is that of the region of contact.
class MeshPairQuery {
 public:
  /// Contacts whose normals differ by less (rad) share their limit (MeshReduction): a rounded place is
  /// tessellated into many facets.
  static constexpr double kSameFace = 0.2;

  /// Fills *points with the contacts whose phi is below max_phi, ordered by feature: world axes. Returns true
  /// when a direction had to be chosen by convention. Swapping a and b mirrors the contacts. No allocation
  /// once the sizes have been seen.
  bool find(const MeshSurface& a, const RigidTransform& X_WA, const MeshSurface& b,
            const RigidTransform& X_WB, double max_phi, std::vector<ManifoldPoint>* points);

 private:
  /// In the order in which contacts at one place are preferred.
  enum class Kind {
    kCornerFacet,
    kFacetCorner,
    kEdges,
    kCornerEdge,
    kEdgeCorner,
    kCorners,
    kDeepCorner,
    kDeepFacet
  };

  /// One surface whose corners are held against the other.
  struct View {
    const MeshSurface* from;
    const MeshSurface* onto;
    RigidTransform X_OF;  // frame of `from` in that of `onto`
    Vector3 center;       // of from's bounds, frame of `onto`
    bool from_a;
  };

  /// A sharp edge in the frame of a.
  struct PlacedEdge {
    const MeshSurface* surface;
    const SurfaceEdge* edge;
    Vector3 p, d;                 // m: from its first vertex to its second
    std::array<Vector3, 2> into;  // unit
    std::array<Vector3, 2> normal;
    [[nodiscard]] int num_triangles() const { return edge->triangle[1] < 0 ? 1 : 2; }
  };

  static bool is_crossing(const ManifoldPoint& point) {
    return MeshFeature::kind(point.feature) == static_cast<int>(Kind::kEdges);
  }
  ManifoldPoint add(Kind kind, int i, int j, const Vector3& p_a, const Vector3& normal, double phi);
  ManifoldPoint add_corner(const View& view, Kind kind, int i, int j, const Vector3& c, const Vector3& out,
                           double phi);
  void find_candidates();
  void find_whole(const View& view);
  void add_deepest();

  // mesh_pair_corners.cpp
  void find_corners(const View& view, std::vector<int>* seen);
  bool find_corner(const View& view, int v);
  void find_parts_at(const View& view, int v, const Vector3& c, const Vector3& outer, bool overlaps);
  [[nodiscard]] double side(const View& view, int t) const;
  [[nodiscard]] double violation(const Vector3& normal) const;
  [[nodiscard]] bool fits(const View& view, int t) const;
  [[nodiscard]] MeshPoint nearest_fitting(const View& view, const Vector3& c, const MeshPoint& near);
  [[nodiscard]] bool holds(const MeshSurface& surface, const Vector3& p, double tolerance) const;

  // mesh_pair_edges.cpp
  void find_edges(int t_a, int t_b);
  void drop_far_edges();
  [[nodiscard]] bool parts(const ManifoldPoint& c, const Vector3& way, const Vector3& onward) const;
  void drop_parted();
  [[nodiscard]] bool share_way(const Vector3& p_a, const Vector3& p_b) const;
  [[nodiscard]] bool fills(const PlacedEdge& edge, const RigidTransform& X_SA, const Vector3& p,
                           const Vector3& q, const Vector3& n) const;
  void find_crossing(int e_a, int e_b);
  [[nodiscard]] PlacedEdge place(const MeshSurface& surface, int e, const RigidTransform& X_AS) const;
  static void place_facets(const RigidTransform& X_AS, PlacedEdge* edge);
  [[nodiscard]] static bool may_cross(const PlacedEdge& a, const PlacedEdge& b, const Vector3& across);
  bool rest_on(const PlacedEdge& under, const PlacedEdge& over, double* slope, Vector3* out) const;
  [[nodiscard]] bool allows(const PlacedEdge& edge, const Vector3& out, double tolerance) const;

  const MeshSurface* a_ = nullptr;  // during find
  const MeshSurface* b_ = nullptr;
  RigidTransform X_AB_, X_BA_;
  double max_phi_ = 0.0;
  double size_ = 0.0;  // m, of the smaller: what tolerances are relative to
  bool degenerate_ = false;

  std::vector<std::array<int, 2>> pairs_;       // triangles that come near each other
  std::vector<std::array<int, 2>> near_pairs_;  // an engine's candidates for them
  std::vector<int> seen_a_, seen_b_;            // by vertex: the query that last looked at it
  int query_ = 0;
  std::vector<int> pending_;   // vertices to look at
  std::vector<Vector3> rays_;  // unit, along the edges that leave the vertex, frame of `onto`
  int fitting_ = -1;           // triangle of `onto` on which the last vertex looked at can rest
  Vector3 outward_;            // pseudonormal of the vertex, frame of `onto`
  struct Deepest {
    double distance = -1.0;
    Vector3 p_a, normal;
    int vertex = -1;
    bool from_a = true;
  };
  Deepest deepest_;                     // of the vertices in overlap that found no contact, frame of a
  std::vector<ManifoldPoint> found_;    // frame of a
  std::vector<ManifoldPoint> upright_;  // of these, corners in facets that no edge of theirs leans towards
  std::vector<ManifoldPoint> holders_;  // ways out: planes above which no part of either rises
};

}  // namespace csim
