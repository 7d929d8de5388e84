#include "step/discrete/discrete_stepper.h"

#include <algorithm>
#include <limits>
#include <sstream>
#include <utility>

#include "core/timer.h"
#include "step/discrete/refusals.h"
#include "step/discrete/step_constants.h"
#include "step/discrete/step_statistics.h"
#include "step/discrete/tree_groups.h"
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
      lengths_(make_lengths(scene, model.trees.size())),
      by_error_(dynamic_cast<ErrorLengths*>(lengths_.get())),
      by_halves_(dynamic_cast<HalvedLengths*>(lengths_.get())),
      unresolved_energy_(unresolved_energy(model, controls_error() ? accuracy_ : kRoundedAway)),
      sleep_rule_(make_sleep_rule(model, scene)),
      step_(model, with_tolerance(scene), threads, stop_),
      coupled_(coupled_trees(model)),
      filler_(model, scene.output) {}

void DiscreteStepper::start(State* state) {
  memory_.restart(state->v, model_.trees.size());
  if (sleep_rule_) begin_rest(model_, &state->rest);
  state->rest_number = 0;
  if (controls_error())
    state->tree_steps.setConstant(static_cast<Eigen::Index>(model_.trees.size()), first_length_);
  step_.start(first_length_, state);
}

const StepOutcome& DiscreteStepper::attempt(const State& state, double t_limit) {
  outcome_.restart();
  outcome_.statistics.condition = std::numeric_limits<double>::quiet_NaN();
  ScopedTimer timer(&outcome_.statistics.seconds.total);
  make_step(state, t_limit);
  take_refusals();
  outcome_.state.step = state.step + 1;
  return outcome_;
}

/// Tries its parts, and shorter or other ones after refusals, until the step is done or fails.
void DiscreteStepper::make_step(const State& state, double t_limit) {
  begin_step(state, t_limit);
  do {
    if (!find_part(state, t_limit)) return;
  } while (take_part(state));
  finish_step();
}

void DiscreteStepper::begin_step(const State& state, double t_limit) {
  awake_.trees.clear();
  if (sleep_rule_) find_awake(state.rest, &awake_.trees);
  awake_.rest_number = awake_.trees.empty() ? 0 : state.rest_number;
  copy_state(model_, awake_.trees, awake_.rest_number, state, &outcome_.state);
  divided_.trees.clear();
  num_levels_ = 0;
  refusals_.clear();
  outcome_.gained.setZero(static_cast<Eigen::Index>(model_.trees.size()));
  longest_.assign(model_.trees.size(), kMostParts);
  part_number_ = 1;
  lengths_->begin(state, t_limit);
  choose_participants();
}

/// Tries until a part is not refused; false: there is no other try, and the step has failed.
bool DiscreteStepper::find_part(const State& state, double t_limit) {
  while (const Refusal refusal = controls_error() ? try_halves() : try_once()) {
    const bool is_interrupted = refusal.kind == RefusalKind::kInterrupted;
    if (!is_interrupted) note_refused_try(refusal);
    if (is_interrupted || !plan_next_try(state, t_limit, refusal)) {
      fail(refusal);
      return false;
    }
  }
  return true;
}

void DiscreteStepper::note_refused_try(const Refusal& refusal) {
  StepStatistics& statistics = outcome_.statistics;
  add_refusal(refusal, &refusals_);
  for (int i = 0; i < num_parts_; ++i) add_work(parts_[i].statistics, &statistics);
  if (controls_error()) ++statistics.num_rejected;
}

/// Takes the part, or the two halves, of the try at hand; whether another part follows.
bool DiscreteStepper::take_part(const State& state) {
  for (int i = 0; i < num_parts_; ++i) add(&parts_[i]);
  const bool of_others = !is_in_parts();
  const int num_levels = levels_after();
  if (!controls_error()) foresee(participants().trees);
  if (!lengths_->accept()) return false;
  if (num_levels < num_levels_) step_.keep_first(num_levels);
  num_levels_ = num_levels;
  if (of_others && is_in_parts()) keep_whole_takers(state);
  ++part_number_;
  return true;
}

