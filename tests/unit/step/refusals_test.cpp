// What refuses an attempt, each by itself: its kind, its pair, by how much.
#include "step/discrete/refusals.h"

#include "support/step_at_hand.h"

namespace csim::testing_support {
namespace {

const char* const kBallOnFloor = R"(
csim: 1
time: {step: 5.0e-3, end: 1}
materials: {m: {stiffness: 1.0e5, friction: 0.4}}
bodies:
  - {name: floor, fixed: true, geometry: [{shape: half_space, material: m, name: ground}]}
  - {name: ball, mass: 1, inertia: solid, pose: {xyz: [0, 0, 0.0999]}, geometry: [{shape: sphere, radius: 0.1, material: m}]}
)";

// Velocity-dependent forces that were not found to a hundredth of the momentum; less is told alone.
TEST(Refusals, OfVelocityTerms) {
  SteppedOnce s(kBallOnFloor);
  s.solve();
  EXPECT_FALSE(judge_velocity_terms(s.sim.model, s.solved));
  s.solved.unsettled_tree = 0;
  s.solved.velocity_residual = 0.009;
  EXPECT_FALSE(judge_velocity_terms(s.sim.model, s.solved));
  s.solved.velocity_residual = 0.3;
  const Refusal refusal = judge_velocity_terms(s.sim.model, s.solved);
  EXPECT_EQ(refusal.kind, RefusalKind::kUnsettled);
  EXPECT_EQ(refusal.amount, 0.3);
  EXPECT_EQ(s.sim.model.bodies[refusal.subject_a].name, "ball");
  EXPECT_FALSE(rule_of(refusal.kind).is_failure);
}

/// A capsule that a hit on a wall turns by more than a radian within its step, in a world without gravity.
std::string pin(const std::string& name, const std::string& x, const std::string& w) {
  return "  - {name: wall_" + name + ", fixed: true, pose: {xyz: [" + x +
         ", 0, 0]}, geometry: [{shape: box, size: [1, 1, 0.1], material: m}]}\n  - {name: " + name +
         ", density: 1000, pose: {xyz: [" + x +
         ", 0, 1.62], rpy_deg: [20, 30, 10]}, velocity: {linear: [1, 2, -60], angular: [" + w +
         "]}, geometry: [{shape: capsule, radius: 0.01, length: 0.06, material: m}]}\n";
}

const std::string kHits = R"(
csim: 1
gravity: [0, 0, 0]
time: {step: 0.02, end: 0.1}
materials: {m: {friction: 0.5, stiffness: 1.0e+6}}
bodies:
)";

// Gyroscopic forces and impulses of such a hit, found in turns, do not settle, and the step is divided.
TEST(Refusals, OfVelocityTermsDivideTheStep) {
  Simulation s(kHits + pin("pin", "0", "50, 30, 100"));
  s.step(5);
  const EventTotal& refused = s.events[EventKind::kTurningAttempt];
  ASSERT_GT(refused.count, 0);
  EXPECT_EQ(s.model.bodies[refused.first.subject_a].name, "pin");
  EXPECT_GT(s.events[EventKind::kDividedStep].count, 0);
  EXPECT_LT(s.events[EventKind::kInexactStep].value, 0.01);
}

// Of two that are hit so in the same step both are divided.
TEST(Refusals, OfVelocityTermsAreOfEachIsland) {
  Simulation s(kHits + "  - {name: rests, mass: 1, inertia: [1, 1, 1], pose: {xyz: [0, 20, 0]}}\n" +
               pin("one", "0", "50, 30, 100") + pin("two", "10", "50, 30, 90"));
  s.step(5);
  EXPECT_GT(s.events[EventKind::kDividedStep].count, 0);
  EXPECT_LT(s.events[EventKind::kInexactStep].value, 0.01);
}

TEST(Refusals, OfASolution) {
  SteppedOnce s(kBallOnFloor);
  s.solve();
  std::string message;
  EXPECT_FALSE(judge_solution(s.prepared, s.solved, &message));
  EXPECT_EQ(message, "");

  s.solved.report.status = SolveStatus::kIterationLimit;
  s.solved.report.residual = 0.5;
  s.solved.report.message = "after all iterations";
  s.solved.report.failed_contact = 0;
  Refusal refusal = judge_solution(s.prepared, s.solved, &message);
  EXPECT_EQ(refusal.kind, RefusalKind::kNotConverged);
  EXPECT_EQ(refusal.amount, 0.5);
  EXPECT_EQ(refusal.allowed, s.options.newton.relative_tolerance);
  EXPECT_EQ(s.sim.model.geometries[refusal.subject_a].name, "floor/ground");
  EXPECT_NE(message.find("step 1 at t = 0 s: the solver did not converge: after all iterations (contact of"),
            std::string::npos)
      << message;

  s.prepared.unsettled_tree = 0;
  refusal = judge_solution(s.prepared, s.solved, &message);
  EXPECT_EQ(refusal.kind, RefusalKind::kTurning);
  EXPECT_EQ(s.sim.model.bodies[refusal.subject_a].name, "ball");
  EXPECT_NE(message.find("no mean velocity"), std::string::npos) << message;

  s.prepared.unsettled_tree = -1;
  s.solved.report.status = SolveStatus::kConverged;
  s.solved.v[4] = 1e200;  // too large to square
  refusal = judge_solution(s.prepared, s.solved, &message);
  EXPECT_EQ(refusal.kind, RefusalKind::kNotFinite);
  EXPECT_EQ(s.sim.model.bodies[refusal.subject_a].name, "ball");
  EXPECT_NE(message.find("body 'ball', coordinate 4 = 1e+200"), std::string::npos) << message;
}

