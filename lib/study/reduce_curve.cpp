// Reductions of a curve to a number.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/require.h"
#include "study/measure.h"

namespace csim {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
constexpr double kTimeTolerance = 1e-9;  // s, of times that are meant to be equal

/// The largest value; NaN when one is NaN.
template <typename Measure>
double largest(const std::vector<double>& values, const Measure& measure) {
  double best = -std::numeric_limits<double>::infinity();
  for (const double value : values) {
    if (std::isnan(value)) return kNoNumber;
    best = std::max(best, measure(value));
  }
  return best;
}

double sum(const std::vector<double>& values, double (*measure)(double)) {
  double total = 0.0;
  for (const double value : values) total += measure(value);
  return total;
}

double integral(const Curve& curve) {
  double total = 0.0;
  for (std::size_t i = 1; i < curve.time.size(); ++i)
    total += 0.5 * (curve.time[i] - curve.time[i - 1]) * (curve.values[i] + curve.values[i - 1]);
  return curve.time.size() == 1 ? 0.0 * curve.values[0] : total;
}

double crossing(const Curve& curve, double level) {
  for (std::size_t i = 0; i < curve.time.size(); ++i) {
    const double here = curve.values[i] - level;
    if (here == 0.0) return curve.time[i];
    if (i == 0) continue;
    const double before = curve.values[i - 1] - level;
    if ((before < 0.0 && here > 0.0) || (before > 0.0 && here < 0.0))
      return curve.time[i - 1] + (curve.time[i] - curve.time[i - 1]) * (before / (before - here));
  }
  return kNoNumber;
}

double value_at(const Curve& curve, double time) {
  const std::vector<double>& t = curve.time;
  if (time < t.front() - kTimeTolerance || time > t.back() + kTimeTolerance) return kNoNumber;
  for (std::size_t i = 0; i < t.size(); ++i)
    if (std::abs(t[i] - time) <= kTimeTolerance) return curve.values[i];
  const std::size_t after = std::upper_bound(t.begin(), t.end(), time) - t.begin();
  const double part = (time - t[after - 1]) / (t[after] - t[after - 1]);
  return curve.values[after - 1] + part * (curve.values[after] - curve.values[after - 1]);
}

/// The rotation vector from b to a, unit quaternions or multiples of them. Half the angle of conj(b) a is
/// taken by its scalar and vector parts: exact for small angles too.
std::array<double, 3> rotation_between(const double* b, const double* a) {
  const double w = b[0] * a[0] + b[1] * a[1] + b[2] * a[2] + b[3] * a[3];
  const std::array<double, 3> v{b[0] * a[1] - b[1] * a[0] - b[2] * a[3] + b[3] * a[2],
                                b[0] * a[2] - b[2] * a[0] - b[3] * a[1] + b[1] * a[3],
                                b[0] * a[3] - b[3] * a[0] - b[1] * a[2] + b[2] * a[1]};
  const double length = std::hypot(v[0], v[1], v[2]);
  const double angle = 2.0 * std::atan2(length, std::abs(w));
  const double factor = length == 0.0 ? 0.0 : (w < 0.0 ? -angle : angle) / length;
  return {factor * v[0], factor * v[1], factor * v[2]};
}

/// Appends a - b of one row of two curves.
void append_difference(const double* a, const double* b, const Curve& shape, std::vector<double>* out) {
  if (shape.is_quaternion) {
    const std::array<double, 3> rotation = rotation_between(b, a);
    out->insert(out->end(), rotation.begin(), rotation.end());
    return;
  }
  for (long i = 0; i < shape.width; ++i) out->push_back(a[i] - b[i]);
}

}  // namespace

double reduce_curve(const Curve& curve, Reduction reduction, double argument) {
  if (reduction == Reduction::kCount) return static_cast<double>(curve.count);
  CSIM_REQUIRE(curve.width == 1 && reduction != Reduction::kDifference, curve.width);
  const std::vector<double>& values = curve.values;
  if (values.empty()) return kNoNumber;
  const auto same = [](double value) { return value; };
  const auto negative = [](double value) { return -value; };
  const auto magnitude = [](double value) { return std::abs(value); };
  const auto square = [](double value) { return value * value; };
  const double count = static_cast<double>(values.size());
  switch (reduction) {
    case Reduction::kFinal:
      return values.back();
    case Reduction::kInitial:
      return values.front();
    case Reduction::kMax:
      return largest(values, same);
    case Reduction::kMin:
      return -largest(values, negative);
    case Reduction::kMaxAbs:
      return largest(values, magnitude);
    case Reduction::kMean:
      return sum(values, same) / count;
    case Reduction::kRms:
      return std::sqrt(sum(values, square) / count);
    case Reduction::kIntegral:
      return integral(curve);
    case Reduction::kRange:
      return largest(values, same) + largest(values, negative);
    case Reduction::kCrossing:
      return crossing(curve, argument);
    case Reduction::kAt:
      return value_at(curve, argument);
    case Reduction::kCount:
    case Reduction::kDifference:
      break;
  }
  return kNoNumber;
}

bool have_same_times(const Curve& a, const Curve& b) {
  return std::equal(a.time.begin(), a.time.end(), b.time.begin(), b.time.end(),
                    [](double s, double t) { return std::abs(s - t) <= kTimeTolerance; });
}

double curve_difference(const Curve& a, const Curve& b) {
  const std::vector<double> all = curve_residuals(a, b);
  return std::sqrt(std::inner_product(all.begin(), all.end(), all.begin(), 0.0));
}

std::vector<double> curve_residuals(const Curve& a, const Curve& b) {
  if (a.time.empty() || a.width != b.width || !have_same_times(a, b)) return {kNoNumber};
  std::vector<double> all;
  for (std::size_t row = 0; row < a.time.size(); ++row) {
    const std::size_t begin = row * static_cast<std::size_t>(a.width);
    append_difference(&a.values[begin], &b.values[begin], a, &all);
  }
  for (double& one : all) one /= std::sqrt(static_cast<double>(a.time.size()));
  return all;
}

}  // namespace csim
