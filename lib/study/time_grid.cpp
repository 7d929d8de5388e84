#include "study/time_grid.h"

#include <algorithm>
#include <cmath>

#include "run/frame_schedule.h"
#include "run/frame_times.h"
#include "scene/integrator_kinds.h"

namespace csim {

TimeGrid time_grid(const Scene& scene) {
  const bool by_time = !integrator_kind(scene).has_constant_step;
  return {by_time, by_time ? 0.0 : scene.time.step, scene.output.period, scene.time.end};
}

std::vector<double> frame_times(const TimeGrid& grid) {
  std::vector<double> times;
  if (grid.by_time) {
    FrameTimes frames(grid.period, grid.end);
    double time = 0.0;
    while (true) {
      if (frames.is_due(time)) times.push_back(time);
      if (time >= frames.last()) return times;
      time = frames.next();
    }
  }
  const long steps = num_steps(grid.step, grid.end);
  FrameSchedule frames(grid.step, grid.period, steps);
  for (long n = 0; n <= steps; ++n) {
    if (frames.is_due(n)) times.push_back(static_cast<double>(n) * grid.step);
  }
  return times;
}

double last_time(const TimeGrid& grid) {
  if (grid.by_time) return FrameTimes(grid.period, grid.end).last();
  return static_cast<double>(num_steps(grid.step, grid.end)) * grid.step;
}

bool are_same_times(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](double x, double y) { return std::abs(x - y) <= 1e-9; });
}

}  // namespace csim
