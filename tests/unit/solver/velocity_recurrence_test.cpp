#include "solver/method/velocity_recurrence.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

namespace csim {
namespace {

constexpr int kBegin = 4, kRows = 12;

/// An island in the middle of a problem, and v(j): the velocities j steps back in time.
struct Case {
  ConvexProblem problem;
  Island island;
  Iterate iterate;
  std::array<VectorX, kMaxOrder + 1> work;

  explicit Case(const std::function<VectorX(int)>& v) {
    island.v_begin = kBegin;
    island.v_end = kBegin + kRows;
    const VectorX outside = VectorX::Constant(kBegin, 7.0);
    const auto embed = [&](const VectorX& rows) {
      VectorX all(kRows + 2 * kBegin);
      all << outside, rows, outside;
      return all;
    };
    for (int i = 0; i < kRows + 2 * kBegin; ++i) problem.scale.push_back(std::exp(0.3 * (i % 7)));
    iterate.v = embed(v(0));
    for (int k = 0; k < kMaxOrder; ++k) iterate.v_before.push_back(embed(v(k + 1)));
    for (VectorX& column : work) column.resize(kRows + 2 * kBegin);
  }

  VelocityRecurrence fit() { return fit_recurrence(problem, island, iterate, &work); }
};

VectorX some_vector(int seed) {
  return VectorX::NullaryExpr(kRows,
                              [&](Eigen::Index i) { return std::sin(1.7 * seed + 2.3 * (i + 1) * seed); });
}

// A constant part and a swing of period four: (x - 1) (x + 1) (x^2 + 1) = x^4 - 1.
TEST(VelocityRecurrence, OfKnownMotion) {
  const double quarter = 0.5 * std::numbers::pi;
  Case motion([&](int j) {
    return VectorX(some_vector(1) + std::cos(2.0 * quarter * j) * some_vector(2) +
                   std::cos(quarter * j) * some_vector(3) + std::sin(quarter * j) * some_vector(4));
  });
  const VelocityRecurrence recurrence = motion.fit();
  ASSERT_EQ(recurrence.order, 4);
  const double swing[] = {0.0, 0.0, 0.0, 1.0};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(recurrence.coefficients[3][i], swing[i], 1e-10) << i;

  // Even change and a swing from step to step: (x - 1)^2 (x + 1) = x^3 - x^2 - x + 1.
  Case change([&](int j) {
    return VectorX(some_vector(1) + 0.1 * j * some_vector(2) + (j % 2 == 0 ? 1.0 : -1.0) * some_vector(3));
  });
  ASSERT_EQ(change.fit().order, 3);
  const double expected[] = {1.0, 1.0, -1.0};
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(change.fit().coefficients[2][i], expected[i], 1e-10) << i;
}

// Of least squares: what each order misses is orthogonal to the velocities before, in the scaled norm.
TEST(VelocityRecurrence, MissesAsLittleAsItCan) {
  Case motion([](int j) { return some_vector(j + 1); });
  const VelocityRecurrence recurrence = motion.fit();
  ASSERT_EQ(recurrence.order, kMaxOrder);
  const auto scaled = [&](const VectorX& v) {
    VectorX rows(kRows);
    for (int i = 0; i < kRows; ++i) rows[i] = v[kBegin + i] / motion.problem.scale[kBegin + i];
    return rows;
  };
  for (int order = 1; order <= recurrence.order; ++order) {
    VectorX missed = scaled(motion.iterate.v);
    for (int k = 0; k < order; ++k)
      missed -= recurrence.coefficients[order - 1][k] * scaled(motion.iterate.v_before[k]);
    EXPECT_GT(missed.norm(), 1e-3);
    for (int k = 0; k < order; ++k)
      EXPECT_NEAR(missed.dot(scaled(motion.iterate.v_before[k])), 0.0, 1e-11) << order << ' ' << k;
  }
}

TEST(VelocityRecurrence, OfNoMotionAndOfRest) {
  Case even([](int) { return some_vector(1); });
  const VelocityRecurrence recurrence = even.fit();
  ASSERT_EQ(recurrence.order, 1);
  EXPECT_NEAR(recurrence.coefficients[0][0], 1.0, 1e-14);
  Case rest([](int) { return VectorX(VectorX::Zero(kRows)); });
  EXPECT_EQ(rest.fit().order, 0);
}

}  // namespace
}  // namespace csim
