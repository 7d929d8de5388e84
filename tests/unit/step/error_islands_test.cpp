// Steps of controlled error: each island takes them as long as its own error allows.
#include <cmath>

#include "far_bodies.h"
#include "step/account/pair_energies.h"
#include "step/discrete/tree_groups.h"
#include "step/step_error.h"
#include "step_checks.h"

namespace csim::testing_support {
namespace {

constexpr double kPeriod = 0.01;  // s, of rows

/// To the next row. Steps, and parts of islands, that it took; the largest number of rejected tries of one.
struct RowCounts {
  int steps = 0, parts = 0, most_rejected = 0;
};
RowCounts step_to_row(Simulation* s, int row) {
  RowCounts counts;
  while (s->state.time < row * kPeriod) {
    const StepOutcome& outcome = s->stepper->step(&s->state, row * kPeriod);
    EXPECT_TRUE(outcome.ok) << outcome.message;
    if (!outcome.ok) break;
    ++counts.steps;
    counts.parts += outcome.statistics.num_parts;
    counts.most_rejected = std::max(counts.most_rejected, outcome.statistics.num_rejected);
  }
  return counts;
}

std::vector<std::string> with_errors(const char* model, const char* accuracy) {
  return {std::string("contact.model=") + model, "integrator.type=error_controlled",
          std::string("integrator.accuracy=") + accuracy, "time.step=1.0e-4"};
}

/// Boxes and a ball at rest; behind them, with `bounces`, an elastic ball that falls.
std::string resting_bodies(bool bounces) {
  std::string text = R"(
csim: 1
time: {step: 1.0e-2, end: 1}
materials:
  m: {stiffness: 1.0e5, friction: 0.4, hunt_crossley_dissipation: 5}
  elastic: {stiffness: 1.0e5, friction: 0.4, hunt_crossley_dissipation: 0}
bodies:
  - {name: floor, fixed: true, geometry: [{shape: half_space, material: elastic}]}
  - {name: box, density: 1000, pose: {xyz: [1, 0, 0.0499]}, geometry: [{shape: box, size: [0.1, 0.1, 0.1], material: m}]}
  - {name: plate, density: 1000, pose: {xyz: [2, 0, 0.0499]}, geometry: [{shape: box, size: [0.4, 0.3, 0.1], material: m}]}
  - {name: ball, density: 1000, pose: {xyz: [3, 0, 0.0999]}, geometry: [{shape: sphere, radius: 0.1, material: m}]}
)";
  if (bounces)
    text +=
        "  - {name: bouncer, density: 1000, pose: {xyz: [0, 0, 0.25]}, velocity: {linear: [0.1, 0, 0]}, "
        "geometry: [{shape: sphere, radius: 0.1, material: elastic}]}\n";
  return text;
}

/// Puts the bodies of resting_bodies where they come to rest.
void settle(const std::vector<std::string>& options, Simulation* s) {
  Simulation resting(resting_bodies(false), options);
  for (int row = 1; row <= 50; ++row) step_to_row(&resting, row);
  s->state.q.head(resting.state.q.size()) = resting.state.q;
  s->state.v.head(resting.state.v.size()) = resting.state.v;
  s->stepper->start(&s->state);
}

class ErrorIslands : public testing::TestWithParam<const char*> {};

// While a ball bounces in many short steps, what rests makes one a row, and goes on to the last bit as if the
// ball were not there.
TEST_P(ErrorIslands, WhatRestsDoesNotStepWithABallThatBounces) {
  const std::vector<std::string> options = with_errors(GetParam(), "1e-6");
  Simulation with(resting_bodies(true), options), without(resting_bodies(false), options);
  settle(options, &with);
  settle(options, &without);
  const Eigen::Index nq = without.state.q.size(), nv = without.state.v.size();
  RowCounts all;
  bool has_touched = false;
  for (int row = 1; row <= 40; ++row) {
    const RowCounts counts = step_to_row(&with, row), fewest = step_to_row(&without, row);
    EXPECT_EQ(counts.steps, fewest.steps) << row;
    EXPECT_TRUE(row == 1 || counts.steps == 1) << row;
    all.parts += counts.parts;
    EXPECT_EQ(with.state.q.head(nq), without.state.q) << row;
    EXPECT_EQ(with.state.v.head(nv), without.state.v) << row;
    for (std::size_t i = 0; i < without.stepper->memory().v_before.size(); ++i)
      EXPECT_EQ(with.stepper->memory().v_before[i].head(nv), without.stepper->memory().v_before[i]);
    has_touched = has_touched || with.state.v[nv + 5] > 0.0;
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_TRUE(has_touched);
  EXPECT_GT(all.parts, 400);
}

// As accurate as by itself, against its motion in much shorter steps.
TEST_P(ErrorIslands, ABallAmongOthersIsAsAccurateAsAlone) {
  std::vector<std::string> options = with_errors(GetParam(), "1e-5");
  Simulation among(resting_bodies(true), options);
  const auto lone_ball = [](const std::vector<std::string>& more) {
    const std::string text = resting_bodies(true);
    const std::size_t boxes = text.find("  - {name: box"), ball = text.find("  - {name: bouncer");
    return Simulation(text.substr(0, boxes) + text.substr(ball), more);
  };
  Simulation alone = lone_ball(options);
  options[2] = "integrator.accuracy=1e-9";
  Simulation exact = lone_ball(options);
  double error_among = 0.0, error_alone = 0.0;
  for (int row = 1; row <= 40; ++row) {
    for (Simulation* s : {&among, &alone, &exact}) step_to_row(s, row);
    if (testing::Test::HasFailure()) return;
    error_among = std::max(error_among, (among.state.q.tail(3) - exact.state.q.tail(3)).norm());
    error_alone = std::max(error_alone, (alone.state.q.tail(3) - exact.state.q.tail(3)).norm());
  }
  EXPECT_GT(error_alone, 1e-5);
  EXPECT_LT(error_among, 1.2 * error_alone);
}

// A body that spins about its middle axis, in short steps, hits one at rest, in long ones, without gravity:
// they take the step of the hit together, momentum is kept, a third body far away stays where it is, and the
// motion tends to that of the acceleration level.
TEST_P(ErrorIslands, WhoIsMetStepsTogether) {
  const char* const text = R"(
csim: 1
gravity: [0, 0, 0]
time: {step: 1.0e-2, end: 1}
materials: {m: {stiffness: 1.0e5, friction: 0.4, hunt_crossley_dissipation: 0.2}}
bodies:
  - {name: spins, mass: 1, inertia: [0.002, 0.004, 0.006], pose: {xyz: [-0.5, 0.03, 0.01]}, velocity: {linear: [2, 0, 0], angular: [0.1, 15, 0.1]}, geometry: [{shape: sphere, radius: 0.1, material: m}]}
  - {name: rests, mass: 2, inertia: solid, pose: {xyz: [0, 0, 0]}, geometry: [{shape: box, size: [0.2, 0.3, 0.2], material: m}]}
  - {name: far, mass: 1, inertia: solid, pose: {xyz: [9, 0, 3]}, geometry: [{shape: sphere, radius: 0.1, material: m}]}
)";
  std::vector<std::string> options = with_errors(GetParam(), "1e-6");
  Simulation s(text, options);
  options[2] = "integrator.accuracy=1e-8";
  Simulation fine(text, options);
  Simulation exact(text, {"integrator.type=continuous", "integrator.accuracy=1e-8"});
  const VectorX start_q = s.state.q;
  bool was_hit = false;
  for (int row = 1; row <= 30; ++row) {
    const RowCounts counts = step_to_row(&s, row);
    step_to_row(&fine, row);
    step_to_row(&exact, row);
    if (testing::Test::HasFailure()) return;
    const bool is_hit = s.state.v.segment<6>(6).norm() > 0.0;
    if (!is_hit) {
      EXPECT_EQ(s.state.q.segment<7>(7), start_q.segment<7>(7)) << row;
      EXPECT_TRUE(row == 1 || counts.parts > 5) << row;
    } else if (!was_hit) {
      EXPECT_GT(counts.most_rejected, 0) << row;
    }
    was_hit = is_hit;
    const Vector3 momentum = s.state.v.segment<3>(3) + 2.0 * s.state.v.segment<3>(9);
    EXPECT_LT((momentum - Vector3(2, 0, 0)).norm(), 1e-13) << row;
    EXPECT_EQ(s.state.q.tail(7), start_q.tail(7));
  }
  EXPECT_TRUE(was_hit);
  // Of first order: a hundredth of the accuracy, a tenth of the error.
  for (const int place : {4, 11}) {
    const auto error = [&](const Simulation& of) {
      return (of.state.q.segment<3>(place) - exact.state.q.segment<3>(place)).norm();
    };
    EXPECT_LT(error(fine), 0.15 * error(s));
  }
}

// Every account of a step is that of its islands together: the balance closes at the end of each.
TEST_P(ErrorIslands, TheBalanceCloses) {
  std::vector<std::string> options = with_errors(GetParam(), "1e-5");
  options.emplace_back("solver.tolerance=1e-12");
  Simulation s(far_bodies(true), options);
  int divided = 0;
  for (int n = 0; n < 80; ++n) {
    const StepOutcome& outcome =
        s.stepper->step(&s.state, kPeriod * std::floor(s.state.time / kPeriod + 1.5));
    ASSERT_TRUE(outcome.ok) << outcome.message;
    divided += outcome.statistics.num_parts > 1 ? 1 : 0;
    const EnergyAccounts& e = s.state.energy;
    EXPECT_NEAR(e.unexplained(), 0.0, 1e-9 * e.turned_over()) << n;
    EXPECT_NEAR(e.overlaps, energy_left(s.state.pair_energies), 1e-12 * e.turned_over());
    for (const Event& event : outcome.events) EXPECT_NE(event.kind, EventKind::kEnergyGain);
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(divided, 1);
}

// A row of such a step shows the contacts of all bodies, each once, with their forces.
TEST_P(ErrorIslands, AFrameShowsAll) {
  const std::vector<std::string> options = with_errors(GetParam(), "1e-6");
  Simulation s(resting_bodies(true), options);
  settle(options, &s);
  const int box = s.body("box"), bouncer = s.body("bouncer");
  const double weight = s.model.bodies[box].mass.mass * 9.81;
  for (int row = 1; row <= 25; ++row) {
    step_to_row(&s, row);
    if (testing::Test::HasFailure()) return;
    if (row == 1) continue;
    Frame frame;
    s.stepper->fill_frame(s.state, true, &frame);
    BodyContacts contacts = contacts_by_body(s, frame);
    EXPECT_NEAR(contacts.force[box], weight, 1e-2 * weight) << row;
    EXPECT_EQ(contacts.count[box], 4);
    EXPECT_EQ(contacts.count[s.body("plate")], 4);
    EXPECT_LE(contacts.count[bouncer], 1);
  }
}

// A stepper that has prepared nothing, with more threads, makes the same of a step that is divided.
TEST_P(ErrorIslands, RepeatToTheBit) {
  Simulation s(far_bodies(true), with_errors(GetParam(), "1e-5"));
  int divided = 0;
  for (int n = 0; n < 40; ++n) {
    const double limit = kPeriod * std::floor(s.state.time / kPeriod + 1.5);
    const auto fresh = make_stepper(s.model, s.scene, 2);
    fresh->set_memory(s.stepper->memory());
    const StepOutcome again = fresh->attempt(s.state, limit);
    ASSERT_TRUE(s.stepper->step(&s.state, limit).ok);
    divided += again.statistics.num_parts > 1 ? 1 : 0;
    expect_same_bits(again, s);
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(divided, 1);
}

INSTANTIATE_TEST_SUITE_P(Laws, ErrorIslands, testing::Values("lagged", "coulomb"));

/// Three balls: a rope that hangs loose ties two of them.
const char* const kRope = R"(
csim: 1
time: {step: 1.0e-2, end: 1}
materials: {m: {stiffness: 1.0e5, friction: 0.4}}
bodies:
  - {name: floor, fixed: true, geometry: [{shape: half_space, material: m}]}
  - {name: a, mass: 1, inertia: solid, pose: {xyz: [0, 0, 0.0999]}, geometry: [{shape: sphere, radius: 0.1, material: m}]}
  - {name: b, mass: 1, inertia: solid, pose: {xyz: [1, 0, 0.0999]}, geometry: [{shape: sphere, radius: 0.1, material: m}]}
  - {name: c, mass: 1, inertia: solid, pose: {xyz: [2, 0, 5]}, geometry: [{shape: sphere, radius: 0.1, material: m}]}
constraints:
  - {name: rope, type: distance, a: a, b: c, max: 9}
)";

TEST(TreeGroups, JoinWhatARopeTiesBeforeItIsTaut) {
  const Simulation s(kRope);
  std::vector<int> groups = coupled_trees(s.model);
  TreeSet trees{0, 0, 1};
  add_joined(&groups, &trees);
  EXPECT_EQ(trees, (TreeSet{1, 0, 1}));
  trees = {0, 1, 0};
  add_joined(&groups, &trees);
  EXPECT_EQ(trees, (TreeSet{0, 1, 0}));
}

// What a rope may tie takes steps together though it is not taut.
TEST(TreeGroups, StepTogether) {
  Simulation s(kRope, with_errors("coulomb", "1e-6"));
  for (int row = 1; row <= 5; ++row) step_to_row(&s, row);
  ASSERT_EQ(s.state.tree_steps.size(), 3);
  EXPECT_EQ(s.state.tree_steps[0], s.state.tree_steps[2]);
  EXPECT_LT(s.state.tree_steps[0], 1e-3);  // as short as those of the fall
  EXPECT_GT(s.state.tree_steps[1], 5e-3);
}

TEST(PositionErrors, AreThoseOfEachTree) {
  const Simulation s(kRope);
  VectorX other = s.state.q, by_tree;
  other[4 + 2] += 1e-3;    // z of a
  other[7 + 1] += 0.5e-2;  // a turn of b by 0.01 rad
  other[14 + 4] -= 4e-3;   // x of c
  StepError error = position_errors(s.model, s.state.q, other, 1e-4, {}, &by_tree);
  EXPECT_NEAR(by_tree[0], 10.0, 1e-9);
  EXPECT_NEAR(by_tree[1], 100.0, 1e-9);
  EXPECT_NEAR(by_tree[2], 40.0, 1e-9);
  EXPECT_EQ(error.body, s.body("b"));
  error = position_errors(s.model, s.state.q, other, 1e-4, {1, 0, 1}, &by_tree);
  EXPECT_NEAR(error.value, 40.0, 1e-9);
  EXPECT_EQ(error.body, s.body("c"));
  EXPECT_EQ(by_tree[1], 0.0);
}

// A brick in free fall: the same errors, in a world turned by R.
constexpr const char* kBrick = R"(
csim: 1
time: {step: 1.0e-3, end: 1}
bodies: [{name: brick, mass: 2, inertia: [0.02, 0.03, 0.045]}]
)";

TEST(StepErrors, AreTheSameInATurnedWorld) {
  const Simulation s(kBrick);
  const Vector3 place(1e-3, -4e-4, 2e-4), speed(0.5, -0.2, 0.3), turn(2e-3, 1e-3, -3e-3),
      spin(3.0, -8.0, 1.0);
  VectorX by_tree;
  StepErrorNorm norm(s.model, 1e-3);
  double errors[2][3];  // of the place over two halves; of velocities and of positions of a Runge-Kutta step
  for (const bool turned : {false, true}) {
    const Matrix3 R =
        turned ? Quaternion(0.3, -0.5, 0.7, 0.2).normalized().toRotationMatrix() : Matrix3::Identity();
    VectorX q = s.state.q, e_q = VectorX::Zero(7), e_v(6), v(6);
    q.tail<3>() += R * place;
    errors[turned][0] = position_errors(s.model, s.state.q, q, 1e-4, {}, &by_tree).value;
    MatrixX M = MatrixX::Zero(6, 6);
    M.topLeftCorner<3, 3>() = R * Vector3(0.02, 0.03, 0.045).asDiagonal() * R.transpose();
    M.bottomRightCorner<3, 3>() = 2.0 * Matrix3::Identity();
    norm.set_mass(std::vector<double>(M.data(), M.data() + M.size()));
    v << R * spin, R * speed;
    for (const bool turns : {false, true}) {
      e_v << R * (turns ? turn : Vector3::Zero()), R * (turns ? Vector3::Zero() : place);
      const double error = norm.evaluate(e_q, e_v, 0.5 * v, v).value;
      const double length = std::sqrt(turn.cwiseAbs2().dot(Vector3(0.01, 0.015, 0.0225)));
      const double along = std::sqrt(spin.cwiseAbs2().dot(Vector3(0.01, 0.015, 0.0225)));
      EXPECT_NEAR(error,
                  turns ? length / (1e-3 * (0.1 + along)) : place.norm() / (1e-3 * (0.1 + speed.norm())),
                  1e-12);
    }
    e_q.tail<3>() = R * place;
    e_v.setZero();
    errors[turned][1] = norm.evaluate(e_q, e_v, v, v).value;
    e_q << 0.5 * 2e-3, VectorX::Zero(6);
    errors[turned][2] = norm.evaluate(e_q, e_v, v, v).value;
  }
  EXPECT_NEAR(errors[0][0], place.norm() / 1e-4, 1e-9);
  EXPECT_NEAR(errors[0][1], place.norm() / 1e-5, 1e-9);
  EXPECT_NEAR(errors[0][2], 2e-3 * 0.15 / 1e-5, 1e-9);  // about its longest radius
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(errors[1][i], errors[0][i], 1e-9) << i;
}

}  // namespace
}  // namespace csim::testing_support
