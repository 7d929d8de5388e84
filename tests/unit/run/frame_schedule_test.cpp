#include "run/frame_schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace csim {
namespace {

using testing::ElementsAre;

std::vector<long> rows(double step, double period, double end) {
  const long last = num_steps(step, end);
  FrameSchedule schedule(step, period, last);
  std::vector<long> result;
  for (long n = 0; n <= last; ++n) {
    if (schedule.is_due(n)) result.push_back(n);
  }
  return result;
}

TEST(FrameSchedule, WholeMultiples) {
  EXPECT_THAT(rows(1e-3, 5e-3, 0.02), ElementsAre(0, 5, 10, 15, 20));
}

TEST(FrameSchedule, LastStepAlwaysHasARow) {
  EXPECT_THAT(rows(1e-3, 5e-3, 0.012), ElementsAre(0, 5, 10, 12));
}

TEST(FrameSchedule, PeriodBelowTheStepGivesEveryStep) {
  EXPECT_THAT(rows(1e-2, 1e-3, 0.04), ElementsAre(0, 1, 2, 3, 4));
}

TEST(FrameSchedule, UnevenRatioRoundsEachRow) {
  // n_f = floor(f 2.5 + 0.5): 0, 3, 5, 8, 10, …
  EXPECT_THAT(rows(4e-3, 1e-2, 0.04), ElementsAre(0, 3, 5, 8, 10));
}

TEST(FrameSchedule, NoStepsGiveTheInitialRow) {
  EXPECT_THAT(rows(1e-3, 1e-2, 0.0), ElementsAre(0));
}

TEST(FrameSchedule, SkippingEqualsWalking) {
  for (long skip = 0; skip <= 40; ++skip) {
    FrameSchedule walked(3e-3, 1e-2, 40), skipped(3e-3, 1e-2, 40);
    for (long n = 0; n <= skip; ++n) (void)walked.is_due(n);
    skipped.skip_to(skip);
    EXPECT_EQ(walked.frames_taken(), skipped.frames_taken()) << skip;
    for (long n = skip + 1; n <= 40; ++n) EXPECT_EQ(walked.is_due(n), skipped.is_due(n)) << skip << " " << n;
  }
}

TEST(FrameSchedule, RoundsTheNumberOfSteps) {
  EXPECT_EQ(num_steps(1e-3, 0.0105), 11);  // halves away from zero
  EXPECT_EQ(num_steps(0.1, 0.3), 3);
  EXPECT_TRUE(is_whole_number_of_steps(0.1, 0.3));
  EXPECT_FALSE(is_whole_number_of_steps(0.1, 0.35));
}

}  // namespace
}  // namespace csim
