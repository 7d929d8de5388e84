#include "step/discrete_stepper.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "core/timer.h"
#include "model/actuator.h"
#include "problem/release_faces.h"
#include "solver/method/velocity_recurrence.h"

namespace csim {
namespace {

// Margin `auto` beyond the reach of the law, in units of h^2 |g|: the distance a body at rest could fall in a
// step, twice. Without it contacts of a resting pile blink on and off and it never comes to rest.
constexpr double kMarginSteps = 2.0;

// on_nonconvergence: shorter_step divides a step at most into 2^kMaxDivisions parts.
constexpr int kMaxDivisions = 6;

static_assert(kVelocitiesBefore == kMaxOrder, "as many velocities are kept as the recurrence can use");

// Margin `auto`: queries of a step at velocities found that add contacts, for bodies that a hit sends against
// others. A hit runs on by one body a round. Seen while piles of 40 to 1000 bodies land at steps of 2.5 to 10
// ms: none in 8 of 10 steps, 1 or 2 in the others; 5 while 300 fall as a block with gaps of 6 mm.
constexpr int kMaxRounds = 100;

// Radians by which the gyroscopic moment turns the angular momentum of a free body in a step: it adds about
// the square of this, 5 to 10 %, to the energy of the spin.
constexpr double kFastSpin = 0.3;

NewtonOptions newton_options(const Scene& scene, int threads) {
  const SolverSpec& spec = scene.solver;
  NewtonOptions options;
  options.method = static_cast<MethodKind>(spec.method);
  options.relative_tolerance = spec.tolerance;
  options.absolute_tolerance = spec.absolute_tolerance;
  options.max_iterations = spec.max_iterations;
  options.line_search = static_cast<LineSearchKind>(spec.line_search);
  options.hessian = static_cast<HessianKind>(spec.hessian);
  options.linear_solver = static_cast<LinearSolverKind>(spec.linear_solver);
  options.condition = static_cast<ConditionKind>(spec.condition_number);
  options.record_iterations = scene.output.iterations;
  options.threads = threads;
  return options;
}

StepStatus step_status(const SolveReport& report, bool used_interior_point) {
  switch (report.status) {
    case SolveStatus::kConverged:
      return used_interior_point ? StepStatus::kInteriorPoint : StepStatus::kConverged;
    case SolveStatus::kCost:
      return StepStatus::kCost;
    case SolveStatus::kRoundingFloor:
      return StepStatus::kRoundingFloor;
    case SolveStatus::kNoContact:
      return StepStatus::kNoContact;
    default:
      return StepStatus::kNotConverged;
  }
}

/// Whether on_nonconvergence: accept may go on from here: a finite iterate of the law itself, only not
/// converged.
bool is_acceptable(const SolveReport& report) {
  const bool only_short = report.status == SolveStatus::kIterationLimit ||
                          report.status == SolveStatus::kCostIncrease ||
                          report.status == SolveStatus::kNotDescent;
  return only_short && std::isfinite(report.residual);
}

}  // namespace

DiscreteStepper::DiscreteStepper(const Model& model, const Scene& scene, int threads)
    : model_(model),
      h_(scene.time.step),
      newton_(newton_options(scene, threads)),
      on_nonconvergence_(scene.solver.on_nonconvergence),
      margin_(scene.contact.margin.value_or(0.0)),
      margin_auto_(!scene.contact.margin.has_value()),
      finder_(model),
      filler_(model, scene.output) {
  choose_contact_law(scene.contact, &data_.problem);
}

ContactQuery DiscreteStepper::contact_query(double h) const {
  ContactQuery query;
  query.X_WB = &kinematics_.X_WB;
  query.V0 = &twists0_;
  query.V_star = &twists_star_;
  query.surface_velocity = &kinematics_.surface_velocity_W;
  query.step = h;
  query.margin = margin_;
  query.slack = margin_auto_ ? kMarginSteps * h * h * model_.gravity.norm() : 0.0;
  return query;
}

void DiscreteStepper::find_contacts(const State& state, double h) {
  {
    // Free motion first: a pair is offered when it could touch at the velocities before the step or at those
    // without contact.
    ScopedTimer timer(&statistics_.seconds.assembly);
    compute_kinematics(model_, state.q, state.time, state.time + h, &kinematics_);
    compute_dynamics(model_, kinematics_, state, state.time + h, &dynamics_);
    find_free_motion(state, h);
    compute_twists(model_, kinematics_, state.v, &twists0_);
    compute_twists(model_, kinematics_, free_motion_.v_star, &twists_star_);
  }
  ScopedTimer timer(&statistics_.seconds.geometry);
  finder_.find(contact_query(h), &contacts_);
  num_degenerate_ += contacts_.num_degenerate;
  num_fallback_ += contacts_.num_fallback;
}

void DiscreteStepper::find_free_motion(const State& state, double h) {
  drive_limits_.restart(model_, &free_motion_);
  do {
    compute_free_motion(model_, dynamics_, state, h, &free_motion_);
  } while (drive_limits_.change(model_, dynamics_, free_motion_.v_star, h, newton_.relative_tolerance,
                                &free_motion_));
}

void DiscreteStepper::build_problem(const State& state, double h) {
  ScopedTimer timer(&statistics_.seconds.assembly);
  build_contact_problem(model_, kinematics_, state, contacts_, &data_);
  set_step(h, free_motion_, model_, &data_);
}

void DiscreteStepper::start(State* state) {
  find_contacts(*state, h_);
  build_problem(*state, h_);
  compute_contact_forces(data_.problem, model_, contacts_, data_.problem.v0, &forces_);
  elastic_energy_ = forces_.elastic_energy_start;
  state->energy_start = filler_.mechanical_energy_at(*state) + elastic_energy_;
}

StepOutcome DiscreteStepper::step(State* state, double) {
  statistics_.clear();
  used_interior_point_ = false;
  statistics_.condition = std::numeric_limits<double>::quiet_NaN();
  StepOutcome outcome;
  {
    ScopedTimer timer(&statistics_.seconds.total);
    outcome = advance(state, h_, 0);
  }
  if (!outcome.ok) return outcome;
  ++state->step;
  state->time = static_cast<double>(state->step) * h_;
  statistics_.time = state->time;
  return outcome;
}

StepOutcome DiscreteStepper::advance(State* state, double h, int depth) {
  find_contacts(*state, h);
  build_problem(*state, h);

  iterate_.v = data_.problem.v0;
  iterate_.v_before.resize(state->v_before.size());
  for (std::size_t i = 0; i < state->v_before.size(); ++i)
    gather_velocities(data_.problem, state->v_before[i], &iterate_.v_before[i]);
  iterate_.course = state->course;
  drive_limits_.count_anew();
  const auto goes_on = [&] {
    return succeeded(report_.status) ||
           (on_nonconvergence_ == OnNonconvergence::kAccept && is_acceptable(report_));
  };
  solve();
  // A face is released once (a round), the drives come to an end, and so do the rounds.
  rounds_ = 0;
  while (goes_on() &&
         (parts_faces_that_push() || changes_drives(*state, h) || brings_others_together(*state, h))) {
    // On from the velocities found; the step counts once in the memory of auto.
    std::fill(iterate_.v_before.begin(), iterate_.v_before.end(), iterate_.v);
    iterate_.course = state->course;
    solve();
  }
  if (!goes_on() || !drive_limits_.settled()) {
    if (on_nonconvergence_ == OnNonconvergence::kShorterStep && depth < kMaxDivisions) {
      return divide_step(state, h, depth);
    }
    return fail(*state, h);
  }

  v_new_ = free_motion_.v_star;
  scatter_velocities(data_.problem, iterate_.v, &v_new_);
  // Squares, so that energies stay finite too.
  if (!std::isfinite(v_new_.squaredNorm())) return fail(*state, h);

  {
    ScopedTimer timer(&statistics_.seconds.assembly);
    if (!succeeded(report_.status))
      compute_contact_forces(data_.problem, model_, contacts_, iterate_.v, &forces_);
    collect_statistics(h, v_new_);
    account_energy(h, v_new_, state);
  }
  if (depth > 0) statistics_.status = StepStatus::kShorterStep;

  count_passages(state->time, h);
  count_fast_spins(*state, h);
  advance_positions(model_, v_new_, h, &state->q);
  state->course = iterate_.course;
  std::rotate(state->v_before.begin(), state->v_before.end() - 1, state->v_before.end());
  state->v_before[0].swap(state->v);
  state->v = v_new_;
  state->time += h;
  return {};
}

void DiscreteStepper::solve() {
  if (!data_.problem.law->has_potential) {
    solve_tamsi(data_.problem, newton_, &tamsi_, &iterate_, &report_);
  } else {
    minimize(data_.problem, newton_, &workspace_, &iterate_, &report_);
  }
  count_attempt();
}

bool DiscreteStepper::parts_faces_that_push() {
  ScopedTimer timer(&statistics_.seconds.assembly);
  compute_contact_forces(data_.problem, model_, contacts_, iterate_.v, &forces_);
  return release_faces(contacts_, forces_, &data_.problem);
}

void DiscreteStepper::count_passages(double time, double h) {
  if (contacts_.num_passages == 0) return;
  ScopedTimer timer(&statistics_.seconds.geometry);
  compute_twists(model_, kinematics_, v_new_, &twists_star_);
  finder_.confirm_passages(twists_star_, h, &contacts_);
  if (num_passages_ == 0 && contacts_.num_passages > 0) {
    first_passage_ = {time, contacts_.passage_a, contacts_.passage_b};
  }
  num_passages_ += contacts_.num_passages;
}

void DiscreteStepper::count_fast_spins(const State& state, double h) {
  for (const FreeBody& free : model_.free_bodies) {
    const Vector3 w = state.v.segment<3>(free.v_begin);
    if (h * h * w.squaredNorm() < kFastSpin * kFastSpin) continue;  // |w x I w| <= |w| |I w|
    const Matrix3& R = kinematics_.X_WB[free.body].R;
    const Vector3 momentum = R * (free.mass.inertia * (R.transpose() * w));
    if (h * w.cross(momentum).norm() < kFastSpin * momentum.norm()) continue;
    if (num_fast_spins_++ == 0) first_fast_spin_ = {state.time, free.body};
  }
}

bool DiscreteStepper::changes_drives(const State& state, double h) {
  if (model_.limited_drives.empty()) return false;
  ScopedTimer timer(&statistics_.seconds.assembly);
  v_new_ = free_motion_.v_star;
  scatter_velocities(data_.problem, iterate_.v, &v_new_);
  if (!drive_limits_.change(model_, dynamics_, v_new_, h, newton_.relative_tolerance, &free_motion_))
    return false;
  compute_free_motion(model_, dynamics_, state, h, &free_motion_);
  set_step(h, free_motion_, model_, &data_);
  return true;
}

bool DiscreteStepper::brings_others_together(const State& state, double h) {
  if (!margin_auto_ || !drive_limits_.settled()) return false;
  {
    ScopedTimer timer(&statistics_.seconds.geometry);
    v_new_ = free_motion_.v_star;
    scatter_velocities(data_.problem, iterate_.v, &v_new_);
    compute_twists(model_, kinematics_, v_new_, &twists_new_);
    const long num_closing = finder_.look_again(contact_query(h), twists_new_, contacts_);
    if (num_closing == 0) return false;
    if (rounds_ == kMaxRounds) {
      statistics_.num_unforeseen += static_cast<int>(num_closing);
      num_unforeseen_ += num_closing;
      return false;
    }
    ++rounds_;
    ++statistics_.num_rounds;
    const long num_fallback = contacts_.num_fallback;
    finder_.add_found(&contacts_);
    num_fallback_ += contacts_.num_fallback - num_fallback;
  }
  build_problem(state, h);
  // From the velocities found; they close gaps, so that a barrier's guess is that of the step.
  if (data_.problem.law->has_domain) {
    iterate_.v = data_.problem.v0;
  } else {
    gather_velocities(data_.problem, v_new_, &iterate_.v);
  }
  drive_limits_.count_anew();
  return true;
}

StepOutcome DiscreteStepper::divide_step(State* state, double h, int depth) {
  const State before = *state;
  for (int half = 0; half < 2; ++half) {
    StepOutcome outcome = advance(state, 0.5 * h, depth + 1);
    if (!outcome.ok) {
      *state = before;
      return outcome;
    }
  }
  return {};
}

void DiscreteStepper::count_attempt() {
  StepStatistics& s = statistics_;
  s.iterations += report_.iterations;
  s.line_search_iterations += report_.line_search_iterations;
  s.factorizations += report_.factorizations;
  used_interior_point_ = used_interior_point_ || report_.interior_point_iterations > 0;
  for (const IterationRecord& iteration : report_.history) {
    s.iteration_cost.push_back(iteration.cost);
    s.iteration_gradient_norm.push_back(iteration.gradient_norm);
    s.iteration_step_length.push_back(iteration.step_length);
  }
  s.seconds.assembly += report_.seconds.assembly;
  s.seconds.factor += report_.seconds.factor;
  s.seconds.solve += report_.seconds.solve;
  s.seconds.line_search += report_.seconds.line_search;
}

void DiscreteStepper::collect_statistics(double h, const VectorX& v) {
  // A divided step has several solves: seconds and counts of work add up (count_attempt), the cost is that of
  // the last, all else the largest.
  StepStatistics& s = statistics_;
  s.residual = std::max(s.residual, report_.residual);
  s.cost = report_.cost;
  s.condition = std::fmax(s.condition, report_.condition);  // ignores NaN
  s.num_contacts = std::max(s.num_contacts, static_cast<long>(contacts_.size()));
  s.num_patches = std::max(s.num_patches, static_cast<long>(contacts_.patches.size()));
  s.num_faces = std::max(s.num_faces, static_cast<long>(contacts_.surface.num_faces()));
  s.num_constraints = std::max(s.num_constraints, 3L * data_.problem.num_contacts());
  s.num_islands = std::max(s.num_islands, report_.num_islands);
  s.factor_nonzeros = std::max(s.factor_nonzeros, report_.factor_nonzeros);
  s.status = step_status(report_, used_interior_point_);
  s.gliding_distance = std::max(s.gliding_distance, forces_.gliding_distance);
  s.stiction_tolerance = std::max(s.stiction_tolerance, forces_.stiction_tolerance);
  s.momentum_residual = std::max(
      s.momentum_residual, momentum_residual(model_, kinematics_, free_motion_, h, contacts_, v, &forces_));
}

void DiscreteStepper::account_energy(double h, const VectorX& v, State* state) {
  state->dissipated += forces_.dissipated + h * v.dot(model_.damping.cwiseProduct(v));
  state->work += forces_.bias_work + prescribed_joint_work(model_, kinematics_, dynamics_, state->v, v, h) +
                 actuator_work(model_, state->q, v, state->time + h, h);
  elastic_energy_ = forces_.elastic_energy_end;
}

StepOutcome DiscreteStepper::fail(const State& state, double h) {
  count_fast_spins(state, h);
  std::string message = describe_failure(state);
  // A spin that grows beyond all bounds ends in a matrix or a velocity that does not name it.
  if (num_fast_spins_ > 0) message += "; before that, " + describe_fast_spins(model_, *this, h_);
  return {false, message};
}

std::string DiscreteStepper::describe_failure(const State& state) const {
  std::ostringstream text;
  text << "step " << state.step + 1 << " at t = " << state.time << " s: ";
  if (!succeeded(report_.status)) {
    text << "the solver did not converge: " << report_.message;
    if (report_.failed_contact >= 0) {
      const ContactPair contact = contacts_.pair(report_.failed_contact);
      text << " (contact of '" << model_.geometries[contact.geometry_a].name << "' and '"
           << model_.geometries[contact.geometry_b].name << "')";
    }
    return text.str();
  }
  if (!drive_limits_.settled()) {
    text << "no efforts of the actuators within their effort_limit agree with the velocities that they make; "
            "a tighter solver.tolerance or a shorter step may help";
    return text.str();
  }
  text << "a velocity is not finite, or too large to square";
  for (const Body& body : model_.bodies) {
    for (int i = 0; i < body.joint.nv; ++i) {
      const double v = v_new_[body.joint.v_begin + i];
      if (!std::isfinite(v * v)) {
        text << ": body '" << body.name << "', coordinate " << i << " = " << v;
        return text.str();
      }
    }
  }
  return text.str();
}

void DiscreteStepper::fill_frame(const State& state, bool with_contacts, Frame* frame) {
  filler_.fill(state, elastic_energy_, with_contacts ? FrameContacts{&contacts_, &forces_} : FrameContacts{},
               frame);
}

}  // namespace csim
