#include "step/discrete_step.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/timer.h"
#include "model/actuator.h"
#include "problem/release_faces.h"
#include "step/foreseen_hits.h"
#include "step/look_at_end.h"
#include "step/step_events.h"
#include "step/step_failure.h"
#include "step/step_statistics.h"

namespace csim {

void DiscreteStep::attempt(const State& state, const SolverMemory& memory, double h, StepOutcome* outcome,
                           bool same_contacts) {
  StepStatistics& statistics = outcome->statistics;
  outcome->restart();
  statistics.condition = std::numeric_limits<double>::quiet_NaN();
  problem_.begin(state, memory, h, &statistics, same_contacts);
  solve(outcome);
  if (const std::string failure = describe_failure(problem_); !failure.empty()) {
    outcome->ok = false;
    outcome->message = failure;
    collect_start_events(problem_, &outcome->events);
    return;
  }
  finish(outcome);
}

double DiscreteStep::elastic_energy_at(const State& state, const SolverMemory& memory, double h) {
  StepStatistics unused;
  problem_.begin(state, memory, h, &unused);
  compute_contact_forces(problem_.data.problem, problem_.model, problem_.contacts, problem_.data.problem.v0,
                         &problem_.forces);
  compute_row_forces(problem_.data, problem_.model, problem_.data.problem.v0, &problem_.row_forces);
  return problem_.forces.elastic_energy_start + problem_.row_forces.elastic_energy_start;
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
    const Model& model = problem_.model;
    end.dissipated += problem_.forces.dissipated + problem_.row_forces.dissipated +
                      h * v.dot(model.damping.cwiseProduct(v));
    end.work += problem_.forces.bias_work +
                prescribed_joint_work(model, problem_.kinematics, problem_.dynamics, start.v, v, h) +
                actuator_work(model, start.q, v, start.time + h, h) + problem_.row_forces.drive_work;
  }
  collect_pairs(problem_.contacts, problem_.forces, h, &outcome->pairs);
  collect_start_events(problem_, &outcome->events);
  advance_positions(problem_.model, v, h, &end.q);
  end.v = v;
  if (problem_.mean_velocity_terms) carry_origins(problem_.model, problem_.kinematics, h, &end.q, &end.v);
  end.time += h;
  look_at_end(&problem_, outcome);
  collect_end_events(&problem_, outcome);
  outcome->memory = *problem_.memory;
  outcome->memory.remember(start.v, problem_.iterate.history);
}

}  // namespace csim
