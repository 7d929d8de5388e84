#include "study/convergence.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace csim {
namespace {

/// P(|T| < t) with t = sqrt(degrees) tan(theta).
double probability(double theta, int degrees) {
  const double sine = std::sin(theta), cosine = std::cos(theta), squared = cosine * cosine;
  const bool odd = degrees % 2 == 1;
  if (degrees == 1) return 2.0 * theta / std::numbers::pi;
  // 1 + 1/2 c^2 + (1 3)/(2 4) c^4 + ..; odd: c + 2/3 c^3 + (2 4)/(3 5) c^5 + ..
  double term = odd ? cosine : 1.0, sum = term;
  for (int k = odd ? 3 : 2; k <= degrees - 2; k += 2) {
    term *= squared * (k - 1) / k;
    sum += term;
  }
  return odd ? 2.0 / std::numbers::pi * (theta + sine * sum) : sine * sum;
}

}  // namespace

bool is_error(double e) {
  return e > 0.0 && std::isfinite(e);
}

double student_t_95(int degrees) {
  double low = 0.0, high = std::numbers::pi / 2.0;
  for (int i = 0; i < 200 && low < high; ++i) {
    const double middle = 0.5 * (low + high);
    (probability(middle, degrees) < 0.95 ? low : high) = middle;
  }
  return std::sqrt(static_cast<double>(degrees)) * std::tan(0.5 * (low + high));
}

std::vector<double> pairwise_orders(const std::vector<double>& h, const std::vector<double>& errors) {
  std::vector<double> orders;
  for (std::size_t i = 0; i + 1 < h.size(); ++i) {
    const bool good = is_error(errors[i]) && is_error(errors[i + 1]);
    orders.push_back(good ? std::log(errors[i] / errors[i + 1]) / std::log(h[i] / h[i + 1])
                          : std::numeric_limits<double>::quiet_NaN());
  }
  return orders;
}

std::optional<OrderFit> fit_order(const std::vector<double>& h, const std::vector<double>& errors) {
  const auto n = static_cast<double>(h.size());
  if (h.size() < 2) return std::nullopt;
  double mean_x = 0.0, mean_y = 0.0;
  for (std::size_t i = 0; i < h.size(); ++i) {
    if (!is_error(errors[i])) return std::nullopt;
    mean_x += std::log(h[i]) / n;
    mean_y += std::log(errors[i]) / n;
  }
  double xx = 0.0, xy = 0.0;
  for (std::size_t i = 0; i < h.size(); ++i) {
    const double x = std::log(h[i]) - mean_x;
    xx += x * x;
    xy += x * (std::log(errors[i]) - mean_y);
  }
  OrderFit fit;
  fit.order = xy / xx;
  fit.intercept = mean_y - fit.order * mean_x;
  if (h.size() < 3) return fit;
  double squares = 0.0;
  for (std::size_t i = 0; i < h.size(); ++i) {
    const double residual = std::log(errors[i]) - fit.intercept - fit.order * std::log(h[i]);
    squares += residual * residual;
  }
  const double half = student_t_95(static_cast<int>(h.size()) - 2) * std::sqrt(squares / (n - 2.0) / xx);
  fit.low = fit.order - half;
  fit.high = fit.order + half;
  return fit;
}

std::optional<Extrapolation> extrapolate(const std::vector<double>& h, const std::vector<double>& values,
                                         std::optional<double> assumed_order) {
  const std::size_t n = h.size();
  if (n < 2) return std::nullopt;
  const double ratio = h[n - 2] / h[n - 1], f_1 = values[n - 1], f_2 = values[n - 2];
  Extrapolation result;
  double factor = 3.0;
  if (n >= 3) {
    const double f_3 = values[n - 3], first_ratio = h[n - 3] / h[n - 2];
    if (!(std::abs(first_ratio - ratio) <= 1e-6 * ratio) || !((f_3 - f_2) * (f_2 - f_1) > 0.0))
      return std::nullopt;
    result.order = std::log(std::abs((f_3 - f_2) / (f_2 - f_1))) / std::log(ratio);
    factor = 1.25;
  } else if (assumed_order) {
    result.order = *assumed_order;
  }
  const double gain = std::pow(ratio, result.order) - 1.0;
  if (!(result.order > 0.0) || !(gain > 0.0) || !std::isfinite(gain)) return std::nullopt;
  result.value = f_1 + (f_1 - f_2) / gain;
  result.gci = factor * std::abs(f_2 - f_1) / gain;
  return std::isfinite(result.value) ? std::optional(result) : std::nullopt;
}

}  // namespace csim
