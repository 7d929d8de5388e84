// What the overlaps of an island may hold for nothing: by its own motion, as any observer sees it.
#include "step/discrete/island_gains.h"

#include "step/discrete/step_constants.h"
#include "support/step_at_hand.h"

namespace csim::testing_support {
namespace {

/// Balls of 1 and 3 kg that touch, a third on a floor, seen from something that moves with `observer` (m/s)
/// the other way; with `far`, something heavy, fast and spinning beside.
std::string balls(const std::string& observer, bool far = false) {
  const std::string seen = "velocity: {linear: [" + observer + "]}";
  std::string text = R"(
csim: 1
time: {step: 1.0e-2, end: 1}
gravity: [0, 0, 0]
materials: {m: {stiffness: 1.0e5, friction: 0.4}}
bodies:
)";
  const auto ball = [&](const std::string& name, double mass, double x, double z, const std::string& v,
                        const std::string& w) {
    text += "  - {name: " + name + ", mass: " + std::to_string(mass) + ", inertia: solid, pose: {xyz: [" +
            std::to_string(x) + ", 0, " + std::to_string(z) + "]}, velocity: {linear: [" + v +
            "], angular: [" + w + "]}, geometry: [{shape: sphere, radius: 0.1, material: m}]}\n";
  };
  const auto plus = [&](double x) { return std::to_string(std::stod(observer) + x) + ", 0, 0"; };
  text += "  - {name: floor, motion: {times: [0, 1], xyz: [[0, 0, 0], [" + observer +
          ", 0, 0]]}, geometry: [{shape: half_space, material: m}]}\n";
  ball("light", 1, 0.0, 2.0, plus(2.0), "0, 5, 0");
  ball("heavy", 3, 0.19, 2.0, plus(-2.0), "0, 0, 0");
  ball("low", 1, 3.0, 0.09, plus(3.0), "0, 0, 0");
  if (far) ball("far", 1e4, 50.0, 0.05, plus(100.0), "0, 0, 900");
  return text;
}

/// The islands of pairs that hold these energies for nothing, of overlaps that hold 0.5 J more. *gained: of
/// trees, before and after; null: nothing before.
std::vector<IslandGain> judge(SteppedOnce* s, PairGains gains, VectorX* gained = nullptr) {
  VectorX none = VectorX::Zero(static_cast<Eigen::Index>(s->prepared.model.trees.size()));
  PairOverlaps overlaps;
  for (const PairGain& row : gains) overlaps.push_back({row.body_a, row.body_b, row.energy + 0.5});
  std::vector<IslandGain> islands;
  IslandGainWork work;
  std::vector<int> of_trees;
  judge_islands(s->prepared, s->prepared, overlaps, &gains, &islands, &of_trees,
                gained != nullptr ? gained : &none, &work);
  for (std::size_t t = 0; t < of_trees.size(); ++t) {
    if (of_trees[t] < 0) continue;
    EXPECT_LE(islands[of_trees[t]].island, static_cast<int>(t));
  }
  for (const PairGain& row : gains) EXPECT_GE(row.island, 0);
  return islands;
}

PairGains gains_of(const SteppedOnce& s) {
  return {{s.sim.body("floor"), s.sim.body("low"), 0.25}, {s.sim.body("light"), s.sim.body("heavy"), 0.75}};
}

// What the trees of an island have gained in the parts before is that of the island that gained most: it
// counts where they come together.
TEST(IslandGains, AreSummedOverThePartsOfAStep) {
  SteppedOnce s(balls("0"));
  VectorX gained = Vector3(0.25, 0.5, 0.0);
  const std::vector<IslandGain> islands = judge(&s, gains_of(s), &gained);
  ASSERT_EQ(islands.size(), 2u);
  EXPECT_EQ(islands[0].gained, 0.5);  // light and heavy
  EXPECT_EQ(islands[1].gained, 0.0);  // low
  EXPECT_GT(islands[0].part(), 0.0);
  EXPECT_EQ(gained, VectorX(Vector3(0.25 + islands[0].part(), 0.5 + islands[0].part(), islands[1].part())));
}

// In the air as their centre of mass sees them: 1 kg and 3 kg that meet at 4 m/s, and the spin of the first.
TEST(IslandGains, AllowedIsOfWhatMovesInTheIsland) {
  SteppedOnce s(balls("0"));
  s.prepared.state.tree_dissipated = VectorX(Vector3(2.0, -0.5, -1.0));
  const std::vector<IslandGain> islands = judge(&s, gains_of(s));
  ASSERT_EQ(islands.size(), 2u);
  const double spin = 0.5 * (0.4 * 1.0 * 0.01) * 25.0;
  EXPECT_EQ(islands[0].island, 0);
  EXPECT_EQ(islands[0].energy, 0.75);
  EXPECT_EQ(islands[0].body_a, s.sim.body("light"));
  EXPECT_EQ(islands[0].body_b, s.sim.body("heavy"));
  EXPECT_NEAR(islands[0].allowed, kGainOfMotion * (0.5 * 0.75 * 16.0 + spin + 0.5) + kGainOfDissipated * 1.5,
              1e-12);
  EXPECT_EQ(islands[1].island, 2);
  EXPECT_EQ(islands[1].energy, 0.25);
  EXPECT_NEAR(islands[1].allowed, kGainOfMotion * (0.5 * 9.0 + 0.5),
              1e-12);  // no less than nothing dissipated
}

TEST(IslandGains, AMovingObserverAllowsTheSame) {
  SteppedOnce at_rest(balls("0"));
  const std::vector<IslandGain> expected = judge(&at_rest, gains_of(at_rest));
  for (const char* observer : {"10.0", "-1000.0"}) {
    SteppedOnce s(balls(observer));
    const std::vector<IslandGain> islands = judge(&s, gains_of(s));
    ASSERT_EQ(islands.size(), expected.size());
    for (std::size_t i = 0; i < islands.size(); ++i)
      EXPECT_NEAR(islands[i].allowed, expected[i].allowed, 1e-9) << observer;
  }
}

TEST(IslandGains, WhatIsOutsideTheIslandChangesNoBit) {
  SteppedOnce alone(balls("0")), s(balls("0", true));
  const std::vector<IslandGain> expected = judge(&alone, gains_of(alone));
  PairGains gains = gains_of(s);
  gains.insert(gains.begin() + 1, {s.sim.body("floor"), s.sim.body("far"), 2.0});
  const std::vector<IslandGain> islands = judge(&s, gains);
  ASSERT_EQ(islands.size(), 3u);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(islands[i].energy, expected[i].energy);
    EXPECT_EQ(islands[i].allowed, expected[i].allowed);
  }
}

