// Quasistatic steps against closed forms: springs against walls, grasps, pushing, rolling, scenes without an
// answer.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <sstream>

#include "support/quasistatic_scenes.h"

namespace csim {
namespace {

using namespace testing_support;

// The polish solves the equations of the rows that act: what is left is rounding of forces of about 10 N.
constexpr double kForce = 1e-8;    // N
constexpr double kLength = 1e-10;  // m

std::string failure_of(Simulation* s) {
  for (int i = 0; i < 200; ++i) {
    const StepOutcome& outcome = s->stepper->step(&s->state);
    if (!outcome.ok) return outcome.message;
  }
  return "no failure";
}

// ---- The gripper and the ball, section IV.A, figures 5 and 6 ----

/// While the fingers slide the gap is mu times the slip d of a step: d = (lag + s - o k)/(1 + mu k), k = 2 mu
/// K_x/K_y, lag = y - command before the step, s = the command's change, o = the overtravel.
struct Slide {
  double stiffness_x, stiffness_y, mu, overtravel;
  double lag = 0.0, gap = 0.0, normal = 0.0, friction = 0.0;  // m, m, N, N

  void step(double s) {
    const double k = 2.0 * mu * stiffness_x / stiffness_y;
    const double d = std::max(0.0, (lag + s - overtravel * k) / (1.0 + mu * k));
    lag += s - d;
    gap = mu * d;
    normal = stiffness_x * (overtravel + gap);
    friction = 0.5 * stiffness_y * lag;
  }
};

void check_grasp(double stiffness_x, double stiffness_y, double mu) {
  const auto text = [](double x) { return std::to_string(x); };
  Simulation s(planar_grasp(),
               {"materials.skin.friction=" + text(mu), "actuators.close_left.stiffness=" + text(stiffness_x),
                "actuators.close_right.stiffness=" + text(stiffness_x),
                "actuators.raise.stiffness=" + text(stiffness_y)});
  Slide slide{stiffness_x, stiffness_y, mu, 0.01};
  for (int step = 1; step <= 35; ++step) {
    SCOPED_TRACE("step " + std::to_string(step));
    s.step();
    expect_certified(s);
    if (step > 8) slide.step(step <= 23 ? 0.002 : 0.0);
    const double closing = -0.106 + 0.002 * std::min(step, 8);  // command of the left finger
    const double command_y = -0.002 * std::clamp(step - 8, 0, 15);
    const double x_left = step <= 3 ? closing : -0.1 - slide.gap;
    const double normal = step <= 3 ? 0.0 : step <= 8 ? stiffness_x * (closing + 0.1) : slide.normal;
    EXPECT_NEAR(s.position("left").x(), x_left, kLength);
    EXPECT_NEAR(s.position("right").x(), -x_left, kLength);
    EXPECT_NEAR(s.position("palm").y(), command_y + slide.lag, kLength);
    EXPECT_NEAR(s.position("ball").x(), 0.0, kLength);
    EXPECT_NEAR(s.position("ball").y(), 0.1, kLength);
    EXPECT_NEAR(normal_force(s, "ball", "left"), normal, kForce);
    EXPECT_NEAR(normal_force(s, "ball", "right"), normal, kForce);
    EXPECT_NEAR(normal_force(s, "ball", "ground"), 10.0 + 2.0 * slide.friction, kForce);
    double friction = 0.0;  // on the ball, of both fingers: their split is not determined
    for (const char* finger : {"left", "right"}) {
      const int i = contact_of(s, "ball", finger);
      const bool on_ball = s.model.geometries[s.frame.contacts.geometry_b[i]].body == s.body("ball");
      friction += (on_ball ? 1.0 : -1.0) * s.frame.contacts.force[i].y();
    }
    EXPECT_NEAR(friction, -2.0 * slide.friction, kForce);
    EXPECT_NEAR(s.frame.actuator_effort[0], -stiffness_y * slide.lag, kForce);
  }
}

TEST(QuasistaticGrasp, EveryStepIsTheClosedForm) {
  check_grasp(1000, 1000, 0.5);
}

TEST(QuasistaticGrasp, OtherStiffnessAndFriction) {
  check_grasp(800, 1500, 0.3);
  check_grasp(2000, 700, 0.7);
}

TEST(QuasistaticGrasp, EventsHappenAtTheStepsOfThePaper) {
  Simulation s(planar_grasp());
  int touches = 0, slips = 0, ends = 0;  // first steps
  for (int step = 1; step <= 35; ++step) {
    s.step();
    const int i = contact_of(s, "ball", "left");
    const double gap_end = s.position("ball").x() - s.position("left").x() - 0.1;
    if (touches == 0 && gap_end < 1e-9) touches = step;
    if (slips == 0 && s.frame.contacts.mode[i] == 2 && s.frame.contacts.normal_force[i] > 1.0) slips = step;
    if (step > 23 && ends == 0 && gap_end < 0.5e-3) ends = step;
  }
  EXPECT_EQ(touches, 3);  // t = 0.03 s
  EXPECT_EQ(slips, 14);   // after t = 0.13 s
  EXPECT_EQ(ends, 24);    // the command stops at 0.23 s
}

TEST(QuasistaticGrasp, RateIndependent) {
  // In positions per step the problem does not contain h.
  Simulation s(planar_grasp()),
      fast(planar_grasp(),
           {"time.step=0.005", "time.end=0.175", "actuators.raise.command.times=[0, 0.04, 0.115, 0.175]",
            "actuators.close_left.command.times=[0, 0.04, 0.175]",
            "actuators.close_right.command.times=[0, 0.04, 0.175]"});
  for (int step = 1; step <= 35; ++step) {
    s.step();
    fast.step();
    EXPECT_LT((s.state.q - fast.state.q).cwiseAbs().maxCoeff(), kLength) << step;
    EXPECT_NEAR(normal_force(s, "ball", "left"), normal_force(fast, "ball", "left"), kForce) << step;
  }
}

struct Lift {
  double squeeze, palm, gain, normal;  // m, m, m, N
};

class QuasistaticLift : public testing::TestWithParam<Lift> {};

TEST_P(QuasistaticLift, BallIsLiftedFromAThresholdOn) {
  // Fingers close by `squeeze` over 5 steps, then rise by 0.002 m a step for 35.
  const auto [squeeze, palm, gain, normal] = GetParam();
  Simulation s(planar_grasp(), lifting(squeeze));
  for (int step = 1; step <= 40; ++step) {
    s.step();
    expect_certified(s);
  }
  EXPECT_NEAR(s.position("palm").y(), palm, 1e-9);
  EXPECT_NEAR(s.position("ball").y() - 0.1, gain, 1e-6);  // of the table, six digits
  EXPECT_NEAR(normal_force(s, "ball", "left"), normal, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Squeezes, QuasistaticLift,
                         testing::Values(Lift{0.005, 0.064, 0.0, 6.0}, Lift{0.0099, 0.060, 0.053933333, 10.0},
                                         Lift{0.0101, 0.060, 0.060, 10.1}, Lift{0.02, 0.060, 0.060, 20.0}));

// ---- One slider ----

TEST(QuasistaticSlider, FollowsTheCommandToTheWallAndPressesLikeASpring) {
  Simulation s(kSlider);
  for (int step = 1; step <= 10; ++step) {
    s.step();
    expect_certified(s);
    const double command = 0.02 * step;
    EXPECT_NEAR(s.position("slider").x(), std::min(command, 0.1), kLength);
    EXPECT_NEAR(normal_force(s, "slider", "wall"), 400.0 * std::max(0.0, command - 0.1), kForce);
    EXPECT_NEAR(s.frame.actuator_effort[0], 400.0 * std::max(0.0, command - 0.1), kForce);
    EXPECT_NEAR(s.frame.joint_effort[0], s.frame.actuator_effort[0], kForce);
  }
}

TEST(QuasistaticSlider, LimitsOfJointsHold) {
  Simulation s(kSlider, {"joints.x.limits=[-0.03, 0.05]"});
  for (int step = 1; step <= 10; ++step) {
    s.step();
    expect_certified(s);
    const double command = 0.02 * step;
    EXPECT_NEAR(s.position("slider").x(), std::min(command, 0.05), kLength);
    EXPECT_NEAR(s.frame.actuator_effort[0], 400.0 * std::max(0.0, command - 0.05), kForce);
    // The stop takes what the spring gives.
    EXPECT_NEAR(s.frame.joint_effort[0], 0.0, kForce);
  }
}

TEST(QuasistaticSlider, ConstantAndSineCommands) {
  Simulation sine(kSlider,
                  {"actuators.a.command={sine: {mean: 0.01, amplitude: 0.05, frequency: 3, phase: 0.4}}"});
  Simulation constant(kSlider, {"actuators.a.command=-0.07"});
  for (int step = 1; step <= 10; ++step) {
    sine.step();
    constant.step();
    EXPECT_NEAR(sine.position("slider").x(),
                0.01 + 0.05 * std::sin(2.0 * std::numbers::pi * 3.0 * 0.01 * step + 0.4), kLength);
    EXPECT_NEAR(constant.position("slider").x(), -0.07, kLength);
  }
}

// ---- Two spheres on a line: an actuated one pushes a passive one without friction ----

TEST(QuasistaticPusher, WithoutMassTheObjectIsWhereItIsPushed) {
  Simulation s(two_spheres());
  for (int step = 1; step <= 40; ++step) {
    s.step();
    expect_certified(s);
    const double command = 0.02 * step;
    EXPECT_NEAR(s.position("pusher").x(), command, 1e-9);
    EXPECT_NEAR(s.position("object").x(), std::max(0.5, command + 0.2), 1e-9);
    EXPECT_NEAR(s.normal_force(), 0.0, 1e-7);
  }
}

TEST(QuasistaticPusher, FullMassIsADrag) {
  // v = h K Dq/(M + h^2 K): 5/9 of the way to the command.
  Simulation s(two_spheres(), {"integrator.mass=full"});
  double pusher = 0.3;
  for (int step = 1; step <= 40; ++step) {
    s.step();
    expect_certified(s);
    const double command = 0.02 * step;
    if (step <= 15) {
      EXPECT_NEAR(s.position("pusher").x(), command, kLength);
      continue;
    }
    const double way = 5.0 / 9.0 * (command - pusher);
    pusher += way;
    EXPECT_NEAR(s.position("pusher").x(), pusher, kLength);
    EXPECT_NEAR(s.position("object").x(), pusher + 0.2, kLength);
    EXPECT_NEAR(s.normal_force(), way / 0.05 / 0.05, kForce);  // M v/h
  }
  EXPECT_NEAR(s.normal_force(), 8.0, 1e-6);
}

TEST(QuasistaticPusher, ScaledMass) {
  // M_u = h^2 K/s in place of M.
  Simulation s(two_spheres(), {"integrator.mass=scaled", "integrator.mass_scale=4"});
  s.step(16);
  expect_certified(s);
  EXPECT_NEAR(s.position("pusher").x(), 0.3 + 0.02 / (1.0 + 0.25), kLength);
}

// ---- A ball grazes a box: sliding, then sticking, section 5 of the examples of the authors ----

TEST(QuasistaticGraze, PiecewiseAffineMap) {
  Simulation s(R"(
csim: 1
gravity: [0, 0, 0]
time: {step: 0.1, end: 1}
materials: {m: {friction: 1}}
bodies:
  - {name: box, mass: 1, inertia: [1, 1, 1], geometry: [{shape: box, size: [4, 1, 1], pose: {xyz: [0, -0.5, 0]}, material: m}]}
  - {name: carrier, mass: 1, inertia: [1, 1, 1]}
  - {name: ball, mass: 1, inertia: [1, 1, 1], geometry: [{shape: sphere, radius: 0.1, pose: {xyz: [0, 0.1, 0]}, material: m}]}
joints:
  - {name: box_x, type: prismatic, parent: world, child: box, axis: [1, 0, 0]}
  - {name: ball_x, type: prismatic, parent: world, child: carrier, axis: [1, 0, 0]}
  - {name: ball_y, type: prismatic, parent: carrier, child: ball, axis: [0, 1, 0], position: 0.1}
actuators:
  - {name: x, joint: ball_x, type: position, stiffness: 100, command: {times: [0, 1], values: [0, 0.1]}}
  - {name: y, joint: ball_y, type: position, stiffness: 100, command: {times: [0, 1], values: [0.1, -0.1]}}
integrator: {type: quasistatic, rays_per_contact: 2, mass: full, contact_threshold: inf}
)");
  // The step map of a ball at the gap phi, commands dx, dy away, k = h^2 K = 1, M = 1, mu = 1, h = 0.1.
  double box = 0.0, x = 0.0, y = 0.1;
  for (int step = 1; step <= 10; ++step) {
    SCOPED_TRACE(step);
    s.step();
    expect_certified(s);
    const double dx = 0.01 * step - x, dy = 0.1 - 0.02 * step - y, phi = y, h = 0.1;
    double normal = 0.0, force = 0.0;
    if (phi + dy >= std::abs(dx)) {
      x += dx;
      y += dy;
    } else {
      const double beta = (dx / h - dy / h - phi / h) / (2.0 + 1.0);
      const double slip = (dx - h * beta) - h * beta;  // of the ball on the box
      if (slip > 0.0) {
        x += dx - h * beta;
        y += dy + h * beta;
        box += h * beta;
        normal = force = beta / h;
      } else {
        const double v = (dx / h) / 2.0;
        box += h * v;
        x += h * v;
        normal = (-phi - dy) / h / h;  // K (y - command)
        force = v / h;
        y = 0.0;
      }
    }
    EXPECT_NEAR(s.position("box").x(), box, kLength);
    EXPECT_NEAR(s.position("ball").x(), x, kLength);
    EXPECT_NEAR(s.position("ball").y(), y, kLength);
    EXPECT_NEAR(s.normal_force(), normal, kForce);
  }
  EXPECT_NEAR(box, 0.046875, 1e-12);  // the table's last line
  EXPECT_NEAR(x, 0.09020833333, 1e-10);
}

// ---- An incline ----

std::string incline(double degrees) {
  std::ostringstream text;
  text.precision(17);
  text << R"(
csim: 1
time: {step: 0.01, end: 1}
gravity: [)"
       << 10.0 * std::sin(degrees * std::numbers::pi / 180.0) << ", 0, "
       << -10.0 * std::cos(degrees * std::numbers::pi / 180.0) << R"(]
materials: {m: {friction: 0.5}}
bodies:
  - {name: ground, fixed: true, geometry: [{shape: half_space, material: m}]}
  - {name: block, mass: 2, inertia: solid, pose: {xyz: [0, 0, 0.1]}, geometry: [{shape: box, size: [0.4, 0.4, 0.2], material: m}]}
integrator: {type: quasistatic, contact_threshold: 0.05}
)";
  return text.str();
}

TEST(QuasistaticIncline, BelowTheFrictionAngleNothingMoves) {
  for (const double degrees : {0.0, 20.0, 26.0}) {
    Simulation s(incline(degrees));
    const VectorX q = s.state.q;
    s.step(5);
    expect_certified(s);
    EXPECT_LT((s.state.q - q).cwiseAbs().maxCoeff(), kLength);
    EXPECT_NEAR(s.normal_force(), 20.0 * std::cos(degrees * std::numbers::pi / 180.0), kForce);
  }
}

TEST(QuasistaticIncline, AboveItThereIsNoAnswerAndTheBlockIsNamed) {
  Simulation s(incline(30.0));
  const std::string message = failure_of(&s);
  // Down the slope and away from it by mu; rounding is told as 0.
  EXPECT_NE(message.find("body 'block' is pushed without limit along (0, 0, 0, 1, 0, 0.5)"),
            std::string::npos)
      << message;
  // 20 N (sin 30 - 0.5 cos 30)/(1 + mu^2) (sqrt(1 + mu^2)), the distance of gravity from the cone, along the
  // slope.
  ASSERT_EQ(s.stepper->statistics().num_contacts, 4);
}

TEST(QuasistaticIncline, WithMassTheBlockSlidesWithItsBoundaryLayer) {
  for (const double degrees : {30.0, 40.0}) {
    const double angle = degrees * std::numbers::pi / 180.0;
    const double steady = 0.01 * 10.0 * (std::sin(angle) - 0.5 * std::cos(angle));
    Simulation s(incline(degrees), {"integrator.mass=full"});
    s.step();
    EXPECT_NEAR(s.velocity("block").x(), steady / 1.25, 1e-7);  // gravity has six digits in the scene
    s.step(40);
    expect_certified(s);
    EXPECT_NEAR(s.velocity("block").x(), steady, 1e-6);
    EXPECT_NEAR(s.position("block").z() - 0.1, 0.01 * 0.5 * steady, 1e-8);
  }
}

// ---- Existence ----

TEST(QuasistaticExistence, FloatingBodyIsUnsupported) {
  const std::string text = R"(
csim: 1
gravity: [0, 0, -10]
time: {step: 0.01, end: 1}
bodies:
  - {name: feather, mass: 0.3, inertia: [1, 1, 1]}
integrator: {type: quasistatic}
)";
  Simulation s(text);
  const std::string message = failure_of(&s);
  EXPECT_NE(message.find("body 'feather' is unsupported"), std::string::npos) << message;
  EXPECT_NE(message.find("3 N"), std::string::npos) << message;
  ASSERT_EQ(s.stepper->attempt(s.state, 1.0).events.size(), 1u);
  EXPECT_EQ(s.stepper->attempt(s.state, 1.0).events[0].kind, EventKind::kUnsupported);
  EXPECT_NEAR(s.stepper->attempt(s.state, 1.0).events[0].value, 3.0, 1e-9);
  // With mass it falls h^2 g in each step, without gathering speed.
  Simulation falling(text, {"integrator.mass=full"});
  falling.step(3);
  EXPECT_NEAR(falling.position("feather").z(), -3.0 * 0.01 * 0.01 * 10.0, 1e-14);
  EXPECT_NEAR(falling.velocity("feather").z(), -0.1, 1e-13);
}

const char* const kSqueezed = R"(
csim: 1
gravity: [0, 0, 0]
time: {step: 0.01, end: 0.1}
materials: {m: {friction: 0.5}}
bodies:
  - {name: left, fixed: true, pose: {xyz: [-0.2, 0, 0]}, geometry: [{shape: box, size: [0.2, 1, 1], material: m}]}
  - {name: right, fixed: true, pose: {xyz: [0.2, 0, 0]}, geometry: [{shape: box, size: [0.2, 1, 1], material: m}]}
  - {name: ball, mass: 1, inertia: solid, geometry: [{shape: sphere, radius: 0.101, material: m}]}
integrator: {type: quasistatic}
)";

