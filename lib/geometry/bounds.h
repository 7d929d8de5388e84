// Boxes and balls around shapes: what broad phases and trees compare.
#pragma once

#include <limits>

#include "core/rigid_transform.h"
#include "geometry/shape.h"

namespace csim {

/// An axis-aligned box; empty until something is added. Sides may lie at infinity (half spaces).
struct Aabb {
  Vector3 lower = Vector3::Constant(std::numeric_limits<double>::infinity());
  Vector3 upper = Vector3::Constant(-std::numeric_limits<double>::infinity());

  bool operator==(const Aabb&) const = default;

  void add(const Vector3& p) {
    lower = lower.cwiseMin(p);
    upper = upper.cwiseMax(p);
  }
  void add(const Aabb& box) {
    lower = lower.cwiseMin(box.lower);
    upper = upper.cwiseMax(box.upper);
  }
  [[nodiscard]] bool empty() const { return (lower.array() > upper.array()).any(); }
  [[nodiscard]] bool bounded() const { return lower.allFinite() && upper.allFinite(); }
  [[nodiscard]] Vector3 center() const { return 0.5 * (lower + upper); }
  [[nodiscard]] Vector3 half_size() const { return 0.5 * (upper - lower); }
  [[nodiscard]] Aabb inflated(double by) const {
    Aabb box;
    box.lower = lower.array() - by;
    box.upper = upper.array() + by;
    return box;
  }
  [[nodiscard]] bool overlaps(const Aabb& other) const {
    // All six comparisons and one branch: mispredicted branches cost more than comparisons.
    return (lower.x() <= other.upper.x()) & (other.lower.x() <= upper.x()) & (lower.y() <= other.upper.y()) &
           (other.lower.y() <= upper.y()) & (lower.z() <= other.upper.z()) & (other.lower.z() <= upper.z());
  }
  /// 0 inside; m^2.
  [[nodiscard]] double squared_distance(const Vector3& p) const {
    return (p - p.cwiseMax(lower).cwiseMin(upper)).squaredNorm();
  }
};

/// The box, in frame A, around a bounded box given in frame B.
[[nodiscard]] inline Aabb transformed(const RigidTransform& X_AB, const Aabb& box_B) {
  const Vector3 center = X_AB * box_B.center();
  const Vector3 half = X_AB.R.cwiseAbs() * box_B.half_size();
  Aabb box;
  box.lower = center - half;
  box.upper = center + half;
  return box;
}

struct Ball {
  Vector3 center = Vector3::Zero();  // m
  double radius = 0.0;               // m, infinite for half spaces
};

/// The tight box of a shape in its own frame; z <= 0 for a half space.
[[nodiscard]] Aabb bounding_box(const Shape& shape);

/// A ball around a shape in its own frame: tight for primitives, about the centre of the bounding box for
/// polytopes and meshes.
[[nodiscard]] Ball bounding_ball(const Shape& shape);

}  // namespace csim
