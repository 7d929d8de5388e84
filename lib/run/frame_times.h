// At which times a frame is recorded where steps have any length.
#pragma once

namespace csim {

/// Row f of the trajectory is the state at the time f period, and the last row that at `end`. An end within
/// 1e-9 periods of a multiple is that multiple. Walks through the times in order.
class FrameTimes {
 public:
  FrameTimes(double period, double end);

  /// Time of the next row, s: no step goes beyond it.
  [[nodiscard]] double next() const;

  /// The same of a run that does not end.
  [[nodiscard]] double next_on_grid() const { return grid_time(); }

  /// Time of the last row, s.
  [[nodiscard]] double last() const { return last_; }

  /// Whether the state at `time` is the next row; moves on when it is. Call with increasing times.
  [[nodiscard]] bool is_due(double time);

  /// Goes on after `time`, as if all rows up to it had been taken.
  void skip_to(double time);

  /// Number of rows on the grid of the period so far.
  [[nodiscard]] long frames_taken() const { return frame_; }

 private:
  [[nodiscard]] double grid_time() const { return static_cast<double>(frame_) * period_; }

  double period_, last_;  // s
  long frame_ = 0;        // index of the next row on the grid
};

}  // namespace csim
