#include "run/frame_times.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "run/run_schedule.h"

namespace csim {
namespace {

using testing::ElementsAre;

/// Times of the rows of a run whose steps are at most h long and end at the schedule's limits.
std::vector<double> rows(double period, double end, double h) {
  FrameTimes times(period, end);
  std::vector<double> result;
  double t = 0.0;
  for (;;) {
    if (times.is_due(t)) result.push_back(t);
    if (t >= times.last()) return result;
    t = std::min(t + h, times.next());
  }
}

TEST(FrameTimes, AreMultiplesOfThePeriodToTheBit) {
  for (const double h : {0.003, 0.017, 10.0})
    EXPECT_THAT(rows(0.1, 0.5, h), ElementsAre(0.0, 0.1, 2 * 0.1, 3 * 0.1, 4 * 0.1, 5 * 0.1)) << h;
}

TEST(FrameTimes, TheEndHasARow) {
  EXPECT_THAT(rows(0.1, 0.25, 0.03), ElementsAre(0.0, 0.1, 2 * 0.1, 0.25));
  EXPECT_THAT(rows(1.0, 0.25, 0.03), ElementsAre(0.0, 0.25));
  EXPECT_THAT(rows(0.1, 0.0, 0.03), ElementsAre(0.0));
}

// 0.3 is not 3 periods of 0.1 in binary; a longer run steps to 3 * 0.1, and so must this one.
TEST(FrameTimes, AnEndOnTheGridIsTheGridsTime) {
  EXPECT_NE(0.3, 3 * 0.1);
  EXPECT_EQ(FrameTimes(0.1, 0.3).last(), 3 * 0.1);
}

TEST(FrameTimes, SkippingEqualsWalking) {
  const double h = 0.007;
  for (int skip = 0; skip < 60; ++skip) {
    FrameTimes walked(0.1, 0.45), skipped(0.1, 0.45);
    double t = 0.0;
    for (int i = 0;; ++i) {
      (void)walked.is_due(t);
      if (i == skip || t >= walked.last()) break;
      t = std::min(t + h, walked.next());
    }
    skipped.skip_to(t);
    EXPECT_EQ(walked.frames_taken(), skipped.frames_taken()) << t;
    EXPECT_EQ(walked.next(), skipped.next()) << t;
  }
}

TEST(RunSchedule, ByTimeAndBySteps) {
  Scene scene;
  scene.time = {1e-3, 0.02};
  scene.output.period = 5e-3;
  scene.output.checkpoint = 7e-3;
  for (const IntegratorType type : {IntegratorType::kDiscrete, IntegratorType::kContinuous}) {
    scene.integrator.type = type;
    RunSchedule schedule(scene);
    EXPECT_EQ(schedule.step_limit() < 1.0, type == IntegratorType::kContinuous);
    State state;
    schedule.skip_to(state);
    std::vector<long> frames, checkpoints;
    while (!schedule.is_over(state)) {
      ++state.step;
      state.time = std::min(static_cast<double>(state.step) * 1e-3, schedule.step_limit());
      if (schedule.takes_frame(state)) frames.push_back(state.step);
      if (schedule.takes_checkpoint(state)) checkpoints.push_back(state.step);
      EXPECT_NEAR(schedule.fraction(state), static_cast<double>(state.step) / 20.0, 1e-12);
    }
    EXPECT_THAT(frames, ElementsAre(5, 10, 15, 20));
    EXPECT_THAT(checkpoints, ElementsAre(7, 14));
  }
}

}  // namespace
}  // namespace csim
