// What `run` says of a simulation that is legal and may not be meant.
#pragma once

#include <string>
#include <vector>

#include "contact/contact_set.h"
#include "model/model.h"

namespace csim {

/// Pairs of geometries, of points and of patches, that overlap at the start by more than a twentieth of the
/// smaller body, or store more than lifts the lighter one by a hundredth of its size: a sentence each, the
/// deepest first, with what the contacts of the two bodies store, and one for those beyond the first ten.
/// `start`: the initial state with its accounts.
[[nodiscard]] std::vector<std::string> describe_deep_overlaps(const Model& model, const State& start,
                                                              const ContactSet& contacts);

/// Notes patches that carry their bodies at a depth which is nothing beside the fall of a step: bodies on
/// several such patches leave some of them at every step and rattle, unless a margin keeps the faces in the
/// problem.
void note_stiff_patches(const Model& model, const ContactSet& contacts, double step);

}  // namespace csim
