// The least way out of a closed triangle surface for a convex shape that overlaps it.
#pragma once

#include <vector>

#include "contact/convex/convex_support.h"
#include "contact/mesh/mesh_surface.h"

namespace csim {

/// A plane with the outward unit `normal` that holds a feature of the surface from outside: the shape is
/// above it once it has moved by -phi along the normal.
struct MeshExit {
  SurfacePart part = SurfacePart::kFace;
  int id = -1;       // of the facet, edge or corner; -1: there is no overlap
  Vector3 normal;    // mesh frame
  Vector3 p_shape;   // m, the shape's point farthest below the plane
  double phi = 0.0;  // m, < 0
  /// Nothing of the surface within the shape's box lies above the plane: there the surface is convex, as seen
  /// along the normal.
  bool clean = false;
};

/// The best direction n of those in the normal cone of an edge, the arc between the normals n0 and n1: that
/// which maximises h(n) = min over the shape of n . (x - a), a being a point of the edge.
struct ArcOptimum {
  bool inside = false;  // of the arc; at an end it is a facet that is left
  Vector3 direction;    // as searched for, to about 1e-8
  Vector3 normal;       // exact where an edge of the shape crosses the edge
  Vector3 x;            // m, the shape's point over the edge
};
[[nodiscard]] ArcOptimum best_on_arc(const ConvexSupport& support, const Vector3& a, const Vector3& along,
                                     const Vector3& n0, const Vector3& n1, double size);

/// Looks at the facets, convex edges and corners of the triangles that the shape crosses. The tangent cone of
/// each (half space, wedge, cone) has its own least way out; of these the shortest is taken. Where the
/// surface is convex it lies in each of these cones, so that no way is shorter than the true one, and that of
/// the feature to which the true one belongs is the true one.
class MeshExitQuery {
 public:
  /// `triangles`: all that may meet the shape. The result has id -1 when none does. Mesh frame; `size` (m):
  /// of the shape.
  MeshExit find(const MeshSurface& surface, const std::vector<int>& triangles, const Shape& shape,
                const RigidTransform& X_MS, double size);

  /// Of an open surface: the shortest of the ways out along `directions` (unit, from the surface to the
  /// shape), along the normals of the shape's faces and those of the triangles crossed, to either side. Exact
  /// along each for all of the surface within the shape's box. The result has id -1 when the two do not
  /// cross.
  MeshExit find_sheet(const MeshSurface& surface, const std::vector<int>& triangles, const Shape& shape,
                      const RigidTransform& X_MS, double size, const std::vector<Vector3>& directions);

  /// After find(): where the shape crosses the surface deepest, a point of the surface.
  [[nodiscard]] Vector3 deepest_crossing(const Shape& shape) const;

 private:
  void find_crossed(const std::vector<int>& triangles, const Shape& shape, const ConvexSupport& support);
  void try_features(const std::vector<int>& triangles, const Shape& shape, const ConvexSupport& support);
  void try_facet(int t, const ConvexSupport& support);
  void try_edge(int e, const ConvexSupport& support);
  void try_corner(int v, const Shape& shape, const ConvexSupport& support);
  [[nodiscard]] double tie() const;
  [[nodiscard]] double least_clear() const;
  void offer(SurfacePart part, int id, const Vector3& normal, const Vector3& on, const Vector3& p_shape);

  const MeshSurface* surface_ = nullptr;  // during find
  RigidTransform X_MS_;
  double size_ = 0.0;
  MeshExit best_;
  double best_clear_ = 0.0;      // m, < 0: clear depth of the best, to the top of what the shape crosses
  std::vector<int> crossed_;     // triangles
  std::vector<Vector3> region_;  // m, corners of their parts within the shape's box
  bool only_clean_ = false;
  std::vector<int> near_;  // triangles within the way out found so far
  std::vector<int> ids_;   // of one kind of features
};

}  // namespace csim
