// The other quasistatic problems: friction cones, Coulomb's law itself, barriers.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <sstream>

#include "support/quasistatic_scenes.h"

namespace csim {
namespace {

using namespace testing_support;

constexpr double kForce = 1e-8;    // N
constexpr double kLength = 1e-10;  // m

// ---- Rest: without the interior point ----

TEST(QuasistaticRest, CornersShareTheLoadWithoutAnIteration) {
  for (const char* problem : {"qp", "socp"}) {
    Simulation s(R"(
csim: 1
gravity: [0, 0, -10]
time: {step: 0.01, end: 1}
materials: {m: {friction: 0.5}}
bodies:
  - {name: ground, fixed: true, geometry: [{shape: half_space, material: m}]}
  - {name: block, mass: 2, inertia: solid, pose: {xyz: [0, 0, 0.1]}, geometry: [{shape: box, size: [0.4, 0.3, 0.2], material: m}]}
integrator: {type: quasistatic, contact_threshold: 0.05}
)",
                 {std::string("integrator.problem=") + problem});
    s.step();
    expect_certified(s);
    EXPECT_EQ(s.stepper->statistics().iterations, 0);
    ASSERT_EQ(s.frame.contacts.size(), 4u);
    for (const double force : s.frame.contacts.normal_force) EXPECT_NEAR(force, 5.0, kForce);
  }
}

TEST(QuasistaticRest, WhatTouchesIsNotDrawnAlong) {
  // The pusher begins in touch and goes away: that the object follows it would be an optimum too.
  Simulation s(two_spheres(),
               {"joints.u.position=0.2", "actuators.drive.command={times: [0, 2], values: [0, -0.8]}"});
  for (int step = 1; step <= 5; ++step) {
    s.step();
    expect_certified(s);
    EXPECT_NEAR(s.position("pusher").x(), -0.02 * step, kLength);
    EXPECT_NEAR(s.position("object").x(), 0.2, kLength);
  }
}

// ---- Pyramids ----

/// A sphere of 10 N that does not turn, pushed without friction at its equator by `overtravel` (m), K = 1000
/// N/m, in a direction of the angle (rad) from the first ray, (0, -1, 0).
std::string push_along(double angle, int rays, double overtravel) {
  const double x = std::sin(angle), y = -std::cos(angle);
  std::ostringstream text;
  text.precision(17);
  text << R"(
csim: 1
gravity: [0, 0, -10]
time: {step: 0.01, end: 1}
materials: {floor: {friction: 0.5}, hand: {friction: 0}}
bodies:
- {name: ground, fixed: true, geometry: [{shape: half_space, material: floor}]}
- {name: u1, mass: 1.0e-9, inertia: [1, 1, 1]}
- {name: u2, mass: 1.0e-9, inertia: [1, 1, 1]}
- {name: object, mass: 1, inertia: [1, 1, 1], geometry: [{shape: sphere, radius: 0.1, material: floor}]}
- {name: hand, mass: 1, inertia: [1, 1, 1], geometry: [{shape: sphere, radius: 0.1, material: hand}]}
joints:
- {name: ux, type: prismatic, parent: world, child: u1, axis: [1, 0, 0]}
- {name: uy, type: prismatic, parent: u1, child: u2, axis: [0, 1, 0]}
- {name: uz, type: prismatic, parent: u2, child: object, axis: [0, 0, 1], position: 0.1}
- {name: push, type: prismatic, parent: world, child: hand, pose: {xyz: [)"
       << -0.2 * x << ", " << -0.2 * y << ", 0.1]}, axis: [" << x << ", " << y << R"(, 0]}
actuators: [{name: drive, joint: push, type: position, stiffness: 1000, command: )"
       << overtravel << R"(}]
contact: {exclude: [{a: ground, b: hand}]}
integrator: {type: quasistatic, contact_threshold: 0.05, rays_per_contact: )"
       << rays << "}\n";
  return text.str();
}

TEST(QuasistaticPyramid, LargestFrictionByDirection) {
  // The radius of the polygon with the rays as corners: mu W cos(pi/n)/cos(pi/n - angle).
  for (const int rays : {4, 6, 8, 16}) {
    const double half = std::numbers::pi / rays;
    for (const double part : {0.0, 0.3, 1.0, 1.6}) {  // of half a sector
      SCOPED_TRACE(std::to_string(rays) + " rays, " + std::to_string(part));
      const double friction = 0.5 * 10.0 * std::cos(half) / std::cos(half * (1.0 - part));
      Simulation s(push_along(part * half, rays, 0.01));
      s.step();
      expect_certified(s);
      EXPECT_NEAR(normal_force(s, "object", "hand"), friction, kForce);
    }
  }
}

TEST(QuasistaticPyramid, SticksBelowTheThresholdAndSlidesAboveIt) {
  for (const double overtravel : {0.00499, 0.00501}) {  // mu W/K = 0.005 m
    Simulation s(push_along(0.0, 4, overtravel));
    s.step();
    expect_certified(s);
    EXPECT_NEAR(-s.position("object").y(), std::max(0.0, overtravel - 0.5 * 10.0 / 1000.0), kLength);
  }
}

TEST(QuasistaticPyramid, FallingBesideTheFingersItPressesThemWithoutATouch) {
  // 0.5 (0.042 - 0.010) = 0.006 + 0.010: the ball's fall less that of the fingers is 1/mu times gap and way
  // of each.
  Simulation s(planar_grasp(), {"joints.ball_y.position=0.2", "actuators.close_left.command=-0.106",
                                "actuators.close_right.command=0.106", "actuators.raise.command=0"});
  s.step();
  expect_certified(s);
  const double way = 10.0 / (2.0 * 0.5 * 1000.0);  // of a finger: mu F on each side bears the ball, K way = F
  EXPECT_NEAR(s.position("left").x(), -0.106 - way, kLength);
  EXPECT_NEAR(s.position("palm").y(), -way, kLength);
  EXPECT_NEAR(0.2 - s.position("ball").y(), way + (0.006 + way) / 0.5, kLength);
  for (const char* finger : {"left", "right"}) EXPECT_NEAR(normal_force(s, "ball", finger), 10.0, kForce);
  EXPECT_NEAR(normal_force(s, "ball", "ground"), 0.0, kForce);
}

// ---- Friction cones ----

TEST(QuasistaticCone, InThePlaneItIsThePyramidOfTwoRays) {
  Simulation pyramid(planar_grasp()), cone(planar_grasp(), {"integrator.problem=socp"});
  for (int step = 1; step <= 35; ++step) {
    SCOPED_TRACE(step);
    pyramid.step();
    cone.step();
    expect_certified(cone);
    EXPECT_LT((pyramid.state.q - cone.state.q).cwiseAbs().maxCoeff(), kLength);
    for (const char* other : {"left", "right", "ground"})
      EXPECT_NEAR(normal_force(cone, "ball", other), normal_force(pyramid, "ball", other), kForce);
  }
}

TEST(QuasistaticCone, TripodMovesWithMinimumPower) {
  struct Push {
    double d, force, vx, omega;  // m, N; of unit speed of the pusher
  };
  for (const Push& push :
       {Push{0.0, 4.0, 1.0, 0.0}, Push{0.02, 120.0 / 31.0, 175.0 / 186.0, -275.0 / 93.0},
        Push{0.05, 24.0 / 7.0, 16.0 / 21.0, -100.0 / 21.0}, Push{0.1, 8.0 / 3.0, 0.5, -5.0}}) {
    SCOPED_TRACE(push.d);
    Simulation s(tripod(push.d, 4), {"integrator.problem=socp"});
    s.step();
    expect_certified(s);
    const double speed = s.velocity("pusher").x();
    EXPECT_NEAR(normal_force(s, "body", "pusher"), push.force, kForce);
    EXPECT_NEAR(s.velocity("body").x() / speed, push.vx, 1e-8);
    EXPECT_NEAR(s.angular_velocity("body").z() / speed, push.omega, 1e-7);
  }
}

TEST(QuasistaticCone, SphereGoesWhereItIsPushed) {
  Simulation s(pushed_sphere(4), {"integrator.problem=socp"});
  for (int step = 1; step <= 20; ++step) {
    const Vector3 before = s.position("object");
    s.step();
    expect_certified(s);
    const Vector3 way = s.position("object") - before;
    if (step > 16) continue;
    EXPECT_NEAR(std::atan2(way.y(), way.x()), std::numbers::pi / 12.0, 1e-8) << step;
  }
  EXPECT_NEAR(s.position("object").x(), 1.558297, 1e-6);
  EXPECT_NEAR(s.position("object").y(), 0.417545, 1e-6);
  EXPECT_NEAR(s.position("hand").x(), 0.965926, 1e-6);
}

/// A block on the ground that carries another, pushed by a hand; turned and moved as a whole by X. `order`:
/// of the bodies.
std::string pushed_pile(const Eigen::Isometry3d& X, bool swapped) {
  const Eigen::AngleAxisd turn(X.rotation());
  const auto vector = [](const Vector3& x) {
    std::ostringstream text;
    text.precision(17);
    text << "[" << x.x() << ", " << x.y() << ", " << x.z() << "]";
    return text.str();
  };
  const auto pose = [&](const Vector3& p) {
    std::ostringstream text;
    text.precision(17);
    text << "pose: {xyz: " << vector(X * p) << ", axis: " << vector(turn.axis())
         << ", angle_deg: " << turn.angle() * 180.0 / std::numbers::pi << "}";
    return text.str();
  };
  const std::string block = "  - {name: block, density: 500, " + pose({0, 0, 0.1}) +
                            ", geometry: [{shape: box, size: [0.3, 0.4, 0.2], material: m}]}\n";
  const std::string top = "  - {name: top, density: 500, " + pose({0.03, 0.02, 0.25}) +
                          ", geometry: [{shape: box, size: [0.1, 0.1, 0.1], material: m}]}\n";
  return "csim: 1\ngravity: " + vector(X.rotation() * Vector3(0, 0, -10)) +
         "\ntime: {step: 0.05, end: 1}\nmaterials: {m: {friction: 0.4}}\nbodies:\n  - {name: ground, fixed: "
         "true, " +
         pose({0, 0, 0}) + ", geometry: [{shape: half_space, material: m}]}\n" +
         (swapped ? top + block : block + top) +
         "  - {name: hand, mass: 1, inertia: [1, 1, 1], geometry: [{shape: sphere, radius: 0.03, material: "
         "m}]}\n"
         "joints: [{name: x, type: prismatic, parent: world, child: hand, " +
         pose({-0.18, 0.06, 0.12}) +
         ", axis: [1, 0, 0]}]\nactuators: [{name: a, joint: x, type: position, stiffness: 4000, command: "
         "{times: [0, "
         "1], values: [0, 0.4]}}]\nintegrator: {type: quasistatic, problem: socp, contact_threshold: 0.02}\n";
}

TEST(QuasistaticCone, TurnedScenesAndOtherOrdersOfBodiesMoveAlike) {
  Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
  Simulation reference(pushed_pile(X, false)), swapped(pushed_pile(X, true));
  X.rotate(Eigen::AngleAxisd(1.1, Vector3(0.3, -0.5, 0.8).normalized()));
  X.pretranslate(Vector3(0.3, -2.0, 1.0));
  Simulation turned(pushed_pile(X, false));
  for (int step = 1; step <= 8; ++step) {
    for (Simulation* s : {&reference, &swapped, &turned}) s->step();
    for (const char* name : {"block", "top", "hand"}) {
      const Vector3 p = reference.position(name);
      EXPECT_LT((swapped.position(name) - p).norm(), 1e-8) << name << " " << step;
      EXPECT_LT((turned.position(name) - X * p).norm(), 1e-8) << name << " " << step;
    }
    const double force = normal_force(reference, "block", "hand");
    EXPECT_NEAR(normal_force(swapped, "block", "hand"), force, 1e-6);
    EXPECT_NEAR(normal_force(turned, "block", "hand"), force, 1e-6);
  }
  EXPECT_GT(reference.position("block").x(), 0.01);
  EXPECT_GT(std::abs(reference.frame.quaternion[reference.body("block")].z()),
            1e-3);  // the push is off centre
}

// ---- Coulomb's law ----

TEST(QuasistaticCoulomb, GraspSlidesWithoutAGap) {
  for (const double mu : {0.5, 0.3}) {
    Simulation s(planar_grasp(), {"integrator.problem=lcp", "materials.skin.friction=" + std::to_string(mu)});
    double lag = 0.0;
    for (int step = 1; step <= 35; ++step) {
      SCOPED_TRACE(step);
      s.step();
      expect_certified(s);
      const double closing = -0.106 + 0.002 * std::min(step, 8);
      const double command_y = -0.002 * std::clamp(step - 8, 0, 15);
      if (step > 8) lag = std::min(lag + (step <= 23 ? 0.002 : 0.0), 2.0 * mu * 0.01);
      EXPECT_NEAR(s.position("left").x(), std::max(closing, -0.106) < -0.1 ? closing : -0.1, kLength);
      EXPECT_NEAR(s.position("palm").y(), command_y + lag, kLength);
      EXPECT_NEAR(normal_force(s, "ball", "left"), 1000.0 * std::max(0.0, closing + 0.1), kForce);
      EXPECT_NEAR(normal_force(s, "ball", "ground"), 10.0 + 1000.0 * lag, kForce);
      EXPECT_NEAR(s.position("ball").y(), 0.1, kLength);
    }
  }
}

TEST(QuasistaticCoulomb, BallIsLiftedFromAThresholdOn) {
  struct Lift {
    double squeeze, palm, gain, normal;
  };
  for (const Lift& lift : {Lift{0.005, 0.065, 0.0, 5.0}, Lift{0.0099, 0.0601, 0.0, 9.9},
                           Lift{0.0101, 0.060, 0.060, 10.1}, Lift{0.02, 0.060, 0.060, 20.0}}) {
    SCOPED_TRACE(lift.squeeze);
    std::vector<std::string> overrides = lifting(lift.squeeze);
    overrides.push_back("integrator.problem=lcp");
    Simulation s(planar_grasp(), overrides);
    for (int step = 1; step <= 40; ++step) {
      s.step();
      expect_certified(s);
    }
    EXPECT_NEAR(s.position("palm").y(), lift.palm, 1e-9);
    EXPECT_NEAR(s.position("ball").y() - 0.1, lift.gain, 1e-9);
    EXPECT_NEAR(normal_force(s, "ball", "left"), lift.normal, 1e-7);
  }
}

TEST(QuasistaticCoulomb, PushedBlock) {
  // It sticks for two steps, then moves with the lag mu W/K = 4 mm; loads of the corners: W/2 -+ mu W z_f/(2
  // a).
  for (const double height : {0.02, 0.10, 0.15}) {
    SCOPED_TRACE(height);
    Simulation s(pushed_block(height), {"integrator.problem=lcp"});
    for (int step = 1; step <= 20; ++step) {
      s.step();
      expect_certified(s);
      EXPECT_NEAR(s.position("block").x(), std::max(0.0, 0.002 * step - 0.004), kLength) << step;
      EXPECT_NEAR(s.position("block").y(), 0.1, kLength) << step;
      EXPECT_NEAR(s.angular_velocity("block").z(), 0.0, 1e-8) << step;
    }
    EXPECT_NEAR(load_of(s, "back"), 5.0 - 0.4 * 10.0 * height / 0.2, kForce);
    EXPECT_NEAR(load_of(s, "front"), 5.0 + 0.4 * 10.0 * height / 0.2, kForce);
  }
}

TEST(QuasistaticPyramid, PushedBlockFloatsByTheBoundaryLayer) {
  // Of the convex problem: the gap h mu v = 0.8 mm, below which the finger stands 0.8 mm lower on the block.
  for (const double height : {0.02, 0.10, 0.15}) {
    SCOPED_TRACE(height);
    Simulation s(pushed_block(height));
    s.step(20);
    expect_certified(s);
    EXPECT_NEAR(s.position("block").y(), 0.1008, 1e-8);
    EXPECT_NEAR(load_of(s, "back"), 5.0 - 0.4 * 10.0 * (height - 0.0008) / 0.2, 1e-6);
    EXPECT_NEAR(load_of(s, "front"), 5.0 + 0.4 * 10.0 * (height - 0.0008) / 0.2, 1e-6);
  }
}

TEST(QuasistaticCoulomb, MassKeepsTheQuadraticProgramsAnswerWhereNothingSlides) {
  Simulation program(planar_grasp(), {"integrator.mass=full"}),
      coulomb(planar_grasp(), {"integrator.mass=full", "integrator.problem=lcp"});
  for (int step = 1; step <= 13; ++step) {
    program.step();
    coulomb.step();
    expect_certified(coulomb);
    EXPECT_LT((program.state.q - coulomb.state.q).cwiseAbs().maxCoeff(), kLength) << step;
    for (const char* other : {"left", "right", "ground"})
      EXPECT_NEAR(normal_force(coulomb, "ball", other), normal_force(program, "ball", other), kForce) << step;
  }
}

// ---- Barriers ----

TEST(QuasistaticBarrier, TwoSpheresInClosedForm) {
  // Gap velocity s = (g + sqrt(g^2 + 4 c n/kappa))/2, c = 1/M + 1/k, k = h^2 K, g = -0.4; n = 2 equal rays.
  for (const std::string problem : {"log_barrier", "log_barrier_socp"}) {
    Simulation s(two_spheres(),
                 {"integrator={type: quasistatic, contact_threshold: 0.2, rays_per_contact: 2, mass: full, "
                  "barrier_weight: 100, problem: " +
                      problem + "}",
                  "materials.m.friction=0.5", "joints.a.position=0.3", "actuators.drive.command=0.32"});
    s.step();
    expect_certified(s);
    const double c = 1.8, g = -0.4, n = 2.0, kappa = 100.0;
    const double gap = 0.5 * (g + std::sqrt(g * g + 4.0 * c * n / kappa));
    const double impulse = n / (kappa * gap);
    EXPECT_NEAR(s.velocity("object").x() - s.velocity("pusher").x(), gap, 1e-10);
    EXPECT_NEAR(s.velocity("object").x(), impulse, 1e-10);
    EXPECT_NEAR(s.position("object").x(), 0.51321336, 1e-8);
    EXPECT_NEAR(s.position("pusher").x(), 0.30942931, 1e-8);
    EXPECT_NEAR(s.normal_force(), 5.285344, 1e-6);
  }
}

TEST(QuasistaticBarrier, TendsToTheConvexProgram) {
  // The cost is at most (rows)/kappa above the least: velocities of unit mass and stiffness differ by its
  // root.
  Simulation exact(two_spheres(), {"integrator.mass=full"});
  for (const double kappa : {1e4, 1e8}) {
    Simulation s(two_spheres(), {"integrator.mass=full", "integrator.problem=log_barrier",
                                 "integrator.barrier_weight=" + std::to_string(kappa)});
    Simulation reference(two_spheres(), {"integrator.mass=full"});
    s.step();
    reference.step();
    expect_certified(s);
    EXPECT_LT((s.state.v - reference.state.v).cwiseAbs().maxCoeff(), std::sqrt(2.0 / kappa));
  }
}

/// A box of 1 kg between two plates with springs of 1000 N/m that overlap it by 10 mm each, lifted by 0.1 m/s
/// from 0.3 s on.
const char* const kGrip = R"(
csim: 1
gravity: [0, 0, -10]
time: {step: 0.01, end: 1}
materials: {m: {friction: 0.6}}
bodies:
  - {name: floor, fixed: true, geometry: [{shape: half_space, material: m}]}
  - {name: box, mass: 1, inertia: solid, pose: {xyz: [0, 0, 0.05]}, geometry: [{shape: box, size: [0.1, 0.1, 0.1], material: m}]}
  - {name: palm, mass: 1, inertia: [1, 1, 1]}
  - {name: left, mass: 1, inertia: solid, geometry: [{shape: box, size: [0.02, 0.06, 0.06], material: m}]}
  - {name: right, mass: 1, inertia: solid, geometry: [{shape: box, size: [0.02, 0.06, 0.06], material: m}]}
joints:
  - {name: z, type: prismatic, parent: world, child: palm, pose: {xyz: [0, 0, 0.05]}, axis: [0, 0, 1]}
  - {name: x_left, type: prismatic, parent: palm, child: left, pose: {xyz: [-0.06, 0, 0]}, axis: [1, 0, 0]}
  - {name: x_right, type: prismatic, parent: palm, child: right, pose: {xyz: [0.06, 0, 0]}, axis: [-1, 0, 0]}
actuators:
  - {name: lift, joint: z, type: position, stiffness: 2000, command: {times: [0, 0.3, 1], values: [0, 0, 0.07]}}
  - {name: press_left, joint: x_left, type: position, stiffness: 1000, command: {times: [0, 0.3], values: [0, 0.01]}}
  - {name: press_right, joint: x_right, type: position, stiffness: 1000, command: {times: [0, 0.3], values: [0, 0.01]}}
integrator: {type: quasistatic}
)";

TEST(QuasistaticCoulomb, ABoxThatMayRestInItsGripDoes) {
  // Normal forces of the four corners of a plate may lie so that the box turns about one of them: an answer
  // of Coulomb's law too, but not the one without slip.
  for (const std::string problem : {"qp", "socp", "lcp"}) {
    SCOPED_TRACE(problem);
    Simulation s(kGrip, {"integrator.problem=" + problem});
    for (int step = 0; step < 100; ++step) {
      s.step();
      expect_certified(s);
    }
    EXPECT_NEAR(s.position("palm").z(), 0.12 - 10.0 / 2000.0, kLength);  // the spring bears the weight
    EXPECT_NEAR(s.position("box").z(), 0.12 - 10.0 / 2000.0, kLength);
    EXPECT_LT(s.state.v.cwiseAbs().maxCoeff(), 0.1 + 1e-9);
    EXPECT_LT(s.frame.quaternion[s.body("box")].vec().norm(), 1e-10);
  }
}

TEST(QuasistaticCoulomb, MoreContactsThanATableauHoldsSlideWithoutAGap) {
  // Twenty boxes in a row: 160 contacts, 1200 rows of the complementarity problem.
  std::ostringstream text;
  text.precision(17);
  text << "csim: 1\ngravity: [0, 0, -10]\ntime: {step: 0.01, end: 1}\nmaterials: {m: {friction: 0.4}, bar: "
          "{friction: 0}}\nbodies:\n- {name: floor, fixed: true, geometry: [{shape: half_space, material: "
          "m}]}\n- {name: bar, mass: 1, inertia: solid, geometry: [{shape: box, size: [0.02, 0.2, 0.04], "
          "material: bar}]}\n";
  for (int i = 0; i < 20; ++i)
    text << "- {name: box" << i << ", mass: 1, inertia: solid, pose: {xyz: [" << 0.06 + 0.1 * i
         << ", 0, 0.05]}, geometry: [{shape: box, size: [0.1, 0.1, 0.1], material: m}]}\n";
  text << "joints: [{name: x, type: prismatic, parent: world, child: bar, pose: {xyz: [0, 0, 0.05]}, axis: "
          "[1, 0, 0]}]\nactuators: [{name: push, joint: x, type: position, stiffness: 20000, command: "
          "{times: [0, 1], values: [0, 0.1]}}]\nintegrator: {type: quasistatic, problem: lcp}\n";
  Simulation s(text.str());
  for (int step = 0; step < 6; ++step) {
    s.step();
    expect_certified(s);
  }
  EXPECT_GT(s.stepper->statistics().num_contacts, 150);
  EXPECT_NEAR(s.position("bar").x(), 0.006 - 0.4 * 200.0 / 20000.0, kLength);  // the spring bears mu W
  for (int i = 0; i < 20; ++i) {
    EXPECT_NEAR(s.position("box" + std::to_string(i)).z(), 0.05, kLength);
    EXPECT_NEAR(s.position("box" + std::to_string(i)).x(), s.position("bar").x() + 0.06 + 0.1 * i, kLength);
  }
}

}  // namespace
}  // namespace csim
