// Rigid constraints at the acceleration level (step/continuous/rigid_ties.h) against closed forms and the
// mechanisms of others.
#include <cmath>
#include <numbers>

#include "support/simulation.h"

namespace csim::testing_support {
namespace {

constexpr double kGravity = 9.81;

/// Steps to exactly the time t; returns the number of steps.
long run_until(Simulation* s, double t) {
  long steps = 0;
  for (; s->state.time < t; ++steps) {
    const StepOutcome outcome = s->stepper->step(&s->state, t);
    EXPECT_TRUE(outcome.ok) << outcome.message;
    if (!outcome.ok) break;
  }
  s->step(0);  // the frame
  return steps;
}

// Andrews' squeezing mechanism: seven bodies in the plane, three loops, a spring and a constant torque
// [Schiehlen 1990, Multibody Systems Handbook; parameters and the angles after 30 ms from Mazzia & Magherini,
// Test Set for Initial Value Problem Solvers, release 2.4, problem andrews].
const char* const kAndrews = R"(
csim: 1
gravity: [0, 0, 0]
time: {step: 1.0e-4, end: 0.03}
bodies:
  - {name: k1, mass: 0.04325, inertia: [2.194e-6, 2.194e-6, 2.194e-6], com: [9.2e-4, 0, 0]}
  - {name: k2, mass: 0.00365, inertia: [4.410e-7, 4.410e-7, 4.410e-7], com: [-0.0115, 0, 0]}
  - {name: k3, mass: 0.02373, inertia: [5.255e-6, 5.255e-6, 5.255e-6], com: [0.01043, -0.01874, 0]}
  - {name: k5, mass: 0.0705, inertia: [1.169e-5, 1.169e-5, 1.169e-5], com: [0.02308, 0.00916, 0]}
  - {name: k4, mass: 0.00706, inertia: [5.667e-7, 5.667e-7, 5.667e-7], com: [0, -0.00579, 0]}
  - {name: k7, mass: 0.05498, inertia: [1.912e-5, 1.912e-5, 1.912e-5], com: [0.00449, -0.01228, 0]}
  - {name: k6, mass: 0.00706, inertia: [5.667e-7, 5.667e-7, 5.667e-7], com: [0.00579, 0, 0]}
joints:
  - {name: beta, type: revolute, parent: world, child: k1, position: -0.0617138900142764496358948458001}
  - {name: theta, type: revolute, parent: k1, child: k2, pose: {xyz: [0.007, 0, 0]}}
  - {name: gamma, type: revolute, parent: world, child: k3, pose: {xyz: [-0.03635, 0.03273, 0]}, position: 0.455279819163070380255912382449}
  - {name: delta, type: revolute, parent: world, child: k5, pose: {xyz: [-0.06934, -0.00227, 0]}, position: 0.487364979543842550225598953530}
  - {name: phi, type: revolute, parent: k5, child: k4, pose: {xyz: [0.04, 0, 0]}, position: 0.222668390165885884674473185609}
  - {name: epsilon, type: revolute, parent: world, child: k7, pose: {xyz: [-0.06934, -0.00227, 0]}, position: 1.23054744454982119249735015568}
  - {name: omega, type: revolute, parent: k7, child: k6, pose: {xyz: [0, -0.04, 0]}, position: -0.222668390165885884674473185609}
constraints:
  - {name: e3, type: ball, a: k2, b: k3, point_a: [-0.028, 0, 0], point_b: [0, -0.035, 0]}
  - {name: e4, type: ball, a: k2, b: k4, point_a: [-0.028, 0, 0], point_b: [0, -0.02, 0]}
  - {name: e6, type: ball, a: k2, b: k6, point_a: [-0.028, 0, 0], point_b: [0.02, 0, 0]}
  - {name: spring, type: distance, a: world, b: k3, point_a: [0.014, 0.072, 0], point_b: [0.02, -0.018, 0], length: 0.07785, stiffness: 4530}
actuators: [{name: motor, type: effort, joint: beta, command: 0.033}]
integrator: {type: continuous, accuracy: 1.0e-8}
)";

TEST(ContinuousTies, AndrewsMechanismGoesAsOthersHaveIt) {
  Simulation s(kAndrews);
  run_until(&s, 0.03);
  const double angles[] = {15.81077119629904,   -15.75637105984298, 0.04082224013073101, 0.5244099658805304,
                           -0.5347301163226948, 1.048080741042263,  0.5347301163226948};
  for (int i = 0; i < 7; ++i) EXPECT_NEAR(s.state.q[i], angles[i], 1e-6) << i;
  EXPECT_NEAR(s.frame.energy.balance_error, 0.0, 1e-7);  // of 2 J
  EXPECT_LT(s.frame.constraint_violation.head(9).cwiseAbs().maxCoeff(), 1e-9);
}

// Two double pendulums whose joints a rigid tendon of all four couples: its force does not hang on the order
// in which the joints of the two trees are named.
TEST(ContinuousTies, TendonsNameTheirJointsInAnyOrder) {
  const auto run = [](const std::string& joints) {
    Simulation s(R"(
csim: 1
time: {step: 1.0e-3, end: 0.3}
bodies:
  - {name: a1, mass: 1, com: [0.25, 0, 0], inertia: [0.02, 0.02, 0.02]}
  - {name: a2, mass: 1, com: [0.25, 0, 0], inertia: [0.02, 0.02, 0.02]}
  - {name: b1, mass: 1, com: [0.25, 0, 0], inertia: [0.02, 0.02, 0.02]}
  - {name: b2, mass: 1, com: [0.25, 0, 0], inertia: [0.02, 0.02, 0.02]}
joints:
  - {name: ja1, type: revolute, parent: world, child: a1, axis: [0, 1, 0]}
  - {name: ja2, type: revolute, parent: a1, child: a2, axis: [0, 1, 0], pose: {xyz: [0.5, 0, 0]}}
  - {name: jb1, type: revolute, parent: world, child: b1, axis: [0, 1, 0], pose: {xyz: [0, 1, 0]}}
  - {name: jb2, type: revolute, parent: b1, child: b2, axis: [0, 1, 0], pose: {xyz: [0.5, 0, 0]}}
constraints:
  - {name: t, type: tendon, joints: )" +
                 joints + R"(, length: 0}
integrator: {type: continuous, accuracy: 1.0e-8}
)");
    run_until(&s, 0.3);
    EXPECT_LT(s.frame.constraint_violation.cwiseAbs().maxCoeff(), 1e-9);
    EXPECT_NEAR(s.frame.energy.balance_error, 0.0, 1e-6);
    return s.state.q;
  };
  const VectorX q = run("{ja1: 1, ja2: 0.5, jb1: -1, jb2: 0.25}");
  EXPECT_GT(q.cwiseAbs().maxCoeff(), 0.1);
  EXPECT_LT((run("{ja1: 1, jb1: -1, ja2: 0.5, jb2: 0.25}") - q).norm(), 1e-12);
}

// Bricard's mechanism: six bars of 1 m, one of them fixed, on hinges that are each across two bars. Its loop
// has as many equations as coordinates, and one way to go; it is closed by two balls on the last axis.
const char* const kBricard = R"(
csim: 1
gravity: [0, -9.81, 0]
time: {step: 1.0e-3, end: 2}
bodies:
  - {name: r0, mass: 1, com: [0.5, 0, 0], inertia: [1.0e-5, 0.083333, 0.083333]}
  - {name: r1, mass: 1, com: [0, -0.5, 0], inertia: [0.083333, 1.0e-5, 0.083333]}
  - {name: r2, mass: 1, com: [0, 0, 0.5], inertia: [0.083333, 0.083333, 1.0e-5]}
  - {name: r3, mass: 1, com: [-0.5, 0, 0], inertia: [1.0e-5, 0.083333, 0.083333]}
  - {name: r4, mass: 1, com: [0, 0.5, 0], inertia: [0.083333, 1.0e-5, 0.083333]}
joints:
  - {name: j0, type: revolute, parent: world, child: r0, axis: [0, 1, 0]}
  - {name: j1, type: revolute, parent: r0, child: r1, axis: [0, 0, 1], pose: {xyz: [1, 0, 0]}}
  - {name: j2, type: revolute, parent: r1, child: r2, axis: [1, 0, 0], pose: {xyz: [0, -1, 0]}}
  - {name: j3, type: revolute, parent: r2, child: r3, axis: [0, 1, 0], pose: {xyz: [0, 0, 1]}}
  - {name: j4, type: revolute, parent: r3, child: r4, axis: [0, 0, 1], pose: {xyz: [-1, 0, 0]}}
constraints:
  - {name: near, type: ball, a: r4, b: world, point_a: [0, 1, 0], point_b: [0, 0, 1]}
  - {name: far, type: ball, a: r4, b: world, point_a: [0.2, 1, 0], point_b: [0.2, 0, 1]}
integrator: {type: continuous, accuracy: 1.0e-8}
)";

