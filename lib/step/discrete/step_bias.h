// The bias of contacts in a step (problem/contact_bias.h), for velocity_terms: mean: foretold before it is
// solved, and taken at the velocities found.
#pragma once

#include "problem/contact_forces.h"
#include "step/discrete/prepared_step.h"

namespace csim {

/// Of a problem just built, before set_step: the bias at v0. Nothing with velocity_terms: start.
void begin_bias(PreparedStep* step);

/// Of these islands (null: of all) at the velocities v [nv of the model]: the guess before the first
/// solve, those found after contacts were added.
void put_bias(const VectorX& v, const std::vector<char>* islands, PreparedStep* step);

/// Marks the islands in which the bias of a contact is more of its speed than what is left as it is; whether
/// there are some.
[[nodiscard]] bool find_large_bias(const PreparedStep& step, std::vector<char>* islands);

/// Puts the bias at the velocities v in those of the islands `may_change` whose motion it changes
/// (kBiasTolerance, kBiasOfDepth), given the `forces` there, and marks them in *changed. Whether there was
/// one.
[[nodiscard]] bool update_bias(const VectorX& v, const ContactForces& forces,
                               const std::vector<char>& may_change, PreparedStep* step,
                               std::vector<char>* changed);

}  // namespace csim
