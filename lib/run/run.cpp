#include "run/run.h"

#include <cmath>
#include <limits>

#include "core/timer.h"
#include "run/frame_schedule.h"
#include "run/signals.h"

namespace csim {
namespace {

/// Number of steps between checkpoints, at least one; never for none.
long checkpoint_interval(const Scene& scene) {
  if (!scene.output.checkpoint) return std::numeric_limits<long>::max();
  const double steps = *scene.output.checkpoint / scene.time.step;
  constexpr long kNever = std::numeric_limits<long>::max();
  return steps >= static_cast<double>(kNever) ? kNever : std::max(1L, std::lround(steps));
}

}  // namespace

RunReport run_simulation(const Scene& scene, DiscreteStepper* stepper, State* state, Recorder* recorder,
                         ProgressStyle progress_style) {
  RunReport report;
  ScopedTimer wall(&report.wall_seconds);
  const long last_step = num_steps(scene.time.step, scene.time.end);
  const long checkpoint_every = checkpoint_interval(scene);
  FrameSchedule schedule(scene.time.step, scene.output.period, last_step);
  Progress progress(progress_style, last_step);
  Frame frame;

  if (state->step == 0) {
    stepper->fill_frame(*state, false, &frame);
    recorder->record_frame(frame);
    recorder->write_checkpoint(*state);
  }
  schedule.skip_to(state->step);

  StepStatistics statistics;
  double unaccounted_record_seconds = 0.0;  // of the last record_step: its own row was on its way
  while (state->step < last_step) {
    if ((report.signal = received_signal()) != 0) {
      report.status = RunStatus::kInterrupted;
      report.message = "interrupted by signal " + std::to_string(report.signal) + " after step " +
                       std::to_string(state->step) + "; --resume goes on from here";
      break;
    }
    const StepOutcome outcome = stepper->step(state);
    if (!outcome.ok) {
      report.status = RunStatus::kFailed;
      report.message = outcome.message;
      break;
    }
    ++report.steps;

    statistics = stepper->statistics();
    statistics.seconds.record = unaccounted_record_seconds;
    if (schedule.is_due(state->step)) {
      ScopedTimer timer(&statistics.seconds.record);
      stepper->fill_frame(*state, true, &frame);
      recorder->record_frame(frame);
    }
    statistics.seconds.total += statistics.seconds.record;
    unaccounted_record_seconds = 0.0;
    ScopedTimer timer(&unaccounted_record_seconds);
    recorder->record_step(statistics);
    if (state->step % checkpoint_every == 0) recorder->write_checkpoint(*state);
    progress.update(state->step, state->time);
  }
  progress.finish();
  if (report.status == RunStatus::kRunning) {
    report.status = RunStatus::kComplete;
    report.message = "complete";
  }
  return report;
}

long frames_on_grid(const Scene& scene, long steps) {
  FrameSchedule schedule(scene.time.step, scene.output.period, std::numeric_limits<long>::max());
  schedule.skip_to(steps);
  return schedule.frames_taken();
}

}  // namespace csim
