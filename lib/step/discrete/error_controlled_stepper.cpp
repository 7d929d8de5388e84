#include "step/discrete/error_controlled_stepper.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <limits>
#include <sstream>

#include "core/timer.h"
#include "step/account/step_statistics.h"
#include "step/step_length.h"

namespace csim {
namespace {

// Of the step rule. Growth by less does not repay what solvers know of equal steps.
constexpr double kLargestCut = 0.1, kLeastGrowth = 1.2;

// The solver's tolerance follows the accuracy, so that its error is none of a step's; down to what doubles
// allow of a momentum.
constexpr double kTolerancePerAccuracy = 1e-3, kSmallestTolerance = 1e-10;

Scene with_tolerance(Scene scene) {
  const double wanted = std::max(kTolerancePerAccuracy * scene.integrator.accuracy, kSmallestTolerance);
  scene.solver.tolerance = std::min(scene.solver.tolerance, wanted);
  return scene;
}

/// Of an attempt that was no step.
constexpr StepError kNoStep{std::numeric_limits<double>::infinity(), -1, -1};

/// Whether the solver did not converge.
[[nodiscard]] bool is_unsolved(const StepOutcome& part) {
  return !part.ok && part.statistics.status == StepStatus::kNotConverged;
}

/// `error` is relative to the accuracy.
double growth(double error) {
  const double factor = step_factor(std::sqrt(error), kLargestCut);
  return factor > 1.0 && factor < kLeastGrowth ? 1.0 : factor;
}

}  // namespace

ErrorControlledStepper::ErrorControlledStepper(const Model& model, const Scene& scene, int threads)
    : model_(model),
      accuracy_(scene.integrator.accuracy),
      first_step_(scene.time.step),
      max_step_(scene.integrator.max_step.value_or(std::numeric_limits<double>::infinity())),
      row_period_(scene.output.period),
      step_(model, with_tolerance(scene), threads),
      filler_(model, scene.output) {}

void ErrorControlledStepper::start(State* state) {
  memory_.restart(state->v, model_.trees.size());
  step_.start(memory_, std::min(first_step_, max_step_), state);
}

const StepOutcome& ErrorControlledStepper::attempt(const State& state, double t_limit) {
  outcome_.restart();
  outcome_.statistics.condition = std::numeric_limits<double>::quiet_NaN();
  ScopedTimer timer(&outcome_.statistics.seconds.total);
  advance(state, t_limit);
  return outcome_;
}

void ErrorControlledStepper::advance(const State& state, double t_limit) {
  double wanted = std::min(state.next_step > 0.0 ? state.next_step : first_step_, max_step_);
  double largest_factor = kLargestFactor;
  asked_step_ = fit_step(state.time, wanted, t_limit).h;
  for (;;) {
    const auto [h, t_end] = fit_step(state.time, wanted, t_limit);
    StepError error = try_step(state, h);
    if (error.value <= 1.0) {
      const double factor = std::min(growth(error.value), largest_factor);
      const double next = std::min(next_length(h, wanted, factor), max_step_);
      second_half_.state.time = t_end;
      step_.look_ahead(t_end < t_limit ? fit_step(t_end, next, t_limit).h : next, asked_step_, &second_half_);
      if (!is_too_long(second_half_, h, first_half_.gained)) return accept(state, t_end, next);
      error = kNoStep;
      add_work(first_half_.statistics, &outcome_.statistics);
      add_work(second_half_.statistics, &outcome_.statistics);
    }
    ++outcome_.statistics.num_rejected;
    largest_factor = 1.0;
    wanted = h * std::min(growth(error.value), kSafety);
    if (is_unsolved(*last_part_) && h <= smallest_part()) return fail(state, error, smallest_part());
    if (wanted < smallest_step(state.time)) return fail(state, error, kSmallestStep);
  }
}

/// Whether the end of an attempt forbids it, after one that holds `gained` (J) for nothing. Steps of up to
/// smallest_part() are left to the events.
bool ErrorControlledStepper::is_too_long(const StepOutcome& part, double h, double gained) const {
  return (part.too_long || gained + part.gained > part.gain_allowed) && h > smallest_part();
}

/// The error of a step of length h relative to the accuracy; infinite when it cannot be made.
StepError ErrorControlledStepper::try_step(const State& state, double h) {
  StepStatistics& statistics = outcome_.statistics;
  last_part_ = &whole_;
  step_.attempt(state, memory_, h, &whole_);
  add_work(whole_.statistics, &statistics);
  if (!whole_.ok || is_too_long(whole_, h)) return kNoStep;

  last_part_ = &first_half_;
  step_.attempt(state, memory_, 0.5 * h, &first_half_, true);
  StepError error = kNoStep;
  if (first_half_.ok) step_.look_ahead(0.5 * h, asked_step_, &first_half_);
  if (first_half_.ok && !is_too_long(first_half_, h)) {
    last_part_ = &second_half_;
    step_.attempt(first_half_.state, first_half_.memory, 0.5 * h, &second_half_);
    if (second_half_.ok && !is_too_long(second_half_, h))
      error = position_error(model_, whole_.state.q, second_half_.state.q, accuracy_);
    if (!(error.value <= 1.0)) add_work(second_half_.statistics, &statistics);
  }
  if (!(error.value <= 1.0)) add_work(first_half_.statistics, &statistics);
  return error;
}

void ErrorControlledStepper::accept(const State& state, double t_end, double next_step) {
  for (const StepOutcome* half : {&first_half_, &second_half_}) {
    add_part(half->statistics, &outcome_.statistics);
    for (const Event& event : half->events) add_event(event, &outcome_.events);
    add_pairs(half->pairs, 1.0, &outcome_.pairs, &pair_work_);
    if (half->deepest.depth > outcome_.deepest.depth) outcome_.deepest = half->deepest;
    outcome_.gain = half->gain;
  }
  std::swap(outcome_.state, second_half_.state);
  std::swap(outcome_.memory, second_half_.memory);
  outcome_.state.step = state.step + 1;
  outcome_.state.time = outcome_.statistics.time = t_end;
  outcome_.state.next_step = next_step;
}

/// After the last try, whose statistics and events tell why, of the error `error`: one that would have to be
/// shorter than `limit` (s) is not made.
void ErrorControlledStepper::fail(const State& state, const StepError& error, double limit) {
  outcome_.ok = false;
  add_description(last_part_->statistics, &outcome_.statistics);
  outcome_.statistics.time = state.time;
  outcome_.events = last_part_->events;
  std::ostringstream text;
  if (!last_part_->message.empty()) {
    text << last_part_->message;
  } else {
    text << "step " << state.step + 1 << " at t = " << state.time << " s: ";
    if (error.body >= 0) {
      text << "the largest error, " << error.value << " times integrator.accuracy, is that of body '"
           << model_.bodies[error.body].name << "', coordinate " << error.coordinate;
    } else {
      text << "it leads into overlaps for nothing, or a pair through another";
    }
  }
  text << "; the step fell below " << std::setprecision(3) << limit << " s";
  outcome_.message = text.str();
}

void ErrorControlledStepper::fill_frame(const State& state, bool with_contacts, Frame* frame) {
  filler_.fill(
      state,
      with_contacts ? StepForces{&step_.contacts(), &step_.forces(), &step_.row_forces()} : StepForces{},
      frame);
}

}  // namespace csim
