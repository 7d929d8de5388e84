// Drives of joints against the recurrences of the scheme and the motions they tend to.
#include <cmath>
#include <numbers>

#include "support/simulation.h"

namespace csim::testing_support {
namespace {

/// A block of 2 kg on a slide along x, driven by `actuator`; gravity along it.
std::string slide(const std::string& actuator, double step, const std::string& more = "") {
  return "csim: 1\ngravity: [-3, 0, 0]\ntime: {step: " + std::to_string(step) +
         ", end: 1}\n"
         "bodies:\n  - {name: block, mass: 2, inertia: [1, 1, 1]}\n"
         "joints:\n  - {name: rail, type: prismatic, parent: world, child: block, axis: [1, 0, 0], "
         "position: 0.2, velocity: 0.5" +
         more + "}\nactuators:\n  - {name: motor, joint: rail, " + actuator + "}\n";
}

// v_{n+1} = v_n + h (u/m + g), u clamped.
TEST(Actuator, EffortAcceleratesAndIsLimited) {
  const double h = 0.01;
  Simulation run(slide("type: effort, effort_limit: 7, command: {sine: {amplitude: 10, frequency: 2}}", h));
  double x = 0.2, v = 0.5, work = 0.0;
  for (int n = 0; n < 100; ++n) {
    run.step();
    const double command = 10 * std::sin(4 * std::numbers::pi * (n + 1) * h);
    const double u = std::clamp(command, -7.0, 7.0);
    v += h * (u / 2.0 - 3.0);
    x += h * v;
    work += h * u * v;
    ASSERT_NEAR(run.state.v[0], v, 1e-13);
    ASSERT_NEAR(run.state.q[0], x, 1e-13);
    ASSERT_NEAR(run.frame.actuator_command[0], command, 1e-12);
    ASSERT_NEAR(run.frame.actuator_effort[0], u, 1e-12);
    ASSERT_NEAR(run.frame.joint_effort[0], u, 1e-12);
  }
  EXPECT_NEAR(run.frame.energy.work, work, 1e-11);
}

// Backward Euler of the drive: (m + h D + h^2 K) v_{n+1} = m v_n + h (m g + K (c - x_n) + D c'), for any
// stiffness; the effort of a frame is that at its own state, which is what acted.
TEST(Actuator, PositionDriveIsImplicit) {
  for (const double K : {50.0, 1e6}) {
    const double h = 0.01, D = 3.0;
    Simulation run(slide("type: position, stiffness: " + std::to_string(K) +
                             ", damping: 3, feed_forward_velocity: true, "
                             "command: {times: [0, 10], values: [0.1, 5.1]}",
                         h));
    double x = 0.2, v = 0.5;
    for (int n = 0; n < 100; ++n) {
      run.step();
      const double c = 0.1 + 0.5 * (n + 1) * h;
      const double before = v;
      v = (2.0 * v + h * (-6.0 + K * (c - x) + D * 0.5)) / (2.0 + h * D + h * h * K);
      x += h * v;
      ASSERT_NEAR(run.state.v[0], v, 1e-11);
      ASSERT_NEAR(run.state.q[0], x, 1e-12);
      // u = m ((v1 - v0)/h - g); the difference of velocities loses 1e-16 m/h.
      ASSERT_NEAR(run.frame.actuator_effort[0], 2.0 * ((v - before) / h + 3.0), 1e-9);
    }
    // It follows the ramp; what is left is the weight's deflection.
    if (K > 1e3) {
      EXPECT_NEAR(run.state.q[0], 0.6 - 6.0 / K, 1e-7);
    }
  }
}

// A motor against damping and gravity: D (c - v) + m g - d v = 0.
TEST(Actuator, VelocityDriveReachesItsSteadySpeed) {
  Simulation run(slide("type: velocity, damping: 30, command: 0.8", 0.01, ", damping: 2"));
  run.step(400);
  EXPECT_NEAR(run.state.v[0], (30 * 0.8 - 6.0) / 32.0, 1e-12);
  EXPECT_NEAR(run.frame.actuator_effort[0], 6.0 + 2.0 * run.state.v[0], 1e-10);
}

// Two drives on one hinge add up; the joint's effort holds them and its spring.
TEST(Actuator, EffortsOfOneJointAdd) {
  Simulation run(R"(csim: 1
gravity: [0, 0, 0]
time: {step: 0.002, end: 1}
bodies:
  - {name: arm, mass: 1, inertia: [0.5, 0.5, 0.5]}
joints:
  - {name: hinge, type: revolute, parent: world, child: arm, stiffness: 4, rest_position: 0.1}
actuators:
  - {name: a, joint: hinge, type: effort, command: 1.5}
  - {name: b, joint: hinge, type: position, stiffness: 8, command: {square: {low: -0.2, high: 0.3, period: 100}}}
)");
  run.step(50);
  const double q = run.state.q[0];
  EXPECT_NEAR(run.frame.actuator_effort[0], 1.5, 1e-15);
  EXPECT_NEAR(run.frame.actuator_effort[1], 8 * (0.3 - q), 1e-13);
  EXPECT_NEAR(run.frame.joint_effort[0], 1.5 + 8 * (0.3 - q) - 4 * (q - 0.1), 1e-13);
}

}  // namespace
}  // namespace csim::testing_support
