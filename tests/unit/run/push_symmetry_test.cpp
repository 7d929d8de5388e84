// What explain says of pushes that friction pyramids take aside, against the pushes themselves.
#include "run/push_symmetry.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/quasistatic_scenes.h"

namespace csim {
namespace {

using namespace testing_support;

constexpr double kDegree = std::numbers::pi / 180.0;

// The ray set is its own mirror image: each ray reflected in the direction is a ray.
bool is_mirrored(double angle, int num_rays) {
  for (int k = 0; k < num_rays; ++k) {
    const double image = 2.0 * angle - 2.0 * std::numbers::pi * k / num_rays;
    bool found = false;
    for (int j = 0; j < num_rays; ++j)
      found |= std::abs(std::remainder(image - 2.0 * std::numbers::pi * j / num_rays,
                                       2.0 * std::numbers::pi)) < 1e-12;
    if (!found) return false;
  }
  return true;
}

TEST(PushSymmetry, MirrorLinesAreThoseOfTheRays) {
  for (const int rays : {4, 6, 8, 10, 18}) {
    for (int i = -72; i <= 72; ++i) {
      const double angle = 2.5 * i * kDegree;
      EXPECT_EQ(is_symmetric_push(angle, rays), is_mirrored(angle, rays)) << rays << " " << 2.5 * i;
      EXPECT_LE(angle_to_mirror_line(angle, rays), 0.5 * std::numbers::pi / rays * (1.0 + 1e-12));
    }
  }
  EXPECT_NEAR(angle_to_mirror_line(50.0 * kDegree, 4), 5.0 * kDegree, 1e-15);
  EXPECT_NEAR(angle_to_mirror_line(-70.0 * kDegree, 6), 10.0 * kDegree, 1e-15);
}

std::vector<std::string> described(const std::string& text, const std::vector<std::string>& overrides = {}) {
  const Simulation s(text, overrides);
  return describe_skew_pushes(s.scene, s.model, s.state);
}

/// How far aside the cube is after the push, m.
double way_aside(double degrees, const std::vector<std::string>& overrides) {
  Simulation s(pushed_cube(degrees), overrides);
  s.step(100);
  const Vector3 p = s.position("box");
  return std::abs(p.y() * std::cos(degrees * kDegree) - p.x() * std::sin(degrees * kDegree));
}

TEST(PushSymmetry, IsSaidWhereTheBodyGoesAside) {
  for (const int rays : {4, 6}) {
    for (const double degrees : {0.0, 0.01, 10.0, 15.0, 30.0, 44.0, 45.0, 60.0, 90.0}) {
      SCOPED_TRACE(std::to_string(rays) + " rays, " + std::to_string(degrees) + " degrees");
      const std::vector<std::string> overrides = {"integrator.rays_per_contact=" + std::to_string(rays)};
      const bool is_said = !described(pushed_cube(degrees), overrides).empty();
      EXPECT_EQ(is_said, way_aside(degrees, overrides) > 1e-9);
    }
  }
}

TEST(PushSymmetry, SaysDirectionAngleAndWhatHelps) {
  const std::vector<std::string> said = described(pushed_cube(20.0));
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(said[0],
            "the command takes 'finger' straight along [0.9397, 0.342, 0] against 'box', 20 degrees beside "
            "the nearest "
            "mirror line of its friction pyramids on 'floor', of 4 rays: such friction may take it aside; "
            "integrator.rays_per_contact: 18 is symmetric to it, integrator.problem: socp to every push");
  for (const char* remedy : {"integrator.rays_per_contact=18", "integrator.problem=socp"}) {
    EXPECT_TRUE(described(pushed_cube(20.0), {remedy}).empty()) << remedy;
    EXPECT_LT(way_aside(20.0, {remedy}), 1e-8) << remedy;
  }
  // 7 degrees are a mirror line of no pyramid with at most 32 rays.
  const std::string barrier =
      described(pushed_cube(7.0), {"integrator.problem=log_barrier", "integrator.mass=full"}).at(0);
  EXPECT_TRUE(barrier.ends_with("aside; integrator.problem: log_barrier_socp to every push")) << barrier;
  const std::string coulomb = described(pushed_cube(7.0), {"integrator.problem=lcp"}).at(0);
  EXPECT_TRUE(coulomb.ends_with("aside; more rays make it less")) << coulomb;
}

TEST(PushSymmetry, IsSilentWhereThereIsNone) {
  const std::string scene = pushed_cube(20.0);
  EXPECT_TRUE(described(scene, {"integrator={}"}).empty()) << "dynamics";
  EXPECT_TRUE(described(scene, {"materials.m.friction=0"}).empty());
  EXPECT_TRUE(described(scene, {"actuators.push.command=0"}).empty()) << "no way";
  EXPECT_TRUE(described(scene, {"actuators.push.command.values=[0, -0.1]"}).empty()) << "the other way";
  EXPECT_TRUE(described(scene, {"joints.slide.pose.xyz=[0, 0, 0.2]"}).empty()) << "over it";
  EXPECT_TRUE(described(scene, {"bodies.box.pose.xyz=[0.08, 0.03, 0.5]"}).empty()) << "it falls";
  EXPECT_TRUE(described(scene, {"contact.exclude=[{a: finger, b: box}]"}).empty());
  EXPECT_TRUE(
      described(scene, {"sequence=[{name: go, commands: {push: {ramp: {to: 0.1, duration: 1}}}}]"}).empty())
      << "told by a sequence";
}

/// A finger on two slides, with commands along x and y.
std::string pushed_by_two(const std::string& x, const std::string& y) {
  return R"(
csim: 1
time: {step: 0.01, end: 1}
materials: {m: {friction: 0.5}}
integrator: {type: quasistatic}
bodies:
- {name: floor, fixed: true, geometry: [{shape: half_space, material: m}]}
- {name: carriage, mass: 0.1, inertia: [1, 1, 1]}
- {name: finger, mass: 0.5, inertia: solid, geometry: [{shape: sphere, radius: 0.02, material: m}]}
- {name: box, density: 500, pose: {xyz: [0.08, 0, 0.05]}, geometry: [{shape: box, size: [0.1, 0.1, 0.1], material: m}]}
joints:
- {name: x, type: prismatic, parent: world, child: carriage, axis: [1, 0, 0], pose: {xyz: [0, 0, 0.05]}}
- {name: y, type: prismatic, parent: carriage, child: finger, axis: [0, 1, 0]}
actuators:
- {name: along, joint: x, type: position, stiffness: 1000, command: )" +
         x + "}\n- {name: across, joint: y, type: position, stiffness: 1000, command: " + y + "}\n";
}

TEST(PushSymmetry, IsThatOfAStraightWay) {
  const std::string along = "{times: [0, 1], values: [0, 0.1]}";
  ASSERT_EQ(described(pushed_by_two(along, "{times: [0, 1], values: [0, 0.03]}")).size(), 1U);
  EXPECT_TRUE(described(pushed_by_two(along, "0")).empty()) << "along a ray";
  // The same way bent by a curve in time of one of the drives.
  EXPECT_TRUE(described(pushed_by_two(along, "{times: [0, 0.5, 1], values: [0, 0.01, 0.03]}")).empty());
  EXPECT_TRUE(described(pushed_by_two("{sine: {mean: 0, amplitude: 0.1, frequency: 0.2}}",
                                      "{sine: {mean: 0.05, amplitude: 0.05, frequency: 0.2, phase: -1.57}}"))
                  .empty());
  // Two of one kind make a straight one.
  EXPECT_EQ(described(pushed_by_two("{times: [0, 1], values: [0, 0.1], interpolation: smooth}",
                                    "{times: [0, 1], values: [0, 0.03], interpolation: smooth}"))
                .size(),
            1U);
}

TEST(PushSymmetry, OfAFrameOnACartesianDrive) {
  const auto scene = [](double y) {
    std::ostringstream text;
    text << R"(
csim: 1
time: {step: 0.01, end: 1}
materials: {m: {friction: 0.5}}
integrator: {type: quasistatic}
bodies:
- {name: floor, fixed: true, geometry: [{shape: half_space, material: m}]}
- {name: hand, mass: 0.5, inertia: solid, pose: {xyz: [0, 0, 0.05]}, gravity_compensation: true, geometry: [{shape: sphere, radius: 0.02, material: m}]}
- {name: box, density: 500, pose: {xyz: [0.08, 0, 0.05]}, geometry: [{shape: box, size: [0.1, 0.1, 0.1], material: m}]}
actuators:
- {name: lead, type: cartesian, body: hand, pose: {xyz: [0, 0, -0.02]}, stiffness: {linear: 1000, angular: 10},
   command: {times: [0, 1], xyz: [[0, 0, 0.03], [0.1, )"
         << y << ", 0.03]]}}\n";
    return text.str();
  };
  EXPECT_TRUE(described(scene(0.0)).empty());
  const std::vector<std::string> said = described(scene(0.05));
  ASSERT_EQ(said.size(), 1U);
  EXPECT_NE(said[0].find("'hand' straight along [0.8944, 0.4472, 0] against 'box', 18.4 degrees"),
            std::string::npos)
      << said[0];
}

TEST(PushSymmetry, IsSilentOfWhatCannotGoAside) {
  std::string text = pushed_cube(20.0);
  const std::size_t pose = text.find("pose: {xyz: [0.07"), after = text.find("geometry", pose);
  text.erase(pose, after - pose);
  const double angle = 20.0 * kDegree;
  std::ostringstream rail;
  rail.precision(17);
  rail << "joints: [{name: rail, type: prismatic, parent: world, child: box, axis: [" << std::cos(angle)
       << ", " << std::sin(angle) << ", 0], pose: {xyz: [" << 0.08 * std::cos(angle) << ", "
       << 0.08 * std::sin(angle) << ", 0.05]}}, ";
  text.replace(text.find("joints: ["), 9, rail.str());
  EXPECT_TRUE(described(text).empty());
}

}  // namespace
}  // namespace csim
