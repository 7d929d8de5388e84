// Joint drives against the recurrences of the scheme and their limits.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>

#include "model/command.h"
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
    const double u = std::clamp(command, -7.0, 7.0), v0 = v;
    v += h * (u / 2.0 - 3.0);
    x += h * v;
    work += h * u * 0.5 * (v0 + v);
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
                         h),
                   {"integrator.velocity_terms=start"});
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

// What rounding makes of the first step of a ramp, 1e-41 J of a robot without weight, is no energy from
// nothing, which would end the run.
TEST(Actuator, RoundingOfAFirstMotionIsNoGain) {
  Simulation run(slide("type: position, stiffness: 500, damping: 60, "
                       "command: {times: [0, 1], values: [0, -0.3]}",
                       1e-3),
                 {"gravity=[0, 0, 0]", "joints.rail.position=0", "joints.rail.velocity=0"});
  for (int n = 0; n < 10; ++n) {
    const StepOutcome outcome = run.stepper->step(&run.state);
    ASSERT_TRUE(outcome.ok) << outcome.message;
    EXPECT_EQ(outcome.gain.fraction, 0.0) << n << ": " << outcome.gain.amount << " J";
  }
  EXPECT_LT(run.state.v[0], 0.0);
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

// A drive beyond its limit pushes with that: from rest a position drive far from its target gives the block
// L/m + g, until its effort, which falls with the motion, comes below. The recurrence is that of the
// unlimited drive where this asks for no more than L.
TEST(Actuator, DrivesGiveTheirLimitAtMost) {
  struct Case {
    const char* actuator;
    double K, D, target;
  };
  for (const Case& c : {Case{"type: position, stiffness: 300, damping: 40, command: 0.9", 300, 40, 0.9},
                        {"type: velocity, damping: 60, command: 1.7", 0, 60, 1.7}}) {
    SCOPED_TRACE(c.actuator);
    const double h = 0.01, m = 2.0, L = 20.0;
    const auto follow = [&](double limit, const std::string& text) {
      Simulation run(slide(c.actuator + text, h),
                     {"solver.tolerance=1e-13", "integrator.velocity_terms=start"});
      double x = 0.2, v = 0.5, work = 0.0;
      int num_limited = 0;
      for (int n = 0; n < 150; ++n) {
        const auto unlimited = [&](double v1) {
          return c.K > 0.0 ? c.K * (c.target - x - h * v1) - c.D * v1 : c.D * (c.target - v1);
        };
        run.step();
        double v1 = (m * v + h * (-3.0 * m + unlimited(0.0))) / (m + h * c.D + h * h * c.K);
        const double u = std::clamp(unlimited(v1), -limit, limit);
        if (u != unlimited(v1)) {
          ++num_limited;
          v1 = v + h * (u / m - 3.0);
          EXPECT_GT(std::abs(unlimited(v1)), limit);  // it is the solution
        }
        work += h * u * 0.5 * (v + v1);
        v = v1;
        x += h * v;
        EXPECT_NEAR(run.state.v[0], v, 1e-12);
        EXPECT_NEAR(run.state.q[0], x, 1e-12);
        EXPECT_NEAR(run.frame.actuator_effort[0], u, 1e-9);
        EXPECT_NEAR(run.frame.joint_effort[0], u, 1e-9);
      }
      EXPECT_NEAR(run.frame.energy.work, work, 1e-10);
      EXPECT_NEAR(run.frame.energy.dissipated, 0.0, 1e-15);
      return num_limited;
    };
    const int num_limited = follow(L, ", effort_limit: 20");
    EXPECT_GT(num_limited, 5);
    EXPECT_LT(num_limited, 100);
    // A limit that is never met changes nothing.
    EXPECT_EQ(follow(1e6, ", effort_limit: 1.0e+6"), 0);
    EXPECT_EQ(follow(1e6, ""), 0);
  }
}

// Drives of coupled joints: an arm of three hinges whose drives reach their limits in turn. Whatever the
// pieces, the efforts of a frame are within the limits, and as given efforts they make the same step.
TEST(Actuator, EffortsOfCoupledDrivesAreWhatActs) {
  const auto arm = [](bool drives) {
    std::string text = R"(csim: 1
time: {step: 0.01, end: 1}
bodies:
  - {name: a, mass: 3, inertia: [0.1, 0.1, 0.1], com: [0.3, 0, 0]}
  - {name: b, mass: 2, inertia: [0.1, 0.1, 0.1], com: [0.3, 0, 0]}
  - {name: c, mass: 1, inertia: [0.1, 0.1, 0.1], com: [0.3, 0, 0]}
joints:
  - {name: ja, type: revolute, parent: world, child: a, axis: [0, 1, 0], position: 0.4, velocity: 2}
  - {name: jb, type: revolute, parent: a, child: b, pose: {xyz: [0.6, 0, 0]}, axis: [0, 1, 0], position: 0.5, velocity: -3}
  - {name: jc, type: revolute, parent: b, child: c, pose: {xyz: [0.6, 0, 0]}, axis: [0, 1, 0], position: -1, velocity: 1}
actuators:
)";
    for (const char* joint : {"ja", "jb", "jc"}) {
      text += std::string("  - {name: ") + joint + ", joint: " + joint;
      text += drives ? ", type: position, stiffness: 900, damping: 30, effort_limit: 35, command: {sine: "
                       "{amplitude: 1.2, frequency: 1.3}}}\n"
                     : ", type: effort, command: 0}\n";
    }
    return text;
  };
  // Coriolis forces are those of the solution to solver.tolerance.
  const std::vector<std::string> exact = {"solver.tolerance=1.0e-13"};
  Simulation run(arm(true), exact), given(arm(false), exact);
  int num_limited[4] = {};
  for (int n = 0; n < 300; ++n) {
    const State before = run.state;
    run.step();
    int limited = 0;
    for (int i = 0; i < 3; ++i) {
      const double u = run.frame.actuator_effort[i];
      EXPECT_LE(std::abs(u), 35.0);
      limited += std::abs(u) == 35.0 ? 1 : 0;
      CommandSpec command;
      command.value = u;
      given.model.actuators[i].command = make_command(command);
    }
    ++num_limited[limited];
    given.state = before;
    given.stepper = make_stepper(given.model, given.scene, 1);  // the last one has begun this step
    given.stepper->set_memory(run.stepper->memory());
    given.step();
    // Velocities of order 10 of rates of order 1e3, and the rounding of stiff drives: 900 1e-16/1e-2.
    EXPECT_LT((given.state.v - run.state.v).cwiseAbs().maxCoeff(), 1e-10);
  }
  for (const int count : num_limited) EXPECT_GT(count, 2);
}

