#include "step/discrete/discrete_stepper.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/timer.h"
#include "step/account/step_statistics.h"

namespace csim {
namespace {

// The smallest part of a step is h / kMaxParts; a power of two. One that the solver does not solve is divided
// down to kLeastUnsolved of these.
constexpr int kMaxParts = static_cast<int>(1.0 / kSmallestPart), kLeastUnsolved = 16;

// What a part may hold for nothing in any case, of its share by its length of that of a step. Bodies that
// spin while they are pressed gain in every part, in all of them by the first order of its length alone.
constexpr double kShare = 4.0;

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
  bool looked = false;  // it is divided for what its end, or that of a part, holds
  for (int done = 0, size = kMaxParts; done < kMaxParts;) {  // in units of the smallest part
    step_.attempt(outcome_.state, outcome_.memory, h_ * size / kMaxParts, &part_);
    if (part_.ok) look_ahead(state, done + size);
    if (part_.ok && !is_to_divide(size)) {
      std::swap(outcome_.state, part_.state);
      std::swap(outcome_.memory, part_.memory);
      add_part(part_.statistics, &statistics);
      take_events();
      add_pairs(part_.pairs, 1.0, &outcome_.pairs, &pair_work_);
      if (part_.deepest.depth > outcome_.deepest.depth) outcome_.deepest = part_.deepest;
      outcome_.gain = part_.gain;
      outcome_.gained += part_.gained;
      ++num_parts;
      done += size;
      size = next_size(done, size);
      continue;
    }
    // Once an attempt was refused for its end, or its turning, the step is not given up for one that is not
    // solved.
    looked = looked || part_.ok || part_.too_long;
    if (size <= (looked ? 1 : divides_ ? kLeastUnsolved : kMaxParts)) {
      outcome_.ok = false;
      outcome_.message = part_.message;
      add_part(part_.statistics, &statistics);
      take_events();
      return;
    }
    add_work(part_.statistics, &statistics);
    size = size_after_refusal(size);
  }
  if (num_parts > 1) {
    statistics.status = StepStatus::kShorterStep;
    add_event({EventKind::kDividedStep, -1, -1, static_cast<double>(num_parts)}, &outcome_.events);
  }
}

/// J, what the last part may hold for nothing: what the parts before it leave of that of a whole step.
/// Without a share of its own what is used up once would divide all that is left.
double DiscreteStepper::gain_limit(int size) const {
  const double share = std::min(kShare * size / kMaxParts, 1.0);
  return std::max(part_.gain_allowed - outcome_.gained, share * part_.gain_allowed);
}

bool DiscreteStepper::is_to_divide(int size) const {
  return size > 1 && (part_.too_long || part_.gained > gain_limit(size));
}

/// The length of the next attempt from where the last one failed or was refused. What turns foresees its gap
/// to second order of the step, and the energy of an overlap goes with its square: shorter parts that would
/// hold too much even so are left out.
int DiscreteStepper::size_after_refusal(int size) const {
  size /= 2;
  if (!part_.ok || part_.too_long) return size;
  for (double gained = part_.gained / 16.0; gained > gain_limit(size) && size > 1; gained /= 16.0) size /= 2;
  return size;
}

/// The length of the part that begins at `done`, after the last one of the length `size`: as long as the tree
/// allows, unless it would hold too much even if overlaps grew with the first order of its length.
int DiscreteStepper::next_size(int done, int size) const {
  const auto gained = [&](int next) {
    const double ratio = static_cast<double>(next) / size;
    return ratio * ratio * part_.gained;
  };
  int next = done & -done;
  while (next > size && gained(next) > gain_limit(next)) next /= 2;
  return next;
}

/// Looks at the end of a part, `done` of the smallest ones after `state`, as the next part will.
void DiscreteStepper::look_ahead(const State& state, int done) {
  const bool is_whole = done == kMaxParts;
  if (is_whole) part_.state.time = static_cast<double>(state.step + 1) * h_;
  step_.look_ahead(is_whole ? h_ : h_ * (done & -done) / kMaxParts, h_, &part_);
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
