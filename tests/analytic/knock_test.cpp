// Impacts transmitted to a third body within a step: contact.margin auto adds their contacts.
#include <cmath>

#include "analytic/laws_and_solvers.h"
#include "analytic/spring_twin.h"
#include "step/account/energy_gain.h"
#include "support/simulation.h"

namespace csim::testing_support {
namespace {

const char* const kWall =
    "  - {name: wall, fixed: true, pose: {rpy: [0, -1.5707963267948966, 0]}, geometry: [{shape: half_space, "
    "material: m}]}\n";

VectorX springs(const VectorX& M, const MatrixX& D, const VectorX& v0, const VectorX& gaps) {
  return spring_step(kStep, VectorX::Constant(gaps.size(), kStiffness), M, D, v0, gaps);
}

/// A row of 1 kg each along x with gaps between neighbours and, one gap more, between the last and a wall.
VectorX row_step(const VectorX& v0, const VectorX& gaps) {
  return springs(VectorX::Ones(v0.size()), row_of(v0.size(), gaps.size()), v0, gaps);
}

/// Makes steps, and holds that the energy does not rise and no pair gives more than it took: tolerance 1e-8
/// of the energy at the start, that of the solver (1e-10 of the momentum) with a hundred to spare.
void expect_no_energy_from_nothing(Simulation* s, int num_steps) {
  const double at_start = s->frame.energy.total;
  for (int n = 0; n < num_steps; ++n) {
    const double before = s->frame.energy.total;
    s->step();
    if (testing::Test::HasFailure()) return;
    EXPECT_LE(s->frame.energy.total, before + 1e-8 * at_start) << "step " << n + 1;
    EXPECT_LE(energy_from_nothing(s->model, s->state).amount, 1e-8 * at_start) << "step " << n + 1;
  }
}

class Knock : public testing::TestWithParam<LawAndSolver> {};

// Two balls 10 mm apart at 3 m/s, 30 mm a step, the front one 10 mm from the wall. Neither the velocities
// before the step nor those of free motion close the gap between them; the wall does.
TEST_P(Knock, TheRearBallDoesNotEnterTheOneThatTheWallStops) {
  Simulation s(kHead + kWall + ball(0, -0.17, 3) + ball(1, -0.06, 3), GetParam().overrides);
  const VectorX v = row_step(VectorX::Constant(2, 3.0), VectorX::Constant(2, 0.01));
  s.step();
  // 1e-8 of 3 m/s, as above. Balls that meet centrally do not turn.
  EXPECT_NEAR(s.velocity("ball_0").x(), v[0], 1e-7);
  EXPECT_NEAR(s.velocity("ball_1").x(), v[1], 1e-7);
  EXPECT_EQ(s.stepper->statistics().num_rounds, 1);
  EXPECT_EQ(s.stepper->statistics().num_unforeseen, 0);
  EXPECT_EQ(s.stepper->contacts().size(), 2);
  expect_no_energy_from_nothing(&s, 20);
}

// A ball hits the first of a row at rest. Each one is faster than all that the first query knew of it, and
// the hit runs on to where the row has spent the step.
TEST_P(Knock, AHitRunsAlongARowAtRest) {
  constexpr int kBalls = 8;
  std::string text = kHead;
  VectorX v0 = VectorX::Zero(kBalls), gaps = VectorX::Constant(kBalls - 1, 0.001);
  v0[0] = 4.0;
  for (int i = 0; i < kBalls; ++i) text += ball(i, 0.101 * i, v0[i]);
  Simulation s(text, GetParam().overrides);
  const VectorX v = row_step(v0, gaps);
  ASSERT_GT(v[kBalls - 1], 0.1);  // it reaches the end
  s.step();
  for (int i = 0; i < kBalls; ++i) EXPECT_NEAR(s.velocity("ball_" + std::to_string(i)).x(), v[i], 1e-6) << i;
  EXPECT_GE(s.stepper->statistics().num_rounds, kBalls - 3);
  EXPECT_EQ(s.stepper->contacts().size(), kBalls - 1);
  expect_no_energy_from_nothing(&s, 20);
}

INSTANTIATE_TEST_SUITE_P(Laws, Knock, testing::ValuesIn(laws_and_solvers()), parameter_name);

// A free rod is hit by a ball at one end; its other end, 10 mm beside a post, swings the other way: neither
// the rod's velocity at the start, none, nor that of its centre tells.
TEST(KnockRod, TheOtherEndOfAHitRodMeetsThePost) {
  const std::string text =
      kHead +
      R"(  - {name: post, fixed: true, pose: {xyz: [-0.45, -0.08, 0]}, geometry: [{shape: sphere, radius: 0.04, material: m}]}
  - {name: rod, mass: 1, inertia: solid, geometry: [{shape: box, size: [1, 0.06, 0.06], material: m}]}
  - {name: ball, mass: 1, inertia: solid, pose: {xyz: [0.45, -0.1, 0]}, velocity: {linear: [0, 10, 0]}, geometry: [{shape: sphere, radius: 0.05, material: m}]}
)";
  Simulation s(text, {"integrator.velocity_terms=start"});  // the closed form has the contacts of the start
  // Ball along y, rod along y and about z; gaps between ball and rod, post and rod.
  MatrixX D(2, 3);
  VectorX M(3), v0(3), gaps(2);
  D << -1, 1, 0.45, 0, 1, -0.45;
  M << 1, 1, (1.0 + 0.06 * 0.06) / 12.0;
  v0 << 10, 0, 0;
  gaps << 0.02, 0.01;
  const VectorX v = springs(M, D, v0, gaps);
  s.step();
  EXPECT_EQ(s.stepper->statistics().num_rounds, 1);
  EXPECT_EQ(s.stepper->contacts().size(), 2);
  // 1e-7 of 10 m/s: the solver's tolerance, with a thousand to spare for two stiff springs.
  EXPECT_NEAR(s.velocity("ball").y(), v[0], 1e-6);
  EXPECT_NEAR(s.velocity("rod").y(), v[1], 1e-6);
  EXPECT_NEAR(s.angular_velocity("rod").z(), v[2], 1e-6);
  // In the step after these an overlap is left of what an island may hold for nothing.
  expect_no_energy_from_nothing(&s, 2);
}

// One round in a hundred steps: those in which nothing is hit need none.
TEST(KnockCount, RoundsOnlyWhereAHitIsPassedOn) {
  std::string text = kHead + kWall + ball(0, -0.17, 3) + ball(1, -0.06, 3);
  Simulation s(text);
  int rounds = 0;
  for (int n = 0; n < 100; ++n) {
    s.step();
    rounds += s.stepper->statistics().num_rounds;
  }
  EXPECT_EQ(rounds, 1);
  // An explicit margin keeps its meaning: nearer than that, or foreseen by the velocities before the step.
  // The hit that is passed on divides it, unless that is switched off.
  Simulation plain(text, {"contact.margin=0", "guards.energy_gain=none"});
  plain.step();
  EXPECT_EQ(plain.stepper->statistics().num_rounds, 0);
  EXPECT_EQ(plain.stepper->contacts().size(), 1);
  Simulation divided(text, {"contact.margin=0"});
  divided.step();
  EXPECT_EQ(divided.stepper->statistics().status, StepStatus::kShorterStep);
}

// The work of all solves of a step is counted, and each iteration has its record.
TEST(KnockCount, EverySolveCounts) {
  std::string text = kHead;
  for (int i = 0; i < 8; ++i) text += ball(i, 0.101 * i, i == 0 ? 4.0 : 0.0);
  Simulation s(text, {"output.iterations=true"});
  s.step();
  const StepStatistics& statistics = s.stepper->statistics();
  EXPECT_EQ(statistics.num_islands, 1);
  EXPECT_GT(statistics.iterations, statistics.num_rounds);  // one a solve at least
  EXPECT_EQ(static_cast<std::size_t>(statistics.iterations), statistics.iteration_cost.size());
}

// Rounds are bounded; what is left to the next step is told, and divides this one where it would give energy.
TEST(KnockCount, ARowThatIsTooLongIsToldOf) {
  constexpr int kBalls = 120;
  std::string text = kHead;
  for (int i = 0; i < kBalls; ++i) text += ball(i, 0.100001 * i, i == 0 ? 4.0 : 0.0);
  Simulation whole(text, {"materials.m.stiffness=1.0e12", "guards.energy_gain=none"});
  whole.step();
  EXPECT_EQ(whole.stepper->statistics().num_rounds, 100);
  EXPECT_EQ(whole.stepper->statistics().num_unforeseen, 1);
  Simulation divided(text, {"materials.m.stiffness=1.0e12"});
  divided.step();
  EXPECT_EQ(divided.stepper->statistics().status, StepStatus::kShorterStep);
}

}  // namespace
}  // namespace csim::testing_support
