// Quasistatic steps whose problem is ill-posed: overlaps that no motion resolves, near-rigid contacts,
// commands that are executed and leave forces open.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/quasistatic_scenes.h"

namespace csim {
namespace {

using namespace testing_support;

constexpr double kForce = 1e-8;                                                // N
constexpr double kLength = 1e-10;                                              // m
constexpr double kScale = 1e-4 / (4.0 * std::numbers::pi * std::numbers::pi);  // beta^2/(4 pi^2)

TEST(QuasistaticNearRigid, WallYieldsBySpringInSeries) {
  // w = 1/(3 h^2 K): the wall is 12 pi^2/beta^2 times as stiff as the drive.
  Simulation s(kSlider, {"integrator.problem=near_rigid"});
  for (int step = 1; step <= 10; ++step) {
    s.step();
    expect_certified(s);
    const double overtravel = std::max(0.0, 0.02 * step - 0.1),
                 force = 400.0 * overtravel / (1.0 + kScale / 3.0);
    EXPECT_NEAR(normal_force(s, "slider", "wall"), force, kForce);
    EXPECT_NEAR(s.position("slider").x(), 0.02 * step - force / 400.0, kLength);
    if (step > 5) {
      EXPECT_GT(s.position("slider").x(), 0.1 + 1e-9);
    }
  }
}

TEST(QuasistaticNearRigid, IsCloseToTheRigidCones) {
  for (const auto& [scene, steps] :
       {std::pair(tripod(0.05, 4), 1), std::pair(pushed_sphere(4), 8), std::pair(planar_grasp(), 35)}) {
    Simulation rigid(scene, {"integrator.problem=socp"}), near(scene, {"integrator.problem=near_rigid"});
    for (int step = 1; step <= steps; ++step) {
      rigid.step();
      near.step();
      expect_certified(near);
      const double speed = std::max(0.01, rigid.state.v.cwiseAbs().maxCoeff());
      EXPECT_LT((rigid.state.q - near.state.q).cwiseAbs().maxCoeff(),
                1e-3 * speed * near.scene.time.step * step);
    }
  }
}

// ---- A ball between two walls that are 2 mm too near ----

const char* const kSqueezed = R"(
csim: 1
gravity: [0, 0, 0]
time: {step: 0.01, end: 0.1}
materials: {m: {friction: 0.5}}
bodies:
  - {name: left, fixed: true, pose: {xyz: [-0.2, 0, 0]}, geometry: [{shape: box, size: [0.2, 1, 1], material: m}]}
  - {name: right, fixed: true, pose: {xyz: [0.2, 0, 0]}, geometry: [{shape: box, size: [0.2, 1, 1], material: m}]}
  - {name: ball, mass: 1, inertia: solid, geometry: [{shape: sphere, radius: 0.101, material: m}]}
integrator: {type: quasistatic, on_infeasible: relax}
)";

TEST(QuasistaticRelax, SqueezedBallStaysBetweenOppositeForces) {
  // w of a solid sphere touched at its surface: |diag(1 + 5/2, 1 + 5/2, 1)|/3 in units of 1/m.
  const double R = kScale * std::sqrt(2.0 * 3.5 * 3.5 + 1.0) / 3.0;
  for (const std::string problem : {"qp", "socp", "lcp", "near_rigid", "log_barrier"}) {
    SCOPED_TRACE(problem);
    Simulation s(kSqueezed, {"integrator.problem=" + problem,
                             "integrator.mass=" + std::string(problem == "log_barrier" ? "full" : "none")});
    for (int step = 1; step <= 2; ++step) {
      s.step();
      EXPECT_LT(s.state.v.cwiseAbs().maxCoeff(), 1e-9);
      const double force = 0.001 / 0.01 / R / 0.01;
      EXPECT_NEAR(normal_force(s, "ball", "left"), force, 1e-8 * force);
      EXPECT_NEAR(normal_force(s, "ball", "right"), force, 1e-8 * force);
      const bool has_answer = problem == "near_rigid";
      EXPECT_EQ(s.stepper->statistics().status, has_answer ? StepStatus::kConverged : StepStatus::kRelaxed);
      EXPECT_EQ(s.events[EventKind::kSqueezed].count, has_answer ? 0 : step);
    }
  }
}

TEST(QuasistaticRelax, BodyWithoutSupportStillEndsTheRun) {
  Simulation s(kSqueezed, {"gravity=[0, 0, -10]", "bodies.ball.geometry.geometry_0.radius=0.05"});
  const StepOutcome& outcome = s.stepper->step(&s.state);
  EXPECT_FALSE(outcome.ok);
  EXPECT_NE(outcome.message.find("body 'ball' is unsupported"), std::string::npos) << outcome.message;
}

// ---- Executed commands ----

std::vector<std::string> planned_grasp(double half_width, const std::string& more) {
  const std::string x = std::to_string(half_width);
  return {
      "joints.left_slide.position=-0.1",
      "joints.right_slide.position=0.1",
      "actuators.close_left.command=-" + x,
      "actuators.close_right.command=" + x,
      "actuators.raise.command=0",
      "integrator={type: quasistatic, contact_threshold: inf, rays_per_contact: 2, problem: planning_lcp" +
          more + "}"};
}

TEST(QuasistaticPlanning, SqueezeIsInfeasible) {
  Simulation s(planar_grasp(), planned_grasp(0.09, ""));
  const StepOutcome& outcome = s.stepper->step(&s.state);
  EXPECT_FALSE(outcome.ok);
  EXPECT_NE(outcome.message.find("body 'ball' is squeezed by 0.02 m between"), std::string::npos)
      << outcome.message;
  ASSERT_EQ(outcome.events.size(), 1u);
  EXPECT_NEAR(outcome.events[0].value, 0.02, 1e-7);
}

/// A ball on the floor under a plate that is inclined by `degrees` and comes down by 2 mm.
std::string wedge(double degrees) {
  const double angle = degrees * std::numbers::pi / 180.0;
  std::ostringstream text;
  text.precision(17);
  text << R"(
csim: 1
gravity: [0, -10, 0]
time: {step: 0.01, end: 0.01}
materials: {m: {friction: 0.5}}
bodies:
- {name: ground, fixed: true, geometry: [{shape: half_space, material: m, pose: {axis: [1, 0, 0], angle_deg: -90}}]}
- {name: carrier, mass: 1.0e-3, inertia: [1, 1, 1]}
- {name: ball, mass: 1, inertia: [1, 1, 1], geometry: [{shape: sphere, radius: 0.1, material: m}]}
- {name: plate, mass: 1, inertia: [1, 1, 1], geometry: [{shape: box, size: [1, 0.2, 1], material: m, pose: {xyz: [)"
       << -0.2 * std::sin(angle) << ", " << 0.1 + 0.2 * std::cos(angle)
       << ", 0], axis: [0, 0, 1], angle_deg: " << degrees << R"(}}]}
joints:
- {name: x, type: prismatic, parent: world, child: carrier, axis: [1, 0, 0]}
- {name: y, type: prismatic, parent: carrier, child: ball, axis: [0, 1, 0], position: 0.1}
- {name: down, type: prismatic, parent: world, child: plate, axis: [0, 1, 0]}
actuators: [{name: press, joint: down, type: position, stiffness: 1000, command: -0.002}]
contact: {exclude: [{a: ground, b: plate}]}
integrator: {type: quasistatic, problem: planning_lcp, rays_per_contact: 2, contact_threshold: 0.05, on_ambiguous: flag}
)";
  return text.str();
}

TEST(QuasistaticPlanning, WedgeJamsBelowTwiceTheAngleOfFriction) {
  // 2 atan(mu) = 53.1 degrees. Above, the ball slides out; the plate drives it by its way over the slope.
  Simulation steep(wedge(60.0));
  steep.step();
  expect_certified(steep);
  EXPECT_NEAR(steep.position("ball").x(), 0.002 / std::tan(std::numbers::pi / 3.0), 1e-12);
  EXPECT_NEAR(steep.position("ball").y(), 0.1, 1e-12);
  for (const double degrees : {20.0, 50.0}) {
    Simulation flat(wedge(degrees));
    const std::string message = flat.stepper->step(&flat.state).message;
    EXPECT_NE(message.find("body 'ball' is squeezed by"), std::string::npos) << message;
    EXPECT_NE(message.find("it is jammed by friction"), std::string::npos) << message;
  }
}

TEST(QuasistaticPlanning, RelaxedSqueezeIsTheGraspOfSprings) {
  Simulation s(planar_grasp(), planned_grasp(0.09, ", on_infeasible: relax"));
  s.step();
  EXPECT_EQ(s.stepper->statistics().status, StepStatus::kRelaxed);
  EXPECT_NEAR(normal_force(s, "ball", "left"), 10.0, 1e-3);  // K times the overtravel, near-rigid
  EXPECT_NEAR(s.position("left").x(), -0.1, 1e-6);
}

TEST(QuasistaticPlanning, GraspForcesAreAmbiguous) {
  Simulation s(planar_grasp(), planned_grasp(0.1, ""));
  const StepOutcome& outcome = s.stepper->step(&s.state);
  EXPECT_FALSE(outcome.ok);
  EXPECT_NE(outcome.message.find("may press with 0 to inf N; two solutions are ("), std::string::npos)
      << outcome.message;
  Simulation flagged(planar_grasp(), planned_grasp(0.1, ", on_ambiguous: flag"));
  for (int step = 1; step <= 3; ++step) {
    flagged.step();
    expect_certified(flagged);
    EXPECT_EQ(flagged.events[EventKind::kAmbiguousForce].count, step);
    EXPECT_TRUE(std::isinf(flagged.events[EventKind::kAmbiguousForce].value));
    EXPECT_NEAR(flagged.position("left").x(), -0.1, kLength);
    EXPECT_NEAR(flagged.position("ball").y(), 0.1, kLength);
  }
}

TEST(QuasistaticPlanning, FrictionAloneIsAmbiguousBetweenTwoFeet) {
  // A block at rest on two corners, 5 N on each: they may pull against each other by up to 0.4 * 5 N.
  const std::string away = "actuators.push.command=-0.01";
  Simulation s(pushed_block(0.1), {"integrator.problem=planning_lcp", away});
  const std::string message = s.stepper->step(&s.state).message;
  EXPECT_NE(message.find("may rub with -2 to 2 N along (-1, 0, 0); two solutions are ("), std::string::npos)
      << message;
  Simulation flagged(pushed_block(0.1),
                     {"integrator.problem=planning_lcp", "integrator.on_ambiguous=flag", away});
  flagged.step();
  EXPECT_NEAR(flagged.events[EventKind::kAmbiguousForce].value, 4.0, 1e-6);
}

TEST(QuasistaticPlanning, PushedBlockFollowsTheFingerWithCoulombsForces) {
  // Three contacts of known direction carry a planar body: its forces are determined.
  for (const double height : {0.02, 0.10, 0.15}) {
    SCOPED_TRACE(height);
    Simulation s(pushed_block(height), {"integrator.problem=planning_lcp"});
    for (int step = 1; step <= 20; ++step) {
      s.step();
      expect_certified(s);
      EXPECT_NEAR(s.position("finger").x(), -0.11 + 0.002 * step, kLength);
      EXPECT_NEAR(s.position("block").x(), 0.002 * step, kLength);
      EXPECT_NEAR(s.frame.actuator_effort[0], 4.0, kForce);
      EXPECT_NEAR(load_of(s, "back"), 5.0 - 0.4 * 10.0 * height / 0.2, kForce);
      EXPECT_NEAR(load_of(s, "front"), 5.0 + 0.4 * 10.0 * height / 0.2, kForce);
    }
    EXPECT_EQ(s.events[EventKind::kAmbiguousForce].count, 0);
    // The work of the finger is what friction takes.
    EXPECT_NEAR(s.frame.energy.work, 4.0 * 0.04, 1e-9);
    EXPECT_NEAR(s.frame.energy.dissipated, 4.0 * 0.04, 1e-9);
  }
}

}  // namespace
}  // namespace csim
