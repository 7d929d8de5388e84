#include "step/continuous/continuous_stepper.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "core/timer.h"
#include "step/account/energy_gain.h"
#include "step/account/query_events.h"
#include "step/step_length.h"

namespace csim {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

constexpr std::array kFlows = {&EnergyAccounts::normal_damping,    &EnergyAccounts::dissipated_friction,
                               &EnergyAccounts::dissipated_joints, &EnergyAccounts::work_actuators,
                               &EnergyAccounts::work_prescribed,   &EnergyAccounts::work_forces};

constexpr double kSmallestFactor = 0.2;  // of step_factor

bool is_finite(const State& state) {
  return std::isfinite(state.q.squaredNorm()) && std::isfinite(state.v.squaredNorm());
}

}  // namespace

ContinuousStepper::ContinuousStepper(const Model& model, const Scene& scene)
    : model_(model),
      first_step_(scene.time.step),
      max_step_(scene.integrator.max_step.value_or(kInfinity)),
      stiction_tolerance_(scene.contact.stiction_tolerance),
      dynamics_(model, scene.contact, scene.time.step),
      norm_(model, scene.integrator.accuracy),
      unresolved_energy_(unresolved_energy(model, scene.integrator.accuracy)),
      filler_(model, scene.output) {}

/// Rates at the start of a step: those of the end of the last one, when this state is it.
void ContinuousStepper::begin(const State& state) {
  if (is_evaluated_ && stage_.time == state.time && stage_.q == state.q && stage_.v == state.v &&
      stage_.sequence == state.sequence && stage_.broken == state.broken)
    return;
  stage_ = state;
  is_evaluated_ = evaluate_stage(state.time, &rates_[0]);
}

void ContinuousStepper::start(State* state) {
  memory_.restart(state->v, model_.trees.size());
  state->tree_gain.setZero(static_cast<Eigen::Index>(model_.trees.size()));
  state->tree_dissipated.setZero(static_cast<Eigen::Index>(model_.trees.size()));
  state->pair_energies.clear();
  begin(*state);
  state->energy.begin(filler_.mechanical_energy_at(*state), dynamics_.collect_forces().elastic_energy_end,
                      dynamics_.row_forces().elastic_energy_end);
}

/// Rates at stage_ at time t; false when the state or its rates are not finite.
bool ContinuousStepper::evaluate_stage(double t, StateRates* rates) {
  stage_.time = t;
  last_rates_ = nullptr;
  if (!is_finite(stage_)) return false;
  last_rates_ = rates;
  dynamics_.evaluate(stage_, &outcome_.statistics.seconds, rates);
  collect_query_events(dynamics_.contacts(), &outcome_.events);
  collect_pairs(dynamics_.contacts(), dynamics_.collect_forces(), 1.0, &rates->pairs);
  return rates->is_finite();
}

/// One step of Bogacki and Shampine's pair from rates_[0]: its end in stage_, rates in rates_, and the error.
StepError ContinuousStepper::try_step(const State& state, const StepLength& length) {
  const auto& [h, t_end] = length;
  const auto& [k1, k2, k3, k4] = rates_;
  const StepError not_finite{kInfinity, -1, -1};
  is_evaluated_ = false;

  stage_.q = state.q + (0.5 * h) * k1.q;
  stage_.v = state.v + (0.5 * h) * k1.v;
  normalize_quaternions(model_, &stage_.q);
  if (!evaluate_stage(state.time + 0.5 * h, &rates_[1])) return not_finite;

  stage_.q = state.q + (0.75 * h) * k2.q;
  stage_.v = state.v + (0.75 * h) * k2.v;
  normalize_quaternions(model_, &stage_.q);
  if (!evaluate_stage(state.time + 0.75 * h, &rates_[2])) return not_finite;

  stage_.q = state.q + (h / 9.0) * (2.0 * k1.q + 3.0 * k2.q + 4.0 * k3.q);
  stage_.v = state.v + (h / 9.0) * (2.0 * k1.v + 3.0 * k2.v + 4.0 * k3.v);
  normalize_quaternions(model_, &stage_.q);
  if (!evaluate_stage(t_end, &rates_[3])) return not_finite;

  // Third order minus second order.
  e_q_ = (h / 72.0) * (-5.0 * k1.q + 6.0 * k2.q + 8.0 * k3.q - 9.0 * k4.q);
  e_v_ = (h / 72.0) * (-5.0 * k1.v + 6.0 * k2.v + 8.0 * k3.v - 9.0 * k4.v);
  return norm_.evaluate(e_q_, e_v_, state.v, stage_.v);
}

const StepOutcome& ContinuousStepper::attempt(const State& state, double t_limit) {
  outcome_.restart();
  outcome_.memory = memory_;  // of no use here
  outcome_.statistics.condition = std::numeric_limits<double>::quiet_NaN();
  ScopedTimer timer(&outcome_.statistics.seconds.total);
  start_ = state;
  begin(state);
  if (state.step == 0 && is_evaluated_) dynamics_.take_blow(&start_);
  advance(start_, t_limit);
  return outcome_;
}

