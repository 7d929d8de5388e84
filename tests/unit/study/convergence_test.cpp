// Orders of convergence. Truths: SciPy 1.17 (scipy.stats.t.ppf, linregress), errors made by a known law,
// Richardson's formulas by hand.
#include "study/convergence.h"

#include <gmock/gmock.h>

#include <cmath>

namespace csim {
namespace {

TEST(StudentT, IsThatOfSciPy) {
  // Two-sided 95 %: scipy.stats.t.ppf(0.975, n).
  EXPECT_NEAR(student_t_95(1), 12.706204736174694, 1e-11);
  EXPECT_NEAR(student_t_95(2), 4.302652729749462, 1e-11);
  EXPECT_NEAR(student_t_95(3), 3.1824463052837078, 1e-11);
  EXPECT_NEAR(student_t_95(4), 2.7764451051977934, 1e-11);
  EXPECT_NEAR(student_t_95(5), 2.5705818356363146, 1e-11);
  EXPECT_NEAR(student_t_95(10), 2.228138851986274, 1e-11);
  EXPECT_NEAR(student_t_95(29), 2.045229642132703, 1e-11);
  EXPECT_NEAR(student_t_95(120), 1.9799304050824402, 1e-11);
}

TEST(FitOrder, FindsTheOrderOfAPowerLaw) {
  std::vector<double> h, e;
  for (int i = 0; i < 5; ++i) {
    h.push_back(0.1 / std::pow(3.0, i));
    e.push_back(7.0 * std::pow(h.back(), 1.5));
  }
  const auto fit = fit_order(h, e);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->order, 1.5, 1e-12);
  EXPECT_NEAR(fit->intercept, std::log(7.0), 1e-11);
  EXPECT_NEAR(*fit->low, 1.5, 1e-12);
  EXPECT_NEAR(*fit->high, 1.5, 1e-12);
  for (const double p : pairwise_orders(h, e)) EXPECT_NEAR(p, 1.5, 1e-12);
}

TEST(FitOrder, IntervalIsThatOfLeastSquares) {
  // ln h = 0, -1, -2, -3; ln e = 0, -1, -2, -3 with the residuals 0.1, -0.1, -0.1, 0.1, which a line does not
  // take: s^2 = 0.04/2, var(slope) = s^2/5.
  const std::vector<double> h{1.0, std::exp(-1.0), std::exp(-2.0), std::exp(-3.0)};
  const std::vector<double> e{std::exp(0.1), std::exp(-1.1), std::exp(-2.1), std::exp(-2.9)};
  const auto fit = fit_order(h, e);
  ASSERT_TRUE(fit && fit->low);
  EXPECT_NEAR(fit->order, 1.0, 1e-12);
  EXPECT_NEAR(*fit->high - 1.0, 0.27212365213498385, 1e-12);
  EXPECT_NEAR(1.0 - *fit->low, *fit->high - 1.0, 1e-12);
}

TEST(FitOrder, IsTheRegressionOfSciPy) {
  // scipy.stats.linregress of the logarithms, its stderr times t.ppf(0.975, 2).
  const auto fit = fit_order({0.1, 0.05, 0.025, 0.0125}, {3.2e-3, 1.5e-3, 8.1e-4, 3.7e-4});
  ASSERT_TRUE(fit && fit->low);
  EXPECT_NEAR(fit->order, 1.0226392875386496, 1e-12);
  EXPECT_NEAR(*fit->low, 0.8847249624172725, 1e-11);
  EXPECT_NEAR(*fit->high, 1.1605536126600269, 1e-11);
}

TEST(FitOrder, HasNoIntervalOfTwoPointsAndNoOrderOfBadErrors) {
  EXPECT_FALSE(fit_order({0.1, 0.05}, {1.0, 0.5})->low);
  EXPECT_FALSE(fit_order({0.1}, {1.0}));
  EXPECT_FALSE(fit_order({0.1, 0.05, 0.02}, {1.0, 0.0, 0.1}));
  EXPECT_FALSE(fit_order({0.1, 0.05, 0.02}, {1.0, std::nan(""), 0.1}));
  EXPECT_TRUE(std::isnan(pairwise_orders({0.1, 0.05}, {1.0, 0.0})[0]));
}

TEST(Richardson, FindsLimitAndOrder) {
  // f = 2 + 3 h^2, r = 2.
  std::vector<double> h, f;
  for (int i = 0; i < 4; ++i) {
    h.push_back(0.4 / std::pow(2.0, i));
    f.push_back(2.0 + 3.0 * h.back() * h.back());
  }
  const auto limit = extrapolate(h, f, {});
  ASSERT_TRUE(limit);
  EXPECT_NEAR(limit->order, 2.0, 1e-12);
  EXPECT_NEAR(limit->value, 2.0, 1e-13);
  EXPECT_NEAR(limit->gci, 1.25 * 3.0 * 0.05 * 0.05, 1e-13);  // 1.25 |f_2 - f_1|/(r^p - 1)
}

TEST(Richardson, OfTwoRungsTakesTheAssumedOrder) {
  const auto limit = extrapolate({0.2, 0.1}, {2.6, 2.3}, 1.0);
  ASSERT_TRUE(limit);
  EXPECT_NEAR(limit->value, 2.0, 1e-14);
  EXPECT_NEAR(limit->gci, 3.0 * 0.3, 1e-14);
  EXPECT_FALSE(extrapolate({0.2, 0.1}, {2.6, 2.3}, {}));
}

TEST(Richardson, NeedsOneRatioAndOneDirection) {
  EXPECT_FALSE(extrapolate({0.4, 0.2, 0.11}, {2.4, 2.2, 2.1}, {}));
  EXPECT_FALSE(extrapolate({0.4, 0.2, 0.1}, {2.4, 2.2, 2.3}, {}));
  EXPECT_FALSE(extrapolate({0.4, 0.2, 0.1}, {2.4, 2.2, 2.2}, {}));
  EXPECT_FALSE(extrapolate({0.4, 0.2, 0.1}, {2.4, 2.3, 2.0}, {}));  // it diverges
}

}  // namespace
}  // namespace csim
