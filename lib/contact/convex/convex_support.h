// A convex body by its support function: the farthest point of a core along a direction, and a radius by
// which the core is rounded.
#pragma once

#include <array>
#include <optional>

#include "core/rigid_transform.h"
#include "geometry/shape.h"

namespace csim {

/// A bounded convex shape or a triangle, placed in the world: the points within `radius()` of a core. The
/// core of a sphere is its centre, that of a capsule its axis; the others have radius 0. Cheap to make and to
/// copy; refers to the polytope of a Convex shape.
class ConvexSupport {
 public:
  enum class Kind { kPoint, kSegment, kTriangle, kBox, kPolytope, kCylinder, kEllipsoid };

  /// Of a shape other than HalfSpace and Mesh.
  ConvexSupport(const Shape& shape, const RigidTransform& X_WG);

  /// Of the triangle with the corners a, b, c (m, world); its face is seen counterclockwise from outside.
  static ConvexSupport triangle(const Vector3& a, const Vector3& b, const Vector3& c);

  /// A point of the core (m, world) farthest along `direction` (world, any length; a zero direction gives
  /// some point of the core).
  [[nodiscard]] Vector3 support(const Vector3& direction) const;

  /// True when the point x (m, world) lies in the core, or outside by about `tolerance` (m) at most.
  [[nodiscard]] bool contains(const Vector3& x, double tolerance) const;

  /// A point inside the core (m, world).
  [[nodiscard]] const Vector3& center() const { return center_; }

  /// Rounding radius (m).
  [[nodiscard]] double radius() const { return radius_; }

  /// A length (m) of the size of the core, by which tolerances scale: the farthest sampled point from
  /// center().
  [[nodiscard]] double extent() const { return extent_; }

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] const RigidTransform& pose() const { return X_; }

  /// Half lengths of a box, semi-axes of an ellipsoid, (radius, radius, half length) of a cylinder, (0, 0,
  /// half length) of a segment.
  [[nodiscard]] const Vector3& half_size() const { return half_size_; }

  [[nodiscard]] const ConvexPolytope* polytope() const { return polytope_; }

  /// Unit normal of a triangle (world); zero where its corners lie on one line, to rounding: no face.
  [[nodiscard]] Vector3 triangle_normal() const;

  /// Corner i of a triangle (m, world).
  [[nodiscard]] const Vector3& corner(int i) const { return corners_[i]; }

  /// Index of the polytope's vertex farthest along `direction` (axes of the polytope).
  [[nodiscard]] int support_vertex(const Vector3& direction) const;

  /// The same body moved by `offset` (m, world).
  [[nodiscard]] ConvexSupport translated(const Vector3& offset) const;

 private:
  ConvexSupport() = default;

  Kind kind_ = Kind::kPoint;
  RigidTransform X_;
  Vector3 center_ = Vector3::Zero();
  Vector3 half_size_ = Vector3::Zero();
  std::array<Vector3, 3> corners_;
  const ConvexPolytope* polytope_ = nullptr;
  mutable int last_vertex_ = 0;  // where the walk over a polytope's vertices starts
  double radius_ = 0.0;
  double extent_ = 0.0;
};

/// Signed distance of two convex bodies and where it is taken.
struct SignedDistance {
  /// m; < 0: the length of the shortest translation (a local minimum when deep) that separates.
  double phi = 0.0;
  Vector3 normal;           // unit, from a to b
  Vector3 p_a, p_b;         // m, world: p_b - p_a = phi * normal
  bool degenerate = false;  // the normal is one of several equally good ones and was chosen by convention
};

/// Signed distance of any two supports; when it is found to be above max_phi the search stops and any phi
/// above max_phi is returned.
[[nodiscard]] SignedDistance signed_distance(const ConvexSupport& a, const ConvexSupport& b, double max_phi);

/// Its phi and normal alone, in less time; none above max_phi.
struct SignedGap {
  double phi = 0.0;  // m
  Vector3 normal;    // unit, from a to b
};
[[nodiscard]] std::optional<SignedGap> signed_gap(const ConvexSupport& a, const ConvexSupport& b,
                                                  double max_phi);

}  // namespace csim
