// Statistics of one number over several cases.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace csim {

enum class StatisticKind { kWorst, kMean, kMedian, kDeviation, kQuantile };

/// What a gate judges of the values of its cases. kWorst: each of them.
struct Statistic {
  StatisticKind kind = StatisticKind::kWorst;
  double probability = 0.5;  // of kQuantile, 0 to 1
};

/// "mean", "quantile 0.95"; "" for the worst.
[[nodiscard]] std::string describe(const Statistic& statistic);

/// Of at least one value. The deviation is that of a sample, over n - 1 (NaN of one value); quantiles are
/// interpolated between the order statistics at (n - 1) probability [Hyndman & Fan 1996, definition 7]. NaN
/// where a value is.
[[nodiscard]] double evaluate_statistic(const Statistic& statistic, std::vector<double> values);

/// How many values lie in each of some intervals of equal width.
struct Histogram {
  std::vector<double> edges;  // one more than counts, ascending
  std::vector<int> counts;
};

/// From the least to the largest value, in `bins` intervals; each includes its lower edge, the last both.
/// Equal values have an interval of width 1 around them. Values that are not finite are left out; nothing
/// left: no edges.
[[nodiscard]] Histogram make_histogram(const std::vector<double>& values, int bins);

/// Sturges' number of intervals, ceil(log2 n) + 1 [Sturges 1926].
[[nodiscard]] int sturges_bins(std::size_t num_values);

/// The 95 % interval of the mean by the bootstrap: the 2.5 and 97.5 % quantiles of the means of 10 000
/// samples of the values with replacement [Efron & Tibshirani 1993, ch. 13]. The samples are the same on
/// every machine.
[[nodiscard]] std::array<double, 2> bootstrap_mean_interval(const std::vector<double>& values);

}  // namespace csim
