// The bias of contacts in a step (problem/contact_bias.h), for velocity_terms: mean: foretold before it is
// solved, and taken at the velocities found.
#pragma once

#include "problem/contact_forces.h"
#include "step/discrete/prepared_step.h"

namespace csim {

/// Of a problem just built, before set_step: the bias at v0. Nothing with velocity_terms: start.
void begin_bias(PreparedStep* step);

/// At the velocities v [nv of the model]: v* before the first solve, with `changed` null; those found after
/// contacts were added, when all islands are marked in `changed` [islands], for a stiff contact feels the
/// smallest change of its bias.
void put_bias(const VectorX& v, PreparedStep* step, std::vector<char>* changed);

/// Whether the bias of a contact is more of its speed than what is left as it is.
[[nodiscard]] bool has_large_bias(const PreparedStep& step);

/// Puts the bias at the velocities v in islands whose motion it changes (kBiasTolerance, kBiasOfDepth), given
/// the `forces` there; these are marked in `changed` [islands] unless it is null. Whether there was one.
[[nodiscard]] bool update_bias(const VectorX& v, const ContactForces& forces, PreparedStep* step,
                               std::vector<char>* changed);

}  // namespace csim
