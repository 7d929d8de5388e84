// Wall-clock seconds of a stage.
#pragma once

#include <chrono>

namespace csim {

/// Adds the seconds of its own lifetime to *total.
class ScopedTimer {
 public:
  explicit ScopedTimer(double* total) : total_(total), start_(std::chrono::steady_clock::now()) {}
  ~ScopedTimer() {
    *total_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  ScopedTimer(const ScopedTimer&) = delete;
  ScopedTimer& operator=(const ScopedTimer&) = delete;

 private:
  double* total_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace csim