// What rides on a plate that turns and rises has no motion of its own, wherever it is and however fast: all
// that it may hold is of the 0.5 J that its overlap was worked for.
TEST(IslandGains, ARiderHasNoMotionOfItsOwn) {
  for (const char* speed : {"1", "100"}) {
    const double w = std::stod(speed), x = 0.7, y = -0.4;
    SteppedOnce s(R"(
csim: 1
time: {step: 1.0e-2, end: 1}
gravity: [0, 0, 0]
materials: {m: {stiffness: 1.0e5, friction: 0.4}}
bodies:
  - {name: plate, motion: {velocity: [3, 0, 2], angular_velocity: [0, 0, )" +
                  std::string(speed) + R"(]}, geometry: [{shape: half_space, material: m}]}
  - {name: rider, mass: 2, inertia: solid, pose: {xyz: [0.7, -0.4, 0.09]}, velocity: {linear: [)" +
                  std::to_string(3.0 - w * y) + ", " + std::to_string(w * x) + ", 2], angular: [0, 0, " +
                  speed + R"(]}, geometry: [{shape: sphere, radius: 0.1, material: m}]}
)");
    const std::vector<IslandGain> islands = judge(&s, {{s.sim.body("plate"), s.sim.body("rider"), 0.25}});
    ASSERT_EQ(islands.size(), 1u);
    EXPECT_NEAR(islands[0].allowed / (kGainOfMotion * 0.5), 1.0, 1e-9) << speed;
  }
}

// A tree on a joint is seen from what carries it.
TEST(IslandGains, ATreeIsSeenFromItsBase) {
  SteppedOnce s(R"(
csim: 1
time: {step: 1.0e-2, end: 1}
materials: {m: {stiffness: 1.0e5, friction: 0.4}}
bodies:
  - {name: base, motion: {times: [0, 1], xyz: [[0, 0, 0], [7, 0, 0]]}}
  - {name: slider, mass: 2, inertia: [1, 1, 1], geometry: [{shape: sphere, radius: 0.1, material: m}]}
  - {name: ball, mass: 1, inertia: solid, pose: {xyz: [0.15, 0, 0]}, velocity: {linear: [7, 0, 0]}, geometry: [{shape: sphere, radius: 0.1, material: m}]}
joints:
  - {name: rail, type: prismatic, parent: base, child: slider, axis: [1, 0, 0], velocity: 3}
)");
  const std::vector<IslandGain> islands = judge(&s, {{s.sim.body("slider"), s.sim.body("ball"), 0.25}});
  ASSERT_EQ(islands.size(), 1u);
  EXPECT_NEAR(islands[0].allowed, kGainOfMotion * (0.5 * 2.0 * 9.0 + 0.5), 1e-12);
}

}  // namespace
}  // namespace csim::testing_support
