// A fixed point x = f(x), x >= 0, by relaxed iteration.
#pragma once

#include <algorithm>

#include "core/types.h"

namespace csim {

/// x <- max(0, x + omega (f(x) - x)) with Aitken's factor for vectors [Irons & Tuck 1969, A version of the
/// Aitken accelerator for computer iteration]: where f is affine along the way, as between changes of the
/// rows that act, a part that shrinks by one ratio is gone in two steps.
struct FixedPoint {
  VectorX x, f;  // f: to be set to f(x) before `advance`

  /// x = 0; omega = 1 unless `is_relaxed`.
  void restart(Eigen::Index size, bool is_relaxed) {
    is_relaxed_ = is_relaxed;
    x.setZero(size);
    f.setZero(size);
    has_last_ = false;
    omega_ = 1.0;
  }

  void advance() {
    change_ = f - x;
    if (is_relaxed_ && has_last_) {
      last_ -= change_;
      const double square = last_.squaredNorm();
      const double along = square > 0.0 ? (last_ + change_).dot(last_) / square : 1.0;
      const bool shrinks = change_.squaredNorm() < size_;
      omega_ = shrinks ? std::clamp(omega_ * along, kLeast, kMost) : 1.0;
    }
    last_ = change_;
    has_last_ = true;
    size_ = change_.squaredNorm();
    x = (x + omega_ * change_).cwiseMax(0.0);
  }

 private:
  static constexpr double kLeast = 0.1, kMost = 10.0;

  VectorX last_, change_;
  double omega_ = 1.0, size_ = 0.0;
  bool is_relaxed_ = true, has_last_ = false;
};

}  // namespace csim
