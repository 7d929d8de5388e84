#include "step/discrete/discrete_step.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/timer.h"
#include "model/tree_bodies.h"
#include "step/account/query_events.h"
#include "step/discrete/refusals.h"
#include "step/discrete/step_constants.h"
#include "step/discrete/step_events.h"
#include "step/discrete/step_statistics.h"

namespace csim {
namespace {

bool starts_from(const PreparedStep& step, const State& state, double h, const Participants& who) {
  return step.h == h && step.trees == who.trees && step.is_whole == who.is_whole &&
         step.with_supports == who.with_supports && step.state.time == state.time &&
         is_same(step.model, who.trees, who.rest_number, step.state, state) &&
         step.state.sequence == state.sequence && step.state.broken == state.broken;
}

/// What of the state may be newer than the preparation of the step from it.
void take_accounts(const State& state, State* prepared) {
  prepared->step = state.step;
  prepared->next_step = state.next_step;
  prepared->tree_steps = state.tree_steps;
  prepared->energy = state.energy;
  prepared->tree_gain = state.tree_gain;
  prepared->tree_dissipated = state.tree_dissipated;
  prepared->pair_energies = state.pair_energies;
}

/// What the solvers remember after a step. Of trees that sleep it stays as it is, where it is known to be 0.
void follow(const SolverMemory& before, const PreparedStep& p, const SolvedStep& s, SolverMemory* memory) {
  if (is_held(before.rest_number, p.rest_number) && is_held(memory->rest_number, p.rest_number)) {
    copy_velocities(p.model, p.trees, p.state.v, &memory->v_before[0]);
    for (std::size_t i = 1; i < memory->v_before.size(); ++i)
      copy_velocities(p.model, p.trees, before.v_before[i - 1], &memory->v_before[i]);
    memory->history = s.iterate.history;
  } else {
    memory->follow(before, p.state.v, s.iterate.history);
    if (is_held(before.rest_number, p.rest_number)) memory->rest_number = p.rest_number;
  }
}

/// J, of the patch's points.
double energy_of(const ContactPatch& patch, const ContactSet& contacts, const std::vector<double>& energies) {
  const auto first = energies.begin() + static_cast<std::ptrdiff_t>(contacts.points.size());
  return std::accumulate(first + patch.point_begin, first + patch.point_end, 0.0);
}

bool has_event(const std::vector<Event>& events, const Event& other) {
  return std::any_of(events.begin(), events.end(), [&](const Event& event) {
    return event.kind == other.kind && event.subject_a == other.subject_a &&
           event.subject_b == other.subject_b;
  });
}

/// The bodies of two geometries.
void add_pair(const Model& model, int geometry_a, int geometry_b, std::vector<std::pair<int, int>>* pairs) {
  pairs->push_back(std::minmax(model.geometries[geometry_a].body, model.geometries[geometry_b].body));
}

/// Whether the geometry is of a tree that takes part.
bool has_geometry(const PreparedStep& step, int geometry) {
  return contains(step.trees, step.model.bodies[step.model.geometries[geometry].body].tree);
}

/// J, that the same pair holds at the start of the step after it; 0 where it has no patch.
double energy_after(const ContactPatch& before, const ContactSet& contacts, const ContactForces& forces) {
  const auto same = std::find_if(contacts.patches.begin(), contacts.patches.end(), [&](const auto& patch) {
    return patch.geometry_a == before.geometry_a && patch.geometry_b == before.geometry_b;
  });
  return same == contacts.patches.end() ? 0.0 : energy_of(*same, contacts, forces.elastic_start);
}

}  // namespace

DiscreteStep::DiscreteStep(const Model& model, const Scene& scene, int threads,
                           const std::function<bool()>& stop)
    : workers_(threads), options_(scene, &workers_), finder_(model, &workers_), stop_(stop) {
  std::iota(kept_.begin(), kept_.end(), 3);
  for (int i = 0; i < 3 + kMostLevels; ++i)
    steps_.push_back(Step{PreparedStep(model, scene, options_), {}, false});
}

void DiscreteStep::prepare_next(const State& state, double h, const Participants& who,
                                StepStatistics* statistics) {
  next().is_ready = false;
  const bool has_poses = is_end_of(accounts_, at_hand().prepared.model, who, state);
  if (has_poses) accounts_.has_end = false;
  prepare(state, h, who, &finder_, statistics, &next().prepared, has_poses ? &accounts_.end : nullptr);
  next().is_ready = true;
}

void DiscreteStep::start(double h, State* state) {
  StepStatistics unused;
  prepare_next(*state, h, {}, &unused);
  std::swap(at_hand_, next_);
  const PreparedStep& p = at_hand().prepared;
  SolvedStep& s = at_hand().solved;
  compute_contact_forces(p.data, p.model, p.contacts, p.data.problem.v0, &s.forces);
  compute_row_forces(p.data, p.model, p.data.problem.v0, &s.row_forces);
  s.v = state->v;
  s.v_number = 0;
  begin_accounts(p, s, &accounts_, state);
}

void DiscreteStep::attempt(const State& state, const SolverMemory& memory, double h, const Participants& who,
                           StepOutcome* outcome) {
  outcome->restart();
  if (who.with_supports) keep_first(0);
  if (!(at_hand().is_ready && starts_from(at_hand().prepared, state, h, who))) {
    if (!(next().is_ready && starts_from(next().prepared, state, h, who)))
      prepare_next(state, h, who, &outcome->statistics);
    std::swap(at_hand_, next_);
  }
  PreparedStep& p = at_hand().prepared;
  // It was prepared from a state with the q and v of this one, to the last bit, and takes the rest from it:
  // of what sleeps it holds what the number stands for, whatever number that state had.
  p.rest_number = p.state.rest_number = who.rest_number;
  take_accounts(state, &p.state);
  solve_and_judge(memory, outcome);
}

void DiscreteStep::attempt_shorter(const SolverMemory& memory, double h, StepOutcome* outcome) {
  outcome->restart();
  shorten(h, &outcome->statistics, &at_hand().prepared);
  solve_and_judge(memory, outcome);
}

void DiscreteStep::solve_and_judge(const SolverMemory& memory, StepOutcome* outcome) {
  PreparedStep& p = at_hand().prepared;
  SolvedStep& s = at_hand().solved;
  StepStatistics& statistics = outcome->statistics;
  statistics.condition = std::numeric_limits<double>::quiet_NaN();
  at_hand().is_ready = false;
  solve_with_corrections(memory, {&p, &s, &finder_, &work_, stop_, outcome});
  outcome->refusal = judge_solution(p, s, &outcome->message);
  outcome->ok = !outcome->refusal;
  if (outcome->ok) {
    finish(memory, p.trees, &at_hand(), outcome);
    find_passages(outcome);
    judge_settling(outcome);
    find_meetings(outcome);
    return;
  }
  const int body = unsolved_body(p, s, outcome->refusal);
  if (body >= 0) outcome->refused_pairs.emplace_back(body, body);
  describe_problem(p, s, &statistics);
  collect_start_events(p, &outcome->events);
}

/// The end of a step at the velocities found, with the accounts of these trees.
void DiscreteStep::finish(const SolverMemory& memory, const TreeSet& trees, Step* step,
                          StepOutcome* outcome) {
  const PreparedStep& p = step->prepared;
  SolvedStep& s = step->solved;
  StepStatistics& statistics = outcome->statistics;
  State& end = outcome->state;
  copy_state(p.model, p.trees, p.rest_number, p.state, static_cast<StepState*>(&end));
  {
    ScopedTimer timer(&statistics.seconds.assembly);
    describe_solution(p, trees, &s, &statistics);
  }
  collect_pairs(p.contacts, s.forces, p.h, &outcome->pairs);
  outcome->deepest = deepest_overlap(p.model, trees, p.contacts, p.data.problem, s.forces.velocities.normal);
  collect_start_events(p, &outcome->events);
  collect_end_events(p, s, statistics, &outcome->events);
  const TreeSet all, &moving = p.is_whole ? p.trees : all;  // the others stay where they are
  advance_positions(p.model, s.v, p.h, &end.q, moving);
  copy_velocities(p.model, moving, s.v, &end.v);
  if (options_.mean_velocity_terms) carry_origins(p.model, p.kinematics, p.h, &end.q, &end.v, moving);
  end.time += p.h;
  {
    ScopedTimer timer(&statistics.seconds.assembly);
    account_step(p, s, trees, &accounts_, &outcome->works, &end);
    note_overlap_jumps(outcome->works, end.energy, &outcome->events);
  }
  follow(memory, p, s, &outcome->memory);
}

/// Pairs that the step leads through each other.
void DiscreteStep::find_passages(StepOutcome* outcome) {
  const PreparedStep& p = at_hand().prepared;
  SolvedStep& s = at_hand().solved;
  ScopedTimer timer(&outcome->statistics.seconds.geometry);
  find_twists(p, &s);
  ContactQuery query = contact_query(p);
  query.step = p.h;
  const Passages passages = finder_.find_passages(query, s.twists, accounts_.end.X_WB, p.contacts);
  add_pair_event(EventKind::kPassage, passages.pairs, &outcome->events);
  outcome->refusal = judge_path(passages);
  for (const auto& [a, b] : passages.too_long) add_pair(p.model, a, b, &outcome->refused_pairs);
}

/// Velocity-dependent forces that were not found: a shorter step finds them. Of all islands, whatever else
/// refuses the step.
void DiscreteStep::judge_settling(StepOutcome* outcome) {
  const Model& model = at_hand().prepared.model;
  const SolvedStep& solved = at_hand().solved;
  if (!outcome->refusal) outcome->refusal = judge_velocity_terms(model, solved);
  for (std::size_t t = 0; t < model.trees.size(); ++t) {
    if (!(solved.unsettled[t] > kUnsettled)) continue;
    const int body = bodies_of(model, model.trees[t]).front();
    outcome->refused_pairs.emplace_back(body, body);
  }
}

/// Pairs of a tree that takes part and one that does not, on which the law would act; and of one that is
/// asleep and what is prescribed, moves and is near: it may be about to leave it.
void DiscreteStep::find_meetings(StepOutcome* outcome) {
  const PreparedStep& p = at_hand().prepared;
  if (p.trees.empty()) return;
  ScopedTimer timer(&outcome->statistics.seconds.geometry);
  ContactQuery query = contact_query(p);
  query.step = p.h;
  finder_.find_acting(query, at_hand().solved.twists, p.contacts, &outcome->met);
  std::erase_if(outcome->met, [&](const auto& pair) {
    return !is_outside(p.trees, p.model, pair.first) && !is_outside(p.trees, p.model, pair.second);
  });
  if (!p.is_whole) return;
  const auto disturbs = [&](int mover, int other) {
    return is_outside(p.trees, p.model, other) && moves_as_prescribed(p.model, p.kinematics, mover);
  };
  for (int k = 0; k < p.contacts.size(); ++k) {
    const ContactPair pair = p.contacts.pair(k);
    if (disturbs(pair.body_a, pair.body_b) || disturbs(pair.body_b, pair.body_a))
      outcome->met.emplace_back(std::minmax(pair.body_a, pair.body_b));
  }
}

/// J, in the springs of rows of the trees that the first levels keep.
double DiscreteStep::rows_held(int num_levels) const {
  double held = 0.0;
  for (int l = 0; l < num_levels; ++l) held += steps_[kept_[l]].solved.row_forces.elastic_energy_end;
  return held;
}

void DiscreteStep::keep_first(int num_levels) {
  num_kept_ = num_levels;
  accounts_.rows_held = rows_held(num_levels);
}

void DiscreteStep::keep_as_it_is() {
  const int level = num_kept_;
  std::swap(at_hand_, kept_[level]);
  at_hand().is_ready = false;
  kept_trees_[level] = kept(level).trees;
  keep_first(level + 1);
}

void DiscreteStep::account_with_kept(State* end) {
  account_state(at_hand().prepared, at_hand().solved, &accounts_, end);
}

void DiscreteStep::keep_without(int level, const SolverMemory& memory, const TreeSet& refused,
                                StepOutcome* outcome) {
  if (level == num_kept_) keep_as_it_is();
  Step& step = steps_[kept_[level]];
  const PreparedStep& p = step.prepared;
  TreeSet& trees = kept_trees_[level];
  trees.resize(refused.size());
  for (std::size_t t = 0; t < refused.size(); ++t)
    trees[t] = contains(p.trees, static_cast<int>(t)) && !refused[t];
  const VectorX& v = step.solved.iterate.v;
  compute_contact_forces(p.data, p.model, p.contacts, v, &step.solved.forces, trees);
  compute_row_forces(p.data, p.model, v, &step.solved.row_forces, trees);
  step.solved.velocity_residual = 0.0;
  for_each_in(trees, 0, static_cast<int>(trees.size()), [&](int t) {
    step.solved.velocity_residual = std::max(step.solved.velocity_residual, step.solved.unsettled[t]);
  });
  const double most_in_motion = p.state.energy.most_in_motion;
  outcome->restart();
  keep_first(level);
  finish(memory, trees, &step, outcome);
  outcome->state.energy.most_in_motion = most_in_motion;
  keep_first(level + 1);
}

std::span<const StepForces> DiscreteStep::forces() {
  const auto of = [](const Step& step, const TreeSet& trees) {
    return StepForces{&step.prepared.contacts, &step.solved.forces, &step.solved.row_forces, &trees};
  };
  acting_[0] = of(at_hand(), at_hand().prepared.trees);
  for (int l = 0; l < num_kept_; ++l) acting_[l + 1] = of(steps_[kept_[l]], kept_trees_[l]);
  return std::span(acting_).first(num_kept_ + 1);
}

void DiscreteStep::find_resting_forces(const State& state, double h) {
  Step& step = steps_[resting_];
  TreeSet asleep(state.rest.group.size());
  std::transform(state.rest.group.begin(), state.rest.group.end(), asleep.begin(),
                 [](int group) { return group >= 0; });
  PreparedStep& p = step.prepared;
  if (step.is_ready && p.trees == asleep && is_same_inside(p.model, asleep, p.state.q, state.q) &&
      p.state.v == state.rest.v)
    return;
  next().is_ready = false;  // the finder answers for its last query
  StepOutcome outcome;
  State moving = state;
  moving.v = state.rest.v;
  moving.rest_number = 0;
  moving.time = state.time - h;  // in the step that ends here nothing prescribed has moved beneath them
  SolverMemory fresh;
  fresh.restart(moving.v, asleep.size());
  prepare(moving, h, {asleep, false, false}, &finder_, &outcome.statistics, &p);
  const std::function<bool()> never = [] { return false; };
  solve_with_corrections(fresh, {&p, &step.solved, &finder_, &work_, never, &outcome});
  if (!is_usable(options_, step.solved.report)) {
    step.solved.iterate.v = p.data.problem.v0;
    find_forces(p, &step.solved);
  }
  step.is_ready = true;
}

std::span<const StepForces> DiscreteStep::forces_with_resting(const State& state, double h) {
  const std::size_t num_acting = forces().size();
  if (is_all_awake(state.rest)) return std::span(acting_).first(num_acting);
  for (std::size_t i = 0; i < num_acting; ++i) {
    TreeSet& awake = acting_awake_[i];
    awake.resize(state.rest.group.size());
    for (std::size_t t = 0; t < awake.size(); ++t)
      awake[t] = contains(*acting_[i].trees, static_cast<int>(t)) && state.rest.group[t] < 0;
    acting_[i].trees = &awake;
  }
  find_resting_forces(state, h);
  const Step& step = steps_[resting_];
  acting_[num_acting] = {&step.prepared.contacts, &step.solved.forces, &step.solved.row_forces,
                         &step.prepared.trees, true};
  return std::span(acting_).first(num_acting + 1);
}

bool DiscreteStep::let_sleep(const SleepRule& rule, const TreeSet& awake, const PairList& pairs, double creep,
                             State* end, std::vector<Event>* events) {
  const PreparedStep& p = at_hand().prepared;
  note_slow_trees(p.model, rule, p.dynamics.mass, awake, end);
  bool any = fall_asleep(rule, p, p.trees, pairs, creep, end, events);
  for (int l = 0; l < num_kept_; ++l)
    any = fall_asleep(rule, kept(l), kept_trees_[l], pairs, creep, end, events) || any;
  return any;
}

void DiscreteStep::look_ahead(double h, double whole_step, const Participants& who, const VectorX& gained,
                              StepOutcome* outcome) {
  const State& state = outcome->state;
  const TreeSet& judged = at_hand().prepared.trees;
  prepare_next(state, h, who, &outcome->statistics);
  const PreparedStep& p = next().prepared;
  ContactForces& forces = next().solved.forces;
  {
    ScopedTimer timer(&outcome->statistics.seconds.assembly);
    compute_overlap_gains(p.data, p.model, p.contacts, whole_step, &forces);
    collect_pair_overlaps(p.contacts, forces, &accounts_.overlaps);
  }
  outcome->gained = gained;
  if (options_.guards_gain) {
    find_energy_for_nothing(p.model, h, judged, accounts_.overlaps, outcome->works, &outcome->gains);
    judge_islands(at_hand().prepared, p, accounts_.overlaps, &outcome->gains, &outcome->island_gains,
                  &outcome->gaining_island, &outcome->gained, &island_gains_);
  }
  const Refusal corners = judge_corners(p.model, judged, contacts(), p.contacts, &lost_);
  if (!outcome->refusal) outcome->refusal = corners;
  PairCount lost;
  for (const auto& [a, b] : lost_) {
    lost.add(a, b);
    add_pair(p.model, a, b, &outcome->refused_pairs);
  }
  add_pair_event(EventKind::kPassage, lost, &outcome->events);
  note_unexplained_depths(outcome);
  find_lost_patches(outcome);
}

/// Overlaps at the end that are deeper than the start and the motion explain.
void DiscreteStep::note_unexplained_depths(StepOutcome* outcome) {
  const PreparedStep& end = next().prepared;
  for (const UnexplainedDepth& pair : finder_.find_unexplained(contacts(), at_hand().prepared.kinematics.X_WB,
                                                               end.contacts, end.kinematics.X_WB))
    if (has_geometry(at_hand().prepared, pair.geometry_a) ||
        has_geometry(at_hand().prepared, pair.geometry_b))
      add_event({EventKind::kUnexplainedDepth, pair.geometry_a, pair.geometry_b, pair.depth},
                &outcome->events);
}

/// Patches that were pressed at the start of the step and, as their faces foresaw it, at its end, of fields
/// that lie beyond each other's middle there.
void DiscreteStep::find_lost_patches(StepOutcome* outcome) {
  ScopedTimer timer(&outcome->statistics.seconds.geometry);
  const Step& end = next();
  for (const ContactPatch& patch : contacts().patches) {
    const Event passage{EventKind::kPassage, patch.geometry_a, patch.geometry_b, 1.0};
    if (energy_of(patch, contacts(), at_hand().solved.forces.elastic_start) > 0.0 &&
        energy_of(patch, contacts(), at_hand().solved.forces.elastic_end) > 0.0 &&
        energy_after(patch, end.prepared.contacts, end.solved.forces) <= 0.0 &&
        !has_event(outcome->events, passage) &&
        finder_.is_beyond_middle(patch.geometry_a, patch.geometry_b, end.prepared.kinematics.X_WB))
      add_event(passage, &outcome->events);
  }
}

}  // namespace csim
