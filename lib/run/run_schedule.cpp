#include "run/run_schedule.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scene/integrator_kinds.h"

namespace csim {
namespace {

/// Steps of constant length between checkpoints, at least one; s where steps have any length; 0: none.
double checkpoint_interval(const Scene& scene, bool by_time) {
  if (!scene.output.checkpoint) return 0.0;
  if (by_time) return *scene.output.checkpoint;
  return std::max(1.0, std::round(*scene.output.checkpoint / scene.time.step));
}

}  // namespace

RunSchedule::RunSchedule(const Scene& scene)
    : by_time_(!integrator_kind(scene).has_constant_step),
      last_step_(by_time_ ? 0 : num_steps(scene.time.step, scene.time.end)),
      steps_(scene.time.step, scene.output.period, last_step_),
      times_(scene.output.period, scene.time.end),
      checkpoint_(checkpoint_interval(scene, by_time_)) {}

bool RunSchedule::is_over(const State& state) const {
  return by_time_ ? state.time >= times_.last() : state.step >= last_step_;
}

double RunSchedule::fraction(const State& state) const {
  if (is_over(state)) return 1.0;
  return by_time_ ? state.time / times_.last()
                  : static_cast<double>(state.step) / static_cast<double>(last_step_);
}

double RunSchedule::step_limit() const {
  return by_time_ ? times_.next() : std::numeric_limits<double>::infinity();
}

double RunSchedule::endless_step_limit() const {
  return by_time_ ? times_.next_on_grid() : std::numeric_limits<double>::infinity();
}

bool RunSchedule::takes_frame(const State& state) {
  return by_time_ ? times_.is_due(state.time) : steps_.is_due(state.step);
}

long RunSchedule::checkpoints_until(const State& state) const {
  if (checkpoint_ == 0.0) return 0;
  const double count = (by_time_ ? state.time : static_cast<double>(state.step)) / checkpoint_;
  return static_cast<long>(count);
}

bool RunSchedule::takes_checkpoint(const State& state) {
  const long count = checkpoints_until(state);
  const bool is_due = count > num_checkpoints_;
  num_checkpoints_ = count;
  return is_due;
}

void RunSchedule::skip_to(const State& state) {
  num_checkpoints_ = checkpoints_until(state);
  if (by_time_) {
    times_.skip_to(state.time);
  } else {
    steps_.skip_to(state.step);
  }
}

long RunSchedule::frames_taken() const {
  return by_time_ ? times_.frames_taken() : steps_.frames_taken();
}

}  // namespace csim
