#include "run/frame_schedule.h"

#include <algorithm>
#include <cmath>

namespace csim {

long num_steps(double step, double end) {
  return std::lround(end / step);
}

bool is_whole_number_of_steps(double step, double end) {
  return std::abs(end / step - std::round(end / step)) <= 1e-9;
}

FrameSchedule::FrameSchedule(double step, double period, long last_step)
    : ratio_(period / step), last_step_(last_step) {}

void FrameSchedule::advance() {
  ++frame_;
  // Beyond the last step the number of steps may not fit a long any more (a huge period).
  const double steps = std::floor(static_cast<double>(frame_) * ratio_ + 0.5);
  const long nominal = steps >= static_cast<double>(last_step_) ? last_step_ : static_cast<long>(steps);
  next_step_ = std::max(next_step_ + 1, nominal);
}

bool FrameSchedule::is_due(long step_number) {
  if (step_number == next_step_) {
    advance();
    return true;
  }
  return step_number == last_step_;
}

void FrameSchedule::skip_to(long step_number) {
  while (next_step_ <= step_number) advance();
}

}  // namespace csim
