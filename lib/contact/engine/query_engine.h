// The interface of a second engine of contact queries: poses in; pairs of boxes, directions and triangles
// out. Contact points are made from these by our own code, whoever has found them.
#pragma once

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "core/rigid_transform.h"
#include "geometry/bounds.h"
#include "geometry/shape.h"

namespace csim {

/// How two convex shapes a and b lie, as an engine sees it. Against a half space (b) only the normal and phi
/// are given.
struct PairDirection {
  enum class Status { kUnknown, kApart, kOverlap };
  Status status = Status::kUnknown;
  Vector3 normal;    // unit, from a to b, world
  double phi = 0.0;  // m, signed distance along the normal
  Vector3 p_a,
      p_b;  // m, world, p_b - p_a = phi normal: the closest points, or about the middle of an overlap
};

/// The triangles of one mesh, to look for those near something.
class TriangleSearch {
 public:
  virtual ~TriangleSearch() = default;

  /// Fills *triangles with those whose bounds meet the box, given in a frame with the pose X_MO in the mesh's
  /// frame M; any order, each once.
  virtual void find_near(const RigidTransform& X_MO, const Aabb& box_O,
                         std::vector<int>* triangles) const = 0;

  /// Fills *pairs with the triangles (of this mesh, of another mesh O of the same engine) whose bounds are
  /// within `distance` (m); any order, each pair once.
  virtual void find_pairs(const TriangleSearch& other, const RigidTransform& X_MO, double distance,
                          std::vector<std::array<int, 2>>* pairs) const = 0;
};

/// Every answer depends on the arguments alone (of find_near: on the boxes of the last find_overlaps), never
/// on earlier queries. May allocate. One per thread.
class QueryEngine {
 public:
  virtual ~QueryEngine() = default;

  /// Fills *pairs with the pairs of finite boxes (world) that overlap; any order, each once.
  virtual void find_overlaps(const std::vector<Aabb>& boxes, std::vector<std::pair<int, int>>* pairs) = 0;

  /// Fills *near with those of these boxes that overlap `box`; any order, each once.
  virtual void find_near(const Aabb& box, std::vector<int>* near) = 0;

  /// Of two bounded convex shapes, or of one and a half space (b). phi is wanted where it is below max_phi
  /// (m, finite). kUnknown: the engine has no answer.
  virtual PairDirection find_direction(const Shape& a, const RigidTransform& X_WA, const Shape& b,
                                       const RigidTransform& X_WB, double max_phi) = 0;

  virtual std::unique_ptr<TriangleSearch> make_triangle_search(const TriangleMesh& mesh) = 0;
};

}  // namespace csim
