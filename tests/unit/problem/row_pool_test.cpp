// The law of scalar rows: finite differences, convexity, the bounds, and the acceleration level as the limit
// of small steps.
#include "problem/row_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace csim {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

RowLaw make_law(double g0, double stiffness, double damping, double lower, double upper) {
  RowLaw law;
  law.g0 = g0;
  law.stiffness = stiffness;
  law.damping = damping;
  law.lower = lower;
  law.upper = upper;
  return law;
}

RowColumns make_rows(double h, double w, const std::vector<RowLaw>& laws) {
  RowColumns rows;
  rows.resize(laws.size());
  for (int i = 0; i < rows.size(); ++i) {
    rows.law[i] = laws[i];
    set_rows(h, w, {i, i + 1}, &rows);
  }
  return rows;
}

/// A stop ahead and one that is passed, dry friction, a drive with a limit, a soft and a rigid spring.
std::vector<RowLaw> all_kinds() {
  RowLaw drive = make_law(0.02, 300.0, 40.0, -20.0, 20.0);
  drive.rate = 0.3;
  drive.relaxes_in_step = drive.stores_energy = false;
  return {make_law(1e-3, 1e12, 0.0, 0.0, kInfinity),
          make_law(-1e-3, 1e12, 0.0, 0.0, kInfinity),
          make_law(0.0, 0.0, kInfinity, -3.0, 3.0),
          drive,
          make_law(0.01, 500.0, 2.0, -kInfinity, kInfinity),
          make_law(0.01, kInfinity, 0.0, -kInfinity, kInfinity)};
}

// Central differences of the cost give -gamma, those of gamma give -G, away from the bends; the cost is
// continuous there too. Differences of 1e-6 m/s: errors of 1e-12/R, and rounding.
TEST(RowPool, GradientAndHessianAreThoseOfTheCost) {
  const double h = 0.01, w = 0.5, d = 1e-6;
  const RowColumns rows = make_rows(h, w, all_kinds());
  const auto n = static_cast<std::size_t>(rows.size());
  std::vector<double> v(n), gamma(n), G(n), before(n), after(n);
  for (int i = 0; i < rows.size(); ++i) {
    int num_inside = 0, num_outside = 0;
    std::vector<double> speeds{rows.v_hat[i] - 0.5 * rows.R[i] * std::min(rows.upper[i], 1.0)};  // inside
    for (double speed = -1.0; speed <= 1.0; speed += 0.0137) speeds.push_back(speed);
    for (const double speed : speeds) {
      const RowRange range{i, i + 1};
      v[i] = speed;
      evaluate_rows(rows, range, v, &gamma);
      row_hessian(rows, range, v, &G);
      v[i] = speed - d;
      const double cost_before = evaluate_rows(rows, range, v, &before);
      v[i] = speed + d;
      const double cost_after = evaluate_rows(rows, range, v, &after);
      const double scale = (std::abs(gamma[i]) + 1.0 / rows.R[i]) * 1e-6 + 1e-9 * (std::abs(cost_after) / d);
      EXPECT_NEAR((cost_after - cost_before) / (2 * d), -gamma[i], scale) << i << " v " << speed;
      EXPECT_GE(gamma[i], rows.lower[i]);
      EXPECT_LE(gamma[i], rows.upper[i]);
      EXPECT_LE(after[i], before[i]);  // convex: gamma does not rise
      EXPECT_GE(G[i], 0.0);
      const bool bends = std::abs((after[i] - gamma[i]) - (gamma[i] - before[i])) > 1e-6 * d / rows.R[i];
      if (!bends) {
        EXPECT_NEAR((before[i] - after[i]) / (2 * d), G[i], 1e-4 / rows.R[i]) << i << " v " << speed;
      }
      ++(G[i] > 0.0 ? num_inside : num_outside);
    }
    // Springs and rigid rows have no bound; the others meet both.
    EXPECT_GT(num_inside, 0) << i;
    if (i < 4) {
      EXPECT_GT(num_outside, 10) << i;
    }
  }
}

TEST(RowPool, LineIsTheCostAlongIt) {
  const RowColumns rows = make_rows(0.01, 0.5, all_kinds());
  const auto n = static_cast<std::size_t>(rows.size());
  std::vector<double> v(n), dv(n), at(n), gamma(n), G(n);
  for (std::size_t i = 0; i < n; ++i) {
    v[i] = 0.1 * static_cast<double>(i) - 0.2;
    dv[i] = 0.3 - 0.17 * static_cast<double>(i);
  }
  const RowRange range{0, rows.size()};
  for (const double alpha : {0.0, 0.3, 1.0, 1.7}) {
    for (std::size_t i = 0; i < n; ++i) at[i] = v[i] + alpha * dv[i];
    const LineValue line = evaluate_row_line(rows, range, v, dv, alpha);
    const double cost = evaluate_rows(rows, range, at, &gamma);
    row_hessian(rows, range, at, &G);
    double first = 0.0, second = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      first -= gamma[i] * dv[i];
      second += G[i] * dv[i] * dv[i];
    }
    EXPECT_NEAR(line.cost, cost, 1e-13 * std::abs(cost));
    EXPECT_NEAR(line.first, first, 1e-13 * std::abs(first));
    EXPECT_NEAR(line.second, second, 1e-13 * second);
  }
}