TEST(Refusals, OfAPath) {
  Passages passages;
  EXPECT_FALSE(judge_path(passages));
  passages.add(3, 1, false);  // a law too soft for the speed, which no shorter step holds
  EXPECT_FALSE(judge_path(passages));
  passages.add(5, 2, true);
  const Refusal refusal = judge_path(passages);
  EXPECT_EQ(refusal.kind, RefusalKind::kPassage);
  EXPECT_EQ(refusal.amount, 2.0);
}

// Only corners that were held at the start, or not there.
TEST(Refusals, OfCornersThatNothingHolds) {
  Model model;
  model.bodies.resize(4);
  model.geometries.resize(4);
  for (int b = 0; b < 4; ++b) model.bodies[b].tree = model.geometries[b].body = b;
  ContactSet start, end;
  start.unheld = {{0, 3}};
  end.unheld = {{0, 3}};
  std::vector<std::pair<int, int>> lost;
  EXPECT_FALSE(judge_corners(model, {}, start, end, &lost));
  EXPECT_TRUE(lost.empty());
  end.unheld = {{0, 3}, {2, 3}};
  EXPECT_FALSE(judge_corners(model, {1, 1, 0, 0}, start, end, &lost));  // of trees that took no part
  const Refusal refusal = judge_corners(model, {0, 0, 1, 0}, start, end, &lost);
  EXPECT_EQ(refusal.kind, RefusalKind::kFreeCorner);
  EXPECT_EQ(refusal.subject_a, 2);
  EXPECT_EQ(refusal.subject_b, 3);
  EXPECT_EQ(lost.size(), 1u);
}

TEST(Refusals, OfOverlapsThatNothingWorkedFor) {
  SteppedOnce s(kBallOnFloor);
  const Model& model = s.sim.model;
  // 1 kg falls for 1 ms: 0.5 (9.81e-3)^2 J are not counted.
  const double fall = 0.5 * 9.81e-3 * 9.81e-3;
  const PairOverlaps overlaps{{0, 1, 2.0}};
  for (const PairWork& work : {PairWork{0, 1, 0.5, 0.1, 0.2}, {0, 1, 0.1, 0.5, 0.2}, {0, 1, 0.1, 0.2, 0.5}}) {
    PairGains gains;
    find_energy_for_nothing(model, 1e-3, {0}, overlaps, {work}, &gains);
    EXPECT_TRUE(gains.empty());  // took no part
    find_energy_for_nothing(model, 1e-3, {}, overlaps, {work}, &gains);
    ASSERT_EQ(gains.size(), 1u);
    EXPECT_NEAR(gains[0].energy, 1.5 - fall, 1e-12);
    EXPECT_EQ(gains[0].body_a, 0);
    EXPECT_EQ(gains[0].body_b, 1);
  }
  PairGains gains;
  find_energy_for_nothing(model, 1e-3, {}, overlaps, {}, &gains);
  ASSERT_EQ(gains.size(), 1u);
  EXPECT_NEAR(gains[0].energy, 2.0 - fall, 1e-12);  // met in the step
  find_energy_for_nothing(model, 1e-3, {}, overlaps, {{0, 1, 2.0}}, &gains);
  EXPECT_TRUE(gains.empty());
}

TEST(Refusals, OfMoreThanAnIslandMayHold) {
  const SteppedOnce s(kBallOnFloor);
  IslandGain gain{.energy = 1.5, .allowed = 1.0, .body_a = 0, .body_b = 1, .gained = 0.5, .limit = 1.5};
  EXPECT_FALSE(judge_gain(gain));
  gain.limit = 1.0;
  const Refusal refusal = judge_gain(gain);
  EXPECT_EQ(refusal.kind, RefusalKind::kOverlapGain);
  EXPECT_EQ(refusal.amount, 1.5);
  EXPECT_EQ(refusal.allowed, 1.0);
  EXPECT_EQ(refusal.gained, 0.5);
  EXPECT_EQ(
      describe(s.sim.model, refusal),
      "unexpected overlaps store 1.5 J of energy from nothing, most of it between 'floor' and 'ball'; 1 "
      "J are allowed");
  EXPECT_FALSE(judge_gain({.limit = 0.0}));
  EXPECT_TRUE(judge_gain({.energy = 1e-9, .allowed = 0.0}));
  EXPECT_FALSE(judge_gain({.energy = std::nan(""), .allowed = 1.0}));
}

TEST(Refusals, AreEventsWithTheirPair) {
  std::vector<Event> events;
  add_refusal({RefusalKind::kOverlapGain, 1, 2, 0.5, 0.1}, &events);
  add_refusal({RefusalKind::kOverlapGain, 1, 2, 0.25, 0.1}, &events);  // a shorter try
  add_refusal({RefusalKind::kPassage, 3, 4, 1.0}, &events);
  add_refusal({RefusalKind::kError, 1, -1, 3.0, 1.0}, &events);  // counted as num_rejected
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].kind, EventKind::kGainingAttempt);
  EXPECT_EQ(events[0].subject_b, 2);
  EXPECT_EQ(events[0].value, 0.5);
  EXPECT_EQ(events[1].kind, EventKind::kPassingAttempt);
}

}  // namespace
}  // namespace csim::testing_support