TEST(QuasistaticExistence, SqueezedBodyIsNamedWithItsOverlap) {
  Simulation s(kSqueezed);
  const std::string message = failure_of(&s);
  EXPECT_NE(message.find("body 'ball' is squeezed by 0.002 m between"), std::string::npos) << message;
  EXPECT_NE(message.find("'left/geometry_0'"), std::string::npos) << message;
  EXPECT_NE(message.find("'right/geometry_0'"), std::string::npos) << message;
  const StepOutcome& outcome = s.stepper->attempt(s.state, 1.0);
  ASSERT_EQ(outcome.events.size(), 1u);
  EXPECT_EQ(outcome.events[0].kind, EventKind::kSqueezed);
  EXPECT_NEAR(outcome.events[0].value, 0.002, 1e-6);
}

TEST(QuasistaticExistence, PenetrationOnOneSideIsResolvedInOneStep) {
  Simulation s(kSqueezed, {"bodies.right.pose.xyz=[0.3, 0, 0]"});
  s.step();
  expect_certified(s);
  EXPECT_NEAR(s.position("ball").x(), 0.001, kLength);
}

// A ball on a box that a hand has tilted: friction cones hold it by a wedge without bound alone (pyramids
// do).
const char* const kTilted = R"(
csim: 1
gravity: [0, 0, -10]
time: {step: 0.1, end: 1}
materials: {floor: {friction: 0.744}, hand: {friction: 0.576}, thing: {friction: 0.548}}
bodies:
  - {name: ground, fixed: true, geometry: [{shape: half_space, material: floor}]}
  - {name: box, density: 447, pose: {xyz: [0, -0.0052, 0.0954]}, geometry: [{shape: box, size: [0.1908, 0.138, 0.1908], material: thing}]}
  - {name: ball, density: 1270, pose: {xyz: [-0.0033, -0.0035, 0.2791]}, geometry: [{shape: sphere, radius: 0.0883, material: thing}]}
  - {name: cart, mass: 1, inertia: [1, 1, 1]}
  - {name: hand, mass: 1, inertia: [1, 1, 1], geometry: [{shape: sphere, radius: 0.05, material: hand}]}