/// What is of the step, and not of its parts.
void DiscreteStepper::finish_step() {
  StepStatistics& statistics = outcome_.statistics;
  if (part_number_ > 1 && !controls_error()) {
    statistics.status = StepStatus::kShorterStep;
    add_event({EventKind::kDividedStep, -1, -1, static_cast<double>(part_number_)}, &outcome_.events);
  }
  if (sleep_rule_)
    take_rest();
  else
    outcome_.state.rest = {};  // all are awake, whatever the state says of another run
  statistics.time = outcome_.state.time;
  outcome_.gain = note_energy_gain(model_, unresolved_energy_, &outcome_.state, &outcome_.events);
  if (!controls_error()) return;
  outcome_.state.tree_steps = by_error_->wanted();
  if (is_in_parts()) {
    add_sizes(kept_.statistics, &statistics);
    statistics.num_parts = part_number_ - 1;
  }
  note_energy_loss(model_, &outcome_.state, &outcome_.events);
}

/// Whether the part to try is one of the trees that take the step in parts.
bool DiscreteStepper::is_in_parts() const {
  return controls_error() ? by_error_->is_in_parts() : num_levels_ > 0;
}

/// Of the part to try.
const SolverMemory& DiscreteStepper::memory_before() const {
  return part_number_ > 1 ? outcome_.memory : memory_;
}

/// The trees awake that have no part of their own, or those that have.
const Participants& DiscreteStepper::participants() const {
  if (!controls_error()) return num_levels_ > 0 ? levels_[num_levels_ - 1].divided : awake_;
  if (is_in_parts()) return divided_;
  return divided_.trees.empty() ? awake_ : whole_takers_;
}

/// With constant lengths: of the trees that take the part to try those for which it is not too long, which
/// try it first; at least one. Where some trees sleep all that are awake try the parts of the whole step
/// together: a prescribed body that comes to what sleeps is asked for by them alone.
const Participants& DiscreteStepper::triers() {
  const Participants& all = participants();
  const bool waits = num_levels_ > 0 || awake_.trees.empty();
  int longest = 0, shortest = kMostParts;
  const auto for_each = [&](auto&& visit) {
    for_each_in(all.trees, 0, static_cast<int>(longest_.size()), visit);
  };
  for_each([&](int t) {
    longest = std::max(longest, longest_[t]);
    shortest = std::min(shortest, longest_[t]);
  });
  if (longest > 0) by_halves_->fit(waits ? longest : shortest);  // else there are no trees, or all sleep
  postponed_.assign(longest_.size(), 0);
  bool any = false;
  for_each([&](int t) {
    postponed_[t] = longest_[t] < by_halves_->part().size;
    any = any || postponed_[t] != 0;
  });
  if (!any) {
    postponed_.clear();
    return all;
  }
  take_out_postponed(all, &triers_);
  return triers_;
}

/// Those of `all` for which the part to try is not too long.
void DiscreteStepper::take_out_postponed(const Participants& all, Participants* rest) const {
  rest->with_supports = all.with_supports;
  rest->trees.resize(postponed_.size());
  for (std::size_t t = 0; t < postponed_.size(); ++t)
    rest->trees[t] = contains(all.trees, static_cast<int>(t)) && postponed_[t] == 0;
}

/// With constant lengths: how long a part these trees may try, which keep the one at hand.
void DiscreteStepper::foresee(const TreeSet& trees) {
  const StepOutcome& part = parts_[0];
  for_each_in(trees, 0, static_cast<int>(longest_.size()), [&](int t) {
    const int island = part.gaining_island.empty() ? -1 : part.gaining_island[t];
    longest_[t] = island < 0 ? kMostParts : by_halves_->longest_after(part.island_gains[island]);
  });
}

/// Of levels, that go on after the part to try.
int DiscreteStepper::levels_after() const {
  int n = num_levels_;
  while (n > 0 && levels_[n - 1].part.end() == by_halves_->part().end()) --n;
  return n;
}

/// With error control: who takes the step in parts follows from its length.
void DiscreteStepper::choose_participants() {
  if (!controls_error()) return;
  divided_.trees = by_error_->divided();
  whole_takers_.trees.resize(divided_.trees.size());
  std::transform(divided_.trees.begin(), divided_.trees.end(), whole_takers_.trees.begin(),
                 [](char is_divided) { return is_divided == 0; });
}

