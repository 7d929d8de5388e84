// Scenes of quasistatic stepping that several tests step, and what they ask of them.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include "support/simulation.h"
#include "support/source_folder.h"

namespace csim::testing_support {

inline std::string read_file(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// scenes/planar_grasp.
inline std::string planar_grasp() {
  return read_file(test::source_folder() + "/scenes/planar_grasp/scene.yaml");
}

/// A ball on a rail is drawn to a wall at 0.1 m: spring of 400 N/m, command of 2 m/s.
inline constexpr const char* kSlider = R"(
csim: 1
gravity: [0, 0, 0]
time: {step: 0.01, end: 0.1}
materials: {m: {friction: 0.5}}
bodies:
  - {name: wall, fixed: true, pose: {xyz: [0.2, 0, 0]}, geometry: [{shape: box, size: [0.1, 1, 1], material: m}]}
  - {name: slider, mass: 1, inertia: [1, 1, 1], geometry: [{shape: sphere, radius: 0.05, material: m}]}
joints: [{name: x, type: prismatic, parent: world, child: slider, axis: [1, 0, 0]}]
actuators: [{name: a, joint: x, type: position, stiffness: 400, command: {times: [0, 0.1], values: [0, 0.2]}}]
integrator: {type: quasistatic, contact_threshold: 0.05}
)";

/// The contact of two geometries' bodies in the present frame; -1: none.
inline int contact_of(const Simulation& s, const std::string& a, const std::string& b) {
  for (std::size_t i = 0; i < s.frame.contacts.size(); ++i) {
    const auto name = [&](int g) { return s.model.bodies[s.model.geometries[g].body].name; };
    const std::string first = name(s.frame.contacts.geometry_a[i]),
                      second = name(s.frame.contacts.geometry_b[i]);
    if ((first == a && second == b) || (first == b && second == a)) return static_cast<int>(i);
  }
  return -1;
}

inline double normal_force(const Simulation& s, const std::string& a, const std::string& b) {
  const int i = contact_of(s, a, b);
  return i < 0 ? 0.0 : s.frame.contacts.normal_force[i];
}

/// The certificate of the last step is below integrator.tolerance.
inline void expect_certified(const Simulation& s) {
  const QuasistaticCertificate& c = s.stepper->statistics().quasistatic;
  EXPECT_LE(c.largest(), s.scene.integrator.tolerance)
      << c.stationarity << " " << c.primal << " " << c.dual_sign << " " << c.complementarity << " "
      << c.balance;
}

/// A passive sphere (`object`) and one on a drive (`pusher`) on a line, without friction.
inline std::string two_spheres() {
  return R"(
csim: 1
gravity: [0, 0, 0]
time: {step: 0.05, end: 2}
materials: {m: {friction: 0}}
bodies:
  - {name: object, mass: 1, inertia: [1, 1, 1], geometry: [{shape: sphere, radius: 0.1, material: m}]}
  - {name: pusher, mass: 1, inertia: [1, 1, 1], geometry: [{shape: sphere, radius: 0.1, material: m}]}
joints:
  - {name: u, type: prismatic, parent: world, child: object, axis: [1, 0, 0], position: 0.5}
  - {name: a, type: prismatic, parent: world, child: pusher, axis: [1, 0, 0]}
actuators: [{name: drive, joint: a, type: position, stiffness: 500, command: {times: [0, 2], values: [0, 0.8]}}]
integrator: {type: quasistatic, contact_threshold: 0.2}
)";
}

