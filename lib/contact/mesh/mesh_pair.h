// Contacts of two triangle surfaces.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "contact/convex/narrow_phase.h"
#include "contact/mesh/mesh_point.h"
#include "contact/mesh/mesh_reduce.h"
#include "contact/mesh/mesh_surface.h"
#include "contact/mesh/mesh_way_out.h"
#include "contact/mesh/near_pairs.h"

namespace csim {

/// Contacts belong to features of both surfaces, never to triangles (docs/evidence/mesh_contacts.md):
///  - corners of one over or below a facet of the other, with the facet's normal;
///  - corners of one beside an edge or a corner of the other, apart, with the direction from one to the
///  other;
///  - sharp edges that cross, with the normal across both, or that of a facet on which one of them lies.
/// A normal lies within the normal cones of both features: the two, moved along it, touch there first. That
/// is local: neither surface has to be convex. A corner inside leaves through the nearest facet that its cone
/// allows, so that side faces that are flush do not act.
///
/// An overlap without a contact, a deep or an uneven one is compared with the least way out (MeshWayOut):
/// contacts that are deeper go, and the way out is a contact itself.
///
/// A closed surface is a solid. An open one is two-sided, as in MeshQuery: each triangle pushes the solid to
/// the side on which the centre of the solid's bounds lies. Two open surfaces do not meet.
///
/// Corners are looked for where triangles of the two come near each other and from there inwards, so that the
/// work is that of the region of contact.
class MeshPairQuery {
 public:
  /// Fills *points with the contacts whose phi is below max_phi, ordered by feature: world axes. Returns true
  /// when a direction had to be chosen by convention. Swapping a and b mirrors the contacts, but
  /// for the way out of deep overlaps that have several. No allocation
  /// once the sizes have been seen. `kept`: of this pair of geometries, from query to query; it saves time
  /// and changes nothing.
  bool find(const MeshSurface& a, const RigidTransform& X_WA, const MeshSurface& b,
            const RigidTransform& X_WB, double max_phi, std::vector<ManifoldPoint>* points,
            NearPairs* kept = nullptr);

  /// The edges of a and b that cross in the contact with this feature; none: others meet in it.
  [[nodiscard]] static std::optional<std::array<int, 2>> crossing_edges(std::int64_t feature);

  /// Whether an edge of a and one of b cross, seen across both.
  [[nodiscard]] static bool do_cross(const MeshSurface& a, const RigidTransform& X_WA, const MeshSurface& b,
                                     const RigidTransform& X_WB, const std::array<int, 2>& edges);

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
    kDeepFacet,
    kWayOut
  };

  /// One surface whose corners are held against the other.
  struct View {
    const MeshSurface* from;
    const MeshSurface* onto;
    RigidTransform X_OF;  // frame of `from` in that of `onto`
    Vector3 center;       // of from's bounds, frame of `onto`
    bool from_a;
  };

  void add(Kind kind, int i, int j, const Vector3& p_a, const Vector3& normal, double phi);
  void add_corner(const View& view, Kind kind, int i, int j, const Vector3& c, const Vector3& out,
                  double phi);
  class Bounds;
  void renew(double reach, NearPairs* kept);
  void find_candidates(NearPairs* kept);
  void find_whole(const View& view);
  bool is_unevenness();
  void hold(double deep);
  void find_directions(double deepest);
  bool find_way_out(double deepest, double deep, MeshWayOut* best);

  // mesh_pair_corners.cpp
  void find_corners(const View& view, std::vector<int>* seen);
  bool find_corner(const View& view, int v);
  [[nodiscard]] MeshPoint nearest_known(const MeshSurface& onto, const Vector3& c, double distance) const;
  void find_parts_at(const View& view, int v, const Vector3& c, const Vector3& outer, bool overlaps);
  [[nodiscard]] double side(const View& view, int t) const;
  [[nodiscard]] double violation(const Vector3& normal) const;
  [[nodiscard]] bool fits(const View& view, int t) const;
  [[nodiscard]] MeshPoint nearest_fitting(const View& view, const Vector3& c, const MeshPoint& near);

  // mesh_pair_edges.cpp
  void find_edges();
  template <typename Accept>
  void find_edges_of(const std::vector<std::array<int, 2>>& pairs, bool owned, const Accept& accepts);

  const MeshSurface* a_ = nullptr;  // during find
  const MeshSurface* b_ = nullptr;
  RigidTransform X_AB_, X_BA_;
  double max_phi_ = 0.0;
  double size_ = 0.0;  // m, of the smaller: what tolerances are relative to
  bool degenerate_ = false;

  NearPairs* kept_ = nullptr;                   // where its list holds, during find
  std::vector<std::array<int, 2>> pairs_;       // triangles that come near each other
  std::vector<std::array<int, 2>> meeting_;     // of these, those that may meet
  std::vector<std::array<int, 2>> near_pairs_;  // an engine's candidates for them
  std::vector<int> seen_a_, seen_b_;            // by vertex: the query that last looked at it
  int query_ = 0;
  std::vector<int> pending_;  // vertices to look at
  bool is_known_ = false;     // what is near the vertex looked at:
  std::span<const NearPairs::Near> known_;
  std::vector<Vector3> rays_;         // unit, along the edges that leave the vertex, frame of `onto`
  int fitting_ = -1;                  // triangle of `onto` on which the last vertex looked at can rest
  Vector3 outward_;                   // pseudonormal of the vertex, frame of `onto`
  std::vector<ManifoldPoint> found_;  // frame of a
  MeshWayOutQuery way_out_query_;
  ContactMerger merger_;
  std::vector<Vector3> directions_;  // to be tried as ways out, frame of a
};

}  // namespace csim
