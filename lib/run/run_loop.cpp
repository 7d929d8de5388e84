#include "run/run_loop.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/number_format.h"
#include "core/timer.h"
#include "model/sequence.h"
#include "run/advance_sequence.h"
#include "run/break_constraints.h"
#include "run/guards.h"
#include "run/run_schedule.h"
#include "run/signals.h"

namespace csim {
namespace {

Scene endless(Scene scene) {
  constexpr double kSteps = 4611686018427387904.0;  // 2^62
  scene.time.end = kSteps * scene.time.step;
  return scene;
}

/// Comes round once in so many seconds of wall time, or is over after the first; never for 0.
class WallClock {
 public:
  explicit WallClock(double seconds) : period_(seconds), last_(std::chrono::steady_clock::now()) {}

  /// `least`: s, that have passed in any case.
  [[nodiscard]] bool is_over(double least = 0.0) const {
    const auto now = std::chrono::steady_clock::now();
    return period_ > 0.0 && std::chrono::duration<double>(now - last_).count() >= std::max(period_, least);
  }
  bool is_due() {
    if (!is_over()) return false;
    last_ = std::chrono::steady_clock::now();
    return true;
  }

 private:
  double period_;  // s
  std::chrono::steady_clock::time_point last_;
};

}  // namespace

RunReport run_simulation(const Scene& scene, const Model& model, Stepper* stepper, State* state,
                         Recorder* recorder, ProgressStyle progress_style, const WallTimes& wall_times) {
  RunReport report;
  ScopedTimer wall(&report.wall_seconds);
  RunSchedule schedule(scene);
  Progress progress(progress_style);
  WallClock checkpoints(wall_times.checkpoint_every), wall_limit(wall_times.max);
  Frame frame;

  // A run that was stopped before its first step has its first row already.
  if (recorder->rows().frames == 0) {
    stepper->fill_frame(*state, false, &frame);
    recorder->record_frame(frame);
    if (state->sequence.phase >= 0) recorder->record_events(state->time, {phase_event(*state)});
    recorder->write_checkpoint(*state, stepper->memory());
  }
  schedule.skip_to(*state);

  // Within a step as well. The first has a second in any case, so that a chain of short runs gets on.
  const auto is_out_of_time = [&] {
    return wall_limit.is_over() && (report.steps > 0 || wall_limit.is_over(1.0));
  };
  stepper->stop_when([&] { return received_signal() != 0 || is_out_of_time(); });

  StepStatistics statistics;
  std::vector<Event> end_events;  // of what follows from the end of a step: phases, constraints that break
  double unaccounted_record_seconds = 0.0;  // of the last record_step: its own row was on its way
  bool is_closing = false;                  // whether the end has cut a step short
  while (!schedule.is_over(*state)) {
    if ((report.signal = received_signal()) != 0) {
      report.status = RunStatus::kInterrupted;
      report.message = "interrupted by signal " + std::to_string(report.signal) + " after step " +
                       std::to_string(state->step) + "; --resume goes on from here";
      break;
    }
    if (is_out_of_time()) {
      report.status = RunStatus::kInterrupted;
      report.message = "interrupted after " + format_number(wall_times.max) +
                       " s (--max-walltime), after step " + std::to_string(state->step) +
                       "; --resume goes on from here";
      break;
    }
    const double phase = next_phase_time(model, state->sequence, state->time);
    const double limit = std::min(schedule.step_limit(), phase);
    const double endless = is_closing ? limit : std::min(schedule.endless_step_limit(), phase);
    const StepOutcome& outcome = stepper->attempt(*state, endless);
    if (outcome.refusal.kind == RefusalKind::kInterrupted) continue;  // which the loop finds out above
    if (endless > limit && !(outcome.ok && outcome.state.time <= limit)) {
      // Where a longer run goes another way: it starts here.
      is_closing = true;
      recorder->write_last_checkpoint(*state, stepper->memory());
      continue;
    }
    recorder->record_events(outcome.statistics.time, outcome.events);
    const std::string guard =
        outcome.ok ? broken_guard(scene.guards, model, outcome, stepper->contacts()) : std::string();
    if (!outcome.ok || !guard.empty()) {
      if (outcome.statistics.status == StepStatus::kFailed) recorder->record_step(outcome.statistics);
      report.status = RunStatus::kFailed;
      report.message = outcome.ok ? guard : outcome.message;
      if (outcome.ok && state->step > 0 && !is_on_grid(scene, *state)) {
        stepper->fill_frame(*state, false, &frame);
        recorder->record_frame(frame);
      }
      break;
    }
    stepper->take(state);
    recorder->record_pairs(outcome.pairs);
    ++report.steps;

    statistics = outcome.statistics;
    statistics.seconds.record = unaccounted_record_seconds;
    const bool is_row = schedule.takes_frame(*state);
    if (is_row) {
      ScopedTimer timer(&statistics.seconds.record);
      stepper->fill_frame(*state, true, &frame);
      recorder->record_frame(frame);
      statistics.seconds.gradients = frame.gradients.seconds;
    }
    statistics.seconds.total += statistics.seconds.record;  // which holds, here, the gradients
    statistics.seconds.record -= statistics.seconds.gradients;
    unaccounted_record_seconds = 0.0;
    ScopedTimer timer(&unaccounted_record_seconds);
    recorder->record_step(statistics);
    end_events.clear();
    report.message = advance_sequence(model, outcome, stepper, state, &end_events, &frame);
    if (report.message.empty()) break_constraints(model, stepper, state, &end_events, &frame);
    recorder->record_events(state->time, end_events);
    if (!report.message.empty()) {
      report.status = RunStatus::kFailed;
      if (!is_row) {
        stepper->fill_frame(*state, true, &frame);
        recorder->record_frame(frame);
      }
      break;
    }
    if (schedule.takes_checkpoint(*state) || checkpoints.is_due())
      recorder->write_checkpoint(*state, stepper->memory());
    progress.update(schedule.fraction(*state), state->time);
  }
  progress.finish();
  stepper->stop_when([] { return false; });
  if (report.status == RunStatus::kFailed) recorder->reopen_checkpoints();
  if (report.status == RunStatus::kRunning) {
    report.status = RunStatus::kComplete;
    report.message = "complete";
  }
  return report;
}

bool is_run_over(const Scene& scene, const State& state) {
  return RunSchedule(scene).is_over(state);
}

bool is_on_grid(const Scene& scene, const State& state) {
  RunSchedule schedule(endless(scene));
  State before = state;
  before.step -= 1;
  before.time = std::nextafter(state.time, -1.0);
  schedule.skip_to(before);
  return schedule.takes_frame(state);
}

long frames_on_grid(const Scene& scene, const State& state) {
  RunSchedule schedule(endless(scene));
  schedule.skip_to(state);
  return schedule.frames_taken();
}

}  // namespace csim
