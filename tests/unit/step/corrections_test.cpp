// Data that are evaluated at the solution, each by itself.
#include "step/discrete/corrections.h"

#include "support/step_at_hand.h"

namespace csim::testing_support {
namespace {

/// Of all islands.
int count_of(const SolvedStep& solved, CorrectionKind kind) {
  int count = 0;
  for (const auto& of_tree : solved.corrections) count += of_tree[static_cast<std::size_t>(kind)];
  return count;
}

/// Three balls of 1 kg in a row on x, 1 mm apart; the first flies at the others.
const char* const kRow = R"(
csim: 1
gravity: [0, 0, 0]
time: {step: 1.0e-2, end: 1}
contact: {model: sap}
materials: {m: {stiffness: 1.0e6, friction: 0.0}}
bodies:
  - {name: a, mass: 1, inertia: solid, velocity: {linear: [2, 0, 0]}, geometry: [{shape: sphere, radius: 0.1, material: m}]}
  - {name: b, mass: 1, inertia: solid, pose: {xyz: [0.201, 0, 0]}, geometry: [{shape: sphere, radius: 0.1, material: m}]}
  - {name: c, mass: 1, inertia: solid, pose: {xyz: [0.402, 0, 0]}, geometry: [{shape: sphere, radius: 0.1, material: m}]}
)";

// The second ball is hit in the step and closes its gap to the third, which nothing foresaw.
TEST(Corrections, AnImpactIsTransmitted) {
  SteppedOnce s(kRow);
  s.solve();
  ASSERT_EQ(s.prepared.contacts.size(), 1);
  EXPECT_EQ(s.solved.v[s.sim.model.bodies[2].joint.v_begin + 3], 0.0);
  ASSERT_TRUE(s.correct(CorrectionKind::kHits));
  EXPECT_EQ(s.prepared.contacts.size(), 2);
  EXPECT_EQ(s.outcome.statistics.num_rounds, 1);
  solve_with_corrections(s.memory, s.at_hand());
  EXPECT_FALSE(s.correct(CorrectionKind::kHits));
  EXPECT_GT(s.solved.v[s.sim.model.bodies[2].joint.v_begin + 3], 0.1);
  // Momentum is that before.
  EXPECT_NEAR(s.solved.v[3] + s.solved.v[9] + s.solved.v[15], 2.0, 1e-9);
}

/// A crank-rocker, closed to a loop, whose crank a motor turns evenly.
const char* const kCrankRocker = R"(
csim: 1
time: {step: 2.0e-3, end: 1}
bodies:
  - {name: crank, mass: 0.5, com: [0.05, 0, 0], inertia: [1.0e-4, 5.0e-4, 5.0e-4]}
  - {name: coupler, mass: 1.0, com: [0.15, 0, 0], inertia: [1.0e-4, 7.5e-3, 7.5e-3]}
  - {name: rocker, mass: 0.7, com: [0.1, 0, 0], inertia: [1.0e-4, 2.5e-3, 2.5e-3]}
joints:
  - {name: motor, type: revolute, parent: world, child: crank, axis: [0, -1, 0], velocity: 6.283185307179586}
  - {name: knee, type: revolute, parent: crank, child: coupler, axis: [0, -1, 0], pose: {xyz: [0.1, 0, 0]}, position: 0.8}
  - {name: pivot, type: revolute, parent: world, child: rocker, axis: [0, -1, 0], pose: {xyz: [0.3, 0, 0]}, position: 1.6}
actuators:
  - {name: drive, joint: motor, type: velocity, damping: 10, command: 6.283185307179586}
constraints:
  - {name: loop, type: ball, a: coupler, b: rocker, point_a: [0.3, 0, 0], point_b: [0.2, 0, 0], assemble: true}
)";

// With the velocities of the steps before a step is solved once, without them twice, to the same end within
// what a foretold velocity may leave of the tolerance. Where velocities of the past do not lead here the step
// is solved again.
TEST(Corrections, VelocityTermsOfEvenMotionAreForetold) {
  Simulation s(kCrankRocker);
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(s.stepper->step(&s.state).ok);
  SolverMemory unknown, uneven = s.stepper->memory();
  unknown.restart(s.state.v, s.model.trees.size());
  uneven.v_before[0] *= 1.01;
  const auto attempt = [&] { return s.stepper->attempt(s.state, 1.0); };
  const StepOutcome with = attempt();
  s.stepper->set_memory(unknown);
  const StepOutcome without = attempt();
  s.stepper->set_memory(uneven);
  const StepOutcome misled = attempt();
  EXPECT_EQ(with.statistics.factorizations, 1);
  EXPECT_EQ(without.statistics.factorizations, 2);
  EXPECT_LT((with.state.v - without.state.v).norm(), 1e-7 * without.state.v.norm());
  EXPECT_GT((with.state.v - without.state.v).norm(), 0.0);
  EXPECT_EQ(misled.statistics.factorizations, 2);
  EXPECT_LT((misled.state.v - without.state.v).norm(), 1e-7 * without.state.v.norm());
}

