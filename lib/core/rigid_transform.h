// A pose X_AB: maps coordinates of a point in frame B to frame A, p_A = R_AB p_B + p_AB.
#pragma once

#include <cmath>

#include "core/types.h"

namespace csim {

struct RigidTransform {
  Matrix3 R = Matrix3::Identity();
  Vector3 p = Vector3::Zero();

  RigidTransform() = default;
  RigidTransform(const Matrix3& rotation, const Vector3& translation) : R(rotation), p(translation) {}
  RigidTransform(const Quaternion& rotation, const Vector3& translation)
      : R(rotation.toRotationMatrix()), p(translation) {}
  explicit RigidTransform(const Vector3& translation) : p(translation) {}

  /// X_AB * X_BC = X_AC.
  RigidTransform operator*(const RigidTransform& X_BC) const { return {R * X_BC.R, R * X_BC.p + p}; }

  /// X_AB * p_B = p_A.
  Vector3 operator*(const Vector3& p_B) const { return R * p_B + p; }

  /// X_BA.
  RigidTransform inverse() const { return {R.transpose(), -(R.transpose() * p)}; }

  /// Coordinates in B of a point given in A.
  Vector3 inverse_times(const Vector3& p_A) const { return R.transpose() * (p_A - p); }
};

/// The shortest rotation that takes the z axis to the unit vector `z`; about x where z points downward.
[[nodiscard]] inline Quaternion rotation_of_z_to(const Vector3& z) {
  const double r = std::hypot(z.x(), z.y());  // the sine of the angle
  if (r == 0.0) return z.z() > 0.0 ? Quaternion::Identity() : Quaternion(0.0, 1.0, 0.0, 0.0);
  // Of the half angle's cosine and sine the larger from the angle's cosine, the other from its sine.
  const double larger = std::sqrt(0.5 * (1.0 + std::abs(z.z()))), smaller = 0.5 * r / larger;
  const double c = z.z() > 0.0 ? larger : smaller, s = z.z() > 0.0 ? smaller : larger;
  return {c, -s * z.y() / r, s * z.x() / r, 0.0};
}

}  // namespace csim
