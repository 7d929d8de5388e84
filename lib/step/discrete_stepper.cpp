#include "step/discrete_stepper.h"

#include <limits>
#include <utility>

#include "core/timer.h"
#include "step/step_statistics.h"

namespace csim {
namespace {

// The smallest part of a step is h / kMaxParts; a power of two. One that the solver does not solve is divided
// down to kLeastUnsolved of these.
constexpr int kMaxParts = 1024, kLeastUnsolved = 16;

}  // namespace

DiscreteStepper::DiscreteStepper(const Model& model, const Scene& scene, int threads)
    : model_(model),
      h_(scene.time.step),
      divides_(scene.solver.on_nonconvergence == OnNonconvergence::kShorterStep),
      step_(model, scene, threads),
      filler_(model, scene.output) {}

void DiscreteStepper::start(State* state) {
  memory_.restart(state->v, model_.trees.size());
  elastic_energy_ = step_.elastic_energy_at(*state, memory_, h_);
  state->energy_start = filler_.mechanical_energy_at(*state) + elastic_energy_;
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
    if (part_.ok && (!part_.overlap.too_long || size == 1)) {
      std::swap(outcome_.state, part_.state);
      std::swap(outcome_.memory, part_.memory);
      add_part(part_.statistics, &statistics);
      take_events();
      add_pairs(part_.pairs, 1.0, &outcome_.pairs, &pair_work_);
      ++num_parts;
      done += size;
      size = done & -done;  // the next part of the tree begins here and is as long
      continue;
    }
    add_work(part_.statistics, &statistics);
    if (!part_.ok && (!divides_ || size <= kLeastUnsolved)) {
      outcome_.ok = false;
      outcome_.message = part_.message;
      take_events();
      return;
    }
    size /= 2;
  }
  elastic_energy_ = step_.forces().elastic_energy_end + step_.row_forces().elastic_energy_end;
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
      state, elastic_energy_,
      with_contacts ? StepForces{&step_.contacts(), &step_.forces(), &step_.row_forces()} : StepForces{},
      frame);
}

}  // namespace csim
