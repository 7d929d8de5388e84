// A body's colliding geometries, prepared for queries.
#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "contact/mesh_surface.h"
#include "geometry/bounding_volume_tree.h"

namespace csim {

/// Of a box with sides at infinity nothing but the halves of space can be told in another frame: take
/// everything.
[[nodiscard]] inline Aabb everything() {
  Aabb box;
  box.lower.setConstant(-std::numeric_limits<double>::infinity());
  box.upper.setConstant(std::numeric_limits<double>::infinity());
  return box;
}

/// One geometry with its bounds. X_WG and center_W are filled at its first use in a query (`stamp` says
/// which).
struct CollisionGeometry {
  int index = -1;  // in Model::geometries
  int pair_class = -1;
  Shape shape;
  RigidTransform X_BG;
  Aabb box_G;                                  // geometry frame; sides at infinity for half spaces
  Ball ball_B;                                 // body frame; infinite radius for half spaces
  bool is_ball = false;                        // the ball is the shape: nothing tighter to look at
  std::shared_ptr<const MeshSurface> surface;  // of a Mesh
  RigidTransform X_WG;
  Vector3 center_W;
  long stamp = -1;
};

/// The geometries of one body, by index, with bounds in the body frame.
class CollisionBody {
 public:
  /// Geometries in ascending order of index; call once.
  void set_geometries(std::vector<CollisionGeometry> geometries);

  [[nodiscard]] bool empty() const { return geometries_.empty(); }
  [[nodiscard]] int size() const { return static_cast<int>(geometries_.size()); }
  [[nodiscard]] const Aabb& box() const { return box_; }   // body frame
  [[nodiscard]] const Aabb& box_of(int i) const { return boxes_[i]; }  // of a geometry, body frame
  [[nodiscard]] double radius() const { return radius_; }  // m, of the ball about the body's origin
  [[nodiscard]] CollisionGeometry& geometry(int i) { return geometries_[i]; }

  /// Fills *near with the geometries (ascending) whose boxes overlap `box_B` (body frame, may be infinite).
  void collect(const Aabb& box_B, std::vector<int>* near) const;

 private:
  std::vector<CollisionGeometry> geometries_;
  std::vector<Aabb> boxes_;  // of the geometries, body frame
  BoundingVolumeTree tree_;  // over boxes_ when there are many and all are finite
  Aabb box_;
  double radius_ = 0.0;
};

/// False when two geometries are surely farther apart than `distance` (m): ball against ball, then each ball
/// against the other's box.
[[nodiscard]] bool may_touch(const CollisionGeometry& a, const CollisionGeometry& b, double distance);

}  // namespace csim