/// A tripod on the floor, pushed at (-0.1, d) along x without friction.
inline std::string tripod(double d, int rays) {
  std::ostringstream text;
  text.precision(17);
  text << R"(
csim: 1
gravity: [0, 0, -10]
time: {step: 0.01, end: 0.1}
materials: {foot: {friction: 0.4}, finger: {friction: 0}}
bodies:
  - {name: ground, fixed: true, geometry: [{shape: half_space, material: foot}]}
  - name: body
    mass: 1
    inertia: [1, 1, 1]
    geometry:
)";
  for (const double degrees : {90.0, 210.0, 330.0}) {
    const double angle = degrees * std::numbers::pi / 180.0;
    text << "      - {shape: sphere, radius: 0.01, material: foot, pose: {xyz: [" << 0.1 * std::cos(angle)
         << ", " << 0.1 * std::sin(angle) << ", 0.01]}}\n";
  }
  text
      << R"(      - {name: plate, shape: box, size: [0.01, 0.4, 0.05], material: finger, pose: {xyz: [-0.095, 0, 0]}}
  - {name: pusher, mass: 1, inertia: [1, 1, 1], geometry: [{shape: sphere, radius: 0.01, material: finger, pose: {xyz: [-0.11, )"
      << d << R"(, 0]}}]}
joints: [{name: x, type: prismatic, parent: world, child: pusher, axis: [1, 0, 0]}]
actuators: [{name: drive, joint: x, type: position, stiffness: 1000, command: 0.05}]
contact: {exclude: [{a: ground, b: body/plate}, {a: ground, b: pusher}], pairs: [{a: "material:foot", b: pusher, friction: 0}]}
integrator: {type: quasistatic, contact_threshold: 0.005, rays_per_contact: )"
      << rays << "}\n";
  return text.str();
}

/// A sphere of radius 0.5 m that does not turn, on the floor, pushed by a smaller one along 15 degrees; mass:
/// full.
inline std::string pushed_sphere(int rays) {
  const double angle = std::numbers::pi / 12.0;
  std::ostringstream text;
  text.precision(17);
  text << R"(
csim: 1
gravity: [0, 0, -10]
time: {step: 0.1, end: 2}
materials: {hand: {friction: 0.8}, object: {friction: 0.8}, floor: {friction: 0.5}}
bodies:
- {name: ground, fixed: true, geometry: [{shape: half_space, material: floor}]}
- {name: u1, mass: 1.0e-9, inertia: [1, 1, 1]}
- {name: u2, mass: 1.0e-9, inertia: [1, 1, 1]}
- {name: object, mass: 1, inertia: [1, 1, 1], geometry: [{shape: sphere, radius: 0.5, material: object}]}
- {name: a1, mass: 1, inertia: [1, 1, 1]}
- {name: a2, mass: 1, inertia: [1, 1, 1]}
- {name: hand, mass: 1, inertia: [1, 1, 1], geometry: [{shape: sphere, radius: 0.1, material: hand}]}
joints:
- {name: ux, type: prismatic, parent: world, child: u1, axis: [1, 0, 0]}
- {name: uy, type: prismatic, parent: u1, child: u2, axis: [0, 1, 0]}
- {name: uz, type: prismatic, parent: u2, child: object, axis: [0, 0, 1], position: 0.5}
- {name: ax, type: prismatic, parent: world, child: a1, axis: [1, 0, 0], position: )"
       << -0.6 * std::cos(angle) << R"(}
- {name: ay, type: prismatic, parent: a1, child: a2, axis: [0, 1, 0], position: )"
       << -0.6 * std::sin(angle) << R"(}
- {name: az, type: prismatic, parent: a2, child: hand, axis: [0, 0, 1], position: 0.5}
actuators:
- {name: x, joint: ax, type: position, stiffness: 1000, command: {times: [0, 1.6, 2], values: [)"
       << -0.6 * std::cos(angle) << ", " << std::cos(angle) << ", " << std::cos(angle) << R"(]}}
- {name: y, joint: ay, type: position, stiffness: 1000, command: {times: [0, 1.6, 2], values: [)"
       << -0.6 * std::sin(angle) << ", " << std::sin(angle) << ", " << std::sin(angle) << R"(]}}
- {name: z, joint: az, type: position, stiffness: 1000, command: 0.5}
contact: {exclude: [{a: ground, b: hand}]}
integrator: {type: quasistatic, mass: full, contact_threshold: 0.2, rays_per_contact: )"
       << rays << "}\n";
  return text.str();
}

/// A cube of 0.1 m on the floor and a finger on a drive, which pushes it through its middle, both turned by
/// `degrees` about the vertical.
inline std::string pushed_cube(double degrees) {
  const double angle = degrees * std::numbers::pi / 180.0;
  std::ostringstream text;
  text.precision(17);
  text << "csim: 1\ntime: {step: 0.01, end: 1}\nmaterials: {m: {friction: 0.5}}\n"
       << "integrator: {type: quasistatic}\nbodies:\n"
       << "- {name: floor, fixed: true, geometry: [{shape: half_space, material: m}]}\n"
       << "- {name: finger, mass: 0.5, inertia: solid, geometry: [{shape: sphere, radius: 0.02, material: "
          "m}]}\n"
       << "- {name: box, density: 500, pose: {xyz: [" << 0.08 * std::cos(angle) << ", "
       << 0.08 * std::sin(angle) << ", 0.05], rpy_deg: [0, 0, " << degrees
       << "]}, geometry: [{shape: box, size: [0.1, 0.1, 0.1], material: m}]}\n"
       << "joints: [{name: slide, type: prismatic, parent: world, child: finger, axis: [" << std::cos(angle)
       << ", " << std::sin(angle) << ", 0], pose: {xyz: [0, 0, 0.05]}}]\n"
       << "actuators: [{name: push, joint: slide, type: position, stiffness: 1000, command: {times: [0, 1], "
          "values: [0, 0.1]}}]\n";
  return text.str();
}

/// A block on two corners in the x-y plane, pushed by a finger without friction at the height z_f.
inline std::string pushed_block(double height) {
  std::ostringstream text;
  text.precision(17);
  text << R"(
csim: 1
gravity: [0, -10, 0]
time: {step: 0.01, end: 0.2}
materials: {m: {friction: 0.4}, finger: {friction: 0}}
bodies:
  - {name: ground, fixed: true, geometry: [{shape: half_space, material: m, pose: {axis: [1, 0, 0], angle_deg: -90}}]}
  - name: block
    mass: 1
    inertia: [0.01, 0.01, 0.01]
    geometry:
      - {name: back, shape: sphere, radius: 1.0e-3, material: m, pose: {xyz: [-0.1, -0.099, 0]}}
      - {name: front, shape: sphere, radius: 1.0e-3, material: m, pose: {xyz: [0.1, -0.099, 0]}}
      - {name: face, shape: box, size: [0.2, 0.2, 0.1], material: finger}
  - {name: finger, mass: 1, inertia: [1, 1, 1], pose: {}, geometry: [{shape: sphere, radius: 0.01, material: finger}]}
joints:
  - {name: plane, type: planar, parent: world, child: block, position: [0, 0.1, 0]}
  - {name: x, type: prismatic, parent: world, child: finger, pose: {xyz: [-0.11, )"
       << height << R"(, 0]}, axis: [1, 0, 0]}
actuators: [{name: push, joint: x, type: position, stiffness: 1000, command: {times: [0, 1], values: [0, 0.2]}}]
contact: {exclude: [{a: ground, b: block/face}, {a: finger, b: block/back}, {a: finger, b: block/front}, {a: ground, b: finger}]}
integrator: {type: quasistatic, rays_per_contact: 2, contact_threshold: 0.02}
)";
  std::string scene = text.str();
  scene.erase(scene.find(", pose: {}"), 10);
  return scene;
}

/// Normal force on a geometry of the block, N.
inline double load_of(const Simulation& s, const std::string& geometry) {
  for (std::size_t i = 0; i < s.frame.contacts.size(); ++i) {
    for (const int g : {s.frame.contacts.geometry_a[i], s.frame.contacts.geometry_b[i]})
      if (s.model.geometries[g].name == "block/" + geometry) return s.frame.contacts.normal_force[i];
  }
  return 0.0;
}

/// Overrides of planar_grasp: the fingers close by `squeeze` (m) over 5 steps, then rise by 0.002 m a step
/// for 35.
inline std::vector<std::string> lifting(double squeeze) {
  const std::string x = std::to_string(0.1 - squeeze);
  return {"joints.left_slide.position=-0.1",
          "joints.right_slide.position=0.1",
          "time.end=0.4",
          "actuators.close_left.command={times: [0, 0.05, 0.4], values: [-0.1, -" + x + ", -" + x + "]}",
          "actuators.close_right.command={times: [0, 0.05, 0.4], values: [0.1, " + x + ", " + x + "]}",
          "actuators.raise.command={times: [0, 0.05, 0.4], values: [0, 0, 0.07]}"};
}

}  // namespace csim::testing_support
