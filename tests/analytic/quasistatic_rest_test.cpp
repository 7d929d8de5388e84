// Quasistatic steps where nothing weighs and commands are reached: |b| is rounding, and overlaps still end.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/quasistatic_scenes.h"

namespace csim {
namespace {

using namespace testing_support;

constexpr double kStep = 0.02, kMass = 0.5, kStiffness = 1000.0,
                 kFinger = kStep * kStep * kStiffness;  // kFinger: its m

/// A ball of 0.05 m at rest, and a spherical finger of 0.02 m on a drive along x that overlaps it, `aside`
/// off its axis; the command is `ahead` of the finger.
std::string ball_and_finger(double overlap, double ahead, double aside = 0.0) {
  std::ostringstream text;
  text.precision(17);
  const double x = overlap - std::sqrt(0.07 * 0.07 - aside * aside);
  text
      << "csim: 1\ngravity: [0, 0, 0]\ntime: {step: " << kStep
      << ", end: 1}\nmaterials: {m: {friction: 0.4}}\n"
      << "bodies:\n- {name: ball, mass: " << kMass
      << ", inertia: solid, geometry: [{shape: sphere, radius: 0.05, material: m}]}\n"
      << "- {name: finger, mass: 0.1, inertia: [1, 1, 1], geometry: [{shape: sphere, radius: 0.02, material: "
         "m}]}\n"
      << "joints: [{name: x, type: prismatic, parent: world, child: finger, axis: [1, 0, 0], pose: {xyz: [0, "
      << aside << ", 0]}, position: " << x
      << "}]\nactuators: [{name: a, joint: x, type: position, stiffness: " << kStiffness
      << ", command: " << x + ahead << "}]\nintegrator: {type: quasistatic}\n";
  return text.str();
}

constexpr double kAhead[] = {0.0, 1e-17, 1e-15, 1e-12, 1e-9};

TEST(QuasistaticRest, AnOverlapIsSharedByInertia) {
  // M v_ball = -h^2 K v_finger = z, v_ball - v_finger = overlap/h: the ball goes m/(M + m) of it, m = h^2 K.
  for (const char* problem : {"qp", "socp", "lcp"}) {
    for (const double overlap : {1e-6, 1e-3, 7.5e-3, 0.03}) {
      for (const double ahead : kAhead) {
        SCOPED_TRACE(std::string(problem) + " " + std::to_string(overlap) + " " + std::to_string(ahead));
        Simulation s(ball_and_finger(overlap, ahead),
                     {std::string("integrator.problem=") + problem, "integrator.mass=full"});
        s.step();
        expect_certified(s);
        EXPECT_NEAR(s.position("ball").x(), (overlap + ahead) * kFinger / (kMass + kFinger), 1e-14);
      }
    }
  }
}

TEST(QuasistaticRest, ABallWithoutMassGoesOutOfTheWay) {
  for (const char* problem : {"qp", "socp", "lcp", "near_rigid"}) {
    for (const double aside : {0.0, 0.003, 0.013}) {
      for (const double ahead : kAhead) {
        SCOPED_TRACE(std::string(problem) + " " + std::to_string(aside) + " " + std::to_string(ahead));
        Simulation s(ball_and_finger(0.003, ahead, aside), {std::string("integrator.problem=") + problem});
        const double x = s.position("finger").x();
        s.step();
        expect_certified(s);
        EXPECT_NEAR(s.position("finger").x(), x + ahead, 1e-12);
        EXPECT_NEAR(normal_force(s, "ball", "finger"), 0.0, 1e-9);
      }
    }
  }
}

TEST(QuasistaticRest, BarriersNeedNoLoad) {
  for (const char* problem : {"log_barrier", "log_barrier_socp"}) {
    for (const double overlap : {-0.004, 1e-3, 7.5e-3}) {
      for (const double ahead : kAhead) {
        SCOPED_TRACE(std::string(problem) + " " + std::to_string(overlap) + " " + std::to_string(ahead));
        Simulation s(ball_and_finger(overlap, ahead),
                     {std::string("integrator.problem=") + problem, "integrator.mass=full"});
        s.step();
        expect_certified(s);
        // Equal and opposite impulses: M v_ball + m v_finger = h K ahead.
        const double ball = s.state.v[3], finger = s.state.v[6];
        const double momentum = kMass * ball + kFinger * finger - kStep * kStiffness * ahead;
        EXPECT_GT(ball, 0.0);
        EXPECT_NEAR(momentum, 0.0, 1e-10 * kMass * ball);
      }
    }
  }
}

TEST(QuasistaticRest, GradientsApartAreThoseOfCommands) {
  for (const char* problem : {"qp", "socp", "near_rigid"}) {
    SCOPED_TRACE(problem);
    Simulation s(ball_and_finger(-0.004, 0.0), {std::string("integrator.problem=") + problem,
                                                "integrator.mass=full", "output.gradients=true"});
    s.step();
    const GradientRows& g = s.frame.gradients;
    EXPECT_FALSE(g.q.hasNaN());
    EXPECT_EQ(g.num_kinks, 0);
    VectorX expected = VectorX::Zero(8);  // the ball's pose, the finger
    expected[7] = 1.0;
    EXPECT_LT((g.command.col(0) - expected).cwiseAbs().maxCoeff(), 1e-9) << g.command.transpose();
  }
}

TEST(QuasistaticRest, TouchingIsAKink) {
  // Forward the finger pushes the ball, backward it leaves it.
  for (const char* problem : {"qp", "socp", "near_rigid"}) {
    for (const char* mass : {"none", "full"}) {
      for (const double ahead : {0.0, 1e-17, 1e-12}) {
        SCOPED_TRACE(std::string(problem) + " " + mass + " " + std::to_string(ahead));
        Simulation s(ball_and_finger(0.0, ahead),
                     {std::string("integrator.problem=") + problem, std::string("integrator.mass=") + mass,
                      "output.gradients=true"});
        s.step();
        EXPECT_FALSE(s.frame.gradients.command.hasNaN());
        EXPECT_GT(s.frame.gradients.num_kinks, 0);
      }
    }
  }
}

/// A ball between two walls whose gap is wider than it by `room`, all shifted along x.
std::string between_walls(double shift, double room) {
  std::ostringstream text;
  text.precision(17);
  text << "csim: 1\ngravity: [0, 0, -10]\ntime: {step: 0.01, end: 1}\nmaterials: {m: {friction: "
          "0.5}}\nbodies:\n";
  for (const double side : {-1.0, 1.0})
    text << "- {name: wall" << side << ", fixed: true, pose: {xyz: [" << shift + side * (0.2 + 0.5 * room)
         << ", 0, 0]}, geometry: [{shape: box, size: [0.2, 1, 1], material: m}]}\n";
  text << "- {name: ball, mass: 1, inertia: solid, pose: {xyz: [" << shift
       << ", 0, 0.1]}, geometry: [{shape: sphere, radius: 0.1, material: m}]}\n"
       << "- {name: ground, fixed: true, geometry: [{shape: half_space, material: m}]}\n"
       << "integrator: {type: quasistatic}\n";
  return text.str();
}

TEST(QuasistaticRest, ABallThatFitsIsNotSqueezedByRounding) {
  for (int k = 0; k < 40; ++k) {
    const double shift = -2.0 + 0.1037 * k;
    SCOPED_TRACE(shift);
    Simulation s(between_walls(shift, 0.0));
    s.step(3);
    expect_certified(s);
    EXPECT_NEAR(s.position("ball").x(), shift, 1e-13);
  }
  for (const double room : {-2e-11, -1e-9, -1e-6}) {
    Simulation s(between_walls(0.3, room));
    EXPECT_NE(s.stepper->step(&s.state).message.find("'ball' is squeezed by"), std::string::npos) << room;
  }
}

/// A plate that hangs straight from a hinge, in a world turned by R, its origin at `shift`.
std::string hanging_plate(const Matrix3& R, const Vector3& shift, const std::string& limits) {
  const Vector3 gravity = R * Vector3(0.0, 0.0, -9.81), hinge = R * Vector3(0.12, 0.0, 0.2) + shift;
  const Quaternion q(R);
  std::ostringstream text;
  text.precision(17);
  text << "csim: 1\ntime: {step: 0.01, end: 1}\ngravity: [" << gravity.x() << ", " << gravity.y() << ", "
       << gravity.z()
       << "]\nbodies:\n- {name: plate, mass: 1, inertia: [0.01, 0.01, 0.01], com: [0, 0, -0.08]}\n"
       << "joints: [{name: hinge, type: revolute, parent: world, child: plate, axis: [0, 1, 0], " << limits
       << "pose: {xyz: [" << hinge.x() << ", " << hinge.y() << ", " << hinge.z() << "], quaternion_wxyz: ["
       << q.w() << ", " << q.x() << ", " << q.y() << ", " << q.z() << "]}}]\n"
       << "integrator: {type: quasistatic}\n";
  return text.str();
}

TEST(QuasistaticRest, WhatHangsStraightRestsInATurnedWorld) {
  // Gravity along the axis of the turned hinge is 0 but for rounding, and nothing else holds the plate.
  for (const char* limits : {"", "limits: [-0.5, 0.3], "}) {
    for (int k = 0; k < 20; ++k) {
      SCOPED_TRACE(std::string(limits) + std::to_string(k));
      const Matrix3 R =
          (Eigen::AngleAxisd(0.3 + k, Vector3::UnitX()) * Eigen::AngleAxisd(1.1 * k, Vector3::UnitZ()) *
           Eigen::AngleAxisd(0.7 * k, Vector3::UnitY()))
              .toRotationMatrix();
      Simulation s(hanging_plate(R, k * Vector3(1.0, -2.0, 3.0), limits));
      s.step(3);
      expect_certified(s);
      EXPECT_EQ(s.state.q[0], 0.0);
    }
  }
  Simulation s(hanging_plate(Matrix3::Identity(), Vector3::Zero(), "position: 1.0e-9, "));
  EXPECT_NE(s.stepper->step(&s.state).message.find("'plate' is unsupported"), std::string::npos);
}

}  // namespace
}  // namespace csim
