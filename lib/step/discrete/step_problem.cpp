#include "step/discrete/step_problem.h"

#include <cmath>
#include <limits>

#include "core/timer.h"
#include "step/account/step_statistics.h"

namespace csim {
namespace {

// Margin `auto` beyond the reach of the law, in units of h^2 |g|: the distance a body at rest could fall in a
// step, twice. Without it contacts of a pile at rest come and go, and it never comes to rest.
constexpr double kMarginSteps = 2.0;

// One is usual on a contact, more where a body turns by about a radian in the step.
constexpr int kMaxVelocityUpdates = 20;

// Of Lagged's problem that Coulomb's friction starts from: what it leaves, the next method solves better. Any
// from 0.03 to 1 takes as many iterations in the landing clutter.
constexpr double kLooseTolerance = 0.3;

// Repetitions before Newton's method for Coulomb's friction, which failed at first, is tried again, nearer to
// the solution. Iterations of coulomb in clutter, clutter_boxes (first second), time of wall (0.5 s), steps
// left above the tolerance of 250: 1: 56, 64, 10.4 s, 0; 2: 43, 53, 8.8 s, 1; 4: 43, 49, 7.9 s, 1; 10: 47,
// 49, 7.9 s, 4; never: 51, 48, 9.4 s, 13.
constexpr int kRepetitionsBetween = 4;

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

bool StepProblem::has_begun(const State& state, double step) const {
  return is_unsolved_ && step == h && state.time == time_begun_ && state.q == q_begun_ && state.v == v_begun_;
}

void StepProblem::begin(const State& state, const SolverMemory& solver_memory, double step,
                        StepStatistics* statistics, bool same_contacts) {
  start = &state;
  memory = &solver_memory;
  if (!has_begun(state, step)) {
    is_unsolved_ = false;
    begin_anew(step, same_contacts, statistics);
    is_unsolved_ = true;
    q_begun_ = state.q;
    v_begun_ = state.v;
    time_begun_ = state.time;
  }
  iterate.v = data.problem.v0;
  iterate.v_before.resize(memory->v_before.size());
  for (std::size_t i = 0; i < iterate.v_before.size(); ++i)
    gather_velocities(data.problem, memory->v_before[i], &iterate.v_before[i]);
  iterate.history = memory->history;
}

void StepProblem::begin_anew(double step, bool same_contacts, StepStatistics* statistics) {
  const State& state = *start;
  h = step;
  used_interior_point = false;
  unsettled_tree = -1;
  num_velocity_updates = 0;
  velocity_residual = 0.0;
  friction_.clear();
  coupled_.condition = std::numeric_limits<double>::quiet_NaN();
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

bool StepProblem::couple_lagging_friction(StepStatistics* statistics) {
  if (!find_lagging_islands(data.problem, forces.gamma, friction_tolerance, &friction_.islands)) return false;
  if (data.problem.law->has_domain) return true;
  friction_.coupled = friction_.islands;
  couple_friction(newton, &data.problem, &workspace_, &friction_.coupled, &iterate, &coupled_);
  add_solve(coupled_, statistics);
  for (std::size_t k = 0; k < friction_.islands.size(); ++k)
    friction_.islands[k] = friction_.islands[k] && !friction_.coupled[k];
  return true;
}

bool StepProblem::update_friction_bounds(StepStatistics* statistics) {
  if (!repeats_friction || friction_.count == max_repetitions) return false;
  const bool lags =
      friction_.count % kRepetitionsBetween == kRepetitionsBetween - 1
          ? couple_lagging_friction(statistics)
          : find_lagging_islands(data.problem, forces.gamma, friction_tolerance, &friction_.islands);
  if (!lags) return false;
  ScopedTimer timer(&statistics->seconds.assembly);
  repeat_friction(forces.gamma, friction_.islands, &friction_, &data.problem);
  ++friction_.count;
  return true;
}

bool StepProblem::is_usable() const {
  const bool only_short = report.status == SolveStatus::kIterationLimit ||
                          report.status == SolveStatus::kCostIncrease ||
                          report.status == SolveStatus::kNotDescent;
  return succeeded(report.status) || (accepts_inexact && only_short && std::isfinite(report.residual));
}

void StepProblem::minimize_problem(double tolerance, StepStatistics* statistics) {
  if (!data.problem.law->has_potential) {
    solve_tamsi(data.problem, newton, &tamsi_, &iterate, &report);
  } else {
    NewtonOptions options = newton;
    options.relative_tolerance = tolerance;
    minimize(data.problem, options, &workspace_, &iterate, &report);
  }
  add_solve(report, statistics);
  used_interior_point = used_interior_point || report.interior_point_iterations > 0;
}

void StepProblem::solve(StepStatistics* statistics) {
  is_unsolved_ = false;
  if (repeats_friction && !friction_.began) {
    friction_.began = true;
    minimize_problem(std::max(kLooseTolerance, newton.relative_tolerance), statistics);
    if (!is_usable()) return;
    compute_contact_forces(data, model, contacts, iterate.v, &forces);
    couple_lagging_friction(statistics);
  }
  minimize_problem(newton.relative_tolerance, statistics);
  report.condition = std::fmax(report.condition, coupled_.condition);
  if (!is_usable()) return;
  ScopedTimer timer(&statistics->seconds.assembly);
  v = free_motion.v_star;
  scatter_velocities(data.problem, iterate.v, &v);
  compute_contact_forces(data, model, contacts, iterate.v, &forces);
  compute_row_forces(data, model, iterate.v, &row_forces);
}

}  // namespace csim
