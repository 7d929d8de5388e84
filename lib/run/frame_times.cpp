#include "run/frame_times.h"

#include <algorithm>
#include <cmath>

namespace csim {
namespace {

constexpr double kSlack = 1e-9;  // periods

}  // namespace

FrameTimes::FrameTimes(double period, double end) : period_(period), last_(end) {
  const double periods = std::round(end / period);
  if (std::abs(end / period - periods) <= kSlack) last_ = periods * period;
}

double FrameTimes::next() const {
  return std::min(grid_time(), last_);
}

bool FrameTimes::is_due(double time) {
  if (time == grid_time()) {
    ++frame_;
    return true;
  }
  return time == last_;
}

void FrameTimes::skip_to(double time) {
  // Rounding of the quotient is put right by the times themselves.
  frame_ = std::max(frame_, static_cast<long>(std::max(0.0, std::floor(time / period_) - 1.0)));
  while (grid_time() <= time) ++frame_;
}

}  // namespace csim
