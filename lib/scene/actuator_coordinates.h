// The coordinates of actuators: one of each that drives a joint, six of a cartesian one.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "scene/scene.h"

namespace csim {

/// Of a cartesian actuator: position in the base, and the angles about its fixed x, then y, then z axis.
inline constexpr std::array<const char*, 6> kCartesianCoordinates = {"x", "y", "z", "roll", "pitch", "yaw"};

/// Appends the names of an actuator's coordinates: its own, or `tool.x` to `tool.yaw`.
void append_coordinates(const ActuatorSpec& actuator, std::vector<std::string>* names);

/// Of all actuators of a scene, in order.
[[nodiscard]] std::vector<std::string> actuator_coordinates(const Scene& scene);

}  // namespace csim