/// With error control: the others have taken the step, and those that take it in parts begin at its start,
/// where the others set out with the velocities of the step in one.
void DiscreteStepper::keep_whole_takers(const State& state) {
  step_.keep_as_it_is();
  kept_.state = outcome_.state;
  kept_.memory = outcome_.memory;
  kept_.statistics = outcome_.statistics;
  StepStatistics& statistics = outcome_.statistics;
  statistics.num_contacts = statistics.num_patches = statistics.num_faces = statistics.num_constraints = 0;
  statistics.num_islands = 0;
  statistics.factor_nonzeros = 0;
  State& start = outcome_.state;
  start.time = state.time;
  start.q = state.q;
  start.v = state.v;
  start.energy.most_in_motion = state.energy.most_in_motion;
  copy_outside(model_, divided_.trees, state.q, path_, &start.q, &start.v);
  outcome_.memory = memory_;
}

/// A part of a constant step. Where it is too long for some trees the others keep it, and it is a shorter one
/// of these.
Refusal DiscreteStepper::try_once() {
  for (;;) {
    if (const Refusal refusal = try_part()) return refusal;
    if (postponed_.empty()) return {};
    add_work(parts_[0].statistics, &outcome_.statistics);
    refused_ = postponed_;
    foresee(triers_.trees);
    add_level(by_halves_->part());
  }
}

/// By those of its trees for which it is not too long.
Refusal DiscreteStepper::try_part() {
  StepOutcome& part = parts_[0];
  num_parts_ = 1;
  last_ = &part;
  const Participants& who = triers();
  step_.attempt(outcome_.state, memory_before(), lengths_->length(), who, &part);
  const Refusal path = judge(part);
  if (!part.ok || path.kind == RefusalKind::kInterrupted) return path;
  const Refusal meeting =
      part.met.empty() ? Refusal()
                       : Refusal{RefusalKind::kMeeting, part.met.front().first, part.met.front().second};
  if (meeting && postponed_.empty()) return meeting;  // with one that has kept a longer part, or sleeps
  part.state.time = lengths_->end_time(outcome_.state.time);
  const int num_levels = levels_after();
  for (int l = num_levels_ - 1; l >= num_levels; --l)
    take_kept(model_, levels_[l].divided.trees, levels_[l].kept, &part);
  // Whatever refuses the path: the end tells which islands keep it.
  const Participants& after = num_levels > 0 ? levels_[num_levels - 1].divided : awake_;
  if (postponed_.empty()) return look_ahead(lengths_->next_length(), after, outcome_.gained, &part);
  take_out_postponed(after, &lookers_);
  const Refusal refusal = look_ahead(lengths_->next_length(), lookers_, outcome_.gained, &part);
  return meeting ? meeting : refusal;
}

/// A part as one step, and as two halves with an estimate of its error.
Refusal DiscreteStepper::try_halves() {
  const double h = lengths_->length();
  const Participants& who = participants();
  auto& [first, second] = parts_;
  num_parts_ = 0;
  last_ = &whole_;
  step_.attempt(outcome_.state, memory_before(), h, who, &whole_);
  add_work(whole_.statistics, &outcome_.statistics);
  if (const Refusal refusal = judge(whole_)) return refusal;
  if (!is_in_parts()) path_ = step_.velocities();

  num_parts_ = 1;
  last_ = &first;
  step_.attempt_shorter(memory_before(), 0.5 * h, &first);
  if (const Refusal refusal = judge(first)) return refusal;
  if (const Refusal refusal = look_ahead(0.5 * h, who, outcome_.gained, &first)) return refusal;

  num_parts_ = 2;
  last_ = &second;
  step_.attempt(first.state, first.memory, 0.5 * h, who, &second);
  if (const Refusal refusal = judge(second)) return refusal;
  if (const Refusal refusal = judge_error(second)) return refusal;
  second.state.time = lengths_->end_time(first.state.time);
  if (is_in_parts() && lengths_->is_last()) {
    take_kept(model_, divided_.trees, kept_, &second);
    step_.account_with_kept(&second.state);
  }
  return look_ahead(lengths_->next_length(), who, first.gained, &second);
}

/// The error of each island, of the step in one and that in halves.
Refusal DiscreteStepper::judge_error(const StepOutcome& halves) {
  const StepError error =
      position_errors(model_, whole_.state.q, halves.state.q, accuracy_, participants().trees, &errors_);
  groups_ = coupled_;
  join_islands(step_.last(), &groups_);
  by_error_->set_errors(errors_, &groups_);
  if (error.value <= 1.0) return {};
  return {RefusalKind::kError, error.body, -1, error.value, 1.0, error.coordinate};
}