// gamma = h clamp(u, +-e), u the drive's law at the end of the step.
TEST(RowPool, DriveIsItsClampedLaw) {
  const double h = 0.01;
  const RowColumns rows = make_rows(h, 0.5, all_kinds());
  const RowLaw& law = rows.law[3];
  for (const double v : {-0.5, 0.0, 0.1, 0.2, 0.9}) {
    const double u = -law.stiffness * (law.g0 + h * v) - law.damping * (v - law.rate);
    EXPECT_NEAR(row_impulse(rows, 3, v), h * std::clamp(u, -20.0, 20.0), 1e-13);
  }
}

// Beyond the near-rigid bound a drive's gains shrink in their ratio: where it has no force stays.
TEST(RowPool, StiffDriveKeepsTheRatioOfItsGains) {
  const double h = 0.01, w = 2.0;
  RowLaw law = make_law(0.05, 1e9, 1e6, -kInfinity, kInfinity);
  law.relaxes_in_step = false;
  const RowColumns rows = make_rows(h, w, {law});
  const double pi = std::numbers::pi;
  EXPECT_NEAR(rows.R[0], 0.01 * w / (4 * pi * pi), 1e-15);
  EXPECT_NEAR(row_impulse(rows, 0, -1e9 * 0.05 / (h * 1e9 + 1e6)), 0.0, 1e-12);
}

// A load gamma on a stop that lasts: it rests R gamma 2 h beyond, and each step halves what is too much.
TEST(RowPool, StopRelaxesWithinTheStep) {
  const double h = 0.01;
  const RowColumns rows = make_rows(h, 0.5, {make_law(-1e-4, 1e12, 0.0, 0.0, kInfinity)});
  EXPECT_NEAR(rows.v_hat[0], 1e-4 / (2 * h), 1e-16);
  EXPECT_NEAR(row_impulse(rows, 0, 0.0), 1e-4 / (2 * h * rows.R[0]), 1e-12);
  // Far beyond, as at a start outside the limits, 1 m/s at most.
  EXPECT_EQ(make_rows(h, 0.5, {make_law(-0.7, 1e12, 0.0, 0.0, kInfinity)}).v_hat[0], 1.0);
  EXPECT_EQ(make_rows(h, 0.5, {make_law(0.7, kInfinity, 0.0, -kInfinity, kInfinity)}).v_hat[0], -1.0);
  // One that is far ahead lets the joint come at any speed.
  EXPECT_NEAR(make_rows(h, 0.5, {make_law(0.7, 1e12, 0.0, 0.0, kInfinity)}).v_hat[0], -35.0, 1e-12);
}

TEST(RowPool, AccelerationLevel) {
  const double w = 0.5, period = 1e-3, v_s = 1e-4;
  const double omega = 2 * std::numbers::pi / period;
  // A soft spring is itself.
  const RowLaw soft = make_law(0.01, 500.0, 2.0, -kInfinity, kInfinity);
  const ContinuousRow spring = evaluate_continuous_row(soft, 0.3, w, period, v_s);
  EXPECT_NEAR(spring.force, -500 * 0.01 - 2 * 0.3, 1e-12);
  EXPECT_NEAR(spring.energy, 0.5 * 500 * 1e-4, 1e-15);
  EXPECT_NEAR(spring.dissipated, 2 * 0.3 * 0.3, 1e-12);
  // A stop: critically damped, and it never pulls.
  const RowLaw stop = make_law(-1e-6, 1e12, 0.0, 0.0, kInfinity);
  EXPECT_NEAR(evaluate_continuous_row(stop, 0.0, w, period, v_s).force, 1e-6 * omega * omega / w, 1e-9);
  EXPECT_EQ(evaluate_continuous_row(stop, 1.0, w, period, v_s).force, 0.0);
  // Dry friction.
  const RowLaw friction = make_law(0.0, 0.0, kInfinity, -3.0, 3.0);
  EXPECT_NEAR(evaluate_continuous_row(friction, 1.0, w, period, v_s).force, -3.0, 1e-7);
  EXPECT_NEAR(evaluate_continuous_row(friction, v_s, w, period, v_s).force, -3.0 / std::sqrt(2.0), 1e-12);
}

}  // namespace
}  // namespace csim
