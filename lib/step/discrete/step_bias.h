// The bias of contacts in a step (problem/contact_bias.h), for velocity_terms: mean: foretold before it is
// solved, and taken at the velocities found.
#pragma once

#include "problem/contact_forces.h"
#include "solver/solver_memory.h"
#include "step/discrete/prepared_step.h"

namespace csim {

/// Of a problem just built, before set_step: the bias at v0. Nothing with velocity_terms: start.
void begin_bias(PreparedStep* step);

/// Before the first solve: at the velocities that v0 and those of the step before lead to.
void predict_bias(const SolverMemory& memory, PreparedStep* step);

/// After contacts were added at the velocities v [nv of the model]. Marks the islands that have a bias to
/// speak of in `changed` [islands]; null: nothing was solved yet.
void put_bias(const VectorX& v, PreparedStep* step, std::vector<char>* changed);

/// Whether the bias of a contact is more of its speed than what is left as it is.
[[nodiscard]] bool has_large_bias(const PreparedStep& step);

/// Puts the bias at the velocities v in islands where, weighed by the impulses of `forces`, it changes by
/// more than kBiasTolerance of the speeds of the contacts; these are marked in `changed` [islands] unless it
/// is null. Whether there was one.
[[nodiscard]] bool update_bias(const VectorX& v, const ContactForces& forces, PreparedStep* step,
                               std::vector<char>* changed);

}  // namespace csim
