// A refused step is divided for the islands that are refused; the others keep it.
#include <array>
#include <iomanip>
#include <sstream>

#include "far_bodies.h"
#include "step/discrete/discrete_step.h"
#include "step/discrete/refused_trees.h"
#include "step_checks.h"
#include "support/step_at_hand.h"

namespace csim::testing_support {
namespace {

long count_divided(const StepOutcome& outcome) {
  return outcome.statistics.status == StepStatus::kShorterStep ? 1 : 0;
}

class Islands : public testing::TestWithParam<const char*> {};

// What is far from a hit goes on to the last bit as if it were not there, in every step it divides.
TEST_P(Islands, FarFromAHitNothingChanges) {
  const std::vector<std::string> options{std::string("contact.model=") + GetParam()};
  Simulation with(far_bodies(true), options), without(far_bodies(false), options);
  const Eigen::Index nq = without.state.q.size(), nv = without.state.v.size();
  long divided = 0;
  for (int n = 0; n < 40; ++n) {
    const StepOutcome& outcome = with.stepper->step(&with.state);
    ASSERT_TRUE(outcome.ok) << outcome.message;
    divided += count_divided(outcome);
    for (const Event& event : outcome.events) EXPECT_NE(event.kind, EventKind::kInexactStep) << event.value;
    EXPECT_EQ(count_divided(without.stepper->step(&without.state)), 0);
    EXPECT_EQ(with.state.q.head(nq), without.state.q) << n;
    EXPECT_EQ(with.state.v.head(nv), without.state.v) << n;
    for (std::size_t i = 0; i < without.stepper->memory().v_before.size(); ++i)
      EXPECT_EQ(with.stepper->memory().v_before[i].head(nv), without.stepper->memory().v_before[i]);
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(divided, 1);
}

class Alone : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

// What is divided moves to the last bit as if nothing else were in the scene: neither what is heavy, fast and
// spinning, nor what rests decides anything.
TEST_P(Alone, AHitIsThatOfItsBodies) {
  const std::vector<std::string> options{std::string("contact.model=") + std::get<0>(GetParam()),
                                         std::string("integrator.velocity_terms=") + std::get<1>(GetParam())};
  const std::string others = R"(
  - {name: rests, density: 1000, pose: {xyz: [3, 0, 0.05]}, geometry: [{shape: box, size: [0.1, 0.1, 0.1], material: m}]}
  - {name: rages, mass: 1.0e4, inertia: solid, pose: {xyz: [50, 0, 100]}, velocity: {linear: [9, 0, -50], angular: [0, 3, 20]}, geometry: [{shape: box, size: [1, 2, 1], material: m}]}
)";
  Simulation with(kFarBodiesHead + landing_column() + others, options),
      alone(kFarBodiesHead + landing_column(), options);
  const Eigen::Index nq = alone.state.q.size(), nv = alone.state.v.size(),
                     num_trees = alone.state.tree_dissipated.size();
  long divided = 0;
  for (int n = 0; n < 30; ++n) {
    const StepOutcome& outcome = with.stepper->step(&with.state);
    ASSERT_TRUE(outcome.ok) << outcome.message;
    divided += count_divided(outcome);
    EXPECT_EQ(count_divided(alone.stepper->step(&alone.state)), count_divided(outcome)) << n;
    ASSERT_EQ(with.state.q.head(nq), alone.state.q) << n;
    ASSERT_EQ(with.state.v.head(nv), alone.state.v) << n;
    ASSERT_EQ(with.state.tree_dissipated.head(num_trees), alone.state.tree_dissipated) << n;
  }
  EXPECT_GT(divided, 0);
}

/// Parts of the step, by its event.
double count_parts(const StepOutcome& outcome) {
  for (const Event& event : outcome.events)
    if (event.kind == EventKind::kDividedStep) return event.value;
  return 1.0;
}

// How often one island is divided in a step is nothing to another that is divided in it.
TEST_P(Alone, AHitIsDividedAsOftenAsItAsksFor) {
  const std::vector<std::string> options{std::string("contact.model=") + std::get<0>(GetParam()),
                                         std::string("integrator.velocity_terms=") + std::get<1>(GetParam())};
  Simulation with(kFarBodiesHead + landing_column("h", 0.0, 6.0) + landing_column("g", 30.0, 4.0) +
                      landing_column("k", 60.0, 7.0),
                  options),
      alone(kFarBodiesHead + landing_column("h", 0.0, 6.0), options);
  const Eigen::Index nq = alone.state.q.size(), nv = alone.state.v.size(),
                     num_trees = alone.state.tree_dissipated.size();
  long both = 0;
  for (int n = 0; n < 30; ++n) {
    const StepOutcome& outcome = with.stepper->step(&with.state);
    ASSERT_TRUE(outcome.ok) << outcome.message;
    const double parts = count_parts(alone.stepper->step(&alone.state));
    both += parts > 1.0 && count_parts(outcome) > parts ? 1 : 0;
    ASSERT_EQ(with.state.q.head(nq), alone.state.q) << n;
    ASSERT_EQ(with.state.v.head(nv), alone.state.v) << n;
    ASSERT_EQ(with.state.tree_dissipated.head(num_trees), alone.state.tree_dissipated) << n;
  }
  EXPECT_GT(both, 0);
}

INSTANTIATE_TEST_SUITE_P(Laws, Alone,
                         testing::Combine(testing::Values("lagged", "coulomb"),
                                          testing::Values("mean", "start")));

/// Eight boxes of a column that lands, turned and spinning: x, y (m), roll, pitch, yaw, angular velocity
/// (rad/s).
using SpinningColumn = std::array<std::array<double, 8>, 8>;
constexpr SpinningColumn kOne{{
    {119.989442, -0.015873, 2.376349, 0.929834, 0.399091, -3.936, 16.718, 12.018},
    {120.010607, -0.011123, 3.220080, 1.660096, 1.035987, -15.753, -11.424, 17.099},
    {120.013157, 0.012266, 4.802687, 1.160614, 1.859100, 5.079, 9.276, 14.186},
    {120.015202, -0.016531, 3.635111, 4.030209, 3.035723, -12.888, -1.056, -16.426},
    {120.017384, 0.014619, 3.285833, 1.801474, 5.453222, 2.895, 15.293, 13.922},
    {120.000335, -0.003442, 3.593475, 2.586258, 0.967924, -7.796, 12.504, -18.270},
    {119.981853, 0.005054, 1.682599, 3.207731, 2.827441, -6.286, 19.891, -12.177},
    {119.996512, -0.011893, 3.795990, 1.657829, 2.134985, 9.878, -7.173, 2.341},
}};
constexpr SpinningColumn kOther{{
    {690.016995, 0.017944, 5.354600, 0.501304, 3.552163, -3.050, 1.204, -14.788},
    {689.987680, -0.002217, 1.326235, 2.730198, 0.148602, -16.569, 8.400, -3.150},
    {690.000505, 0.009368, 2.153978, 0.345327, 4.698614, 3.565, 6.317, 4.840},
    {690.018829, -0.005488, 4.558720, 2.212103, 3.432281, 6.421, -7.424, -16.571},
    {689.998963, 0.008717, 3.543658, 2.684709, 3.854271, -12.719, -12.858, -7.064},
    {690.012635, -0.012176, 0.685807, 0.591625, 0.233599, -8.977, 2.913, 12.827},
    {689.993232, -0.005214, 1.730906, 1.828725, 4.665495, 1.960, -9.663, -15.715},
    {690.011352, 0.008286, 4.971392, 1.428158, 3.272874, 16.750, 3.708, 17.819},
}};

std::string spinning_column(const char* name, const SpinningColumn& boxes, double speed) {
  std::ostringstream text;
  text << std::setprecision(15);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const auto& b = boxes[i];
    text << "  - {name: " << name << i << ", density: 1000, pose: {xyz: [" << b[0] << ", " << b[1] << ", "
         << (10 + 16 * static_cast<int>(i)) / 100.0 << "], rpy: [" << b[2] << ", " << b[3] << ", " << b[4]
         << "]}, velocity: {linear: [0, 0, " << -speed << "], angular: [" << b[5] << ", " << b[6] << ", "
         << b[7] << "]}, geometry: [{shape: box, size: [0.1, 0.1, 0.1], material: m}]}\n";
  }
  return text.str();
}

// A part that is too long for one island is judged for the others without it, against all that have come to
// its end: an island that wants shorter parts hides no gain of another.
TEST(IslandsThatWait, HideNoGainOfOthers) {
  const std::vector<std::string> options{"contact.model=lagged"};
  Simulation with(kFarBodiesHead + spinning_column("a", kOne, 9.0) + spinning_column("b", kOther, 13.5),
                  options),
      alone(kFarBodiesHead + spinning_column("a", kOne, 9.0), options);
  for (int n = 0; n < 6; ++n) {
    ASSERT_TRUE(with.stepper->step(&with.state).ok);
    ASSERT_TRUE(alone.stepper->step(&alone.state).ok);
    ASSERT_EQ(with.state.q.head(alone.state.q.size()), alone.state.q) << n;
    ASSERT_EQ(with.state.v.head(alone.state.v.size()), alone.state.v) << n;
  }
}

// Every account of a divided step is that of its islands together: the balance closes at the end of each.
TEST_P(Islands, TheBalanceCloses) {
  Simulation s(far_bodies(true), {std::string("contact.model=") + GetParam(), "solver.tolerance=1.0e-12"});
  long divided = 0;
  for (int n = 0; n < 60; ++n) {
    const StepOutcome& outcome = s.stepper->step(&s.state);
    ASSERT_TRUE(outcome.ok) << outcome.message;
    divided += count_divided(outcome);
    const EnergyAccounts& e = s.state.energy;
    EXPECT_NEAR(e.unexplained(), 0.0, 1e-9 * e.turned_over()) << n;
    EXPECT_NEAR(e.overlaps, energy_left(s.state.pair_energies), 1e-12 * e.turned_over());
    for (const Event& event : outcome.events) EXPECT_NE(event.kind, EventKind::kEnergyGain);
  }
  EXPECT_GT(divided, 1);
}

// A row of a divided step shows the contacts of all bodies, each once, with their forces.
TEST_P(Islands, AFrameShowsAll) {
  Simulation s(far_bodies(true), {std::string("contact.model=") + GetParam()});
  const int box = s.model.geometries[1].body;
  ASSERT_EQ(s.model.bodies[box].name, "rests");
  const double weight = s.model.bodies[box].mass.mass * 9.81;
  long divided = 0;
  for (int n = 0; n < 40; ++n) {
    const StepOutcome& outcome = s.stepper->step(&s.state);
    ASSERT_TRUE(outcome.ok) << outcome.message;
    if (n < 10 || count_divided(outcome) == 0) continue;
    ++divided;
    Frame frame;
    s.stepper->fill_frame(s.state, true, &frame);
    BodyContacts contacts = contacts_by_body(s, frame);
    EXPECT_NEAR(contacts.force[box], weight, 1e-3 * weight);
    EXPECT_EQ(contacts.count[box], 4);
    EXPECT_EQ(contacts.count[box + 1], 4);
    EXPECT_NEAR(frame.joint_effort.norm(), std::abs(3.0 * s.state.q[s.model.bodies[4].joint.q_begin]), 1e-12);
  }
  EXPECT_GT(divided, 0);
}

// A resumed stepper, which has prepared nothing, makes the same of a step that is divided.
TEST_P(Islands, RepeatToTheBit) {
  Simulation s(far_bodies(true), {std::string("contact.model=") + GetParam()});
  for (int n = 0; n < 30; ++n) {
    const auto fresh = make_stepper(s.model, s.scene, 2);
    fresh->set_memory(s.stepper->memory());
    const StepOutcome again = fresh->attempt(s.state, 1.0);
    ASSERT_TRUE(s.stepper->step(&s.state).ok);
    expect_same_bits(again, s);
    if (testing::Test::HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Laws, Islands, testing::Values("lagged", "coulomb"));

/// Two balls that fly towards each other, a third that rests beside them, a fourth far away.
const char* const kBalls = R"(
csim: 1
time: {step: 1.0e-2, end: 1}
materials: {m: {stiffness: 1.0e5, friction: 0.4}}
bodies:
  - {name: floor, fixed: true, geometry: [{shape: half_space, material: m}]}
  - {name: left, mass: 1, inertia: solid, pose: {xyz: [0, 0, 1]}, velocity: {linear: [3, 0, 0]}, geometry: [{shape: sphere, radius: 0.1, material: m}]}
  - {name: right, mass: 1, inertia: solid, pose: {xyz: [0.22, 0, 1]}, velocity: {linear: [-3, 0, 0]}, geometry: [{shape: sphere, radius: 0.1, material: m}]}
  - {name: rest, mass: 1, inertia: solid, pose: {xyz: [1, 0, 0.1]}, geometry: [{shape: sphere, radius: 0.1, material: m}]}
  - {name: far, mass: 1, inertia: solid, pose: {xyz: [9, 0, 3]}, geometry: [{shape: sphere, radius: 0.1, material: m}]}
)";

/// Attempts the step of some trees.
StepOutcome attempt(const Simulation& s, const TreeSet& trees) {
  const std::function<bool()> stop = [] { return false; };
  DiscreteStep step(s.model, s.scene, 1, stop);
  SolverMemory memory;
  memory.restart(s.state.v, s.model.trees.size());
  StepOutcome outcome;
  step.attempt(s.state, memory, s.scene.time.step, {trees, trees.empty()}, &outcome);
  return outcome;
}

// Trees that take no part go straight on, whatever they fly into; whoever would press on them has met them.
TEST(AttemptOfTrees, MeetsOthersOnItsWay) {
  const Simulation s(kBalls);
  const StepOutcome all = attempt(s, {});
  EXPECT_TRUE(all.met.empty());
  EXPECT_LT(all.state.v.segment<3>(9).x(), 3.0 + all.state.v.segment<3>(3).x());

  const StepOutcome alone = attempt(s, {1, 0, 0, 0});
  ASSERT_EQ(alone.met.size(), 1u);
  EXPECT_EQ(s.model.bodies[alone.met[0].first].name, "left");
  EXPECT_EQ(s.model.bodies[alone.met[0].second].name, "right");
  EXPECT_EQ(alone.state.v.segment<6>(6), s.state.v.segment<6>(6));
  EXPECT_EQ(alone.state.v.segment<6>(18), s.state.v.segment<6>(18));  // not even gravity acts on it
  EXPECT_DOUBLE_EQ(alone.state.v[5], -9.81e-2);
  EXPECT_DOUBLE_EQ(alone.state.q[7 + 4], 0.22 - 0.03);

  EXPECT_TRUE(attempt(s, {1, 1, 0, 0}).met.empty());
  EXPECT_TRUE(attempt(s, {0, 0, 1, 1}).met.empty());
}

// Bit for bit what the attempt of all makes of an island.
TEST(AttemptOfTrees, IsThatOfAllWhereNothingIsMet) {
  const Simulation s(kBalls);
  const StepOutcome all = attempt(s, {}), two = attempt(s, {1, 1, 0, 0});
  EXPECT_EQ(two.state.q.head(14), all.state.q.head(14));
  EXPECT_EQ(two.state.v.head(12), all.state.v.head(12));
}

TEST(RefusedTrees, AreTheIslandsThatHoldTooMuch) {
  SteppedOnce s(kBalls);
  const auto body = [&](const char* name) { return s.sim.body(name); };
  StepOutcome outcome;
  outcome.gains = {{body("floor"), body("rest"), 0.3, 2}, {body("left"), body("right"), 1.0, 0}};
  outcome.island_gains = {{.energy = 1.0, .allowed = 0.4, .island = 0},
                          {.energy = 0.3, .allowed = 0.2, .island = 2}};
  const auto refused = [&](double limit) {
    for (IslandGain& gain : outcome.island_gains) gain.limit = limit;
    std::vector<std::pair<int, int>> pairs;
    find_refused_pairs(outcome, &pairs);
    TreeSet trees(4, 0);
    add_islands(s.prepared, pairs, &trees);
    return trees;
  };
  EXPECT_EQ(refused(3.0), TreeSet({0, 0, 0, 0}));
  EXPECT_EQ(refused(2.0), TreeSet({1, 1, 0, 0}));
  EXPECT_EQ(refused(1.0), TreeSet({1, 1, 1, 0}));
  outcome.gains.clear();
  outcome.refused_pairs = {{body("left"), body("far")}};  // their islands need not be one
  EXPECT_EQ(refused(1.0), TreeSet({1, 1, 0, 1}));
  outcome.refused_pairs.clear();
  outcome.met = {{body("floor"), body("rest")}};
  EXPECT_EQ(refused(1.0), TreeSet({0, 0, 1, 0}));
}

TEST(RefusedTrees, AreConcernedByEventsOfTheirBodies) {
  const Simulation s(kBalls);
  const TreeSet trees{1, 0, 0, 0};
  EXPECT_TRUE(concerns(s.model, trees, {EventKind::kFastSpin, 1}));
  EXPECT_FALSE(concerns(s.model, trees, {EventKind::kFastSpin, 2}));
  EXPECT_TRUE(concerns(s.model, trees, {EventKind::kPassage, 0, 1}));  // geometries
  EXPECT_FALSE(concerns(s.model, trees, {EventKind::kPassage, 0, 2}));
  EXPECT_FALSE(concerns(s.model, trees, {EventKind::kInexactStep}));
}

}  // namespace
}  // namespace csim::testing_support
