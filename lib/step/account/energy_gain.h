// Energy from nothing: what a run has gained that no account explains.
#pragma once

#include <string>
#include <vector>

#include "model/model.h"
#include "step/account/pair_energies.h"
#include "step/event.h"

namespace csim {

/// Of the run so far.
struct EnergyGain {
  double amount = 0.0;           // J, >= 0
  double fraction = 0.0;         // of the energy turned over
  int body_a = -1, body_b = -1;  // where most of it came from: a pair, or one body (the first of its tree)
};

/// What pairs have given along the normal beyond what they took, what friction has given in all, and
/// scheme_mass_matrix and the rest of the balance as far as they are gains. None where that is no more than
/// `unresolved` (J).
[[nodiscard]] EnergyGain energy_from_nothing(const Model& model, const State& state, double unresolved = 0.0);

/// J: what positions that err by `accuracy` (m) leave open, the work of the weight of all bodies along it,
/// and speeds that err by what StepErrorNorm allows of bodies at rest.
[[nodiscard]] double unresolved_energy(const Model& model, double accuracy);

/// "'a' and 'b'", or "'a'".
[[nodiscard]] std::string gain_subjects(const Model& model, const EnergyGain& gain);

/// Ends the accounts of a step, those of *state: adds an event when the energy from nothing is beyond
/// kNotedGain of what was turned over and twice what the last event told. `unresolved` as above.
EnergyGain note_energy_gain(const Model& model, double unresolved, State* state, std::vector<Event>* events);

/// An event for each pair whose elastic energy jumped by more than that part since the step before.
void note_overlap_jumps(const PairWorks& works, const EnergyAccounts& energy, std::vector<Event>* events);

/// Likewise of steps of controlled error, an event of what they have lost: to the implicit springs of
/// contacts, and what no account explains.
void note_energy_loss(const Model& model, State* state, std::vector<Event>* events);

inline constexpr double kNotedGain = 0.01;

}  // namespace csim
