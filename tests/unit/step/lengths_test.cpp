// How long the parts of a step are: after refusals, after parts that were taken.
#include "step/discrete/lengths.h"

#include <gtest/gtest.h>

#include <cmath>

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
  lengths.begin(state_at(2, 0.2), kInfinity, 0.0);
  EXPECT_EQ(lengths.length(), 0.1);
  EXPECT_EQ(lengths.end_time(0.2), 3 * 0.1);  // exactly n h, not 0.2 + 0.1
  EXPECT_EQ(lengths.next_length(), 0.1);
  EXPECT_FALSE(lengths.is_smallest());
  EXPECT_FALSE(lengths.accept(0.0, 1.0));
}

// The parts walk a binary tree in time: a half that is refused becomes two quarters, then the other half.
TEST(HalvedLengths, WalkABinaryTree) {
  HalvedLengths lengths(1.0, false);
  lengths.begin(state_at(0, 0.0), kInfinity, 0.0);
  ASSERT_TRUE(lengths.shorten(refuse(RefusalKind::kPassage)));  // 1 -> 1/2
  EXPECT_EQ(lengths.length(), 0.5);
  ASSERT_TRUE(lengths.shorten(refuse(RefusalKind::kFreeCorner)));
  EXPECT_EQ(lengths.length(), 0.25);
  EXPECT_EQ(lengths.next_length(), 0.25);
  ASSERT_TRUE(lengths.accept(0.0, 1.0));
  EXPECT_EQ(lengths.length(), 0.25);
  EXPECT_EQ(lengths.end_time(0.25), 0.5);
  EXPECT_EQ(lengths.next_length(), 0.5);
  ASSERT_TRUE(lengths.accept(0.0, 1.0));
  EXPECT_EQ(lengths.length(), 0.5);
  EXPECT_EQ(lengths.end_time(0.5), 1.0);
  EXPECT_FALSE(lengths.accept(0.0, 1.0));
}

// Islands that keep the step leave less to those that take it in parts, but never less than their share.
TEST(HalvedLengths, WhatOthersHoldIsGainedAlready) {
  HalvedLengths lengths(1.0, false);
  lengths.begin(state_at(0, 0.0), kInfinity, 0.3);
  EXPECT_DOUBLE_EQ(lengths.gain_limit(1.0), 1.0);  // of a whole step: its share is all
  for (int n = 0; n < 4; ++n) ASSERT_TRUE(lengths.shorten(refuse(RefusalKind::kPassage)));
  EXPECT_EQ(lengths.length(), 1.0 / 16);
  EXPECT_DOUBLE_EQ(lengths.gain_limit(1.0), 0.7);
  EXPECT_DOUBLE_EQ(lengths.gain_limit(0.3), 0.25 * 0.3);
}

TEST(HalvedLengths, WhatIsNotSolvedIsDividedWhereTheSceneAsks) {
  HalvedLengths never(1.0, false);
  never.begin(state_at(0, 0.0), kInfinity, 0.0);
  EXPECT_FALSE(never.shorten(refuse(RefusalKind::kNotConverged)));
  EXPECT_EQ(never.describe_end(refuse(RefusalKind::kNotConverged)), "");

  HalvedLengths lengths(1.0, true);
  lengths.begin(state_at(0, 0.0), kInfinity, 0.0);
  for (int n = 1; n <= 6; ++n) ASSERT_TRUE(lengths.shorten(refuse(RefusalKind::kNotConverged))) << n;
  EXPECT_EQ(lengths.length(), 1.0 / 64);
  EXPECT_FALSE(lengths.shorten(refuse(RefusalKind::kNotConverged)));
  EXPECT_EQ(lengths.describe_end(refuse(RefusalKind::kNotConverged)), ", in a part of 1/64 of the step");
}

// Once divided for what it leads into, or for a body that turns too far, a step is not given up before
// 1/1024.
TEST(HalvedLengths, DividedForItsEndItGoesOnToTheSmallestPart) {
  for (const RefusalKind first : {RefusalKind::kPassage, RefusalKind::kTurning, RefusalKind::kOverlapGain}) {
    HalvedLengths lengths(1.0, false);
    lengths.begin(state_at(0, 0.0), kInfinity, 0.0);
    ASSERT_TRUE(lengths.shorten(refuse(first, 1.0, 1.0)));
    for (int n = 2; n <= 10; ++n) {
      EXPECT_FALSE(lengths.is_smallest());
      ASSERT_TRUE(lengths.shorten(refuse(RefusalKind::kNotConverged))) << n;
    }
    EXPECT_EQ(lengths.length(), 1.0 / 1024);
    EXPECT_TRUE(lengths.is_smallest());
    EXPECT_FALSE(lengths.shorten(refuse(RefusalKind::kNotConverged)));
  }
}

