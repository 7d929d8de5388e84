// A body's colliding geometries, prepared for queries.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "contact/mesh/mesh_surface.h"
#include "geometry/bounding_volume_tree.h"
#include "patch/find_contact_surface.h"

namespace csim {

/// Of a box with sides at infinity nothing but the halves of space can be told in another frame: take
/// everything.
[[nodiscard]] inline Aabb everything() {
  Aabb box;
  box.lower.setConstant(-std::numeric_limits<double>::infinity());
  box.upper.setConstant(std::numeric_limits<double>::infinity());
  return box;
}

/// One geometry with its bounds.
struct CollisionGeometry {
  int pair_class = -1;
  Shape shape;
  RigidTransform X_BG;
  bool is_turned = false;  // X_BG.R is not the identity
  Aabb box_G;              // geometry frame, margin included; sides at infinity for half spaces
  Ball ball_B;             // body frame; infinite radius for half spaces
  bool is_ball = false;    // the ball is the shape: nothing tighter to look at
  std::shared_ptr<const MeshSurface> surface;  // of a Mesh
  std::optional<PatchGeometry> patch;          // of a pressure-field geometry
};

/// The geometries of one body, in the order of their indices, with bounds in the body frame. Bodies of the
/// same geometries share one, so that the thousand equal bodies of a pile stay in the cache.
class CollisionShapes {
 public:
  explicit CollisionShapes(std::vector<CollisionGeometry> geometries);

  [[nodiscard]] int size() const { return static_cast<int>(geometries_.size()); }
  [[nodiscard]] const Aabb& box() const { return box_; }               // body frame
  [[nodiscard]] const Aabb& box_of(int i) const { return boxes_[i]; }  // of a geometry, body frame
  [[nodiscard]] double radius() const { return radius_; }  // m, of the ball about the body's origin
  /// m, of the ball about the middle of the box: a size that does not depend on where the origin is.
  [[nodiscard]] double half_width() const { return half_width_; }
  [[nodiscard]] const CollisionGeometry& geometry(int i) const { return geometries_[i]; }

  /// Fills *near with the geometries (ascending) whose boxes overlap `box_B` (body frame, may be infinite).
  void collect(const Aabb& box_B, std::vector<int>* near) const;

  /// Whether these are the same shapes and pressure fields at the same poses with the same classes.
  [[nodiscard]] bool equals(const std::vector<CollisionGeometry>& geometries) const;

 private:
  std::vector<CollisionGeometry> geometries_;
  std::vector<Aabb> boxes_;  // of the geometries, body frame
  BoundingVolumeTree tree_;  // over boxes_ when there are many and all are finite
  Aabb box_;
  double radius_ = 0.0, half_width_ = 0.0;
};

struct CollisionBody {
  std::shared_ptr<const CollisionShapes> shapes;  // null: none
  std::vector<int> index;                         // of each, in Model::geometries
  bool is_fixed = false;                          // no contact moves it
  bool is_free = false;                           // it alone is a tree, without joints
  Vector3 center_B = Vector3::Zero();             // m, of mass, body frame, of a free body; else 0
};

/// A geometry at its place in the world.
struct PlacedGeometry {
  const CollisionGeometry* geometry = nullptr;
  int index = -1;  // in Model::geometries
  RigidTransform X_WG;
  Vector3 center_W;  // of its ball
};

[[nodiscard]] inline PlacedGeometry place(const CollisionGeometry& g, int index, const RigidTransform& X_WB,
                                          const Vector3& center_W) {
  return {&g, index, g.is_turned ? X_WB * g.X_BG : RigidTransform(X_WB.R, X_WB * g.X_BG.p), center_W};
}

/// False when two geometries are surely farther apart than `distance` (m): each ball against the other's box.
[[nodiscard]] bool may_touch(const PlacedGeometry& a, const PlacedGeometry& b, double distance);

}  // namespace csim