TEST(ContinuousTies, BricardsMechanismKeepsItsEnergy) {
  Simulation s(kBricard);
  const double start = s.frame.energy.total;
  const long steps = run_until(&s, 2.0);
  EXPECT_LT(s.position("r3").y(), -1.2);  // 0.22 m down
  EXPECT_GT(s.frame.energy.turned_over, 4.0);
  EXPECT_NEAR(s.frame.energy.total, start, 1e-6);
  EXPECT_LT(s.frame.constraint_violation.cwiseAbs().maxCoeff(), 1e-8);
  // Steps are those of the motion: springs of the period time.step take 90000.
  EXPECT_LT(steps, 5000);
}

// A bob of two distances to one place: half of the force in each, m (g cos a + v^2/l) in both together.
TEST(ContinuousTies, RowsThatSayTheSameShareTheForce) {
  Simulation s(R"(
csim: 1
time: {step: 1.0e-3, end: 1}
bodies: [{name: bob, mass: 2, inertia: [0.01, 0.01, 0.01], pose: {xyz: [0.5, 0, 0]}}]
constraints:
  - {name: one, type: distance, a: world, b: bob, length: 0.5}
  - {name: two, type: distance, a: world, b: bob, length: 0.5}
integrator: {type: continuous, accuracy: 1.0e-8}
)");
  for (const double t : {0.1, 0.3, 0.7}) {
    run_until(&s, t);
    const Vector3 u = s.position("bob") / 0.5;
    const double force = 2.0 * (kGravity * -u.z() + s.velocity("bob").squaredNorm() / 0.5);
    EXPECT_NEAR(s.frame.constraint_force[0], -0.5 * force, 1e-5 * force);
    EXPECT_NEAR(s.frame.constraint_force[1], s.frame.constraint_force[0], 1e-9);
  }
}

