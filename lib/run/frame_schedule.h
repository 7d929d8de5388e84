// At which steps a frame is recorded.
#pragma once

namespace csim {

/// Number of steps of a run: round(end / step).
[[nodiscard]] long num_steps(double step, double end);

/// Whether `end` is a whole number of steps, to 1e-9 steps.
[[nodiscard]] bool is_whole_number_of_steps(double step, double end);

/// Row f of the trajectory is the state after n_f steps: n_0 = 0, n_f = max(n_{f-1} + 1, floor(f period/step
/// + 1/2)), and the last step always has a row. Walks through the n_f in order.
class FrameSchedule {
 public:
  FrameSchedule(double step, double period, long last_step);

  /// Whether the state after `step_number` steps is the next row; moves on when it is. Call with increasing
  /// step numbers.
  [[nodiscard]] bool is_due(long step_number);

  /// Goes on after `step_number` steps, as if all earlier rows had been taken.
  void skip_to(long step_number);

  /// Number of rows on the grid of the period so far.
  [[nodiscard]] long frames_taken() const { return frame_; }

 private:
  void advance();

  double ratio_;  // period / step
  long last_step_;
  long frame_ = 0;      // index of the next row
  long next_step_ = 0;  // its step number
};

}  // namespace csim