void ContinuousStepper::advance(const State& state, double t_limit) {
  begin(state);
  if (!is_evaluated_) return fail(state, {kInfinity, -1, -1});
  norm_.set_mass(dynamics_.mass());
  double wanted = std::min(state.next_step > 0.0 ? state.next_step : first_step_, max_step_);
  double largest_factor = kLargestFactor;
  for (;;) {
    const StepLength length = fit_step(state.time, wanted, t_limit);
    outcome_.events.clear();
    const StepError error = try_step(state, length);
    if (error.value <= 1.0) {
      const double factor = std::min(step_factor(std::cbrt(error.value), kSmallestFactor), largest_factor);
      return accept(state, length, std::min(next_length(length.h, wanted, factor), max_step_));
    }
    ++outcome_.statistics.num_rejected;
    largest_factor = 1.0;
    wanted = length.h * step_factor(std::cbrt(error.value), kSmallestFactor);
    if (wanted < smallest_step(state.time)) return fail(state, error);
  }
}

void ContinuousStepper::fail(const State& state, const StepError& error) {
  outcome_.ok = false;
  outcome_.statistics.time = stage_.time;
  outcome_.message = describe_failure(state, error);
}

void ContinuousStepper::accept(const State& state, const StepLength& length, double next_step) {
  const auto& [k1, k2, k3, k4] = rates_;
  const double ninth = length.h / 9.0;
  State& end = outcome_.state;
  end = state;
  end.q = stage_.q;
  end.v = stage_.v;
  for (const auto account : kFlows)
    end.energy.*account +=
        ninth * (2.0 * k1.energy.*account + 3.0 * k2.energy.*account + 4.0 * k3.energy.*account);
  for (const auto& [k, weight] : {std::pair(&k1, 2.0), std::pair(&k2, 3.0), std::pair(&k3, 4.0)})
    add_pairs(k->pairs, ninth * weight, &outcome_.pairs, &pair_work_);
  ++end.step;
  end.time = length.t_end;
  end.next_step = next_step;
  std::swap(rates_[0], rates_[3]);
  is_evaluated_ = true;
  end.energy.set_state(filler_.mechanical_energy_at(end), dynamics_.collect_forces().elastic_energy_end,
                       dynamics_.row_forces().elastic_energy_end);
  outcome_.gain = note_energy_gain(model_, unresolved_energy_, &end, &outcome_.events);
  note_energy_loss(model_, &end, &outcome_.events);

  StepStatistics& s = outcome_.statistics;
  const ContactSet& contacts = dynamics_.contacts();
  outcome_.deepest = deepest_overlap(contacts);
  s.time = end.time;
  s.status = StepStatus::kIntegrated;
  s.num_contacts = contacts.size();
  s.num_patches = static_cast<long>(contacts.patches.size());
  s.num_faces = contacts.surface.num_faces();
  s.num_islands = dynamics_.num_islands();
  s.stiction_tolerance = dynamics_.is_pressed() ? stiction_tolerance_ : 0.0;
}

/// " of body 'name', coordinate i" of the first number of the last evaluation that is not finite.
std::string ContinuousStepper::place_of_infinity() const {
  for (const Body& body : model_.bodies) {
    for (int i = 0; i < body.joint.nv; ++i) {
      const int k = body.joint.v_begin + i;
      const double a = last_rates_ != nullptr ? last_rates_->v[k] : 0.0;
      if (std::isfinite(stage_.v[k] * stage_.v[k]) && std::isfinite(a * a)) continue;
      return " of body '" + body.name + "', coordinate " + std::to_string(i);
    }
  }
  return "";
}

std::string ContinuousStepper::describe_failure(const State& state, const StepError& error) const {
  std::ostringstream text;
  text << "step " << state.step + 1 << " at t = " << state.time << " s: ";
  if (outcome_.statistics.num_rejected > 0) text << "the step fell below " << kSmallestStep << " s; ";
  if (error.body >= 0) {
    text << "the largest error, " << error.value
         << " times what integrator.accuracy allows, is that of body '" << model_.bodies[error.body].name
         << "', coordinate " << error.coordinate;
  } else if (!dynamics_.has_found_stops()) {
    text << "no set of closed limits and taut ropes was found that balances the forces";
  } else {
    text << "a velocity or acceleration" << place_of_infinity() << " is not finite, or too large to square";
  }
  return text.str();
}

void ContinuousStepper::fill_frame(const State& state, bool with_contacts, Frame* frame) {
  begin(state);
  if (!with_contacts) return filler_.fill(state, {}, false, frame);
  const StepForces forces{&dynamics_.contacts(), &dynamics_.collect_forces(), &dynamics_.row_forces()};
  filler_.fill(state, {&forces, 1}, true, frame);
}

void ContinuousStepper::fill_motion(const State& state, Frame* frame) {
  begin(state);
  const StepForces forces{nullptr, nullptr, &dynamics_.row_forces()};
  filler_.fill(state, {&forces, 1}, false, frame);
}

void ContinuousStepper::fill_constraint_forces(const State& state, Frame* frame) {
  begin(state);
  const StepForces forces{nullptr, nullptr, &dynamics_.row_forces()};
  csim::fill_constraint_forces(model_, {&forces, 1}, frame);
}

}  // namespace csim