// The energy of an overlap falls with the fourth power of the length: 20 times too much is 1.25 times too
// much in a half, 0.08 times in a quarter, which is tried next.
TEST(HalvedLengths, LengthsThatWouldGainTooMuchAreLeftOut) {
  HalvedLengths lengths(1.0, false);
  lengths.begin(state_at(0, 0.0), kInfinity, 0.0);
  ASSERT_TRUE(lengths.shorten(refuse(RefusalKind::kOverlapGain, 20.0, 1.0)));
  EXPECT_EQ(lengths.length(), 0.25);
}

// A part may gain what the parts before it left of a step's, or four times its share by length.
TEST(HalvedLengths, GainLimitOfAPart) {
  HalvedLengths lengths(1.0, false);
  lengths.begin(state_at(0, 0.0), kInfinity, 0.0);
  EXPECT_EQ(lengths.gain_limit(2.0), 2.0);
  for (int n = 0; n < 4; ++n) ASSERT_TRUE(lengths.shorten(refuse(RefusalKind::kPassage)));  // 1/16
  EXPECT_EQ(lengths.gain_limit(2.0), 2.0);  // nothing used up so far
  ASSERT_TRUE(lengths.accept(1.9, 2.0));
  EXPECT_DOUBLE_EQ(lengths.gain_limit(2.0), 4.0 / 16 * 2.0);  // more than the 0.1 that are left
}

// After a part that gained, a longer one is not tried that would gain too much in the second order.
TEST(HalvedLengths, NoLongerPartAfterOneThatGained) {
  HalvedLengths lengths(1.0, false);
  lengths.begin(state_at(0, 0.0), kInfinity, 0.0);
  for (int n = 0; n < 3; ++n) ASSERT_TRUE(lengths.shorten(refuse(RefusalKind::kPassage)));  // 1/8
  ASSERT_TRUE(lengths.accept(0.0, 1.0));
  ASSERT_TRUE(lengths.accept(0.3, 1.0));  // a quarter is done; a quarter would hold 1.2, 1 is its share
  EXPECT_EQ(lengths.length(), 0.125);
  ASSERT_TRUE(lengths.accept(0.0, 1.0));
  ASSERT_TRUE(lengths.accept(0.0, 1.0));
  EXPECT_EQ(lengths.length(), 0.5);
}

Scene error_controlled(double step) {
  Scene scene;
  scene.integrator.type = IntegratorType::kErrorControlled;
  scene.time.step = step;
  scene.output.period = 1.0;
  return scene;
}

// 0.9 h (1/error)^(1/2), between h/10 and 5 h, no growth below 1.2.
TEST(ErrorLengths, FollowTheError) {
  ErrorLengths lengths(error_controlled(0.01));
  for (const auto& [error, factor] : {std::pair{0.25, 1.8}, {0.8, 1.0}, {1.0, 0.9}, {1e-6, 5.0}}) {
    lengths.begin(state_at(0, 0.0), 100.0, 0.0);
    EXPECT_EQ(lengths.length(), 0.01);
    lengths.set_error(error);
    EXPECT_DOUBLE_EQ(lengths.next_length(), 0.01 * factor) << error;
    EXPECT_FALSE(lengths.accept(0.0, 0.0));
    EXPECT_DOUBLE_EQ(lengths.wanted_next(), lengths.next_length());
  }
  lengths.begin(state_at(0, 0.0), 100.0, 0.0);
  ASSERT_TRUE(lengths.shorten(refuse(RefusalKind::kError, 4.0)));
  EXPECT_DOUBLE_EQ(lengths.length(), 0.0045);
  lengths.set_error(1e-6);  // no growth after a step that was too long
  EXPECT_DOUBLE_EQ(lengths.next_length(), 0.0045);
  ASSERT_TRUE(lengths.shorten(refuse(RefusalKind::kPassage)));
  EXPECT_DOUBLE_EQ(lengths.length(), 0.00045);
  EXPECT_EQ(lengths.whole_length(), 0.01);
}

TEST(ErrorLengths, EndAtTheLimit) {
  ErrorLengths lengths(error_controlled(0.01));
  lengths.begin(state_at(5, 1.0), 1.004, 0.0);
  EXPECT_EQ(lengths.end_time(1.0), 1.004);
  lengths.begin(state_at(5, 1.0), 1.016, 0.0);  // two equal parts
  EXPECT_DOUBLE_EQ(lengths.length(), 0.008);
}

// A failure ends the run at 1/1024 of the step; what a part so short leads into is not judged.
TEST(ErrorLengths, FailBelowTheSmallestPart) {
  ErrorLengths lengths(error_controlled(0.01));
  lengths.begin(state_at(0, 0.0), 100.0, 0.0);
  const Refusal unsolved = refuse(RefusalKind::kNotConverged);
  int tries = 1;
  for (; lengths.shorten(unsolved); ++tries) EXPECT_GT(10.0 * lengths.length(), 0.01 / 1024);
  EXPECT_EQ(tries, 5);  // 1, 1e-1, .., 1e-4: the first at or below 1/1024
  EXPECT_TRUE(lengths.is_smallest());
  EXPECT_EQ(lengths.describe_end(unsolved), "; the step fell below 9.77e-06 s");
}

}  // namespace
}  // namespace csim