/// Three bars on hinges along the z axes of frames that are turned by `turn`, closed by a ball.
std::string four_bar(const std::string& turn, const std::string& ground) {
  return R"(
csim: 1
gravity: [0, 0, 0]
time: {step: 1.0e-3, end: 1}
bodies:
  - {name: crank, mass: 0.5, com: [0.05, 0, 0], inertia: [1.0e-4, 5.0e-4, 5.0e-4]}
  - {name: coupler, mass: 1, com: [0.15, 0, 0], inertia: [1.0e-4, 7.5e-3, 7.5e-3]}
  - {name: rocker, mass: 0.7, com: [0.1, 0, 0], inertia: [1.0e-4, 2.5e-3, 2.5e-3]}
joints:
  - {name: motor, type: revolute, parent: world, child: crank, pose: {)" +
         turn + R"(}}
  - {name: knee, type: revolute, parent: crank, child: coupler, pose: {xyz: [0.1, 0, 0]}, position: 0.8}
  - {name: pivot, type: revolute, parent: world, child: rocker, pose: {xyz: )" +
         ground + ", " + turn + R"(}, position: 1.6}
actuators: [{name: torque, joint: motor, type: effort, command: 0.1}]
constraints:
  - {name: loop, type: ball, a: coupler, b: rocker, point_a: [0.3, 0, 0], point_b: [0.2, 0, 0], assemble: true}
integrator: {type: continuous, accuracy: 1.0e-8}
)";
}

// The ball of a plane loop says nothing across the plane, but for what rounding of the axes makes of it
// (6e-17 of a turn by 90 degrees), or the digits of a number (3e-10).
TEST(ContinuousTies, APlaneLoopGoesTheSameInEveryPlane) {
  Simulation flat(four_bar("rpy: [0, 0, 0]", "[0.3, 0, 0]"));
  const double start = flat.state.q[0];
  run_until(&flat, 0.5);
  EXPECT_GT(std::abs(flat.state.q[0] - start), 1.0);
  EXPECT_LT(flat.frame.constraint_violation.norm(), 1e-8);
  const double force = flat.frame.constraint_force.norm();
  const std::pair<const char*, const char*> turns[] = {
      {"rpy_deg: [90, 0, 0]", "[0.3, 0, 0]"},
      {"rpy_deg: [180, 0, 0]", "[0.3, 0, 0]"},
      {"rpy_deg: [0, 90, 0]", "[0, 0, -0.3]"},
      {"rpy: [1.570796326, 0, 0]", "[0.3, 0, 0]"},
      {"axis: [0, 0, 1], angle_deg: 30", "[0.2598076211353316, 0.15, 0]"},
      {"axis: [1, 0, 0], angle_deg: 40", "[0.3, 0, 0]"}};
  for (const auto& [turn, ground] : turns) {
    Simulation turned(four_bar(turn, ground));
    run_until(&turned, 0.5);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(turned.state.q[i], flat.state.q[i], 1e-6) << turn;
    EXPECT_NEAR(turned.frame.constraint_force.norm(), force, 1e-5 * force) << turn;
  }
}

// A plate welded to a table that goes to and fro: the weld carries what that motion needs.
TEST(ContinuousTies, APrescribedBodyCarriesWhatIsWeldedToIt) {
  constexpr double kAmplitude = 0.2, kFrequency = 1.5, kMass = 3.0;
  Simulation s(R"(
csim: 1
gravity: [0, 0, 0]
time: {step: 1.0e-3, end: 1}
bodies:
  - {name: table, motion: {sine: {amplitude: [0.2, 0, 0], frequency: 1.5}}}
  - {name: plate, mass: 3, inertia: [0.02, 0.03, 0.04], pose: {xyz: [0.3, 0.1, 0]}, velocity: {linear: [1.8849555921538759, 0, 0]}}
constraints: [{name: glue, type: weld, a: table, b: plate, pose_a: {xyz: [0.3, 0.1, 0]}}]
integrator: {type: continuous, accuracy: 1.0e-8}
)");
  for (const double t : {0.11, 0.4}) {
    run_until(&s, t);
    const double rate = 2.0 * std::numbers::pi * kFrequency;
    const double acceleration = -kAmplitude * rate * rate * std::sin(rate * t);
    EXPECT_NEAR(s.position("plate").x(), 0.3 + kAmplitude * std::sin(rate * t), 1e-8);
    EXPECT_NEAR(s.frame.constraint_force[3], kMass * acceleration, 1e-3);  // of 46 N
    // About the point of the weld, which is the plate's own: none.
    EXPECT_NEAR(s.frame.constraint_force.head(3).norm(), 0.0, 1e-6);
  }
  EXPECT_NEAR(s.frame.energy.balance_error, 0.0, 1e-5);  // of 5 J
}

// Velocities of the start that the ties do not allow are lost in the first step, as in an inelastic blow: of
// two bodies of 1 and 3 kg that a rod takes along, and of one on a table that moves.
TEST(ContinuousTies, VelocitiesThatDoNotFitAreLost) {
  Simulation s(R"(
csim: 1
gravity: [0, 0, 0]
time: {step: 1.0e-4, end: 1}
bodies:
  - {name: light, mass: 1, inertia: [0.01, 0.01, 0.01], velocity: {linear: [2, 0, 0]}}
  - {name: heavy, mass: 3, inertia: [0.01, 0.01, 0.01], pose: {xyz: [1, 0, 0]}}
constraints: [{name: rod, type: distance, a: light, b: heavy, length: 1}]
integrator: {type: continuous, accuracy: 1.0e-6}
)");
  s.step();
  EXPECT_NEAR(s.velocity("light").x(), 0.5, 1e-12);
  EXPECT_NEAR(s.velocity("heavy").x(), 0.5, 1e-12);
  EXPECT_NEAR(s.frame.constraint_violation[0], 0.0, 1e-12);
  EXPECT_NEAR(s.frame.energy.dissipated_joints, 2.0 - 0.5, 1e-12);
  EXPECT_NEAR(s.frame.energy.balance_error, 0.0, 1e-12);

  Simulation table(R"(
csim: 1
gravity: [0, 0, 0]
time: {step: 1.0e-4, end: 1}
bodies:
  - {name: table, motion: {velocity: [0.5, 0, 0], angular_velocity: [0, 0, 2]}}
  - {name: plate, mass: 3, inertia: [0.02, 0.03, 0.04]}
  - {name: arm, mass: 1, com: [0.1, 0, 0], inertia: [0.01, 0.01, 0.01]}
joints:
  - {name: hinge, type: revolute, parent: table, child: arm, pose: {xyz: [0.2, 0, 0]}}
constraints:
  - {name: glue, type: weld, a: table, b: plate}
  - {name: brace, type: distance, a: table, b: arm, point_a: [0.2, 0.2, 0], point_b: [0.2, 0, 0], length: 0.28284271247461901}
integrator: {type: continuous, accuracy: 1.0e-8}
)",
                   {"joints.hinge.velocity=3"});
  table.step();
  EXPECT_NEAR(table.velocity("plate").x(), 0.5, 1e-10);
  EXPECT_NEAR(table.angular_velocity("plate").z(), 2.0, 1e-10);
  EXPECT_NEAR(table.angular_velocity("arm").z(), 2.0, 1e-10);
  // Half of m v^2 at the relative velocities: the plate's, and the arm's about its hinge.
  EXPECT_NEAR(table.frame.energy.dissipated_joints, 0.5 * (3 * 0.25 + 0.04 * 4.0) + 0.5 * 0.02 * 9.0, 1e-9);
  EXPECT_NEAR(table.frame.energy.balance_error, 0.0, 1e-9);
}

