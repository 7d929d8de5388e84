// How long the parts of a step are: after refusals, after parts that were taken.
#include "step/discrete/lengths.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

namespace csim {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Refusal refuse(RefusalKind kind, double amount = 0.0, double allowed = 0.0) {
  return {kind, -1, -1, amount, allowed};
}

State state_at(long step, double time) {
  State state;
  state.step = step;
  state.time = time;
  return state;
}

TEST(HalvedLengths, OnePartWhereNothingIsRefused) {
  HalvedLengths lengths(0.1, false);
  lengths.begin(state_at(2, 0.2), kInfinity);
  EXPECT_EQ(lengths.length(), 0.1);
  EXPECT_EQ(lengths.end_time(0.2), 3 * 0.1);  // exactly n h, not 0.2 + 0.1
  EXPECT_EQ(lengths.next_length(), 0.1);
  EXPECT_FALSE(lengths.is_smallest());
  EXPECT_FALSE(lengths.accept());
}

// The parts walk a binary tree in time: a half that is refused becomes two quarters, then the other half.
TEST(HalvedLengths, WalkABinaryTree) {
  HalvedLengths lengths(1.0, false);
  lengths.begin(state_at(0, 0.0), kInfinity);
  ASSERT_TRUE(lengths.shorten(refuse(RefusalKind::kPassage), {}));  // 1 -> 1/2
  EXPECT_EQ(lengths.length(), 0.5);
  ASSERT_TRUE(lengths.shorten(refuse(RefusalKind::kFreeCorner), {}));
  EXPECT_EQ(lengths.length(), 0.25);
  EXPECT_EQ(lengths.next_length(), 0.25);
  ASSERT_TRUE(lengths.accept());
  EXPECT_EQ(lengths.length(), 0.25);
  EXPECT_EQ(lengths.end_time(0.25), 0.5);
  EXPECT_EQ(lengths.next_length(), 0.5);
  ASSERT_TRUE(lengths.accept());
  EXPECT_EQ(lengths.length(), 0.5);
  EXPECT_EQ(lengths.end_time(0.5), 1.0);
  EXPECT_FALSE(lengths.accept());
}

TEST(HalvedLengths, WhatIsNotSolvedIsDividedWhereTheSceneAsks) {
  HalvedLengths never(1.0, false);
  never.begin(state_at(0, 0.0), kInfinity);
  EXPECT_FALSE(never.shorten(refuse(RefusalKind::kNotConverged), {}));
  EXPECT_EQ(never.describe_end(refuse(RefusalKind::kNotConverged)), "");

  HalvedLengths lengths(1.0, true);
  lengths.begin(state_at(0, 0.0), kInfinity);
  for (int n = 1; n <= 6; ++n) ASSERT_TRUE(lengths.shorten(refuse(RefusalKind::kNotConverged), {})) << n;
  EXPECT_EQ(lengths.length(), 1.0 / 64);
  EXPECT_FALSE(lengths.shorten(refuse(RefusalKind::kNotConverged), {}));
  EXPECT_EQ(lengths.describe_end(refuse(RefusalKind::kNotConverged)), ", in a part of 1/64 of the step");
}

// Once divided for what it leads into, or for a body that turns too far, a step is not given up before
// 1/1024.
TEST(HalvedLengths, DividedForItsEndItGoesOnToTheSmallestPart) {
  for (const RefusalKind first : {RefusalKind::kPassage, RefusalKind::kTurning, RefusalKind::kOverlapGain}) {
    HalvedLengths lengths(1.0, false);
    lengths.begin(state_at(0, 0.0), kInfinity);
    ASSERT_TRUE(lengths.shorten(refuse(first, 1.0, 1.0), {}));
    for (int n = 2; n <= 10; ++n) {
      EXPECT_FALSE(lengths.is_smallest());
      ASSERT_TRUE(lengths.shorten(refuse(RefusalKind::kNotConverged), {})) << n;
    }
    EXPECT_EQ(lengths.length(), 1.0 / 1024);
    EXPECT_TRUE(lengths.is_smallest());
    EXPECT_FALSE(lengths.shorten(refuse(RefusalKind::kNotConverged), {}));
  }
}

// The energy of an overlap falls with the fourth power of the length: 20 times too much is 1.25 times too
// much in a half, 0.08 times in a quarter, which is tried next.
TEST(HalvedLengths, LengthsThatWouldGainTooMuchAreLeftOut) {
  HalvedLengths lengths(1.0, false);
  lengths.begin(state_at(0, 0.0), kInfinity);
  EXPECT_EQ(lengths.longest_after_refusal({.energy = 15.0, .allowed = 1.0}), kMostParts / 2);
  EXPECT_EQ(lengths.longest_after_refusal({.energy = 20.0, .allowed = 1.0}), kMostParts / 4);
  // After 0.95 a part of 1/8 may hold half of what is allowed: 1500/16^3 = 0.37.
  EXPECT_EQ(lengths.longest_after_refusal({.energy = 1500.0, .allowed = 1.0, .gained = 0.95}),
            kMostParts / 8);
  lengths.fit(kMostParts / 4);
  EXPECT_EQ(lengths.length(), 0.25);
  lengths.fit(kMostParts / 2);
  EXPECT_EQ(lengths.length(), 0.25);
}

// A part may gain what the parts before it left of a step's, or four times its share by length.
TEST(HalvedLengths, GainLimitOfAPart) {
  HalvedLengths lengths(1.0, false);
  lengths.begin(state_at(0, 0.0), kInfinity);
  EXPECT_EQ(lengths.gain_limit(0.0), 1.0);
  for (int n = 0; n < 4; ++n) ASSERT_TRUE(lengths.shorten(refuse(RefusalKind::kPassage), {}));  // 1/16
  EXPECT_EQ(lengths.gain_limit(0.0), 1.0);  // nothing used up so far
  EXPECT_DOUBLE_EQ(lengths.gain_limit(0.5), 0.5);
  EXPECT_DOUBLE_EQ(lengths.gain_limit(0.95), 4.0 / 16);  // more than the 0.05 that are left
}

// After a part that gained, a longer one is not tried that would gain too much in the second order.
TEST(HalvedLengths, NoLongerPartAfterOneThatGained) {
  HalvedLengths lengths(1.0, false);
  lengths.begin(state_at(0, 0.0), kInfinity);
  for (int n = 0; n < 3; ++n) ASSERT_TRUE(lengths.shorten(refuse(RefusalKind::kPassage), {}));  // 1/8
  EXPECT_EQ(lengths.longest_after({}), kMostParts);
  // A quarter would hold 1.2, and 1 is its share; 0.8 it may hold.
  EXPECT_EQ(lengths.longest_after({.energy = 0.3, .allowed = 1.0}), kMostParts / 8);
  EXPECT_EQ(lengths.longest_after({.energy = 0.2, .allowed = 1.0}), kMostParts / 4);
}

Scene error_controlled(double step) {
  Scene scene;
  scene.integrator.type = IntegratorType::kErrorControlled;
  scene.time.step = step;
  scene.output.period = 1.0;
  return scene;
}

/// Lengths of trees, each an island of its own.
struct Lone {
  explicit Lone(int num_trees, double step = 0.01) : lengths(error_controlled(step), num_trees) {}