/// Sixteen velocity drives of all gains and limits on one slide of 1 kg that moves at 3 m/s.
struct Crowd {
  static constexpr int kNum = 16;
  double gain[kNum], limit[kNum], target[kNum];

  explicit Crowd(long seed) {
    const auto random = [&] {
      seed = (1103515245 * seed + 12345) % (1L << 31);
      return static_cast<double>(seed) / static_cast<double>(1L << 31);
    };
    for (int i = 0; i < 3; ++i) (void)random();
    for (int i = 0; i < kNum; ++i) {
      gain[i] = std::pow(10.0, 1.0 + 4.0 * random());
      limit[i] = std::pow(10.0, 3.0 * random());
      target[i] = 4.0 * random() - 2.0;
    }
  }

  [[nodiscard]] std::string scene() const {
    std::ostringstream text;
    text.precision(17);
    text << "csim: 1\ngravity: [0, 0, 0]\ntime: {step: 0.01, end: 1}\n"
            "bodies:\n  - {name: block, mass: 1, inertia: [1, 1, 1]}\n"
            "joints:\n  - {name: rail, type: prismatic, parent: world, child: block, axis: [1, 0, 0], "
            "velocity: 3}\nactuators:\n";
    for (int i = 0; i < kNum; ++i)
      text << "  - {name: m" << i << ", joint: rail, type: velocity, damping: " << gain[i]
           << ", effort_limit: " << limit[i] << ", command: " << target[i] << "}\n";
    return text.str();
  }

