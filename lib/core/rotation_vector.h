// A rotation as the vector along its axis whose length is the angle.
#pragma once

#include <cmath>

#include "core/types.h"

namespace csim {

/// The rotation vector of a unit quaternion, of length up to pi.
[[nodiscard]] inline Vector3 rotation_vector(const Quaternion& q) {
  const double sine = q.vec().norm();  // of half the angle
  if (sine == 0.0) return Vector3::Zero();
  return 2.0 * std::atan2(sine, std::abs(q.w())) / std::copysign(sine, q.w()) * q.vec();
}

}  // namespace csim