  /// A step from t = 0 whose trees want these lengths, s.
  void begin(const std::vector<double>& wanted, double t_limit = 100.0) {
    State state = state_at(0, 0.0);
    state.tree_steps = VectorX::Map(wanted.data(), static_cast<Eigen::Index>(wanted.size()));
    lengths.begin(state, t_limit);
  }
  void set_errors(const std::vector<double>& errors) {
    std::vector<int> groups(errors.size());
    std::iota(groups.begin(), groups.end(), 0);
    lengths.set_errors(VectorX::Map(errors.data(), static_cast<Eigen::Index>(errors.size())), &groups);
  }
  bool refuse_errors(const std::vector<double>& errors) {
    set_errors(errors);
    return lengths.shorten(refuse(RefusalKind::kError), {});
  }

  ErrorLengths lengths;
};

// 0.9 h (1/error)^(1/2), between h/10 and 5 h, no growth below 1.2.
TEST(ErrorLengths, FollowTheError) {
  Lone one(1);
  ErrorLengths& lengths = one.lengths;
  for (const auto& [error, factor] : {std::pair{0.25, 1.8}, {0.8, 1.0}, {1.0, 0.9}, {1e-6, 5.0}}) {
    lengths.begin(state_at(0, 0.0), 100.0);
    EXPECT_EQ(lengths.length(), 0.01);
    one.set_errors({error});
    EXPECT_DOUBLE_EQ(lengths.next_length(), 0.01 * factor) << error;
    EXPECT_FALSE(lengths.accept());
    EXPECT_DOUBLE_EQ(lengths.wanted()[0], lengths.next_length());
  }
  lengths.begin(state_at(0, 0.0), 100.0);
  ASSERT_TRUE(one.refuse_errors({4.0}));
  EXPECT_DOUBLE_EQ(lengths.length(), 0.0045);
  one.set_errors({1e-6});  // no growth after a step that was too long
  EXPECT_DOUBLE_EQ(lengths.next_length(), 0.0045);
  ASSERT_TRUE(lengths.shorten(refuse(RefusalKind::kPassage), {}));
  EXPECT_DOUBLE_EQ(lengths.length(), 0.00045);
  EXPECT_EQ(lengths.whole_length(), 0.01);
}

TEST(ErrorLengths, EndAtTheLimit) {
  ErrorLengths lengths(error_controlled(0.01), 1);
  lengths.begin(state_at(5, 1.0), 1.004);
  EXPECT_EQ(lengths.end_time(1.0), 1.004);
  lengths.begin(state_at(5, 1.0), 1.016);  // two equal parts
  EXPECT_DOUBLE_EQ(lengths.length(), 0.008);
}

// A failure ends the run at 1/1024 of the step; what a part so short leads into is not judged.
TEST(ErrorLengths, FailBelowTheSmallestPart) {
  ErrorLengths lengths(error_controlled(0.01), 1);
  lengths.begin(state_at(0, 0.0), 100.0);
  const Refusal unsolved = refuse(RefusalKind::kNotConverged);
  int tries = 1;
  for (; lengths.shorten(unsolved, {}); ++tries) EXPECT_GT(10.0 * lengths.length(), 0.01 / 1024);
  EXPECT_EQ(tries, 5);  // 1, 1e-1, .., 1e-4: the first at or below 1/1024
  EXPECT_TRUE(lengths.is_smallest());
  EXPECT_EQ(lengths.describe_end(unsolved), "; the step fell below 9.77e-06 s");
}

// Trees that want at least half as much as the one that wants most are not worth parts of their own.
TEST(ErrorLengths, WhoWantsHalfTheLongestStepsWithTheOthers) {
  Lone three(3);
  three.begin({0.01, 0.006, 0.008});
  EXPECT_TRUE(three.lengths.divided().empty());
  EXPECT_TRUE(three.lengths.is_last());
  EXPECT_EQ(three.lengths.length(), 0.006);
  three.begin({0.01, 0.004, 0.008});
  EXPECT_EQ(three.lengths.divided(), (TreeSet{0, 1, 0}));
  EXPECT_EQ(three.lengths.length(), 0.008);
  EXPECT_FALSE(three.lengths.is_last());
  // What nobody can take before the limit is no reason to divide.
  three.begin({5.0, 0.004, 0.008}, 0.006);
  EXPECT_TRUE(three.lengths.divided().empty());
  EXPECT_EQ(three.lengths.length(), 0.003);  // two equal steps
}

// The others first, with their step; then those that want less, from its start to its end, in parts as long
// as the shortest that one of them wants, which follow their errors.
TEST(ErrorLengths, PartsFillTheStepOfTheOthers) {
  Lone three(3);
  three.begin({0.01, 0.001, 0.002});
  ErrorLengths& lengths = three.lengths;
  EXPECT_EQ(lengths.divided(), (TreeSet{0, 1, 1}));
  EXPECT_EQ(lengths.end_time(0.0), 0.01);
  three.set_errors({1e-6, 0.0, 0.0});
  ASSERT_TRUE(lengths.accept());
  EXPECT_TRUE(lengths.is_in_parts());
  EXPECT_EQ(lengths.length(), 0.001);
  three.set_errors({0.0, 0.25, 0.01});  // 1.8 times; 5 times, but less than it wanted anyway
  EXPECT_DOUBLE_EQ(lengths.next_length(), 0.0018);
  ASSERT_TRUE(lengths.accept());
  EXPECT_DOUBLE_EQ(lengths.end_time(0.0), 0.0028);
  ASSERT_TRUE(three.refuse_errors({0.0, 0.5, 9.0}));  // the third alone
  EXPECT_DOUBLE_EQ(lengths.length(), 0.3 * 0.0018);
  double end = 0.001;
  for (int n = 0; n < 100; ++n) {
    three.set_errors({0.0, 1e-6, 0.5625});  // 1.2 times
    end = lengths.end_time(end);
    if (!lengths.accept()) break;
  }
  EXPECT_EQ(end, 0.01);
  EXPECT_EQ(lengths.wanted()[0], 0.05);
  EXPECT_GT(lengths.wanted()[1], lengths.wanted()[2]);
}

// A refused step of all is planned anew: those whose errors were too large take it in parts.
TEST(ErrorLengths, WhoIsRefusedTakesTheStepInParts) {
  Lone two(2);
  two.begin({0.01, 0.01});
  ASSERT_TRUE(two.refuse_errors({0.5, 36.0}));
  EXPECT_EQ(two.lengths.divided(), (TreeSet{0, 1}));
  EXPECT_EQ(two.lengths.length(), 0.01);
  two.begin({0.01, 0.01});
  ASSERT_TRUE(two.refuse_errors({0.5, 2.25}));  // 0.6: too little to divide
  EXPECT_TRUE(two.lengths.divided().empty());
  EXPECT_DOUBLE_EQ(two.lengths.length(), 0.006);
  two.begin({0.01, 0.01});
  ASSERT_TRUE(two.lengths.shorten(refuse(RefusalKind::kPassage), {1, 0}));
  EXPECT_EQ(two.lengths.divided(), (TreeSet{1, 0}));
  EXPECT_EQ(two.lengths.length(), 0.01);
}

// Where trees come together the step begins anew, and they want what the least of them wanted at its start.
TEST(ErrorLengths, WhoComesTogetherStepsTogether) {
  Lone three(3);
  three.begin({0.01, 0.01, 0.001});
  three.set_errors({1e-6, 1e-6, 0.0});
  ASSERT_TRUE(three.lengths.accept());
  three.set_errors({0.0, 0.0, 1e-6});
  ASSERT_TRUE(three.lengths.accept());
  three.lengths.join({0, 1, 1});
  EXPECT_EQ(three.lengths.divided(), (TreeSet{0, 1, 1}));
  EXPECT_EQ(three.lengths.length(), 0.01);
  three.set_errors({1e-6, 0.0, 0.0});
  ASSERT_TRUE(three.lengths.accept());
  EXPECT_EQ(three.lengths.end_time(0.0), 0.001);
}

// Trees of one island have one error and want one length.
TEST(ErrorLengths, AnIslandWantsOneLength) {
  ErrorLengths lengths(error_controlled(0.01), 3);
  lengths.begin(state_at(0, 0.0), 100.0);
  std::vector<int> groups{0, 0, 2};
  lengths.set_errors(Vector3(1e-6, 0.25, 1e-6), &groups);
  EXPECT_FALSE(lengths.accept());
  EXPECT_DOUBLE_EQ(lengths.wanted()[0], 0.018);
  EXPECT_DOUBLE_EQ(lengths.wanted()[1], 0.018);
  EXPECT_DOUBLE_EQ(lengths.wanted()[2], 0.05);
}

}  // namespace
}  // namespace csim