  [[nodiscard]] double effort(double v) const {
    double sum = 0.0;
    for (int i = 0; i < kNum; ++i) sum += std::clamp(gain[i] * (target[i] - v), -limit[i], limit[i]);
    return sum;
  }

  /// v1 = v0 + h effort(v1), whose right side falls with v1: by bisection.
  [[nodiscard]] double step(double v0, double h) const {
    double low = -10.0, high = 10.0;
    for (int i = 0; i < 200; ++i) {
      const double v = 0.5 * (low + high);
      (v < v0 + h * effort(v) ? low : high) = v;
    }
    return 0.5 * (low + high);
  }
};

// Pieces chosen one by one took exponentially many rounds here; the minimum of the convex problem takes a few
// iterations.
TEST(Actuator, CrowdOfDrivesIsSolvedAtOnce) {
  for (const char* law : {"lagged", "sap", "tamsi"}) {
    SCOPED_TRACE(law);
    const Crowd crowd(1023);
    Simulation run(crowd.scene(), {std::string("contact.model=") + law, "solver.tolerance=1e-10"});
    run.step();
    const double v1 = crowd.step(3.0, 0.01);
    EXPECT_NEAR(run.state.v[0], v1, 1e-8);
    EXPECT_LT(run.stepper->statistics().iterations, 20);
    EXPECT_NEAR(run.frame.energy.work, 0.01 * crowd.effort(v1) * 0.5 * (3.0 + v1), 1e-5);
  }
}

// A press: the drive pushes a block against a wall with its limit, whatever the law; the wall's force is
// that, and the block stays. With the gain alone it would push ten times as much.
TEST(Actuator, LimitedDriveHoldsAgainstContact) {
  for (const char* law : {"lagged", "sap", "similar", "tamsi"}) {
    for (const char* kind : {"point", "compliant"}) {
      SCOPED_TRACE(std::string(law) + " " + kind);
      Simulation run(std::string(R"(csim: 1
gravity: [0, 0, 0]
time: {step: 0.002, end: 1}
materials: {m: {stiffness: 1.0e+5, hydroelastic_modulus: 1.0e+7, relaxation_time: 0.001, hunt_crossley_dissipation: 20}}
bodies:
  - {name: wall, fixed: true, pose: {xyz: [0, 0, 0], rpy_deg: [0, -90, 0]}, geometry: [{shape: half_space, material: m}]}
  - {name: block, mass: 2, inertia: [1, 1, 1], geometry: [{shape: box, size: [0.1, 0.1, 0.1], material: m, contact: )") +
                         kind + R"(}]}
joints:
  - {name: rail, type: prismatic, parent: world, child: block, axis: [1, 0, 0], position: -0.06}
actuators:
  - {name: press, joint: rail, type: position, stiffness: 3000, damping: 20, effort_limit: 25, command: 0.05}
solver: {tolerance: 1.0e-10}
)",
                     {std::string("contact.model=") + law, "output.patches=full"});
      run.step(1000);
      EXPECT_EQ(run.frame.actuator_effort[0], 25.0);
      EXPECT_NEAR(run.state.v[0], 0.0, 1e-7);
      // The solver's tolerance, and what is left of the motion.
      EXPECT_NEAR(run.normal_force(), 25.0, 1e-4);
      EXPECT_LT(run.stepper->statistics().momentum_residual, 1e-9);
    }
  }
}

// Accelerations alone: the limit is a force like any other.
TEST(Actuator, LimitsHoldUnderContinuousIntegration) {
  Simulation run(slide("type: position, stiffness: 300, damping: 40, effort_limit: 20, command: 9", 0.01),
                 {"integrator.type=continuous", "integrator.max_step=0.05"});
  while (run.state.time < 0.5) run.step();
  const double t = run.state.time;
  EXPECT_NEAR(run.state.v[0], 0.5 + (20.0 / 2.0 - 3.0) * t, 1e-12);
  EXPECT_EQ(run.frame.actuator_effort[0], 20.0);
  EXPECT_NEAR(run.frame.energy.work, 20.0 * (run.state.q[0] - 0.2), 1e-9);
}

}  // namespace
}  // namespace csim::testing_support