joints:
  - {name: along, type: prismatic, parent: world, child: cart, axis: [1, 0, 0], position: -0.16}
  - {name: up, type: prismatic, parent: cart, child: hand, axis: [0, 0, 1], position: 0.1146, limits: [0.02, 0.3]}
actuators: [{name: push, joint: along, type: position, stiffness: 2564, command: {times: [0, 0.6], values: [-0.16, -0.0435]}}]
contact: {exclude: [{a: ground, b: hand}]}
integrator: {type: quasistatic, passive_joints: true, contact_threshold: 0.2}
)";

TEST(QuasistaticExistence, WhatRollsOffIsToldToNeedMass) {
  for (const char* problem : {"socp", "near_rigid"}) {
    SCOPED_TRACE(problem);
    Simulation s(kTilted, {std::string("integrator.problem=") + problem});
    const std::string message = failure_of(&s);
    EXPECT_NE(message.find("integrator.mass: full or scaled gives"), std::string::npos) << message;
    Simulation heavy(kTilted, {std::string("integrator.problem=") + problem, "integrator.mass=full"});
    for (int step = 0; step < 6; ++step) {
      heavy.step();
      expect_certified(heavy);
    }
  }
}

// ---- Pushing ----

TEST(QuasistaticPush, TripodMovesWithMinimumPower) {
  struct Push {
    double d;
    int rays;
    double force;
  };
  // Of direct minimisation of the friction power (theory of pushing), by the number of rays.
  for (const Push& push :
       {Push{0.05, 4, 2.928203}, Push{0.05, 8, 3.352912}, Push{0.05, 16, 3.399275}, Push{0.05, 64, 3.427159},
        Push{0.1, 4, 2.309401}, Push{0.1, 8, 2.575802}, Push{0.1, 16, 2.643853}, Push{0.1, 64, 2.665239}}) {
    Simulation s(tripod(push.d, push.rays));
    s.step();
    expect_certified(s);
    EXPECT_NEAR(normal_force(s, "body", "pusher"), push.force, 1e-6) << push.d << " " << push.rays;
    // It turns to the side that is pushed back (Mason's voting theorem).
    EXPECT_LT(s.angular_velocity("body").z(), 0.0);
  }
}

