// When the rows of the trajectory of a case stand, before it has run.
#pragma once

#include <compare>
#include <vector>

#include "scene/scene.h"

namespace csim {

struct TimeGrid {
  bool by_time = false;                        // steps of any length: rows at multiples of the period
  double step = 0.0, period = 0.0, end = 0.0;  // s

  auto operator<=>(const TimeGrid&) const = default;
};

[[nodiscard]] TimeGrid time_grid(const Scene& scene);

/// Times of the rows, s.
[[nodiscard]] std::vector<double> frame_times(const TimeGrid& grid);

/// Time of the last row, s.
[[nodiscard]] double last_time(const TimeGrid& grid);

/// Whether two lists of times are the same to 1e-9 s.
[[nodiscard]] bool are_same_times(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace csim