/// What a part leads into, at whose end a step of length h (s) of `who` begins; `gained`: before it, by tree.
Refusal DiscreteStepper::look_ahead(double h, const Participants& who, const VectorX& gained,
                                    StepOutcome* part) {
  step_.look_ahead(h, lengths_->whole_length(), who, gained, part);
  Refusal refusal = judge(*part);
  double most = 0.0;
  for (IslandGain& gain : part->island_gains) {
    gain.limit =
        lengths_->is_smallest() ? std::numeric_limits<double>::infinity() : lengths_->gain_limit(gain.gained);
    if (refusal && refusal.kind != RefusalKind::kOverlapGain) continue;
    if (!gain.is_refused() || !(gain.part() > most)) continue;
    refusal = judge_gain(gain);
    most = gain.part();
  }
  return refusal;
}

/// The refusal of a part, unless it is so short that only failures count; or that it was asked to stop.
Refusal DiscreteStepper::judge(const StepOutcome& part) const {
  if (stop_()) return {RefusalKind::kInterrupted};
  if (controls_error() && part.ok && !part.met.empty())
    return {RefusalKind::kMeeting, part.met.front().first, part.met.front().second};
  return !part.ok || !lengths_->is_smallest() ? part.refusal : Refusal{};
}

/// Adds a part to the step.
void DiscreteStepper::add(StepOutcome* part) {
  std::swap(static_cast<StepState&>(outcome_.state), static_cast<StepState&>(part->state));
  std::swap(outcome_.memory, part->memory);
  std::swap(outcome_.gained, part->gained);
  add_part(part->statistics, &outcome_.statistics);
  for (const Event& event : part->events) add_event(event, &outcome_.events);
  add_pairs(part->pairs, 1.0, &outcome_.pairs, &pair_work_);
  if (part->deepest.depth > outcome_.deepest.depth) outcome_.deepest = part->deepest;
}

/// At the end of a step: what has taken part is awake, the others go on resting, and more may fall asleep.
void DiscreteStepper::take_rest() {
  RestState& rest = outcome_.state.rest;
  std::uint64_t& number = outcome_.state.rest_number;
  if (rest.group.empty()) begin_rest(model_, &rest);  // a state of a run in which nothing slept
  if (number == 0) take_woken();
  resting_pairs_.clear();
  for (const RestingPair& pair : rest.pairs)
    resting_pairs_.push_back(
        {pair.body_a, pair.body_b, pair.impulse, pair.normal_force, lengths_->whole_length()});
  add_pairs(resting_pairs_, 1.0, &outcome_.pairs, &pair_work_);
  const bool any = step_.let_sleep(*sleep_rule_, awake_.trees, outcome_.pairs,
                                   outcome_.statistics.stiction_tolerance, &outcome_.state, &outcome_.events);
  if (number == 0 || any) number = is_all_awake(rest) ? 0 : new_rest_number();
  if (outcome_.memory.rest_number != number) {
    forget_sleeping(model_, rest, &outcome_.memory);
    outcome_.memory.rest_number = number;
  }
  if (number == 0 || number != counted_number_) {
    num_asleep_ = count_asleep(model_, rest);
    counted_number_ = number;
  }
  outcome_.statistics.num_asleep = num_asleep_;
}

/// What has taken part in the step is awake.
void DiscreteStepper::take_woken() {
  RestState& rest = outcome_.state.rest;
  note_woken(model_, rest, awake_.trees, &outcome_.events);
  for_each_in(awake_.trees, 0, static_cast<int>(model_.trees.size()), [&](int tree) {
    const auto t = static_cast<std::size_t>(tree);
    if (rest.group[t] < 0) return;
    rest.group[t] = -1;
    rest.since[tree] = std::numeric_limits<double>::infinity();
    rest.v.segment(model_.trees[t].v_begin, model_.trees[t].nv).setZero();
  });
  std::erase_if(rest.pairs, [&](const RestingPair& pair) {
    return has_either(awake_.trees, model_, pair.body_a, pair.body_b);
  });
}

/// The refusals of all tries of the step, before what has happened in it.
void DiscreteStepper::take_refusals() {
  if (refusals_.empty()) return;
  std::swap(outcome_.events, refusals_);
  for (const Event& event : refusals_) add_event(event, &outcome_.events);
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
