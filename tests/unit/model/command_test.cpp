// Commands of actuators at known times.
#include "model/command.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace csim {
namespace {

CommandSpec table(Interpolation interpolation) {
  CommandSpec spec;
  spec.type = CommandType::kTable;
  spec.times = {0.2, 0.5, 1.1, 1.3};
  spec.values = {0.0, 0.4, -0.2, 0.1};
  spec.interpolation = interpolation;
  return spec;
}

TEST(Command, ConstantHolds) {
  CommandSpec spec;
  spec.value = 2.5;
  const CommandSample sample = evaluate_command(make_command(spec), 7.0);
  EXPECT_EQ(sample.value, 2.5);
  EXPECT_EQ(sample.rate, 0.0);
}

// scipy.interpolate.CubicSpline(times, values, bc_type="clamped"): value and first derivative.
TEST(Command, CubicTableIsTheClampedSpline) {
  const Command command = make_command(table(Interpolation::kCubic));
  const CommandSample a = evaluate_command(command, 0.3);
  EXPECT_NEAR(a.value, 0.08975571315996847, 1e-14);
  EXPECT_NEAR(a.rate, 1.5685579196217496, 1e-13);
  EXPECT_NEAR(evaluate_command(command, 1.25).rate, 1.301861702127661, 1e-13);
  EXPECT_EQ(evaluate_command(command, 0.0).value, 0.0);
  EXPECT_EQ(evaluate_command(command, 9.0).value, 0.1);
}

TEST(Command, LinearTableJoinsAndStepTableHolds) {
  const Command linear = make_command(table(Interpolation::kLinear));
  EXPECT_NEAR(evaluate_command(linear, 0.8).value, 0.1, 1e-15);
  EXPECT_NEAR(evaluate_command(linear, 0.8).rate, -1.0, 1e-14);
  const Command step = make_command(table(Interpolation::kStep));
  EXPECT_EQ(evaluate_command(step, 0.8).value, 0.4);
  EXPECT_EQ(evaluate_command(step, 0.5).value, 0.4);
  EXPECT_EQ(evaluate_command(step, 0.5).rate, 0.0);
}

// Multiples of a step that is no binary fraction: the edges must fall on the steps that mean them, in every
// period. 75 steps of 0.04 s a period of 3 s, high in the first 30.
TEST(Command, SquareWaveFindsItsEdges) {
  CommandSpec spec;
  spec.type = CommandType::kSquare;
  spec.low = 1.0;
  spec.high = 16.0;
  spec.period = 3.0;
  spec.duty = 0.4;
  const Command command = make_command(spec);
  for (int n = 0; n < 100000; ++n) {
    ASSERT_EQ(evaluate_command(command, n * 0.04).value, n % 75 < 30 ? 16.0 : 1.0) << n;
  }
  spec.phase = 2.0 * std::numbers::pi * 0.4;
  EXPECT_EQ(evaluate_command(make_command(spec), 0.0).value, 1.0);
  spec.duty = 1.0;
  EXPECT_EQ(evaluate_command(make_command(spec), 2.999).value, 16.0);
}

TEST(Command, SineAndItsSlope) {
  CommandSpec spec;
  spec.type = CommandType::kSine;
  spec.mean = 0.3;
  spec.amplitude = 2.0;
  spec.frequency = 0.5;
  spec.phase = 0.7;
  const Command command = make_command(spec);
  const double t = 0.83, d = 1e-6;
  const CommandSample sample = evaluate_command(command, t);
  EXPECT_NEAR(sample.value, 0.3 + 2.0 * std::sin(std::numbers::pi * t + 0.7), 1e-15);
  const double difference =
      (evaluate_command(command, t + d).value - evaluate_command(command, t - d).value) / (2 * d);
  EXPECT_NEAR(sample.rate, difference, 1e-8);  // truncation d^2 rate'' /6 ~ 1e-11, rounding 1e-16/d
}

TEST(Command, SmoothTablesStayBetweenTheirValues) {
  CommandSpec spec;
  spec.type = CommandType::kTable;
  spec.interpolation = Interpolation::kSmooth;
  spec.times = {0.0, 0.1, 1.0, 1.2, 2.0};
  spec.values = {0.0, 1.0, 1.0, 3.0, 2.0};
  const Command command = make_command(spec);
  double before = 0.0;
  for (int n = 1; n <= 2000; ++n) {
    const double t = n * 1e-3, d = 1e-6;
    const CommandSample sample = evaluate_command(command, t);
    EXPECT_TRUE(t > 1.2 || sample.value >= before - 1e-15) << t;
    EXPECT_LE(sample.value, 3.0 + 1e-14);
    if (n % 100 == 50) {
      const double ahead = evaluate_command(command, t + d).value,
                   behind = evaluate_command(command, t - d).value;
      EXPECT_NEAR(sample.rate, (ahead - behind) / (2 * d), 1e-7) << t;
    }
    before = sample.value;
  }
  for (const double key : spec.times) EXPECT_NEAR(evaluate_command(command, key).rate, 0.0, 1e-12);
  // Between two rises the weighted harmonic mean of the chords: w0 = 1 + 2, w1 = 2 + 1 of equal lengths.
  spec.times = {0.0, 1.0, 2.0};
  spec.values = {0.0, 1.0, 4.0};
  EXPECT_NEAR(evaluate_command(make_command(spec), 1.0).rate, 2.0 / (1.0 / 1.0 + 1.0 / 3.0), 1e-14);
  // scipy.interpolate.PchipInterpolator([0, 1, 3], [0, 1, 5]).derivative()(1)
  spec.times = {0.0, 1.0, 3.0};
  spec.values = {0.0, 1.0, 5.0};
  EXPECT_NEAR(evaluate_command(make_command(spec), 1.0).rate, 1.2857142857142858, 1e-14);
}

}  // namespace
}  // namespace csim