TEST(QuasistaticPush, TouchingCubesTakeFewFactorizations) {
  // A bar pushes a field of 4 by 4 cubes, of which neighbours touch: neither their velocities nor the
  // impulses between them are unique. An interior point whose directions lose their digits leaves such a step
  // of socp to the method of multipliers, with 1700 factorizations and residuals of 1e-9 to 5e-9.
  std::ostringstream text;
  text << "csim: 1\ntime: {step: 0.01, end: 0.3}\nmaterials: {m: {friction: 0.4}}\nbodies:\n"
       << "- {name: floor, fixed: true, geometry: [{shape: half_space, material: m}]}\n"
       << "- {name: bar, mass: 1, inertia: solid, geometry: [{shape: box, size: [0.02, 0.3, 0.04], material: "
          "m}]}\n";
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      text << "- {name: cube_" << i << "_" << j << ", density: 800, pose: {xyz: [" << 0.037 + 0.05 * i << ", "
           << 0.05 * j - 0.075
           << ", 0.025]}, geometry: [{shape: box, size: [0.05, 0.05, 0.05], material: m}]}\n";
  text << "joints: [{name: x, type: prismatic, parent: world, child: bar, pose: {xyz: [0, 0, 0.025]}, axis: "
          "[1, 0, 0]}]\nactuators: [{name: a, joint: x, type: position, stiffness: 5000, command: {times: "
          "[0, 1], values: [0, 0.1]}}]\nintegrator: {type: quasistatic}\n";
  // The command of 30 mm, less the gap of 2 mm and the extension F/K of the spring. As they start to slide
  // the cubes rise by mu h v along the bar, whose friction presses them down: F = mu (W + mu F), with the
  // weight W of 16 cubes.
  const double force = 0.4 * 16 * 0.1 * 9.81 / (1.0 - 0.4 * 0.4);
  for (const char* problem : {"qp", "socp"}) {
    SCOPED_TRACE(problem);
    Simulation s(text.str(), {std::string("integrator.problem=") + problem});
    long sum = 0;
    for (int step = 0; step < 30; ++step) {
      const StepOutcome& outcome = s.stepper->step(&s.state);
      ASSERT_TRUE(outcome.ok) << outcome.message;
      EXPECT_LT(outcome.statistics.residual, 5e-10) << step;
      EXPECT_LT(outcome.statistics.factorizations, 300) << step;
      sum += outcome.statistics.factorizations;
    }
    EXPECT_LT(sum, 30 * 100);
    const double x = s.state.q[s.model.bodies[2].joint.q_begin + 4];  // of cube_0_0
    EXPECT_NEAR(x - 0.037, 0.028 - force / 5000, 1e-6);
  }
}