TEST(Corrections, AnImpactBeyondTheLastRoundIsCounted) {
  SteppedOnce s(kRow);
  s.solve();
  EXPECT_FALSE(s.correct(CorrectionKind::kHits, false));
  EXPECT_EQ(s.prepared.contacts.size(), 1);
  EXPECT_EQ(s.outcome.statistics.num_unforeseen, 1);
  ASSERT_EQ(s.outcome.events.size(), 1u);
  EXPECT_EQ(s.outcome.events[0].kind, EventKind::kUnforeseenHit);
}

TEST(Corrections, NoImpactIsLookedForWithAMarginOfTheScene) {
  SteppedOnce s(kRow, {"contact.margin=1.0e-3"});
  s.solve();
  EXPECT_FALSE(s.correct(CorrectionKind::kHits));
}

/// A box that spins about no axis of its own falls on its corner.
const char* const kSpinningBox = R"(
csim: 1
time: {step: 5.0e-3, end: 1}
materials: {m: {stiffness: 1.0e5, friction: 0.5}}
bodies:
  - {name: floor, fixed: true, geometry: [{shape: half_space, material: m}]}
  - {name: box, mass: 1, inertia: solid, pose: {xyz: [0, 0, 0.15], rpy: [0.5, 0.6, 0]}, velocity: {linear: [0, 0, -4], angular: [20, 5, -10]}, geometry: [{shape: box, size: [0.1, 0.2, 0.3], material: m}]}
)";

TEST(Corrections, GyroscopicForcesFollowTheMeanVelocity) {
  SteppedOnce s(kSpinningBox, {"contact.model=lagged"});
  s.solve();
  ASSERT_GT(s.solved.forces.elastic_energy_end, 0.0);  // it is hit
  const VectorX v_star = s.prepared.free_motion.v_star;
  // Not allowed to change: what is left of it is told, and nothing changes.
  EXPECT_FALSE(s.correct(CorrectionKind::kVelocityTerms, false));
  EXPECT_GT(s.solved.velocity_residual, s.options.newton.relative_tolerance);
  EXPECT_EQ(s.prepared.free_motion.v_star, v_star);
  EXPECT_TRUE(s.correct(CorrectionKind::kVelocityTerms));
  EXPECT_NE(s.prepared.free_motion.v_star, v_star);

  // At the end of the loop v* is that of the solution: M (v* - v0) = h (weight - m x I m), m the mean of v0
  // and v, I of the start.
  prepare(s.sim.state, s.sim.scene.time.step, {}, &s.finder, &s.outcome.statistics, &s.prepared);
  solve_with_corrections(s.memory, s.at_hand());
  EXPECT_GE(count_of(s.solved, CorrectionKind::kVelocityTerms), 1);
  EXPECT_EQ(s.solved.velocity_residual, 0.0);
  const Body& box = s.sim.model.bodies[1];
  const Matrix3 R = s.prepared.kinematics.X_WB[1].R;
  const Matrix3 I = R * box.mass.inertia * R.transpose();
  const Vector3 w0 = s.sim.state.v.head<3>(), w1 = s.solved.v.head<3>(), m = 0.5 * (w0 + w1);
  const Vector3 expected = w0 - s.prepared.h * I.inverse() * m.cross(I * m);
  const Vector3 found = s.prepared.free_motion.v_star.head<3>();
  // To solver.tolerance of the change of momentum in the step.
  EXPECT_LT((found - expected).norm(), 0.01 * (w1 - w0).norm());
}

// What an island that may not change has left is no fault of the step once a later solve settles it.
TEST(Corrections, ALaterSolveSettlesGyroscopicForces) {
  SteppedOnce s(kSpinningBox, {"contact.model=lagged"});
  s.solve();
  EXPECT_FALSE(s.correct(CorrectionKind::kVelocityTerms, false));
  EXPECT_GT(s.solved.velocity_residual, 0.0);
  EXPECT_EQ(s.solved.unsettled_tree, 0);
  for (int k = 0; s.correct(CorrectionKind::kVelocityTerms); ++k) {
    ASSERT_LT(k, 20);
    csim::solve(&s.prepared, &s.work, &s.outcome.statistics, &s.solved);
  }
  EXPECT_EQ(s.solved.velocity_residual, 0.0);
  EXPECT_EQ(s.solved.unsettled_tree, -1);
}

