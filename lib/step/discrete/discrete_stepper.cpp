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
      unresolved_energy_(unresolved_energy(model, lengths_->estimates_error() ? accuracy_ : kRoundedAway)),
      sleep_rule_(make_sleep_rule(model, scene)),
      step_(model, with_tolerance(scene), threads, stop_),
      coupled_(coupled_trees(model)),
      filler_(model, scene.output) {}

void DiscreteStepper::start(State* state) {
  memory_.restart(state->v, model_.trees.size());
  if (sleep_rule_) begin_rest(model_, &state->rest);
  state->rest_number = 0;
  if (by_error_ != nullptr)
    state->tree_steps.setConstant(static_cast<Eigen::Index>(model_.trees.size()), first_length_);
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
  awake_.trees.clear();
  if (sleep_rule_) find_awake(state.rest, &awake_.trees);
  awake_.rest_number = awake_.trees.empty() ? 0 : state.rest_number;
  copy_state(model_, awake_.trees, awake_.rest_number, state, &outcome_.state);
  divided_.trees.clear();
  refusals_.clear();
  lengths_->begin(state, t_limit);
  choose_participants();
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
    const bool of_others = !is_in_parts();
    if (lengths_->accept(last_->worst_gain.part())) {
      if (of_others && is_in_parts()) set_out(state);
      continue;
    }
    if (num_taken_ > 1 && by_error_ == nullptr) {
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
  outcome_.state.tree_steps = by_error_->wanted();
  if (is_in_parts()) {
    add_sizes(kept_.statistics, &statistics);
    statistics.num_parts = num_taken_ - 1;
  }
  note_energy_loss(model_, &outcome_.state, &outcome_.events);
}

/// Whether the part to try is one of the trees that take the step in parts.
bool DiscreteStepper::is_in_parts() const {
  return by_error_ != nullptr ? by_error_->is_in_parts() : !divided_.trees.empty();
}

/// Of the part to try.
const SolverMemory& DiscreteStepper::memory_before() const {
  return num_taken_ > 1 ? outcome_.memory : memory_;
}

/// The trees awake that have no part of their own, or those that have.
const Participants& DiscreteStepper::participants() const {
  if (is_in_parts()) return divided_;
  return divided_.trees.empty() ? awake_ : whole_takers_;
}

/// With error control: who takes the step in parts follows from its length.
void DiscreteStepper::choose_participants() {
  if (by_error_ == nullptr) return;
  divided_.trees = by_error_->divided();
  whole_takers_.trees.resize(divided_.trees.size());
  std::transform(divided_.trees.begin(), divided_.trees.end(), whole_takers_.trees.begin(),
                 [](char is_divided) { return is_divided == 0; });
}

/// With error control: the others have taken the step, and those that take it in parts begin at its start,
/// where the others set out with the velocities of the step in one.
void DiscreteStepper::set_out(const State& state) {
  step_.keep();
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

/// With error control: fills refused_ with the trees that a refusal is of; empty: all of the try.
void DiscreteStepper::find_refused(const Refusal& refusal) {
  const PreparedStep& prepared = step_.last();
  refused_.assign(model_.trees.size(), 0);
  if (refusal.kind == RefusalKind::kError) return;
  if (refusal.kind == RefusalKind::kOverlapGain)
    find_refused_trees(prepared, *last_, lengths_->gain_limit(), &refused_);
  add_islands(prepared, last_->met, &refused_);
  add_islands(prepared, last_->refused_pairs, &refused_);
  for (const int subject : {refusal.subject_a, refusal.subject_b}) {
    if (subject < 0) continue;
    const int body = rule_of(refusal.kind).has_bodies ? subject : model_.geometries[subject].body;
    add_islands(prepared, body, body, &refused_);
  }
  add_joined(&groups_, &refused_);
  if (std::all_of(refused_.begin(), refused_.end(), [](char is) { return is == 0; })) refused_.clear();
}

/// With error control: after a refused try. Trees that come together have to take the step together.
bool DiscreteStepper::try_shorter(const State& state, const Refusal& refusal) {
  groups_ = coupled_;
  join_islands(step_.last(), &groups_);
  join_islands(step_.of_all(), &groups_);
  find_refused(refusal);
  const TreeSet& trees = participants().trees;
  bool joins = false;
  for (std::size_t t = 0; t < refused_.size(); ++t)
    joins = joins || (refused_[t] != 0 && !contains(trees, static_cast<int>(t)));
  bool goes_on = true;
  if (joins) {
    by_error_->join(refused_);
    begin_anew(state);
  } else {
    goes_on = lengths_->shorten(refusal, refused_);
  }
  choose_participants();
  return goes_on;
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
  if (is_met || is_refused || gains) awake_.rest_number = 0;
  if (is_all(awake_.trees)) awake_.trees.clear();
  return is_met || is_refused || gains;
}

/// The step begins anew, of more trees.
void DiscreteStepper::begin_anew(const State& state) {
  keep_work(&outcome_.statistics);
  outcome_.events = refusals_;
  outcome_.pairs.clear();
  outcome_.deepest = {};
  copy_state(model_, awake_.trees, awake_.rest_number, state, &outcome_.state);
  num_taken_ = 1;
}

/// After a refused try: whether there is another, of a shorter part or of more trees.
bool DiscreteStepper::try_next(const State& state, double t_limit, const Refusal& refusal) {
  StepOutcome& part = parts_[0];
  if (wakes(state, refusal)) {
    divided_.trees.clear();
    begin_anew(state);
    lengths_->begin(state, t_limit);
    return true;
  }
  if (by_error_ != nullptr) return try_shorter(state, refusal);
  if (!part.ok) return lengths_->shorten(refusal, {});
  if (lengths_->is_whole()) {
    first_refusal_ = refusal;
    find_refused_trees(step_.of_all(), part, lengths_->gain_limit(), &divided_.trees);
    add_joined(&coupled_, &divided_.trees);
    whole_.events = part.events;
    return begin_parts(state, t_limit);
  }
  if (divided_.trees.empty()) return lengths_->shorten(refusal, {});
  bool joins = add_islands(step_.of_all(), part.met, &divided_.trees);
  joins = add_islands(step_.of_all(), part.refused_pairs, &divided_.trees) || joins;
  if (refusal.kind == RefusalKind::kOverlapGain)
    joins = add_islands(step_.of_all(), refusal.subject_a, refusal.subject_b, &divided_.trees) || joins;
  add_joined(&coupled_, &divided_.trees);
  return joins ? begin_parts(state, t_limit) : lengths_->shorten(refusal, {});
}

/// Begins the step anew, in parts of divided_.
bool DiscreteStepper::begin_parts(const State& state, double t_limit) {
  begin_anew(state);
  if (awake_.trees.empty() ? is_all(divided_.trees) : divided_.trees == awake_.trees) {
    divided_.trees.clear();
  } else {
    keep_others(state);
  }
  lengths_->begin(state, t_limit);
  return lengths_->shorten(first_refusal_, {});
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
  static_cast<StepState&>(outcome_.state) = kept_.state;
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
  step_.attempt(outcome_.state, memory_before(), lengths_->length(), participants(), &part);
  const Refusal path = judge(part);
  if (!part.ok || path.kind == RefusalKind::kInterrupted) return path;
  if (!part.met.empty()) return {RefusalKind::kMeeting, part.met.front().first, part.met.front().second};
  if (path && !lengths_->is_whole()) return path;  // of a whole step the end tells which islands keep it
  part.state.time = lengths_->end_time(outcome_.state.time);
  if (!lengths_->is_last()) return look_ahead(lengths_->next_length(), participants(), 0.0, &part);
  if (!divided_.trees.empty()) take_kept(&part);
  return look_ahead(lengths_->next_length(), awake_, 0.0, &part);
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
  if (const Refusal refusal = look_ahead(0.5 * h, who, 0.0, &first)) return refusal;

  num_parts_ = 2;
  last_ = &second;
  step_.attempt(first.state, first.memory, 0.5 * h, who, &second);
  if (const Refusal refusal = judge(second)) return refusal;
  if (const Refusal refusal = judge_error(second)) return refusal;
  second.state.time = lengths_->end_time(first.state.time);
  if (is_in_parts() && lengths_->is_last()) {
    take_kept(&second);
    step_.settle(&second.state);
  }
  return look_ahead(lengths_->next_length(), who, first.worst_gain.part(), &second);
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

/// What a part leads into, at whose end a step of length h (s) of `who` begins; before it the try has gained
/// `gained_before`, of what is allowed.
Refusal DiscreteStepper::look_ahead(double h, const Participants& who, double gained_before,
                                    StepOutcome* part) {
  step_.look_ahead(h, lengths_->whole_length(), who, part);
  if (const Refusal refusal = judge(*part)) return refusal;
  if (lengths_->is_smallest()) return {};
  return judge_gain(part->worst_gain, lengths_->gain_limit() - gained_before);
}

/// The refusal of a part, unless it is so short that only failures count; or that it was asked to stop.
Refusal DiscreteStepper::judge(const StepOutcome& part) const {
  if (stop_()) return {RefusalKind::kInterrupted};
  if (by_error_ != nullptr && part.ok && !part.met.empty())
    return {RefusalKind::kMeeting, part.met.front().first, part.met.front().second};
  return !part.ok || !lengths_->is_smallest() ? part.refusal : Refusal{};
}

/// Adds a part to the step.
void DiscreteStepper::take(StepOutcome* part) {
  std::swap(static_cast<StepState&>(outcome_.state), static_cast<StepState&>(part->state));
  std::swap(outcome_.memory, part->memory);
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
