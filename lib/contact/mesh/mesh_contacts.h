// Contacts of a triangle surface with a sphere, capsule, box, cylinder, ellipsoid, convex polytope or half
// space.
#pragma once

#include <vector>

#include "contact/convex/contact_feature.h"
#include "contact/convex/narrow_phase.h"
#include "contact/convex/shape_faces.h"
#include "contact/mesh/mesh_exit.h"
#include "contact/mesh/mesh_point.h"
#include "contact/mesh/mesh_reduce.h"
#include "contact/mesh/mesh_surface.h"

namespace csim {

/// Contacts belong to features of the surface, never to triangles:
///  - points of the shape (a sphere's centre, a capsule's ends, the vertices of boxes and polytopes, the
///  supporting points of cylinders and
///    ellipsoids) over a facet, with the facet's normal; one point a facet at most;
///  - corners of the surface against the shape, and
///  - sharp (convex or border) edges against the shape, one point, or two where a face of the shape lies on
///  the edge; both only with normals within the normal cone of the corner or edge, or within kFaceAngle of it
///  where a capsule or cylinder that lies on a facet comes out over the edge.
/// Together these are the vertices of the contact region of a face that rests on a flat part of the surface,
/// however it is tessellated. A closed surface is a solid: a point below it is pushed out at the nearest
/// point of the surface, and a shape whose centre is inside is pushed out as a whole, along the normal at the
/// centre's nearest point. An open surface is two-sided: each triangle pushes the shape to the side on which
/// the shape's centre lies. It is thin: no contact is deeper than the shortest way along which the shape
/// leaves all that it crosses.
///
/// An overlap with a closed surface is never without a contact. One that no contact holds as a whole, or that
/// is deep against the thickness of the two, has one on the least way out (MeshExit), and contacts that are
/// deeper than a way out which frees them, too, are dropped.
class MeshQuery {
 public:
  /// Fills *points with the contacts whose phi is below max_phi, ordered by feature: a is the mesh, b the
  /// shape, world axes. Returns true when a direction had to be chosen by convention. No allocation once the
  /// sizes have been seen.
  bool find(const MeshSurface& surface, const RigidTransform& X_WM, const Shape& shape,
            const RigidTransform& X_WS, double max_phi, std::vector<ManifoldPoint>* points);

  /// After find(): a corner of the surface is inside the shape and would still be there after the shape had
  /// moved out along any of the contacts, as when a bump of the surface has come through a plate.
  [[nodiscard]] bool unheld() const { return unheld_; }

 private:
  /// What meets: a point of the shape and a facet, edge or vertex; a corner or an edge of the surface and the
  /// shape; the shape as a whole; its least way out.
  enum class Kind { kPointFacet, kPointEdge, kPointVertex, kCorner, kEdge, kDeep, kExit };

  /// A corner of the surface in the shape that has no contact of its own.
  struct HiddenCorner {
    Vector3 p;   // m
    double phi;  // m, < 0: its signed distance from the shape
  };

  void add(Kind kind, int i, int j, const Vector3& p_mesh, const Vector3& normal, double phi);
  void query_plane(const Shape& shape, const Vector3& normal, const Vector3& p, double max_phi);

  // mesh_contacts.cpp
  void find_half_space();
  bool find_deep(const Shape& shape);
  [[nodiscard]] double rise_beside(const ManifoldPoint& c) const;
  [[nodiscard]] bool holds_all(const ConvexSupport& support) const;
  void add_exit(const Shape& shape, const MeshExit& exit, const Vector3& p_mesh);
  void hold(const Shape& shape);
  void hold_sheet(const Shape& shape);
  void drop_cleared(const ConvexSupport& support, const Vector3& normal, const Vector3& p, double phi);

  // mesh_points.cpp: points of the shape against the surface
  void find_sphere(double radius);
  void find_points(const Shape& shape);
  void find_support_points(const Shape& shape);
  void find_rim(const ContactFeature& cap, const Vector3& normal, int facet);
  void find_facets_at(int id, const Vector3& c, double radius, int only_facet);
  [[nodiscard]] double side(int t) const;
  [[nodiscard]] bool pushes(const Vector3& normal, const Vector3& p) const;
  [[nodiscard]] bool pushes(int t) const;
  [[nodiscard]] MeshPoint nearest_pushing(const Vector3& c, double distance) const;
  [[nodiscard]] bool is_inside(const MeshPoint& near, const Vector3& c) const;
  [[nodiscard]] bool is_behind(const Vector3& c) const;

  // mesh_features.cpp: corners and edges of the surface against the shape
  void find_corners(const Shape& shape);
  void find_edges(const Shape& shape);
  void find_edge(const Shape& shape, const ConvexSupport& support, int e);
  bool find_overlapped_corner(const Shape& shape, int v);
  bool find_edge_under_line(const Shape& shape, int e);
  bool find_overlapped_edge(const Shape& shape, int e);
  bool find_resting_edge(const Shape& shape, int e, const Vector3& normal);
  void add_resting_edge(int e, const ShapeFace& face, const Interval& over);

  // mesh_crossings.cpp
  void find_crossing(const Shape& shape, const ConvexSupport& support, int e);

  const MeshSurface* surface_ = nullptr;  // during find
  RigidTransform X_MS_;                   // shape in mesh
  double max_phi_ = 0.0;
  double size_ = 0.0;   // m, of the shape: what tolerances are relative to
  double width_ = 0.0;  // m, of the thinner of the two
  Vector3 center_;      // of the shape, mesh frame
  bool degenerate_ = false;
  bool unheld_ = false;
  bool deep_at_facet_ = false;
  std::vector<int> triangles_, facets_;  // near the shape
  std::vector<ManifoldPoint> found_;     // mesh frame
  std::vector<HiddenCorner> hidden_;
  std::vector<Vector3> directions_;  // unit, of contacts in overlap
  MeshExitQuery exit_query_;
  ContactMerger merger_;
  Manifold manifold_;
};

}  // namespace csim