/// A sphere that does not turn is pushed over the floor by another one, along 15 degrees.
TEST(QuasistaticPush, DirectionOfASphereByTheNumberOfRays) {
  struct Case {
    int rays;
    double direction, x, y;  // degrees of the first push; final place of the object
  };
  for (const Case& c : {Case{4, 33.34, 1.542925, 0.475522}, Case{8, 22.5, 1.551449, 0.443699},
                        Case{16, 11.25, 1.561615, 0.405583}, Case{64, 14.0625, 1.559083, 0.414645}}) {
    Simulation s(pushed_sphere(c.rays));
    const Vector3 start = s.position("object");
    s.step();
    expect_certified(s);
    const Vector3 way = s.position("object") - start;
    EXPECT_NEAR(std::atan2(way.y(), way.x()) * 180.0 / std::numbers::pi, c.direction, 0.005) << c.rays;
    s.step(19);
    expect_certified(s);
    EXPECT_NEAR(s.position("object").x(), c.x, 1e-6) << c.rays;
    EXPECT_NEAR(s.position("object").y(), c.y, 1e-6) << c.rays;
  }
}

// ---- Rolling ----

std::string rolling(const std::string& rotation) {
  return R"(
csim: 1
gravity: [0, 0, -10]
time: {step: 0.01, end: 0.2}
materials: {m: {friction: 0.5}}
bodies:
  - {name: ground, fixed: true, geometry: [{shape: half_space, material: m}]}
  - {name: ball, mass: 0.1, inertia: solid, pose: {xyz: [0, 0, 0.1]}, geometry: [{shape: sphere, radius: 0.1, material: m}]}
  - {name: carrier, mass: 1, inertia: [1, 1, 1]}
  - {name: plate, mass: 1, inertia: [1, 1, 1], geometry: [{shape: box, size: [2, 1, 0.1], pose: {xyz: [0, 0, 0.05]}, material: m}]}
joints:
  - {name: x, type: prismatic, parent: world, child: carrier, axis: [1, 0, 0]}
  - {name: z, type: prismatic, parent: carrier, child: plate, axis: [0, 0, 1], position: 0.2}
actuators:
  - {name: dx, joint: x, type: position, stiffness: 1000, command: {times: [0, 0.2], values: [0, 0.04]}}
  - {name: dz, joint: z, type: position, stiffness: 1000, command: 0.19}
contact: {exclude: [{a: ground, b: plate}]}
integrator: {type: quasistatic, contact_threshold: 0.02, rotation: )" +
         rotation + "}\n";
}

TEST(QuasistaticRolling, BallBetweenTwoPlates) {
  // The ball goes half as far as the plate and turns by x/(2 r); a turn by h w is 2 atan(h w/2) of the linear
  // update.
  for (const std::string rotation : {"linear", "exponential"}) {
    Simulation s(rolling(rotation));
    const double turn = 0.002 / 0.2;  // rad in a step
    const double angle = rotation == "linear" ? 2.0 * std::atan(0.5 * turn) : turn;
    for (int step = 1; step <= 20; ++step) {
      s.step();
      expect_certified(s);
      EXPECT_NEAR(s.position("plate").x(), 0.002 * step, kLength);
      EXPECT_NEAR(s.position("ball").x(), 0.001 * step, 1e-9);
      EXPECT_NEAR(normal_force(s, "ball", "plate"), 10.0, kForce);
      EXPECT_NEAR(normal_force(s, "ball", "ground"), 11.0, kForce);
      const Quaternion q = s.frame.quaternion[s.body("ball")];
      EXPECT_NEAR(2.0 * std::atan2(q.y(), q.w()), angle * step, 1e-9);
    }
  }
}

}  // namespace
}  // namespace csim
