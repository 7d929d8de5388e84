#include "step/discrete_stepper.h"

#include <limits>
#include <utility>

#include "core/timer.h"
#include "step/step_statistics.h"

namespace csim {
namespace {

// The smallest part of a step is h / kMaxParts; a power of two.
constexpr int kMaxParts = 64;

}  // namespace

DiscreteStepper::DiscreteStepper(const Model& model, const Scene& scene, int threads)
    : model_(model),
      h_(scene.time.step),
      divides_(scene.solver.on_nonconvergence == OnNonconvergence::kShorterStep),
      step_(model, scene, threads),
      filler_(model, scene.output) {}

void DiscreteStepper::start(State* state) {
  memory_.restart(state->v, model_.trees.size());
  step_.start(memory_, h_, state);
}

const StepOutcome& DiscreteStepper::attempt(const State& state, double) {
  outcome_.restart();
  outcome_.statistics.condition = std::numeric_limits<double>::quiet_NaN();
  {
    ScopedTimer timer(&outcome_.statistics.seconds.total);
    make_parts(state);
  }
  outcome_.state.step = state.step + 1;
  outcome_.state.time = static_cast<double>(outcome_.state.step) * h_;
  outcome_.statistics.time = outcome_.state.time;
  return outcome_;
}

/// The whole step in one part, if that fails in two, and so on: a binary tree of parts, walked in time.
void DiscreteStepper::make_parts(const State& state) {
  StepStatistics& statistics = outcome_.statistics;
  outcome_.state = state;
  outcome_.memory = memory_;
  int num_parts = 0;
  for (int done = 0, size = kMaxParts; done < kMaxParts;) {  // in units of the smallest part
    step_.attempt(outcome_.state, outcome_.memory, h_ * size / kMaxParts, &part_);
    if (part_.ok) {
      std::swap(outcome_.state, part_.state);
      std::swap(outcome_.memory, part_.memory);
      add_part(part_.statistics, &statistics);
      take_events();
      add_pairs(part_.pairs, 1.0, &outcome_.pairs, &pair_work_);
      if (part_.deepest.depth > outcome_.deepest.depth) outcome_.deepest = part_.deepest;
      outcome_.gain = part_.gain;
      ++num_parts;
      done += size;
      size = done & -done;  // the next part of the tree begins here and is as long
      continue;
    }
    add_work(part_.statistics, &statistics);
    if (!divides_ || size == 1) {
      outcome_.ok = false;
      outcome_.message = part_.message;
      take_events();
      return;
    }
    size /= 2;
  }
  if (num_parts > 1) {
    statistics.status = StepStatus::kShorterStep;
    add_event({EventKind::kDividedStep, -1, -1, static_cast<double>(num_parts)}, &outcome_.events);
  }
}

/// Adds the events of the last part to those of the step.
void DiscreteStepper::take_events() {
  if (outcome_.events.empty()) {
    std::swap(outcome_.events, part_.events);
  } else {
    for (const Event& event : part_.events) add_event(event, &outcome_.events);
  }
}

void DiscreteStepper::fill_frame(const State& state, bool with_contacts, Frame* frame) {
  filler_.fill(
      state,
      with_contacts ? StepForces{&step_.contacts(), &step_.forces(), &step_.row_forces()} : StepForces{},
      frame);
}

}  // namespace csim
