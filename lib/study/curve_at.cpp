// A curve between its rows.
#include <algorithm>
#include <cmath>
#include <limits>

#include "study/measure.h"

namespace csim {
namespace {

constexpr double kTimeTolerance = 1e-9;  // s, of times that are meant to be equal

/// (1 - part) a + part b.
void append_linear(const double* a, const double* b, long width, double part, std::vector<double>* out) {
  for (long i = 0; i < width; ++i) out->push_back(a[i] + part * (b[i] - a[i]));
}

/// sin((1 - part) t)/sin(t) a + sin(part t)/sin(t) b, t the angle between the two on the sphere; q and -q are
/// the same rotation. Shoemake (1985), Animating rotation with quaternion curves.
void append_slerp(const double* a, const double* b, double part, std::vector<double>* out) {
  double cosine = 0.0;
  for (int i = 0; i < 4; ++i) cosine += a[i] * b[i];
  const double sign = cosine < 0.0 ? -1.0 : 1.0;
  double difference = 0.0, sum = 0.0;
  for (int i = 0; i < 4; ++i) {
    difference += (a[i] - sign * b[i]) * (a[i] - sign * b[i]);
    sum += (a[i] + sign * b[i]) * (a[i] + sign * b[i]);
  }
  const double angle = 2.0 * std::atan2(std::sqrt(difference), std::sqrt(sum));
  const bool equal = angle == 0.0;
  const double of_a = equal ? 1.0 - part : std::sin((1.0 - part) * angle) / std::sin(angle);
  const double of_b = equal ? part : std::sin(part * angle) / std::sin(angle);
  for (int i = 0; i < 4; ++i) out->push_back(of_a * a[i] + sign * of_b * b[i]);
}

}  // namespace

Curve curve_at(const Curve& curve, const std::vector<double>& times) {
  Curve there;
  there.time = times;
  there.width = curve.width;
  there.is_quaternion = curve.is_quaternion;
  const auto width = static_cast<std::size_t>(curve.width);
  for (const double time : times) {
    // The first row that is not before the time, to the tolerance.
    const auto found = std::lower_bound(curve.time.begin(), curve.time.end(), time - kTimeTolerance);
    const auto after = static_cast<std::size_t>(found - curve.time.begin());
    const double* row = curve.values.data() + after * width;
    if (found == curve.time.end() || (after == 0 && *found > time + kTimeTolerance)) {
      there.values.insert(there.values.end(), width, std::numeric_limits<double>::quiet_NaN());
    } else if (*found <= time + kTimeTolerance) {
      there.values.insert(there.values.end(), row, row + width);
    } else {
      const double part = (time - found[-1]) / (*found - found[-1]);
      if (curve.is_quaternion)
        append_slerp(row - width, row, part, &there.values);
      else
        append_linear(row - width, row, curve.width, part, &there.values);
    }
  }
  return there;
}

}  // namespace csim
