// Spatial vectors: a twist is (angular velocity, linear velocity of a point), a wrench (moment about a point,
// force); 6-vectors hold the angular part first.
#pragma once

#include "core/types.h"

namespace csim {

/// [a]x, the matrix with [a]x b = a x b.
inline Matrix3 skew(const Vector3& a) {
  Matrix3 m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

/// Velocity of a rigid body: angular velocity w and linear velocity v of its reference point, same axes.
struct Twist {
  Vector3 w = Vector3::Zero();
  Vector3 v = Vector3::Zero();

  /// Velocity of the body's point at the offset r from the reference point.
  Vector3 at(const Vector3& r) const { return v + w.cross(r); }
};

/// The twist V of a reference point, moved to the point at the offset r.
inline Twist shift_twist(const Twist& V, const Vector3& r) {
  return {V.w, V.at(r)};
}

/// Mass, centre of mass and inertia about the centre of mass of a rigid body, in the body's axes.
struct MassProperties {
  double mass = 0.0;                  // kg
  Vector3 com = Vector3::Zero();      // m, in the body frame
  Matrix3 inertia = Matrix3::Zero();  // kg m^2, about the centre of mass, body axes
};

/// Spatial inertia about the frame origin, (angular, linear) order: M V = momentum. `com` is the offset of
/// the centre of mass from the origin and `inertia` is about the centre of mass, both in the axes of the
/// result.
inline Matrix6 spatial_inertia(double mass, const Vector3& com, const Matrix3& inertia) {
  Matrix6 M;
  const Matrix3 c = skew(com);
  M.topLeftCorner<3, 3>() = inertia - mass * c * c;
  M.topRightCorner<3, 3>() = mass * c;
  M.bottomLeftCorner<3, 3>() = -mass * c;
  M.bottomRightCorner<3, 3>() = mass * Matrix3::Identity();
  return M;
}

}  // namespace csim
