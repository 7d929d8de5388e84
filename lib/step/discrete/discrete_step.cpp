#include "step/discrete/discrete_step.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/timer.h"
#include "problem/release_faces.h"
#include "step/account/energy_gain.h"
#include "step/account/pair_energies.h"
#include "step/account/step_events.h"
#include "step/account/step_statistics.h"
#include "step/discrete/foreseen_hits.h"
#include "step/discrete/step_failure.h"

namespace csim {
namespace {

/// What overlaps may hold for nothing at the end of a step, of the most energy in motion, and of what was
/// dissipated so far, and four times as much of a step in parts (discrete_stepper.cpp). The landing clutter
/// of 40 takes 9.3 iterations a step where nothing is divided, 12 with these.
constexpr double kGainOfMotion = 0.005, kGainOfDissipated = 0.02;

double gain_allowed(const EnergyAccounts& energy) {
  return kGainOfMotion * energy.most_in_motion + kGainOfDissipated * std::max(energy.dissipated(), 0.0);
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

/// J, that the same pair holds at the start of the step after it; 0 where it has no patch.
double energy_after(const ContactPatch& before, const ContactSet& contacts, const ContactForces& forces) {
  const auto same = std::find_if(contacts.patches.begin(), contacts.patches.end(), [&](const auto& patch) {
    return patch.geometry_a == before.geometry_a && patch.geometry_b == before.geometry_b;
  });
  return same == contacts.patches.end() ? 0.0 : energy_of(*same, contacts, forces.elastic_start);
}

}  // namespace

void DiscreteStep::attempt(const State& state, const SolverMemory& memory, double h, StepOutcome* outcome,
                           bool same_contacts) {
  StepStatistics& statistics = outcome->statistics;
  outcome->restart();
  has_looked_ahead_ = false;
  statistics.condition = std::numeric_limits<double>::quiet_NaN();
  problem_.begin(state, memory, h, &statistics, same_contacts);
  solve(outcome);
  if (const std::string failure = describe_failure(problem_); !failure.empty()) {
    outcome->ok = false;
    outcome->too_long = problem_.unsettled_tree >= 0;
    outcome->message = failure;
    describe_problem(problem_, &statistics);
    collect_start_events(problem_, &outcome->events);
    return;
  }
  finish(outcome);
}

void DiscreteStep::start(const SolverMemory& memory, double h, State* state) {
  StepStatistics unused;
  StepProblem& p = problem_;
  has_looked_ahead_ = false;
  p.begin(*state, memory, h, &unused);
  compute_contact_forces(p.data, p.model, p.contacts, p.data.problem.v0, &p.forces);
  compute_row_forces(p.data, p.model, p.data.problem.v0, &p.row_forces);
  p.v = state->v;
  begin_accounts(p, &accounts_, state);
}

void DiscreteStep::solve(StepOutcome* outcome) {
  problem_.solve(&outcome->statistics);
  while (problem_.is_usable() && changes_data(outcome)) {
    // On from the velocities found; the step counts once in the history of `auto`.
    Iterate& iterate = problem_.iterate;
    std::fill(iterate.v_before.begin(), iterate.v_before.end(), iterate.v);
    iterate.history = problem_.memory->history;
    problem_.solve(&outcome->statistics);
  }
}

/// Whether the solution changes data of the problem, which holds the changed ones then. A face is released at
/// most once.
bool DiscreteStep::changes_data(StepOutcome* outcome) {
  {
    ScopedTimer timer(&outcome->statistics.seconds.assembly);
    if (release_faces(problem_.contacts, problem_.forces, &problem_.data.problem)) return true;
  }
  if (add_foreseen_hits(&problem_, outcome)) return true;
  const bool other_velocities = problem_.update_velocity_terms(&outcome->statistics);
  const bool other_friction = problem_.update_friction_bounds(&outcome->statistics);
  return other_velocities || other_friction;
}

/// The end of the step at the velocities found.
void DiscreteStep::finish(StepOutcome* outcome) {
  const State& start = *problem_.start;
  const VectorX& v = problem_.v;
  const double h = problem_.h;
  State& end = outcome->state;
  end = start;
  {
    ScopedTimer timer(&outcome->statistics.seconds.assembly);
    describe_solution(&problem_, &outcome->statistics);
  }
  collect_pairs(problem_.contacts, problem_.forces, h, &outcome->pairs);
  outcome->deepest =
      deepest_overlap(problem_.contacts, problem_.data.problem, problem_.forces.velocities.normal);
  collect_start_events(problem_, &outcome->events);
  collect_end_events(problem_, outcome->statistics, &outcome->events);
  advance_positions(problem_.model, v, h, &end.q);
  end.v = v;
  if (problem_.mean_velocity_terms) carry_origins(problem_.model, problem_.kinematics, h, &end.q, &end.v);
  end.time += h;
  {
    ScopedTimer timer(&outcome->statistics.seconds.assembly);
    account_step(problem_, &accounts_, &end);
    outcome->gain = note_energy_gain(problem_.model, &end, &outcome->events);
  }
  find_passages(outcome);
  outcome->memory = *problem_.memory;
  outcome->memory.remember(start.v, problem_.iterate.history);
}

/// Pairs that the step leads through each other.
void DiscreteStep::find_passages(StepOutcome* outcome) {
  StepProblem& p = problem_;
  ScopedTimer timer(&outcome->statistics.seconds.geometry);
  compute_twists(p.model, p.kinematics, p.v, &p.twists);
  ContactQuery query = p.contact_query();
  query.step = p.h;
  const Passages passages = p.finder.find_passages(query, p.twists, accounts_.end.X_WB, p.contacts);
  outcome->too_long = passages.is_too_long;
  add_pair_event(EventKind::kPassage, passages.pairs, &outcome->events);
}

void DiscreteStep::look_ahead(double h, double whole_step, StepOutcome* outcome) {
  StepProblem& p = problem_;
  std::swap(contacts_, p.contacts);
  std::swap(forces_, p.forces);
  std::swap(row_forces_, p.row_forces);
  has_looked_ahead_ = true;
  const State& state = outcome->state;
  p.begin(state, outcome->memory, h, &outcome->statistics);
  {
    ScopedTimer timer(&outcome->statistics.seconds.assembly);
    compute_overlap_gains(p.data, p.model, p.contacts, whole_step, &p.forces);
    collect_pair_overlaps(p, &accounts_.found);
  }
  outcome->gained = energy_for_nothing(p.model, h, accounts_.found, state.pair_energies);
  outcome->gain_allowed = guards_gain_ ? gain_allowed(state.energy) : std::numeric_limits<double>::infinity();
  PairCount lost;
  for (const auto& pair : p.contacts.unheld)
    if (!std::binary_search(contacts_.unheld.begin(), contacts_.unheld.end(), pair))
      lost.add(pair.first, pair.second);
  outcome->too_long = outcome->too_long || lost.count > 0;
  add_pair_event(EventKind::kPassage, lost, &outcome->events);
  find_lost_patches(outcome);
}

/// Patches that were pressed at the start of the step and, as their faces foresaw it, at its end, of fields
/// that lie beyond each other's middle there.
void DiscreteStep::find_lost_patches(StepOutcome* outcome) {
  ScopedTimer timer(&outcome->statistics.seconds.geometry);
  const StepProblem& next = problem_;
  for (const ContactPatch& patch : contacts_.patches) {
    const Event passage{EventKind::kPassage, patch.geometry_a, patch.geometry_b, 1.0};
    if (energy_of(patch, contacts_, forces_.elastic_start) > 0.0 &&
        energy_of(patch, contacts_, forces_.elastic_end) > 0.0 &&
        energy_after(patch, next.contacts, next.forces) <= 0.0 && !has_event(outcome->events, passage) &&
        problem_.finder.is_beyond_middle(patch.geometry_a, patch.geometry_b, next.kinematics.X_WB))
      add_event(passage, &outcome->events);
  }
}

}  // namespace csim
