// How an impact by Hunt & Crossley's law rebounds.
#pragma once

#include <cmath>

namespace csim {

/// The dissipation d, s/m, with which an impact at `speed` (m/s, > 0) leaves with e times it, 0 < e <= 1. By
/// the motion m v' = -k x (1 + d v) of the law, y = d speed is the positive root of
///   y (1 + e) = ln((1 + y)/(1 - e y)),
/// below 1/e, the speed that no rebound exceeds [Hunt & Crossley 1975; Marhefka & Orin 1999, eq. 15].
/// Whatever the mass, the stiffness and the exponent of the spring.
[[nodiscard]] inline double hunt_crossley_dissipation(double e, double speed) {
  if (e >= 1.0) return 0.0;
  // The difference of the two sides is positive below the root, about y^2 (1 - e^2)/2, and falls without end.
  double low = 0.0, high = 1.0 / e;
  constexpr int kBisections = 100;  // to the last bit
  for (int i = 0; i < kBisections; ++i) {
    const double y = 0.5 * (low + high);
    const bool is_below = y * (1.0 + e) > std::log1p(y) - std::log1p(-e * y);
    (is_below ? low : high) = y;
  }
  return low / speed;
}

}  // namespace csim