// A bob on a slack rope of 1 m falls 0.8 m, 0.6 m beside its anchor. The rope takes the part of its speed
// along the rope, and the bob swings on with the other.
TEST(ContinuousStops, ARopeCatchesAndSwings) {
  Simulation s(R"(
csim: 1
time: {step: 1.0e-4, end: 2}
bodies: [{name: bob, mass: 2, inertia: [0.01, 0.01, 0.01], pose: {xyz: [0.6, 0, 0]}}]
constraints: [{name: rope, type: distance, a: world, b: bob, max: 1}]
integrator: {type: continuous, accuracy: 5.0e-9}
)");
  const double caught = std::sqrt(2.0 * 0.8 / kGravity), across = 0.6 * kGravity * caught;
  run_until(&s, 0.99 * caught);
  EXPECT_EQ(s.frame.constraint_force[0], 0.0);
  while (s.position("bob").x() > 0.0) s.step();
  // A step beyond the lowest place; the rope's force holds the bob on its circle, but for what mends the
  // error of the speed along it, which is relative to the speed of the bob.
  const double v2 = across * across + 2.0 * kGravity * 0.2, speed = s.velocity("bob").norm();
  EXPECT_NEAR(speed, std::sqrt(v2), 2e-3);
  EXPECT_NEAR(s.position("bob").norm(), 1.0, 1e-7);
  EXPECT_NEAR(s.frame.constraint_force[0], -2.0 * (speed * speed - kGravity * s.position("bob").z()), 1e-2);
  const double lost = 0.5 * 2.0 * std::pow(0.8 * kGravity * caught, 2);
  EXPECT_NEAR(s.frame.energy.dissipated_joints, lost, 2e-3 * lost);
  EXPECT_NEAR(s.frame.energy.balance_error, 0.0, 1e-4);
}

