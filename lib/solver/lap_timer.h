// Wall time of the stages of a solve.
#pragma once

#include <chrono>

namespace csim {

/// Seconds since the last call, added to one stage or another: one clock reading a stage.
class LapTimer {
 public:
  void lap(double* stage) {
    const Clock::time_point now = Clock::now();
    *stage += std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point last_ = Clock::now();
};

}  // namespace csim
