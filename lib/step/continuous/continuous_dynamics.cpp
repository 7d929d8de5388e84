#include "step/continuous/continuous_dynamics.h"

#include <cmath>

#include "core/timer.h"
#include "model/actuator.h"
#include "model/force.h"

namespace csim {
namespace {

/// The law's normal force is what counts; its friction is the regularised one whatever the model.
ContactSpec normal_law_alone(ContactSpec spec) {
  spec.model = ContactModel::kLagged;
  return spec;
}

/// Time over which a deviation of a rigid constraint fades, in row_period. At 1 it is as short as the steps
/// and errors shorten these: Bricard's mechanism takes 5 times as many as at 10, where it takes those of the
/// motion.
constexpr double kFadingPeriods = 10.0;

}  // namespace

bool StateRates::is_finite() const {
  return std::isfinite(q.squaredNorm()) && std::isfinite(v.squaredNorm()) &&
         std::isfinite(energy.dissipated()) && std::isfinite(energy.work());
}

ContinuousDynamics::ContinuousDynamics(const Model& model, const ContactSpec& contact, double row_period)
    : model_(model),
      margin_(contact.margin.value_or(0.0)),
      row_period_(row_period),
      finder_(model),
      ties_(model, kFadingPeriods * row_period, row_period) {
  choose_contact_law(normal_law_alone(contact), &data_.problem);
  zero_velocity_.setZero(model.nv);
}

void ContinuousDynamics::find_contacts() {
  ContactQuery query;
  query.X_WB = &kinematics_.X_WB;
  query.V0 = query.V_star = &twists_;
  query.surface_velocity = &kinematics_.surface_velocity_W;
  query.margin = margin_;  // step and slack 0: the law's own reach alone
  finder_.find(query, &contacts_);
}

/// Adds J^T f of all contacts.
void ContinuousDynamics::add_contact_forces(const State& state, VectorX* forces) {
  build_contact_problem(model_, kinematics_, state, contacts_, &data_);
  const ConvexProblem& problem = data_.problem;
  force_.resize(problem.num_contacts());
  power_ = evaluate_continuous_law(problem.law_parameters, problem.law->normal, problem.contacts,
                                   data_.start_velocities, &force_);
  if (problem_forces_.size() < problem.nv()) problem_forces_.resize(problem.nv());
  for (const Island& island : problem.islands) generalized_impulse(problem, island, force_, &problem_forces_);
  contact_forces_.setZero(model_.nv);
  scatter_velocities(problem, problem_forces_, &contact_forces_);
  *forces += contact_forces_;
}

void ContinuousDynamics::evaluate(const State& state, StageSeconds* seconds, StateRates* rates) {
  {
    ScopedTimer timer(&seconds->assembly);
    compute_kinematics(model_, state.q, state.time, state.time, &kinematics_);
    compute_twists(model_, kinematics_, state.v, &twists_);
    compute_dynamics(model_, kinematics_, state, state.time, &dynamics_);
  }
  {
    ScopedTimer timer(&seconds->geometry);
    find_contacts();
  }
  {
    ScopedTimer timer(&seconds->assembly);
    rates->v = dynamics_.force;
    for (int i = 0; i < model_.nv; ++i)
      rates->v[i] -= (model_.damping[i] + model_.drive_damping[i]) * state.v[i];
    const BodyMotions motions{twists_, dynamics_.acceleration};
    RowStep step{kinematics_, state, state.v, 0.0, state.time};
    step.motions = &motions;
    offer_rows(model_, step, &row_offers_);
    compute_continuous_row_forces(row_offers_, model_, dynamics_.mass, state.v, row_period_,
                                  data_.problem.law_parameters.stiction_tolerance, &row_forces_);
    rates->v += row_forces_.applied;
    add_contact_forces(state, &rates->v);
  }
  ScopedTimer timer(&seconds->solve);
  factor_trees(model_, dynamics_.mass, &factor_);
  solve_trees(model_, dynamics_.mass, factor_, &rates->v);
  const VectorX& tie_forces = ties_.hold(row_offers_, dynamics_.mass, factor_, state.v, &rates->v);
  add_tie_forces(row_offers_, tie_forces, state.v, &row_forces_);
  compute_position_rates(model_, state.q, state.v, &rates->q);
  EnergyAccounts& e = rates->energy;
  e.normal_damping = power_.dissipated_normal;
  e.dissipated_friction = power_.dissipated_friction;
  e.dissipated_joints = row_forces_.dissipated;
  for (int i = 0; i < model_.nv; ++i) e.dissipated_joints += model_.damping[i] * state.v[i] * state.v[i];
  // The work of a step of 1 s with the momenta that the accelerations give is the power.
  const double carried = carried_force_power(model_, kinematics_, state.time);
  e.work_forces = dynamics_.external.dot(state.v) + carried;
  e.work_prescribed =
      power_.bias_work + row_forces_.bias_work - carried +
      prescribed_joint_work(model_, kinematics_, dynamics_, {}, zero_velocity_, rates->v, 1.0);
  compute_actuator_efforts(model_, state, &commands_, &efforts_);
  e.work_actuators = row_forces_.drive_work;
  for (std::size_t i = 0; i < model_.actuators.size(); ++i)
    if (!is_row_drive(model_.actuators[i]))
      e.work_actuators += efforts_[static_cast<Eigen::Index>(i)] * state.v[model_.actuators[i].v];
}

void ContinuousDynamics::take_blow(State* state) {
  start_velocity_ = mean_velocity_ = state->v;
  const VectorX& impulses = ties_.stop(row_offers_, dynamics_.mass, factor_, &state->v);
  mean_velocity_ += state->v;
  mean_velocity_ *= 0.5;
  blow_.clear(model_);
  add_tie_forces(row_offers_, impulses, mean_velocity_, &blow_);
  state->energy.dissipated_joints += blow_.dissipated;
  state->energy.work_prescribed += blow_.bias_work + prescribed_joint_work(model_, kinematics_, dynamics_, {},
                                                                           start_velocity_, state->v, 0.0);
}

const ContactForces& ContinuousDynamics::collect_forces() {
  collect_continuous_forces(data_.problem, model_, contacts_, data_.start_velocities, force_, &forces_);
  return forces_;
}

}  // namespace csim
