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
  const double c = 1.0 + z.z();
  if (c < 1e-12) return {0.0, 1.0, 0.0, 0.0};
  const double s = std::sqrt(2.0 * c);  // twice the cosine of half the angle
  return {0.5 * s, -z.y() / s, z.x() / s, 0.0};
}

}  // namespace csim
