// Joint limits, dry friction, drives with a limit and couplers in closed form, by every contact law's solver.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "analytic/laws_and_solvers.h"

namespace csim::testing_support {
namespace {

constexpr double kPi = std::numbers::pi;

/// R of a near-rigid row on a coordinate of inertia m, 1/kg.
double near_rigid_R(double m) {
  return 0.01 / (4.0 * kPi * kPi * m);
}

/// At a tolerance that leaves the closed forms their digits.
class JointRows : public LawAndSolverTest {
 protected:
  [[nodiscard]] Simulation simulate(const std::string& text) const {
    return LawAndSolverTest::simulate(text, {"solver.tolerance=1e-10"});
  }
};
INSTANTIATE_TEST_SUITE_P(All, JointRows, testing::ValuesIn(laws_and_solvers()), parameter_name);

/// A mass of 2 kg, 0.5 m from a hinge about y, that falls from the horizontal onto a stop.
const char* const kPendulum = R"(csim: 1
time: {step: 0.002, end: 2}
bodies: [{name: arm, mass: 2, com: [0.5, 0, 0], inertia: [0.01, 0.01, 0.01]}]
joints: [{name: hinge, type: revolute, parent: world, child: arm, axis: [0, 1, 0], limits: [-0.2, 0.5]}]
)";

// It comes to rest on the stop without a rebound; the stop carries the weight's moment and gives way by 2 h R
// gamma. Without contact the tree is an island by itself while the stop is near.
TEST_P(JointRows, PendulumRestsOnItsStop) {
  Simulation run = simulate(kPendulum);
  const double h = 0.002, m = 2.0, L = 0.5, I = 0.01 + m * L * L;
  double slowest = 0.0, furthest = 0.0;
  long most_rows = 0;
  for (int n = 0; n < 500; ++n) {
    run.step();
    slowest = std::min(slowest, run.state.v[0]);
    furthest = std::max(furthest, run.state.q[0]);
    most_rows = std::max(most_rows, run.stepper->statistics().num_constraints);
    EXPECT_LT(run.stepper->statistics().momentum_residual, 1e-5);
  }
  const double moment = m * 9.81 * L * std::cos(0.5);
  EXPECT_GT(slowest, -1e-6);
  EXPECT_EQ(most_rows, 1);
  EXPECT_EQ(run.stepper->statistics().num_islands, 1);
  EXPECT_NEAR(run.frame.joint_effort[0], -moment, 1e-4 * moment);
  const double violation = 2.0 * h * near_rigid_R(I) * h * moment;
  EXPECT_NEAR(run.state.q[0] - 0.5, violation, 1e-3 * violation);
  EXPECT_LT(furthest, 0.5 + 1.01 * violation);
  // What it lost is what it had: the balance knows of the stop.
  EXPECT_NEAR(run.frame.energy.dissipated, m * 9.81 * L * std::sin(0.5), 0.01);
  EXPECT_NEAR(run.frame.energy.balance_error, 0.0, 1e-8);
}

/// A block of 2 kg on a slide along x, without gravity.
std::string slide(const std::string& joint, const std::string& more = "") {
  return "csim: 1\ngravity: [0, 0, 0]\ntime: {step: 0.01, end: 1}\n"
         "bodies: [{name: block, mass: 2, inertia: [1, 1, 1]}]\n"
         "joints: [{name: rail, type: prismatic, parent: world, child: block, axis: [1, 0, 0], " +
         joint + "}]\n" + more;
}

// All of the kinetic energy is lost at the stop, and the block stays there.
TEST_P(JointRows, BlockStopsAtTheLimitForGood) {
  Simulation run = simulate(slide("velocity: 1.5, limits: [-1, 0.4]"));
  run.step(100);
  EXPECT_NEAR(run.state.q[0], 0.4, 1e-9);
  EXPECT_LE(run.state.q[0], 0.4);
  EXPECT_NEAR(run.frame.energy.dissipated, 0.5 * 2 * 1.5 * 1.5, 1e-9);
  EXPECT_NEAR(run.frame.energy.balance_error, 0.0, 1e-9);
}

// A start outside the limits is mended at 1 m/s; the speed stays, as nothing pulls at a stop.
TEST_P(JointRows, StartOutsideTheLimitsIsPushedBack) {
  Simulation run = simulate(slide("position: 0.5, limits: [-1, 0.4]"));
  run.step(5);
  EXPECT_NEAR(run.state.v[0], -1.0, 1e-3);
  run.step(20);
  EXPECT_LT(run.state.q[0], 0.4);
  EXPECT_NEAR(run.state.v[0], -1.0, 1e-3);
}

// Nor has the stop energy to give, however short the step is: a divided step has parts of a thousandth.
TEST_P(JointRows, StartOutsideTheLimitsStoresNothing) {
  for (const char* step : {"0.01", "1.0e-6", "1.0e-9"}) {
    std::string text = slide("position: 0.5, limits: [-1, 0.4]");
    text.replace(text.find("step: 0.01"), 10, std::string("step: ") + step);
    Simulation run = simulate(text);
    run.step(3);
    EXPECT_EQ(run.frame.energy.elastic, 0.0) << step;
    EXPECT_NEAR(run.frame.energy.kinetic, 0.5 * 2 * 1.0, 2e-3) << step;
  }
}

// Below its friction a joint creeps by R h f; above it the rest accelerates it; sliding it loses tau/m.
TEST_P(JointRows, DryFrictionSticksAndSlides) {
  const double h = 0.01, m = 2.0, tau = 3.0;
  const auto pushed = [](double f) {
    return slide("friction: 3", "actuators: [{name: push, joint: rail, type: effort, command: " +
                                    std::to_string(f) + "}]\n");
  };
  Simulation stuck = simulate(pushed(2.0));
  stuck.step(50);
  EXPECT_NEAR(stuck.state.v[0], near_rigid_R(m) * h * 2.0, 1e-9);  // 2.5e-6 m/s
  EXPECT_NEAR(stuck.frame.joint_effort[0], 0.0, 1e-3);             // push and friction
  Simulation slipping = simulate(pushed(5.0));
  slipping.step(50);
  EXPECT_NEAR(slipping.state.v[0], (5.0 - tau) / m * 0.5, 1e-6);
  EXPECT_NEAR(slipping.frame.joint_effort[0], 2.0, 1e-9);

  Simulation sliding = simulate(slide("velocity: 1, friction: 3"));
  double x = 0.0;
  for (int n = 1; n <= 60; ++n) {
    sliding.step();
    const double v = 1.0 - n * h * tau / m;
    x += h * v;
    EXPECT_NEAR(sliding.state.v[0], v, 1e-6) << n;
    EXPECT_NEAR(sliding.state.q[0], x, 1e-6) << n;
  }
  sliding.step(40);
  EXPECT_NEAR(sliding.state.v[0], 0.0, 1e-6);
  EXPECT_NEAR(sliding.frame.energy.dissipated, 1.0, 1e-6);
  EXPECT_NEAR(sliding.frame.energy.balance_error, 0.0, 1e-9);
}

/// Two wheels on hinges along x: a (0.3 kg m^2) = ratio b (0.2 kg m^2) + offset, b driven by 1.2 N m.
std::string gears(const std::string& more) {
  return R"(csim: 1
gravity: [0, 0, 0]
time: {step: 0.01, end: 1}
bodies:
  - {name: a, mass: 1, inertia: [0.3, 0.2, 0.2]}
  - {name: b, mass: 1, inertia: [0.2, 0.15, 0.15]}
joints:
  - {name: ja, type: revolute, parent: world, child: a, axis: [1, 0, 0], position: 0.1}
  - {name: jb, type: revolute, parent: world, child: b, axis: [1, 0, 0]}
actuators: [{name: motor, joint: jb, type: effort, command: 1.2}]
constraints: [{name: mesh, type: coupler, joint_a: ja, joint_b: jb, ratio: -3, offset: 0.1)" +
         more + "}]\n";
}

// (I_b + r^2 I_a) q_b'' = tau; the coupler turns wheel a with I_a r q_b''. Two trees, one island.
TEST_P(JointRows, CouplerIsTheReducedSystem) {
  Simulation run = simulate(gears(""));
  const double h = 0.01, r = -3.0, acceleration = 1.2 / (0.2 + r * r * 0.3);
  double v = 0.0, q = 0.0;
  for (int n = 0; n < 100; ++n) {
    run.step();
    v += h * acceleration;
    q += h * v;
  }
  // Compliance: the row gives way by 2 h R gamma, some 1e-8 rad.
  EXPECT_NEAR(run.state.q[1], q, 1e-6);
  EXPECT_NEAR(run.state.q[0], r * q + 0.1, 1e-6);
  EXPECT_NEAR(run.frame.constraint_force[0], 0.3 * r * acceleration, 1e-4);
  const double w = 1.0 / 0.3 + r * r / 0.2;
  EXPECT_NEAR(run.frame.constraint_violation[0],
              -2.0 * h * near_rigid_R(1.0 / w) * h * run.frame.constraint_force[0], 1e-9);
  EXPECT_EQ(run.stepper->statistics().num_islands, 1);
  EXPECT_EQ(run.stepper->statistics().num_constraints, 1);
  EXPECT_NEAR(run.frame.energy.balance_error, 0.0, 1e-9);
}

// A soft coupler is its spring: k (q_a - r q_b) between two wheels, backward Euler.
TEST_P(JointRows, SoftCouplerIsASpring) {
  Simulation run = simulate(gears(", stiffness: 40, relaxation_time: 0.02"));
  const double h = 0.01, k = 40.0, c = 0.8, r = -3.0;
  double qa = 0.1, qb = 0.0, va = 0.0, vb = 0.0;
  for (int n = 0; n < 100; ++n) {
    // Unknown f: va1 = va + h f/Ia, vb1 = vb + h (1.2 - r f)/Ib, f = -k (g + h g1') - c g1'.
    const double g = qa - r * qb - 0.1;
    const double free = va - r * (vb + h * 1.2 / 0.2);
    const double w = 1.0 / 0.3 + r * r / 0.2;
    const double f = (-k * g - (h * k + c) * free) / (1.0 + (h * k + c) * h * w);
    va += h * f / 0.3;
    vb += h * (1.2 - r * f) / 0.2;
    qa += h * va;
    qb += h * vb;
    run.step();
    ASSERT_NEAR(run.state.v[0], va, 1e-8);
    ASSERT_NEAR(run.state.v[1], vb, 1e-8);
    ASSERT_NEAR(run.frame.constraint_force[0], f, 1e-6);
  }
}

// A serial arm: both joints in one tree.
TEST_P(JointRows, CouplerWithinATree) {
  Simulation run = simulate(R"(csim: 1
time: {step: 0.005, end: 1}
bodies:
  - {name: upper, mass: 1, com: [0.2, 0, 0], inertia: [0.01, 0.02, 0.02]}
  - {name: lower, mass: 1, com: [0.2, 0, 0], inertia: [0.01, 0.02, 0.02]}
joints:
  - {name: shoulder, type: revolute, parent: world, child: upper, axis: [0, 1, 0]}
  - {name: elbow, type: revolute, parent: upper, child: lower, axis: [0, 1, 0], pose: {xyz: [0.4, 0, 0]}}
constraints: [{name: belt, type: coupler, joint_a: elbow, joint_b: shoulder, ratio: -2}]
)");
  for (int n = 0; n < 200; ++n) {
    run.step();
    ASSERT_NEAR(run.state.q[1], -2.0 * run.state.q[0], 1e-5);
  }
  EXPECT_GT(std::abs(run.state.q[0]), 0.3);
}

/// Two fingers on slides, geared against each other, one driven with a limit; they squeeze a box that hangs
/// by friction alone.
const char* const kGripper = R"(csim: 1
time: {step: 0.002, end: 1}
materials: {pad: {friction: 1, stiffness: 1.0e5, hunt_crossley_dissipation: 20, relaxation_time: 0.01}}
bodies:
  - {name: left, mass: 0.2, inertia: solid, geometry: [{shape: box, size: [0.02, 0.04, 0.04], material: pad}]}
  - {name: right, mass: 0.2, inertia: solid, geometry: [{shape: box, size: [0.02, 0.04, 0.04], material: pad}]}
  - {name: load, mass: 0.5, inertia: solid, geometry: [{shape: box, size: [0.06, 0.03, 0.03], material: pad}]}
joints:
  - {name: jl, type: prismatic, parent: world, child: left, axis: [1, 0, 0], position: -0.0405, friction: 0.3, limits: [-0.08, 0]}
  - {name: jr, type: prismatic, parent: world, child: right, axis: [1, 0, 0], position: 0.0405, friction: 0.3, limits: [0, 0.08]}
actuators: [{name: squeeze, joint: jl, type: position, stiffness: 5.0e+4, damping: 500, effort_limit: 20, command: 0}]
constraints: [{name: gears, type: coupler, joint_a: jr, joint_b: jl, ratio: -1}]
)";

// At rest the drive is at its limit, and each pad presses with half of what friction leaves of it, between
// (20 +- 2 0.3)/2 N; the box holds.
TEST_P(JointRows, GripperHoldsAnything) {
  Simulation run = simulate(kGripper);
  run.step(250);
  EXPECT_NEAR(run.frame.actuator_effort[0], 20.0, 1e-9);
  EXPECT_NEAR(run.normal_force(), 20.0, 0.61);
  EXPECT_NEAR(run.velocity("load").norm(), 0.0, 5e-3);
  EXPECT_NEAR(run.state.q[1], -run.state.q[0], 1e-5);
  EXPECT_EQ(run.stepper->statistics().num_islands, 1);
  EXPECT_LT(run.stepper->statistics().momentum_residual, 1e-4);
}

// The interior point, Newton's method and one after the other find the same minimum.
TEST(JointRowsMethods, AgreeOnRowsAndContacts) {
  for (const char* model : {"sap", "similar", "lagged"}) {
    SCOPED_TRACE(model);
    const auto run_with = [&](const std::string& method) {
      Simulation run(kGripper, {std::string("contact.model=") + model, "solver.method=" + method,
                                "solver.tolerance=1e-10"});
      run.step(60);
      return run.state.v;
    };
    const VectorX newton = run_with("newton");
    EXPECT_LT((run_with("auto") - newton).norm(), 1e-6 * (1.0 + newton.norm()));
    if (std::string(model) == "lagged") continue;
    EXPECT_LT((run_with("interior_point") - newton).norm(), 1e-6 * (1.0 + newton.norm()));
  }
}

TEST(JointRowsMethods, ThreadsAndResumptionChangeNoBit) {
  Simulation one(kGripper), four(kGripper, {}, 4);
  one.step(100);
  four.step(100);
  EXPECT_EQ(one.state.q, four.state.q);
  EXPECT_EQ(one.state.v, four.state.v);
}

// The acceleration level: a stop carries what presses against it, where it is.
TEST(JointRowsContinuous, StopCarriesTheWeight) {
  Simulation run(kPendulum, {"integrator.type=continuous", "integrator.accuracy=1e-8"});
  while (run.state.time < 1.0) run.step();
  const double m = 2.0, L = 0.5, moment = m * 9.81 * L * std::cos(0.5);
  EXPECT_NEAR(run.frame.joint_effort[0], -moment, 1e-6 * moment);
  EXPECT_NEAR(run.state.q[0], 0.5, 1e-9);
  EXPECT_NEAR(run.frame.energy.dissipated, m * 9.81 * L * std::sin(0.5), 1e-5);
  EXPECT_NEAR(run.frame.energy.balance_error, 0.0, 1e-5);
}

// A stop takes the speed without a rebound, on the last 2 v0 time.step before the end: critical damping from
// where it begins to act.
TEST(JointRowsContinuous, StopTakesTheSpeedBeforeTheEnd) {
  Simulation run(slide("velocity: 1.5, limits: [-1, 0.4]"),
                 {"integrator.type=continuous", "integrator.accuracy=1e-8"});
  const double m = 2.0, v0 = 1.5, omega = 1.0 / 0.01, g0 = 2.0 * v0 / omega, begin = (0.4 - g0) / v0;
  double furthest = 0.0;
  long braking = 0;
  while (run.state.time < 0.6) {
    run.step();
    furthest = std::max(furthest, run.state.q[0]);
    const double t = run.state.time - begin;
    if (t < 0.0 || t > 5.0 / omega) continue;
    ++braking;
    EXPECT_NEAR(0.4 - run.state.q[0], g0 * (1.0 + 0.5 * omega * t) * std::exp(-omega * t), 1e-6);
  }
  EXPECT_GT(braking, 20);
  EXPECT_LT(furthest, 0.4 + 1e-9);
  EXPECT_NEAR(run.state.q[0], 0.4, 1e-9);
  EXPECT_NEAR(run.state.v[0], 0.0, 1e-7);
  EXPECT_NEAR(run.frame.energy.dissipated, 0.5 * m * v0 * v0, 1e-5);
  EXPECT_NEAR(run.frame.energy.balance_error, 0.0, 1e-5);
}

TEST(JointRowsContinuous, FrictionAndCoupler) {
  Simulation sliding(slide("velocity: 1, friction: 3"), {"integrator.type=continuous"});
  while (sliding.state.time < 0.5) sliding.step();
  EXPECT_NEAR(sliding.state.v[0], 1.0 - 1.5 * sliding.state.time, 1e-3);
  Simulation run(gears(""), {"integrator.type=continuous"});
  while (run.state.time < 0.5) run.step();
  const double acceleration = 1.2 / (0.2 + 9 * 0.3);
  EXPECT_NEAR(run.state.v[1], acceleration * run.state.time, 1e-3);
  EXPECT_NEAR(run.state.q[0], 0.1 - 3.0 * run.state.q[1], 1e-3);
}

}  // namespace
}  // namespace csim::testing_support