// A bar on three ropes, one more than it needs: of all tensions that carry it the smallest in the metric of
// the rows, sum w_i T_i^2 with w_i = 1/m + r_i^2/I, or, where that one would have to push, without the left
// one.
TEST(ContinuousStops, RopesShareAWeightAndGoSlack) {
  constexpr double kMass = 3.0, kInertia = 1.5;
  for (const double com : {0.0, 0.4, 0.9}) {
    Simulation s(R"(
csim: 1
time: {step: 1.0e-3, end: 1}
bodies: [{name: bar, mass: 3, com: [)" +
                 std::to_string(com) + R"(, 0, 0], inertia: [1.5, 1.5, 1.5], pose: {xyz: [0, 0, -1]}}]
constraints:
  - {name: left, type: distance, a: world, b: bar, point_a: [-1, 0, 0], point_b: [-1, 0, 0], max: 1}
  - {name: middle, type: distance, a: world, b: bar, max: 1}
  - {name: right, type: distance, a: world, b: bar, point_a: [1, 0, 0], point_b: [1, 0, 0], max: 1}
integrator: {type: continuous}
)");
    run_until(&s, 0.05);
    const auto w = [&](double x) { return 1.0 / kMass + (x - com) * (x - com) / kInertia; };
    const double smallest = (2.0 * w(0.0) * (1.0 - com) - w(1.0) * com) / (w(-1.0) + 4.0 * w(0.0) + w(1.0));
    const double left = std::max(smallest, 0.0);
    const Vector3 tensions = kMass * kGravity * Vector3(left, 1.0 - com - 2.0 * left, left + com);
    EXPECT_LT((s.frame.constraint_force + tensions).norm(), 1e-4) << com;
    EXPECT_EQ(left == 0.0, com == 0.9);
    EXPECT_NEAR(s.position("bar").z(), -1.0, 1e-9);
  }
}

// A wheel against its stop holds the one that it meshes with; when the torque turns it lets go.
TEST(ContinuousStops, AStopIsFeltThroughACouplerAndLetsGo) {
  Simulation s(R"(
csim: 1
gravity: [0, 0, 0]
time: {step: 1.0e-3, end: 2}
bodies:
  - {name: a, mass: 1, inertia: [0.3, 0.2, 0.2]}
  - {name: b, mass: 1, inertia: [0.2, 0.15, 0.15]}
joints:
  - {name: ja, type: revolute, parent: world, child: a, axis: [1, 0, 0], limits: [-0.6, 3]}
  - {name: jb, type: revolute, parent: world, child: b, axis: [1, 0, 0]}
actuators: [{name: motor, joint: jb, type: effort, command: {times: [0, 1.2], values: [1.2, -1.2], interpolation: step}}]
constraints: [{name: mesh, type: coupler, joint_a: ja, joint_b: jb, ratio: -3}]
integrator: {type: continuous, accuracy: 1.0e-7}
)");
  run_until(&s, 1.1);                    // it comes there at 0.98 s
  EXPECT_NEAR(s.state.q[1], 0.2, 1e-7);  // that of b where a is at its stop
  // f_a = -3 f_b of the coupler: 1.2 N m on b, 0.4 N m on the stop.
  EXPECT_NEAR(s.frame.constraint_force[0], -0.4, 1e-6);
  EXPECT_NEAR(s.frame.joint_effort[0], 0.4, 1e-6);
  run_until(&s, 1.2);
  run_until(&s, 1.6);
  const double acceleration = -1.2 / (0.2 + 9.0 * 0.3);
  EXPECT_NEAR(s.state.v[1], 0.4 * acceleration, 1e-6);
  EXPECT_EQ(s.frame.joint_effort[0], 0.0);
}

}  // namespace
}  // namespace csim::testing_support
