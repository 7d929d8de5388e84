#include "step/step_problem.h"

#include <cmath>

#include "core/timer.h"
#include "step/step_statistics.h"

namespace csim {
namespace {

// Margin `auto` beyond the reach of the law, in units of h^2 |g|: the distance a body at rest could fall in a
// step, twice. Without it contacts of a pile at rest come and go, and it never comes to rest.
constexpr double kMarginSteps = 2.0;

// One is usual on a contact, more where a body turns by about a radian in the step.
constexpr int kMaxVelocityUpdates = 20;

double square(double x) {
  return x * x;
}

NewtonOptions newton_options(const Scene& scene, int threads) {
  const SolverSpec& spec = scene.solver;
  NewtonOptions options;
  options.method = spec.method;
  options.relative_tolerance = spec.tolerance;
  options.absolute_tolerance = spec.absolute_tolerance;
  options.max_iterations = spec.max_iterations;
  options.line_search = spec.line_search;
  options.hessian = spec.hessian;
  options.linear_solver = spec.linear_solver;
  options.condition = spec.condition_number;
  options.record_iterations = scene.output.iterations;
  options.threads = threads;
  return options;
}

}  // namespace

StepProblem::StepProblem(const Model& the_model, const Scene& scene, int threads)
    : model(the_model),
      newton(newton_options(scene, threads)),
      accepts_inexact(scene.solver.on_nonconvergence == OnNonconvergence::kAccept),
      margin(scene.contact.margin.value_or(0.0)),
      margin_auto(!scene.contact.margin.has_value()),
      mean_velocity_terms(scene.integrator.velocity_terms == VelocityTerms::kMean),
      repeats_friction(scene.contact.model == ContactModel::kCoulomb),
      friction_tolerance(scene.contact.friction_tolerance),
      max_repetitions(scene.contact.max_repetitions),
      finder(the_model) {
  choose_contact_law(scene.contact, &data.problem);
}

ContactQuery StepProblem::contact_query() const {
  ContactQuery query;
  query.X_WB = &kinematics.X_WB;
  query.V0 = &twists0;
  query.V_star = &twists_star;
  query.surface_velocity = &kinematics.surface_velocity_W;
  query.step = query_step;
  query.margin = margin;
  query.slack = margin_auto ? kMarginSteps * query_step * query_step * model.gravity.norm() : 0.0;
  return query;
}

void StepProblem::begin(const State& state, const SolverMemory& solver_memory, double step,
                        StepStatistics* statistics, bool same_contacts) {
  start = &state;
  memory = &solver_memory;
  h = step;
  used_interior_point = false;
  unsettled_tree = -1;
  num_velocity_updates = 0;
  velocity_residual = 0.0;
  friction_.clear();
  {
    // Free motion first: a pair is offered when it could touch at the velocities before the step or at those
    // without contact.
    ScopedTimer timer(&statistics->seconds.assembly);
    compute_kinematics(model, state.q, state.time, state.time + h, &kinematics);
    compute_dynamics(model, kinematics, state, state.time + h, &dynamics);
    compute_free_motion(model, dynamics, state, h, &free_motion);
    if (mean_velocity_terms) {
      impulse_.setZero(model.nv);
      unsettled_tree = take_mean_velocity_terms(model, kinematics, state, impulse_, h, &dynamics,
                                                &free_motion, &mean_velocity_);
    }
    offer_rows(model, state, free_motion.v_star, h, state.time + h, &data.row_offers);
  }
  if (!same_contacts) {
    ScopedTimer timer(&statistics->seconds.geometry);
    query_step = h;
    compute_twists(model, kinematics, state.v, &twists0);
    compute_twists(model, kinematics, free_motion.v_star, &twists_star);
    finder.find(contact_query(), &contacts);
  }
  build(statistics);
  iterate.v = data.problem.v0;
  iterate.v_before.resize(memory->v_before.size());
  for (std::size_t i = 0; i < iterate.v_before.size(); ++i)
    gather_velocities(data.problem, memory->v_before[i], &iterate.v_before[i]);
  iterate.history = memory->history;
}

void StepProblem::build(StepStatistics* statistics) {
  ScopedTimer timer(&statistics->seconds.assembly);
  build_contact_problem(model, kinematics, *start, contacts, &data);
  set_step(h, free_motion, model, &data);
}

bool StepProblem::update_velocity_terms(StepStatistics* statistics) {
  ConvexProblem& problem = data.problem;
  if (!mean_velocity_terms || problem.islands.empty()) return false;
  ScopedTimer timer(&statistics->seconds.assembly);
  last_v_star_ = free_motion.v_star;
  for (const ProblemTree& tree : problem.trees) {
    const Eigen::Map<const MatrixX> A(problem.A.data() + tree.A_begin, tree.nv, tree.nv);
    for (int i = 0; i < tree.nv; ++i)
      impulse_[tree.model_v_begin + i] = A.row(i).dot(v.segment(tree.model_v_begin, tree.nv) -
                                                      last_v_star_.segment(tree.model_v_begin, tree.nv));
  }
  unsettled_tree = take_mean_velocity_terms(model, kinematics, *start, impulse_, h, &dynamics, &free_motion,
                                            &mean_velocity_);
  velocity_residual = 0.0;
  for (const Island& island : problem.islands) {
    MomentumNorms norms;  // the change of A v* is the gradient that it leaves
    for (int t = island.tree_begin; t < island.tree_end; ++t) {
      const ProblemTree& tree = problem.trees[t];
      const Eigen::Map<const MatrixX> A(problem.A.data() + tree.A_begin, tree.nv, tree.nv);
      const auto in_model = [&](const VectorX& x) { return x.segment(tree.model_v_begin, tree.nv); };
      for (int i = 0; i < tree.nv; ++i) {
        const double scale = problem.scale[tree.v_begin + i];
        const auto norm2 = [&](const auto& x) { return square(scale * A.row(i).dot(x)); };
        norms.gradient += norm2(in_model(free_motion.v_star) - in_model(last_v_star_));
        norms.momentum += norm2(in_model(v));
        norms.impulse += norm2(in_model(v) - in_model(last_v_star_));
        norms.change += norm2(in_model(last_v_star_) - in_model(start->v));
      }
    }
    if (!norms.converged(newton.relative_tolerance, newton.absolute_tolerance))
      velocity_residual = std::max(velocity_residual, norms.residual());
  }
  const bool changes = velocity_residual > 0.0 && num_velocity_updates < kMaxVelocityUpdates;
  if (changes) {
    gather_velocities(problem, free_motion.v_star, &problem.v_star);
    ++num_velocity_updates;
  } else {
    free_motion.v_star = last_v_star_;
  }
  return changes;
}

bool StepProblem::update_friction_bounds(StepStatistics* statistics) {
  if (!repeats_friction || friction_.count == max_repetitions) return false;
  ScopedTimer timer(&statistics->seconds.assembly);
  return repeat_friction(forces.gamma, friction_tolerance, &friction_, &data.problem);
}

bool StepProblem::is_usable() const {
  const bool only_short = report.status == SolveStatus::kIterationLimit ||
                          report.status == SolveStatus::kCostIncrease ||
                          report.status == SolveStatus::kNotDescent;
  return succeeded(report.status) || (accepts_inexact && only_short && std::isfinite(report.residual));
}

void StepProblem::solve(StepStatistics* statistics) {
  if (!data.problem.law->has_potential) {
    solve_tamsi(data.problem, newton, &tamsi_, &iterate, &report);
  } else {
    minimize(data.problem, newton, &workspace_, &iterate, &report);
  }
  add_solve(report, statistics);
  used_interior_point = used_interior_point || report.interior_point_iterations > 0;
  if (!is_usable()) return;
  ScopedTimer timer(&statistics->seconds.assembly);
  v = free_motion.v_star;
  scatter_velocities(data.problem, iterate.v, &v);
  compute_contact_forces(data, model, contacts, iterate.v, &forces);
  compute_row_forces(data, model, iterate.v, &row_forces);
}

}  // namespace csim
