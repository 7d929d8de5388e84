// When a run records frames, writes checkpoints and ends: by counted steps where their length is constant,
// else by time.
#pragma once

#include "model/model.h"
#include "run/frame_schedule.h"
#include "run/frame_times.h"
#include "scene/scene.h"

namespace csim {

/// Walks along with the states of a run, in order.
class RunSchedule {
 public:
  explicit RunSchedule(const Scene& scene);

  /// Whether the run has come to its end.
  [[nodiscard]] bool is_over(const State& state) const;

  /// Part of the run that is done, 0 to 1.
  [[nodiscard]] double fraction(const State& state) const;

  /// When the next step ends at the latest, s; infinite with constant steps.
  [[nodiscard]] double step_limit() const;

  /// The same of a run that does not end.
  [[nodiscard]] double endless_step_limit() const;

  /// Whether the state is the next row of the trajectory; moves on when it is.
  [[nodiscard]] bool takes_frame(const State& state);

  /// Whether output.checkpoint asks for one after this step; moves on when it does.
  [[nodiscard]] bool takes_checkpoint(const State& state);

  /// Goes on after this state, as if all before it, itself included, had been taken.
  void skip_to(const State& state);

  /// Rows of the trajectory on the grid of output.period so far: a closing row off the grid does not count.
  [[nodiscard]] long frames_taken() const;

 private:
  [[nodiscard]] long checkpoints_until(const State& state) const;

  bool by_time_;
  long last_step_;  // of constant steps
  FrameSchedule steps_;
  FrameTimes times_;
  double checkpoint_;         // steps or s, 0: none
  long num_checkpoints_ = 0;  // due so far
};

}  // namespace csim
