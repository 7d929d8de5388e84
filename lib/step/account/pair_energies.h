// What pairs of bodies take from each other along the normals of their contacts, and give back.
#pragma once

#include "model/energy_accounts.h"
#include "step/discrete/step_problem.h"

namespace csim {

/// Pairs that press or overlap in the step that `problem` has solved, sorted by bodies. `stored`: what the
/// contacts take, -gamma_n times the mean normal velocity, J; `gained`: 0; `jumped`: all of their elastic
/// energy at the start, of which the ledger knows what was left. Memory of *pairs is kept.
void collect_pair_energies(const StepProblem& problem, PairEnergies* pairs);

/// Of overlaps at the start of a step: `stored` and `left` are what forces.elastic_start has of them.
void collect_pair_overlaps(const StepProblem& problem, PairEnergies* pairs);

/// J, that the overlaps of a state, as `collect_pair_overlaps` has them of the step of length h (s) from it,
/// hold for nothing: neither did they hold it at the start of the step before, nor have their contacts taken
/// it in that step, nor did it leave it. Of each pair less what a body gains in a step of free fall.
[[nodiscard]] double energy_for_nothing(const Model& model, double h, const PairEnergies& overlaps,
                                        const PairEnergies& ledger);

/// Takes a step's pairs into the ledger. A contact is passive: while two bodies touch it gives back no more
/// than it has taken; what it gives beyond that the pair gains from nothing. Pairs that no longer touch are
/// dropped, but for gains beyond `least` (J). *work is scratch.
void add_pair_energies(const PairEnergies& found, double least, PairEnergies* ledger, PairEnergies* work);

}  // namespace csim