TEST(Corrections, VelocityTermsOfTheStartStay) {
  SteppedOnce s(kSpinningBox, {"contact.model=lagged", "integrator.velocity_terms=start"});
  s.solve();
  EXPECT_FALSE(s.correct(CorrectionKind::kVelocityTerms));
}

/// A box that slides and lands: Lagged's friction misses the impact, as the normal force before it was zero.
const char* const kSlidingImpact = R"(
csim: 1
time: {step: 1.0e-2, end: 1}
materials: {m: {stiffness: 1.0e6, friction: 0.5}}
bodies:
  - {name: floor, fixed: true, geometry: [{shape: half_space, material: m}]}
  - {name: ball, mass: 1, inertia: solid, pose: {xyz: [0, 0, 0.1005]}, velocity: {linear: [5, 0, -1]}, geometry: [{shape: sphere, radius: 0.1, material: m}]}
)";

/// A cube that turns comes down on an edge, sideways.
const char* const kSlidingBox = R"(
csim: 1
time: {step: 1.0e-2, end: 1}
materials: {m: {stiffness: 1.0e7, friction: 0.8}}
contact: {model: coulomb}
bodies:
  - {name: floor, fixed: true, geometry: [{shape: half_space, material: m}]}
  - {name: box, mass: 1, inertia: solid, pose: {xyz: [0, 0, 0.0705], rpy_deg: [0, 40, 0]}, velocity: {linear: [2, 0, -1]}, geometry: [{shape: box, size: [0.1, 0.1, 0.1], material: m}]}
)";

TEST(Corrections, FrictionFollowsTheNormalForceFound) {
  SteppedOnce s(kSlidingImpact, {"contact.model=coulomb"});
  solve_with_corrections(s.memory, s.at_hand());
  ASSERT_EQ(s.solved.forces.gamma.size(), 1u);
  const Vector3 gamma = s.solved.forces.gamma[0];
  ASSERT_GT(gamma.z(), 0.9);
  // It slides in the end: |gamma_t| = mu gamma_n to friction_tolerance.
  EXPECT_NEAR(-gamma.x(), 0.5 * gamma.z(), 0.5 * gamma.z() * s.options.friction_tolerance);
  EXPECT_LE(friction_lag(s.prepared.data.problem, s.solved.forces.gamma), s.options.friction_tolerance);
  EXPECT_FALSE(s.correct(CorrectionKind::kFriction));
}

// The bias is that of the velocities with their friction: those that Lagged's friction of the start leaves,
// with which a step begins, go another way. Taken there for good it held the box at the end of the step up to
// 4e-4 m over the floor that stopped it, and boxes at rest on a gap of 6e-6 m.
TEST(Corrections, TheBiasWaitsForFriction) {
  for (const double spin : {-10.0, 10.0, 20.0}) {
    for (const double h : {5.0e-3, 2.5e-3}) {
      SCOPED_TRACE("spin " + std::to_string(spin) + ", step " + std::to_string(h));
      Simulation s(kSlidingBox, {"bodies.box.velocity.angular=[0, " + std::to_string(spin) + ", 3]",
                                 "time.step=" + std::to_string(h)});
      s.step();
      ASSERT_EQ(s.frame.contacts.size(), 2u);
      ASSERT_GT(s.normal_force(), 100.0);
      const Vector3 p = s.position("box");
      const Quaternion R = s.frame.quaternion[s.body("box")];
      double lowest = p.z();
      for (int corner = 0; corner < 8; ++corner) {
        const Vector3 r(corner & 1 ? 0.05 : -0.05, corner & 2 ? 0.05 : -0.05, corner & 4 ? 0.05 : -0.05);
        lowest = std::min(lowest, p.z() + (R * r).z());
      }
      EXPECT_LT(std::abs(lowest), 2e-5);  // its depth is 1e-5
    }
  }
}

TEST(Corrections, FrictionOfLaggedStaysThatOfTheStart) {
  SteppedOnce s(kSlidingImpact, {"contact.model=lagged"});
  solve_with_corrections(s.memory, s.at_hand());
  EXPECT_EQ(s.solved.forces.gamma[0].x(), 0.0);
  EXPECT_FALSE(s.correct(CorrectionKind::kFriction));
  EXPECT_EQ(friction_lag(s.prepared.data.problem, s.solved.forces.gamma), 1.0);
}

/// A cube with a pressure field hits the floor at 20 m/s: its sides, whose pressure does not change along
/// their normals, would push on after it has left.
TEST(Corrections, PointsHaveNoFacesToRelease) {
  SteppedOnce s(kSlidingImpact, {"contact.model=lagged"});
  s.solve();
  EXPECT_FALSE(s.correct(CorrectionKind::kFaces));
}

