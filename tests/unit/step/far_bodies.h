// A scene of islands that do different things, far from each other.
#pragma once

#include <string>

namespace csim::testing_support {

/// A column of turned boxes at x (m) that lands with this speed (m/s), of bodies with the material m.
inline std::string landing_column(const std::string& name = "h", double x = 0.0, double speed = 2.0) {
  std::string text;
  for (int i = 0; i < 16; ++i)
    text += "  - {name: " + name + std::to_string(i) + ", density: 1000, pose: {xyz: [" +
            std::to_string(x + 0.01 * i) + ", " + std::to_string(0.02 * (i % 2)) + ", " +
            std::to_string(0.1 + 0.16 * i) + "], rpy: [" + std::to_string(0.4 + i) + ", " +
            std::to_string(0.3 + 0.7 * i) + ", " + std::to_string(0.2 * i) +
            "]}, velocity: {linear: [0, 0, " + std::to_string(-speed) +
            "]}, geometry: [{shape: box, size: [0.1, 0.1, 0.1], material: m}]}\n";
  return text;
}

inline constexpr const char* kFarBodiesHead = R"(csim: 1
time: {step: 1.0e-2, end: 1}
materials: {m: {stiffness: 1.0e7, friction: 0.4, hunt_crossley_dissipation: 0.2, relaxation_time: 1.0e-4}}
bodies:
  - {name: floor, fixed: true, geometry: [{shape: half_space, material: m}]}
)";

/// Bodies that rest, slide, swing, turn with a support and hang on a spring, far from each other; with `hit`
/// two landing columns.
inline std::string far_bodies(bool hit) {
  std::string text =
      std::string(kFarBodiesHead) +
      R"(  - {name: rests, density: 1000, pose: {xyz: [3, 0, 0.05]}, geometry: [{shape: box, size: [0.1, 0.1, 0.1], material: m}]}
  - {name: slides, density: 1000, pose: {xyz: [6, 0, 0.05]}, velocity: {linear: [2, 0, 0]}, geometry: [{shape: box, size: [0.1, 0.1, 0.1], material: m}]}
  - {name: flies, density: 1000, pose: {xyz: [9, 0, 3]}, velocity: {linear: [0, 0, 3], angular: [3, 2, 1]}, geometry: [{shape: box, size: [0.1, 0.2, 0.3], material: m}]}
  - {name: swings, mass: 1, com: [0, 0.4, 0], inertia: [0.2, 0.02, 0.2]}
  - {name: table, motion: {times: [0, 1, 2], xyz: [[15, 0, 0.5], [15, 0, 0.5], [15, 0, 0.5]], rpy: [[0, 0, 0], [0, 0, 1], [0, 0, 2]]}, geometry: [{shape: cylinder, radius: 0.3, length: 0.1, material: m}]}
  - {name: turns, density: 1000, pose: {xyz: [15.1, 0, 0.6]}, geometry: [{shape: box, size: [0.1, 0.1, 0.1], material: m}]}
)";
  if (hit) text += landing_column() + landing_column("g", 30.0, 4.0);
  return text +
         "joints:\n  - {name: hinge, type: revolute, parent: floor, child: swings, pose: {xyz: [12, 0, 2]}, "
         "axis: [1, 0, 0], stiffness: 3.0, damping: 0.1}\n";
}

}  // namespace csim::testing_support
