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
  std::vector<int> near_;      // triangles within the way out found so far
  std::vector<long> visited_;  // [edges or vertices]: the pass that was there last
  long pass_ = 0;
};

}  // namespace csim
