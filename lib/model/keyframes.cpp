#include "model/keyframes.h"

namespace csim {

double monotone_slope(double l0, double d0, double l1, double d1) {
  if (!(d0 * d1 > 0.0)) return 0.0;
  const double w0 = l0 + 2.0 * l1, w1 = 2.0 * l0 + l1;
  return (w0 + w1) / (w0 / d0 + w1 / d1);
}

int find_keyframe(const std::vector<double>& times, double t, bool after) {
  constexpr double kKeySlack = 1e-9;  // of a segment's length
  const int last = static_cast<int>(times.size()) - 1;
  // Keys passed: t beyond the key by more than the slack of the segment on the side asked for.
  int low = 0, high = last + 1;
  while (low < high) {
    const int mid = (low + high) / 2;
    const int neighbor = after ? (mid > 0 ? mid - 1 : mid + 1) : (mid < last ? mid + 1 : mid - 1);
    const double slack = last > 0 ? kKeySlack * std::abs(times[mid] - times[neighbor]) : 0.0;
    const bool passed = after ? t >= times[mid] - slack : t > times[mid] + slack;
    if (passed) {
      low = mid + 1;
    } else {
      high = mid;
    }
  }
  return low - 1;
}

}  // namespace csim
