#include "step/discrete/discrete_stepper.h"

#include <algorithm>
#include <limits>
#include <sstream>
#include <utility>

#include "core/timer.h"
#include "step/account/step_statistics.h"
#include "step/discrete/refusals.h"
#include "step/discrete/refused_trees.h"
#include "step/discrete/step_constants.h"
#include "step/step_error.h"

namespace csim {
namespace {

/// The error of the solver must be none of the step's.
Scene with_tolerance(Scene scene) {
  if (scene.integrator.type != IntegratorType::kErrorControlled) return scene;
  const double wanted = std::max(kTolerancePerAccuracy * scene.integrator.accuracy, kSmallestTolerance);
  scene.solver.tolerance = std::min(scene.solver.tolerance, wanted);
  return scene;
}

/// s, of the first step of a run, for which its contacts are queried.
double first_length(const Scene& scene) {
  const bool is_bounded =
      scene.integrator.type == IntegratorType::kErrorControlled && scene.integrator.max_step.has_value();
  return is_bounded ? std::min(scene.time.step, *scene.integrator.max_step) : scene.time.step;
}

}  // namespace

DiscreteStepper::DiscreteStepper(const Model& model, const Scene& scene, int threads)
    : model_(model),
      accuracy_(scene.integrator.accuracy),
      first_length_(first_length(scene)),
      lengths_(make_lengths(scene)),
      unresolved_energy_(lengths_->estimates_error() ? unresolved_energy(model, accuracy_) : 0.0),
      sleep_rule_(make_sleep_rule(model, scene)),
      step_(model, with_tolerance(scene), threads, stop_),
      filler_(model, scene.output) {}

void DiscreteStepper::start(State* state) {
  memory_.restart(state->v, model_.trees.size());
  if (sleep_rule_) begin_rest(model_, &state->rest);
  step_.start(first_length_, state);
}

const StepOutcome& DiscreteStepper::attempt(const State& state, double t_limit) {
  outcome_.restart();
  outcome_.statistics.condition = std::numeric_limits<double>::quiet_NaN();
  ScopedTimer timer(&outcome_.statistics.seconds.total);
  make_parts(state, t_limit);
  outcome_.state.step = state.step + 1;
  return outcome_;
}

/// Tries parts and shorter ones until the step is done, or fails.
void DiscreteStepper::make_parts(const State& state, double t_limit) {
  StepStatistics& statistics = outcome_.statistics;
  outcome_.state = state;
  outcome_.memory = memory_;
  awake_.trees.clear();
  if (sleep_rule_) find_awake(state.rest, &awake_.trees);
  divided_.trees.clear();
  refusals_.clear();
  lengths_->begin(state, t_limit, 0.0);
  for (num_taken_ = 1;; ++num_taken_) {
    while (const Refusal refusal = lengths_->estimates_error() ? try_halves() : try_once()) {
      if (refusal.kind == RefusalKind::kInterrupted) return fail(refusal);
      add_refusal(refusal, &refusals_);
      add_refusal(refusal, &outcome_.events);
      for (int i = 0; i < num_parts_; ++i) add_work(parts_[i].statistics, &statistics);
      if (lengths_->estimates_error()) ++statistics.num_rejected;
      if (!try_next(state, t_limit, refusal)) return fail(refusal);
    }
    for (int i = 0; i < num_parts_; ++i) take(&parts_[i]);
    if (lengths_->accept(last_->for_nothing.energy, last_->gain_allowed)) continue;
    if (num_taken_ > 1) {
      statistics.status = StepStatus::kShorterStep;
      add_event({EventKind::kDividedStep, -1, -1, static_cast<double>(num_taken_)}, &outcome_.events);
    }
    break;
  }
  if (sleep_rule_)
    take_rest();
  else
    outcome_.state.rest = {};  // all are awake, whatever the state says of another run
  statistics.time = outcome_.state.time;
  outcome_.gain = note_energy_gain(model_, unresolved_energy_, &outcome_.state, &outcome_.events);
  if (!lengths_->estimates_error()) return;
  outcome_.state.next_step = lengths_->wanted_next();
  note_energy_loss(model_, &outcome_.state, &outcome_.events);
}

/// The trees awake that have no part of their own, or those that have.
const Participants& DiscreteStepper::participants() const {
  return divided_.trees.empty() ? awake_ : divided_;
}

/// Wakes those that are met, or that the refusal is of.
bool DiscreteStepper::wakes(const State& state, const Refusal& refusal) {
  const StepOutcome& part = parts_[0];
  if (awake_.trees.empty() || !part.ok) return false;
  const bool is_met = wake(model_, state.rest, part.met, &awake_.trees);
  const bool is_refused = wake(model_, state.rest, part.refused_pairs, &awake_.trees);
  const bool is_of_bodies = refusal.kind == RefusalKind::kOverlapGain && refusal.subject_b >= 0;
  const bool gains =
      is_of_bodies && wake(model_, state.rest, {{refusal.subject_a, refusal.subject_b}}, &awake_.trees);
  if (is_all(awake_.trees)) awake_.trees.clear();
  return is_met || is_refused || gains;
}

/// The step begins anew, of more trees.
void DiscreteStepper::begin_anew(const State& state) {
  keep_work(&outcome_.statistics);
  outcome_.events = refusals_;
  outcome_.pairs.clear();
  outcome_.deepest = {};
  outcome_.state = state;
  outcome_.memory = memory_;
  num_taken_ = 1;
}

/// After a refused try: whether there is another, of a shorter part or of more trees.
bool DiscreteStepper::try_next(const State& state, double t_limit, const Refusal& refusal) {
  StepOutcome& part = parts_[0];
  if (wakes(state, refusal)) {
    divided_.trees.clear();
    begin_anew(state);
    lengths_->begin(state, t_limit, 0.0);
    return true;
  }
  if (lengths_->estimates_error() || !part.ok) return lengths_->shorten(refusal);
  if (lengths_->is_whole()) {
    first_refusal_ = refusal;
    find_refused_trees(step_.of_all(), part, lengths_->gain_limit(part.gain_allowed), &divided_.trees);
    whole_.events = part.events;
    whole_.gains = part.gains;
    return begin_parts(state, t_limit);
  }
  if (divided_.trees.empty()) return lengths_->shorten(refusal);
  bool joins = add_islands(step_.of_all(), part.met, &divided_.trees);
  joins = add_islands(step_.of_all(), part.refused_pairs, &divided_.trees) || joins;
  if (refusal.kind == RefusalKind::kOverlapGain)
    joins = add_islands(step_.of_all(), refusal.subject_a, refusal.subject_b, &divided_.trees) || joins;
  return joins ? begin_parts(state, t_limit) : lengths_->shorten(refusal);
}

/// Begins the step anew, in parts of divided_.
bool DiscreteStepper::begin_parts(const State& state, double t_limit) {
  begin_anew(state);
  if (awake_.trees.empty() ? is_all(divided_.trees) : divided_.trees == awake_.trees) {
    divided_.trees.clear();
  } else {
    keep_others(state);
  }
  lengths_->begin(state, t_limit,
                  divided_.trees.empty() ? 0.0 : gain_outside(model_, divided_.trees, whole_.gains));
  return lengths_->shorten(first_refusal_);
}

/// Takes the attempt of all trees for those that are not in divided_. The parts of these begin at its start,
/// where the others set out with its velocities.
void DiscreteStepper::keep_others(const State& state) {
  step_.keep(memory_, divided_.trees, &kept_);
  add_part(kept_.statistics, &outcome_.statistics);
  for (const Event& event : whole_.events)
    if (!concerns(model_, divided_.trees, event)) add_event(event, &outcome_.events);
  outcome_.pairs = kept_.pairs;
  outcome_.deepest = kept_.deepest;
  outcome_.state = kept_.state;
  outcome_.state.time = state.time;
  outcome_.state.q = state.q;
  outcome_.state.v = state.v;
  copy_outside(model_, divided_.trees, state.q, step_.kept_velocities(), &outcome_.state.q,
               &outcome_.state.v);
}

/// At the end of the last part: the others are where the attempt of all trees has led them, to the last bit.
void DiscreteStepper::take_kept(StepOutcome* part) const {
  State& end = part->state;
  copy_outside(model_, divided_.trees, kept_.state.q, kept_.state.v, &end.q, &end.v);
  SolverMemory& memory = part->memory;
  for (std::size_t t = 0; t < model_.trees.size(); ++t) {
    if (contains(divided_.trees, static_cast<int>(t))) continue;
    const Tree& tree = model_.trees[t];
    for (std::size_t i = 0; i < memory.v_before.size(); ++i)
      memory.v_before[i].segment(tree.v_begin, tree.nv) =
          kept_.memory.v_before[i].segment(tree.v_begin, tree.nv);
    memory.history[t] = kept_.memory.history[t];
  }
}

/// A part of a constant step.
Refusal DiscreteStepper::try_once() {
  StepOutcome& part = parts_[0];
  num_parts_ = 1;
  last_ = &part;
  step_.attempt(outcome_.state, outcome_.memory, lengths_->length(), participants(), &part);
  const Refusal path = judge(part);
  if (!part.ok || path.kind == RefusalKind::kInterrupted) return path;
  if (!part.met.empty()) return {RefusalKind::kMeeting, part.met.front().first, part.met.front().second};
  if (path && !lengths_->is_whole()) return path;  // of a whole step the end tells which islands keep it
  part.state.time = lengths_->end_time(outcome_.state.time);
  if (!lengths_->is_last()) return look_ahead(lengths_->next_length(), participants(), 0.0, &part);
  if (!divided_.trees.empty()) take_kept(&part);
  return look_ahead(lengths_->next_length(), awake_, 0.0, &part);
}

/// A step as one, and as two halves with an estimate of its error.
Refusal DiscreteStepper::try_halves() {
  const double h = lengths_->length();
  auto& [first, second] = parts_;
  num_parts_ = 0;
  last_ = &whole_;
  step_.attempt(outcome_.state, outcome_.memory, h, {}, &whole_);
  add_work(whole_.statistics, &outcome_.statistics);
  if (const Refusal refusal = judge(whole_)) return refusal;

  num_parts_ = 1;
  last_ = &first;
  step_.attempt_shorter(outcome_.memory, 0.5 * h, &first);
  if (const Refusal refusal = judge(first)) return refusal;
  if (const Refusal refusal = look_ahead(0.5 * h, {}, 0.0, &first)) return refusal;

  num_parts_ = 2;
  last_ = &second;
  step_.attempt(first.state, first.memory, 0.5 * h, {}, &second);
  if (const Refusal refusal = judge(second)) return refusal;
  const StepError error = position_error(model_, whole_.state.q, second.state.q, accuracy_);
  if (!(error.value <= 1.0)) return {RefusalKind::kError, error.body, -1, error.value, 1.0, error.coordinate};
  lengths_->set_error(error.value);
  second.state.time = lengths_->end_time(first.state.time);
  return look_ahead(lengths_->next_length(), {}, first.for_nothing.energy, &second);
}

/// What a part leads into, at whose end a step of length h (s) of `who` begins; before it the try has gained
/// `gained_before` (J).
Refusal DiscreteStepper::look_ahead(double h, const Participants& who, double gained_before,
                                    StepOutcome* part) {
  step_.look_ahead(h, lengths_->whole_length(), who, part);
  if (const Refusal refusal = judge(*part)) return refusal;
  if (lengths_->is_smallest()) return {};
  Refusal gain = judge_gain(part->for_nothing, lengths_->gain_limit(part->gain_allowed) - gained_before);
  gain.allowed = part->gain_allowed;
  return gain;
}

/// The refusal of a part, unless it is so short that only failures count; or that it was asked to stop.
Refusal DiscreteStepper::judge(const StepOutcome& part) const {
  if (stop_()) return {RefusalKind::kInterrupted};
  return !part.ok || !lengths_->is_smallest() ? part.refusal : Refusal{};
}

/// Adds a part to the step.
void DiscreteStepper::take(StepOutcome* part) {
  std::swap(outcome_.state, part->state);
  std::swap(outcome_.memory, part->memory);
  add_part(part->statistics, &outcome_.statistics);
  for (const Event& event : part->events) add_event(event, &outcome_.events);
  add_pairs(part->pairs, 1.0, &outcome_.pairs, &pair_work_);
  if (part->deepest.depth > outcome_.deepest.depth) outcome_.deepest = part->deepest;
}

/// At the end of a step: what has taken part is awake, the others go on resting, and more may fall asleep.
void DiscreteStepper::take_rest() {
  RestState& rest = outcome_.state.rest;
  if (rest.group.empty()) begin_rest(model_, &rest);  // a state of a run in which nothing slept
  note_woken(model_, rest, awake_.trees, &outcome_.events);
  for (std::size_t t = 0; t < rest.group.size(); ++t) {
    if (rest.group[t] < 0 || !contains(awake_.trees, static_cast<int>(t))) continue;
    rest.group[t] = -1;
    rest.since[static_cast<Eigen::Index>(t)] = std::numeric_limits<double>::infinity();
    rest.v.segment(model_.trees[t].v_begin, model_.trees[t].nv).setZero();
  }
  std::erase_if(rest.pairs, [&](const RestingPair& pair) {
    return has_either(awake_.trees, model_, pair.body_a, pair.body_b);
  });
  resting_pairs_.clear();
  for (const RestingPair& pair : rest.pairs)
    resting_pairs_.push_back(
        {pair.body_a, pair.body_b, pair.impulse, pair.normal_force, lengths_->whole_length()});
  add_pairs(resting_pairs_, 1.0, &outcome_.pairs, &pair_work_);
  step_.let_sleep(*sleep_rule_, awake_.trees, outcome_.pairs, outcome_.statistics.stiction_tolerance,
                  &outcome_.state, &outcome_.events);
  for (std::size_t t = 0; t < rest.group.size(); ++t)
    if (rest.group[t] >= 0) outcome_.statistics.num_asleep += static_cast<int>(model_.trees[t].bodies.size());
}

/// After the last try, whose statistics and events tell why.
void DiscreteStepper::fail(const Refusal& refusal) {
  outcome_.ok = false;
  outcome_.refusal = refusal;
  add_description(last_->statistics, &outcome_.statistics);
  outcome_.statistics.time = lengths_->end_time(outcome_.state.time);
  for (const Event& event : last_->events) add_event(event, &outcome_.events);
  std::ostringstream text;
  if (last_->message.empty()) {
    text << "step " << outcome_.state.step + 1 << " at t = " << outcome_.state.time
         << " s: " << describe(model_, refusal);
  } else {
    text << last_->message;
  }
  outcome_.message = text.str() + lengths_->describe_end(refusal);
}

void DiscreteStepper::fill_frame(const State& state, bool with_contacts, Frame* frame) {
  if (!with_contacts) return filler_.fill(state, {}, false, frame);
  filler_.fill(state, step_.forces_with_resting(state, lengths_->whole_length()), true, frame);
}

void DiscreteStepper::fill_motion(const State& state, Frame* frame) {
  filler_.fill(state, step_.forces(), false, frame);
}

void DiscreteStepper::fill_constraint_forces(const State& /*state*/, Frame* frame) {
  csim::fill_constraint_forces(model_, step_.forces(), frame);
}

}  // namespace csim
