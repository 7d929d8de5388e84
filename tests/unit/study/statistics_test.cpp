// Statistics of gates, against NumPy and SciPy 1.17: scipy.stats.tstd, mstats.mquantiles (alphap = betap =
// 1), bootstrap (percentile).
#include "study/statistics.h"

#include <gtest/gtest.h>

#include <cmath>

namespace csim {
namespace {

const std::vector<double> kValues = {3.1, -0.4, 2.2, 9.5, 4.75, 0.0, 1.25, 7.0};

TEST(Statistics, AreThoseOfNumPyAndSciPy) {
  EXPECT_DOUBLE_EQ(evaluate_statistic({StatisticKind::kMean}, kValues), 3.425);
  EXPECT_DOUBLE_EQ(evaluate_statistic({StatisticKind::kMedian}, kValues), 2.65);
  EXPECT_NEAR(evaluate_statistic({StatisticKind::kDeviation}, kValues), 3.4669871646719432, 1e-14);  // ddof=1
  EXPECT_NEAR(evaluate_statistic({StatisticKind::kQuantile, 0.95}, kValues), 8.625, 1e-14);
  EXPECT_NEAR(evaluate_statistic({StatisticKind::kQuantile, 0.1}, kValues), -0.12, 1e-14);
  EXPECT_DOUBLE_EQ(evaluate_statistic({StatisticKind::kQuantile, 0.0}, kValues), -0.4);
  EXPECT_DOUBLE_EQ(evaluate_statistic({StatisticKind::kQuantile, 1.0}, kValues), 9.5);
  EXPECT_DOUBLE_EQ(evaluate_statistic({StatisticKind::kMedian}, {5.0}), 5.0);
}

TEST(Statistics, OfNotANumberAreNone) {
  EXPECT_TRUE(std::isnan(evaluate_statistic({StatisticKind::kMean}, {1.0, std::nan("")})));
  EXPECT_TRUE(std::isnan(evaluate_statistic({StatisticKind::kDeviation}, {1.0})));
  EXPECT_TRUE(std::isnan(evaluate_statistic({StatisticKind::kMean}, {})));
}

TEST(Statistics, TheBootstrapFindsTheIntervalOfTheMean) {
  // scipy.stats.bootstrap with a million samples gives 1.3125 and 5.76875.
  const auto [low, high] = bootstrap_mean_interval(kValues);
  EXPECT_NEAR(low, 1.3125, 0.06);
  EXPECT_NEAR(high, 5.76875, 0.06);
  EXPECT_EQ(bootstrap_mean_interval(kValues), bootstrap_mean_interval(kValues));
  EXPECT_EQ(bootstrap_mean_interval({2.0, 2.0})[1], 2.0);
}

TEST(Statistics, HistogramsAreThoseOfNumpy) {
  const Histogram histogram = make_histogram(kValues, 4);
  EXPECT_EQ(histogram.counts, (std::vector<int>{3, 2, 2, 1}));
  const std::vector<double> edges{-0.4, 2.075, 4.55, 7.025, 9.5};
  ASSERT_EQ(histogram.edges.size(), edges.size());
  for (std::size_t i = 0; i < edges.size(); ++i) EXPECT_DOUBLE_EQ(histogram.edges[i], edges[i]);
  EXPECT_EQ(make_histogram({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 10).counts,
            (std::vector<int>{1, 1, 1, 1, 1, 1, 1, 1, 1, 2}));  // a lower edge is in, the last both
  EXPECT_EQ(make_histogram({2, 2, NAN, INFINITY}, 3).counts, (std::vector<int>{0, 2, 0}));
  EXPECT_TRUE(make_histogram({NAN}, 3).edges.empty());
  EXPECT_EQ(sturges_bins(1), 1);
  EXPECT_EQ(sturges_bins(100), 8);  // numpy's 'sturges': log2 100 + 1 = 7.64
}

}  // namespace
}  // namespace csim
