#include "step/account/energy_gain.h"

#include <algorithm>

#include "step/step_error.h"

namespace csim {
namespace {

// Of the energies that the balance is a difference of.
constexpr double kRounding = 1e-9;

void name_pair(const State& state, EnergyGain* gain) {
  double most = 0.0;
  for (const PairEnergy& pair : state.pair_energies) {
    if (pair.gained <= most) continue;
    most = pair.gained;
    gain->body_a = pair.body_a;
    gain->body_b = pair.body_b;
  }
}

void name_tree(const Model& model, const State& state, EnergyGain* gain) {
  double most = 0.0;
  for (Eigen::Index t = 0; t < state.tree_gain.size(); ++t) {
    if (state.tree_gain[t] <= most) continue;
    most = state.tree_gain[t];
    gain->body_a = bodies_of(model, model.trees[static_cast<std::size_t>(t)]).front();
  }
}

/// Where no account knows better: the body that moves fastest.
void name_fastest(const Model& model, const State& state, EnergyGain* gain) {
  double most = -1.0;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Joint& joint = model.bodies[b].joint;
    const double speed = state.v.segment(joint.v_begin, joint.nv).norm();
    if (joint.nv == 0 || speed <= most) continue;
    most = speed;
    gain->body_a = static_cast<int>(b);
  }
}

}  // namespace

EnergyGain energy_from_nothing(const Model& model, const State& state, double unresolved) {
  const EnergyAccounts& e = state.energy;
  const double scheme = std::max(e.scheme_mass_matrix, 0.0);
  const double rest = std::max(e.unexplained(), 0.0);
  const double turned_over = e.turned_over();
  const double friction = std::max(-e.dissipated_friction, 0.0);  // it stores nothing that it could give
  double pairs = friction;
  for (const PairEnergy& pair : state.pair_energies) pairs += pair.gained;
  EnergyGain gain;
  const double least = std::max(kRounding * (std::abs(e.potential) + turned_over), unresolved);
  if (!(pairs + scheme + rest > least)) return gain;
  gain.amount = pairs + scheme + rest;
  gain.fraction = gain.amount / turned_over;
  if (pairs >= std::max(scheme, rest) && pairs > 2.0 * friction) name_pair(state, &gain);
  if (gain.body_a < 0 && scheme >= std::max(rest, friction)) name_tree(model, state, &gain);
  if (gain.body_a < 0) name_fastest(model, state, &gain);
  return gain;
}

double unresolved_energy(const Model& model, double accuracy) {
  const double speed = StepErrorNorm::kErrorSpeed * accuracy;
  double energy = 0.0;
  for (const Body& body : model.bodies)
    energy += body.mass.mass * (body.gravity.norm() * accuracy + 0.5 * speed * speed);
  return energy;
}

std::string gain_subjects(const Model& model, const EnergyGain& gain) {
  if (gain.body_a < 0) return "no body";
  std::string text = "'" + model.bodies[static_cast<std::size_t>(gain.body_a)].name + "'";
  if (gain.body_b >= 0) text += " and '" + model.bodies[static_cast<std::size_t>(gain.body_b)].name + "'";
  return text;
}

void note_overlap_jumps(const PairWorks& works, const EnergyAccounts& energy, std::vector<Event>* events) {
  for (const PairWork& pair : works)
    if (pair.jumped > kNotedGain * energy.turned_over())
      add_event({EventKind::kOverlapJump, pair.body_a, pair.body_b, pair.jumped}, events);
}

EnergyGain note_energy_gain(const Model& model, double unresolved, State* state, std::vector<Event>* events) {
  EnergyAccounts& e = state->energy;
  const EnergyGain gain = energy_from_nothing(model, *state, unresolved);
  if (!(gain.fraction > kNotedGain) || !(gain.amount > 2.0 * e.told)) return gain;
  e.told = gain.amount;
  add_event({EventKind::kEnergyGain, gain.body_a, gain.body_b, gain.amount}, events);
  return gain;
}

void note_energy_loss(const Model& model, State* state, std::vector<Event>* events) {
  EnergyAccounts& e = state->energy;
  const double by_steps = e.normal_spring_loss - e.normal_overlap_gain;
  const double lost = std::max(by_steps, 0.0) + std::max(-e.unexplained(), 0.0);
  const bool is_noted = lost > kNotedGain * e.turned_over() && lost > kRounding * std::abs(e.potential);
  if (!is_noted || !(lost > 2.0 * e.told_loss)) return;
  e.told_loss = lost;
  EnergyGain where;
  name_fastest(model, *state, &where);
  add_event({EventKind::kEnergyLoss, where.body_a, -1, lost}, events);
}

}  // namespace csim
