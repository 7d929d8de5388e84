// How many coordinates a joint of each type has.
#pragma once

#include <vector>

#include "scene/scene.h"

namespace csim {

/// Position coordinates: quaternion (w, x, y, z) of ball joints; quaternion, then x, y, z of free joints.
[[nodiscard]] inline int num_positions(JointType type) {
  constexpr int kCounts[] = {7, 0, 1, 1, 3, 4, 2, 1};  // by JointType
  return kCounts[static_cast<int>(type)];
}

/// Velocity coordinates.
[[nodiscard]] inline int num_velocities(JointType type) {
  if (type == JointType::kFree) return 6;
  return type == JointType::kBall ? 3 : num_positions(type);
}

/// True for the joints whose one coordinate is an angle.
[[nodiscard]] inline bool turns(JointType type) {
  return type == JointType::kRevolute || type == JointType::kScrew;
}

/// True for the joints whose positions start with a unit quaternion.
[[nodiscard]] inline bool has_quaternion(JointType type) {
  return type == JointType::kFree || type == JointType::kBall;
}

/// Where the child's frame lies on the joint frame.
[[nodiscard]] inline std::vector<double> neutral_position(JointType type) {
  std::vector<double> q(static_cast<size_t>(num_positions(type)), 0.0);
  if (has_quaternion(type)) q[0] = 1.0;
  return q;
}

}  // namespace csim
