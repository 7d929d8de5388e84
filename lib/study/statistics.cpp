#include "study/statistics.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include "core/number_format.h"

namespace csim {
namespace {

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double deviation_of(const std::vector<double>& values) {
  const double mean = mean_of(values);
  double sum = 0.0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

double quantile_of(std::vector<double> values, double probability) {
  std::sort(values.begin(), values.end());
  const double place = static_cast<double>(values.size() - 1) * probability;
  const auto low = static_cast<std::size_t>(std::floor(place));
  const std::size_t high = std::min(low + 1, values.size() - 1);
  return values[low] + (place - static_cast<double>(low)) * (values[high] - values[low]);
}

/// The generator splitmix64 [Steele, Lea & Flood 2014].
std::uint64_t next_random(std::uint64_t* state) {
  std::uint64_t z = *state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

}  // namespace

std::string describe(const Statistic& statistic) {
  switch (statistic.kind) {
    case StatisticKind::kWorst:
      return "";
    case StatisticKind::kMean:
      return "mean";
    case StatisticKind::kMedian:
      return "median";
    case StatisticKind::kDeviation:
      return "standard deviation";
    case StatisticKind::kQuantile:
      return "quantile " + format_number(statistic.probability);
  }
  return "";
}

double evaluate_statistic(const Statistic& statistic, std::vector<double> values) {
  const bool has_nan = std::any_of(values.begin(), values.end(), [](double x) { return std::isnan(x); });
  if (has_nan || values.empty()) return std::numeric_limits<double>::quiet_NaN();
  switch (statistic.kind) {
    case StatisticKind::kMean:
      return mean_of(values);
    case StatisticKind::kDeviation:
      return deviation_of(values);
    case StatisticKind::kMedian:
      return quantile_of(std::move(values), 0.5);
    default:
      return quantile_of(std::move(values), statistic.probability);
  }
}

Histogram make_histogram(const std::vector<double>& values, int bins) {
  std::vector<double> finite;
  std::copy_if(values.begin(), values.end(), std::back_inserter(finite),
               [](double value) { return std::isfinite(value); });
  Histogram histogram;
  if (finite.empty()) return histogram;
  auto [low, high] = std::pair(*std::min_element(finite.begin(), finite.end()),
                               *std::max_element(finite.begin(), finite.end()));
  if (low == high) low -= 0.5, high += 0.5;
  for (int i = 0; i < bins; ++i) histogram.edges.push_back(low + i * ((high - low) / bins));
  histogram.counts.assign(static_cast<std::size_t>(bins), 0);
  for (const double value : finite) {
    const auto above = std::upper_bound(histogram.edges.begin(), histogram.edges.end(), value);
    ++histogram.counts[static_cast<std::size_t>(above - histogram.edges.begin()) - 1];
  }
  histogram.edges.push_back(high);
  return histogram;
}

int sturges_bins(std::size_t num_values) {
  return 1 +
         static_cast<int>(std::ceil(std::log2(static_cast<double>(std::max<std::size_t>(num_values, 1)))));
}

std::array<double, 2> bootstrap_mean_interval(const std::vector<double>& values) {
  constexpr std::size_t kSamples = 10000;
  std::uint64_t random = 1;
  std::vector<double> means(kSamples);
  for (double& mean : means) {
    double sum = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) sum += values[next_random(&random) % values.size()];
    mean = sum / static_cast<double>(values.size());
  }
  return {quantile_of(means, 0.025), quantile_of(means, 0.975)};
}

}  // namespace csim
