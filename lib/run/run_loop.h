// The loop: steps, frames, checkpoints, signals.
#pragma once

#include <string>

#include "record/recorder.h"
#include "run/progress.h"
#include "step/stepper.h"

namespace csim {

/// What a run does by the clock, s of wall time; 0: never.
struct WallTimes {
  double checkpoint_every = 0.0;  // a checkpoint once in that time
  double max = 0.0;               // after it the run is interrupted, one step later at the least
};

/// How a run ended and what it cost.
struct RunReport {
  RunStatus status = RunStatus::kRunning;
  std::string message;        // a sentence for a person
  int signal = 0;             // the signal that interrupted it, 0 for none
  long steps = 0;             // made by this process
  double wall_seconds = 0.0;  // of the loop
};

/// Steps *state to time.end (or to a failure or signal), recording frames on the scene's schedule and every
/// step's statistics. A step that breaks a guard of the scene is not taken: the run fails, and its last row
/// is the state before. A fresh state (step 0) first gets its row 0. The recorder is left open: the caller
/// finishes it with the report's status. Throws IoError when the output cannot be written.
[[nodiscard]] RunReport run_simulation(const Scene& scene, const Model& model, Stepper* stepper, State* state,
                                       Recorder* recorder, ProgressStyle progress,
                                       const WallTimes& wall_times = {});

/// Whether a run that has come to `state` has nothing left to do.
[[nodiscard]] bool is_run_over(const Scene& scene, const State& state);

/// Whether `state` is a row of the trajectory whatever the end of the run.
[[nodiscard]] bool is_on_grid(const Scene& scene, const State& state);

/// Rows of the trajectory that an uninterrupted longer run has at `state`: a closing row off the grid of
/// output.period is not among them. For moving the end of a run that is resumed.
[[nodiscard]] long frames_on_grid(const Scene& scene, const State& state);

}  // namespace csim