/// Two rows of balls apart from each other: the second row needs no hit to be transmitted.
const char* const kTwoIslands = R"(
csim: 1
gravity: [0, 0, 0]
time: {step: 1.0e-2, end: 1}
contact: {model: sap}
materials: {m: {stiffness: 1.0e6, friction: 0.0}}
bodies:
  - {name: x, mass: 1, inertia: solid, pose: {xyz: [0, 5, 0]}, velocity: {linear: [2, 0, 0]}, geometry: [{shape: sphere, radius: 0.1, material: m}]}
  - {name: y, mass: 1, inertia: solid, pose: {xyz: [0.201, 5, 0]}, geometry: [{shape: sphere, radius: 0.1, material: m}]}
  - {name: a, mass: 1, inertia: solid, velocity: {linear: [2, 0, 0]}, geometry: [{shape: sphere, radius: 0.1, material: m}]}
  - {name: b, mass: 1, inertia: solid, pose: {xyz: [0.201, 0, 0]}, geometry: [{shape: sphere, radius: 0.1, material: m}]}
  - {name: c, mass: 1, inertia: solid, pose: {xyz: [0.402, 0, 0]}, geometry: [{shape: sphere, radius: 0.1, material: m}]}
)";

// Only the island whose data changed is solved again, and what the other is stays to the bit.
TEST(Corrections, SolveTheIslandAgainThatTheyChange) {
  SteppedOnce s(kTwoIslands);
  s.solve();
  const VectorX before = s.solved.v;
  const double residual = s.solved.report.residual;
  ASSERT_TRUE(s.correct(CorrectionKind::kHits));
  ASSERT_EQ(s.prepared.data.problem.islands.size(), 2u);
  EXPECT_EQ(s.solved.changed, (std::vector<char>{0, 1}));
  // If it were solved, this guess would show.
  s.solved.iterate.v[3] += 0.1;
  csim::solve(&s.prepared, &s.work, &s.outcome.statistics, &s.solved);
  EXPECT_EQ(s.solved.v[3], before[3] + 0.1);
  EXPECT_GT(s.solved.v[27], 0.1);  // c, which was hit
  EXPECT_LT(s.solved.report.residual, std::max(1e-5, 2.0 * residual));
}

// Contacts that come end a round before the others are evaluated: what was solved before them counts still. A
// box that needs corrections of its own does not see that a hit goes through a row of balls far away.
TEST(Corrections, OfIslandsSolvedBeforeContactsComeAreNotForgotten) {
  const std::string row = R"(
  - {name: a, mass: 1, inertia: solid, pose: {xyz: [0, 5, 5]}, velocity: {linear: [2, 0, 0]}, geometry: [{shape: sphere, radius: 0.1, material: m}]}
  - {name: b, mass: 1, inertia: solid, pose: {xyz: [0.205, 5, 5]}, geometry: [{shape: sphere, radius: 0.1, material: m}]}
  - {name: c, mass: 1, inertia: solid, pose: {xyz: [0.41, 5, 5]}, geometry: [{shape: sphere, radius: 0.1, material: m}]}
)";
  for (const char* law : {"lagged", "coulomb", "sap"}) {
    const std::vector<std::string> options{std::string("contact.model=") + law, "time.step=1.0e-2"};
    SteppedOnce alone(kSpinningBox, options), with(kSpinningBox + row.substr(1), options);
    solve_with_corrections(alone.memory, alone.at_hand());
    solve_with_corrections(with.memory, with.at_hand());
    EXPECT_GE(count_of(alone.solved, CorrectionKind::kVelocityTerms), 1);
    EXPECT_GE(count_of(with.solved, CorrectionKind::kHits), 1);
    EXPECT_EQ(with.solved.v.head<6>(), alone.solved.v) << law;
  }
}

// A solution is left as it is where somebody asks to stop.
TEST(Corrections, StopBetweenSolves) {
  SteppedOnce s(kRow);
  s.stop = [] { return true; };
  solve_with_corrections(s.memory, s.at_hand());
  EXPECT_EQ(count_of(s.solved, CorrectionKind::kHits), 0);
}

// A second contact query with a shorter step from the same state: the contacts stay, h is another.
TEST(PreparedStep, AnotherLengthKeepsTheContacts) {
  SteppedOnce s(kSlidingImpact);
  const int contacts = s.prepared.contacts.size();
  shorten(1e-4, &s.outcome.statistics, &s.prepared);
  EXPECT_EQ(s.prepared.contacts.size(), contacts);
  EXPECT_EQ(s.prepared.h, 1e-4);
  EXPECT_EQ(s.prepared.query_step, 1e-2);
  EXPECT_EQ(s.prepared.data.problem.h, 1e-4);
  EXPECT_NEAR(s.prepared.free_motion.v_star[5], -1.0 - 9.81e-4, 1e-12);
}

}  // namespace
}  // namespace csim::testing_support
