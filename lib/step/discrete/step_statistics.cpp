#include "step/discrete/step_statistics.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "step/discrete/solved_step.h"

namespace csim {
namespace {

StepStatus step_status(const SolveReport& report, bool used_interior_point) {
  switch (report.status) {
    case SolveStatus::kConverged:
      return used_interior_point ? StepStatus::kInteriorPoint : StepStatus::kConverged;
    case SolveStatus::kCost:
      return StepStatus::kCost;
    case SolveStatus::kRoundOff:
      return StepStatus::kRoundOff;
    case SolveStatus::kNoContact:
      return StepStatus::kNoContact;
    default:
      return StepStatus::kNotConverged;
  }
}

void append(const std::vector<double>& more, std::vector<double>* all) {
  all->insert(all->end(), more.begin(), more.end());
}

/// NaN is larger than any number: std::max would drop it, and a part without a residual look exact.
template <typename T>
void take_larger(T value, T* largest) {
  if (std::isnan(static_cast<double>(value)) || value > *largest) *largest = value;
}

}  // namespace

void add_solve(const SolveReport& report, StepStatistics* statistics) {
  StepStatistics& s = *statistics;
  s.iterations += report.iterations;
  s.line_search_iterations += report.line_search_iterations;
  s.factorizations += report.factorizations;
  for (const IterationRecord& iteration : report.history) {
    s.iteration_cost.push_back(iteration.cost);
    s.iteration_gradient_norm.push_back(iteration.gradient_norm);
    s.iteration_step_length.push_back(iteration.step_length);
  }
  s.seconds.add(report.seconds);
}

void describe_problem(const PreparedStep& prepared, const SolvedStep& solved, StepStatistics* statistics) {
  const SolveReport& report = solved.report;
  StepStatistics& s = *statistics;
  s.residual = report.residual;
  s.cost = report.cost;
  s.condition = report.condition;
  s.num_contacts = prepared.contacts.size();
  s.num_patches = static_cast<long>(prepared.contacts.patches.size());
  s.num_faces = prepared.contacts.surface.num_faces();
  s.num_constraints = 3L * prepared.data.problem.num_contacts() + prepared.data.problem.num_rows();
  s.num_islands = report.num_islands;
  s.factor_nonzeros = report.factor_nonzeros;
  s.status = step_status(report, solved.used_interior_point);
}

void describe_solution(const PreparedStep& prepared, const TreeSet& trees, SolvedStep* solved,
                       StepStatistics* statistics) {
  StepStatistics& s = *statistics;
  const PreparedStep& p = prepared;
  describe_problem(p, *solved, statistics);
  s.gliding_distance = solved->forces.gliding_distance;
  s.stiction_tolerance = solved->forces.stiction_tolerance;
  s.friction_lag = friction_lag(p.data.problem, solved->forces.gamma, trees);
  s.momentum_residual = momentum_residual(p.model, p.kinematics, p.free_motion, p.h, p.contacts,
                                          solved->row_forces, p.state.v, solved->v, &solved->forces, trees);
}

void add_work(const StepStatistics& attempt, StepStatistics* whole) {
  whole->iterations += attempt.iterations;
  whole->line_search_iterations += attempt.line_search_iterations;
  whole->factorizations += attempt.factorizations;
  whole->num_rounds += attempt.num_rounds;
  append(attempt.iteration_cost, &whole->iteration_cost);
  append(attempt.iteration_gradient_norm, &whole->iteration_gradient_norm);
  append(attempt.iteration_step_length, &whole->iteration_step_length);
  whole->seconds.geometry += attempt.seconds.geometry;
  whole->seconds.add(attempt.seconds);
}

void add_description(const StepStatistics& part, StepStatistics* whole) {
  take_larger(part.residual, &whole->residual);
  whole->cost = part.cost;
  whole->condition = std::fmax(whole->condition, part.condition);  // ignores NaN
  take_larger(part.num_contacts, &whole->num_contacts);
  take_larger(part.num_patches, &whole->num_patches);
  take_larger(part.num_faces, &whole->num_faces);
  take_larger(part.num_constraints, &whole->num_constraints);
  take_larger(part.num_islands, &whole->num_islands);
  take_larger(part.factor_nonzeros, &whole->factor_nonzeros);
  whole->num_unforeseen += part.num_unforeseen;
  whole->status = part.status;
  take_larger(part.gliding_distance, &whole->gliding_distance);
  take_larger(part.stiction_tolerance, &whole->stiction_tolerance);
  take_larger(part.friction_lag, &whole->friction_lag);
  take_larger(part.momentum_residual, &whole->momentum_residual);
}

void add_sizes(const StepStatistics& others, StepStatistics* whole) {
  whole->num_contacts += others.num_contacts;
  whole->num_patches += others.num_patches;
  whole->num_faces += others.num_faces;
  whole->num_constraints += others.num_constraints;
  whole->num_islands += others.num_islands;
  whole->factor_nonzeros += others.factor_nonzeros;
}

void keep_work(const StepStatistics& before, StepStatistics* statistics) {
  StepStatistics fresh = before;
  fresh.iterations = statistics->iterations;
  fresh.line_search_iterations = statistics->line_search_iterations;
  fresh.factorizations = statistics->factorizations;
  fresh.num_rejected = statistics->num_rejected;
  fresh.num_rounds = statistics->num_rounds;
  fresh.seconds = statistics->seconds;
  for (auto column : {&StepStatistics::iteration_cost, &StepStatistics::iteration_gradient_norm,
                      &StepStatistics::iteration_step_length})
    std::swap(fresh.*column, statistics->*column);
  std::swap(fresh, *statistics);
}

void add_part(const StepStatistics& part, StepStatistics* whole) {
  add_work(part, whole);
  add_description(part, whole);
}

}  // namespace csim
