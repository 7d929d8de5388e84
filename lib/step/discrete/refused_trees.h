// The trees for which an attempt is refused: they take it in shorter parts, the others keep it.
#pragma once

#include "model/tree_bodies.h"
#include "step/discrete/prepared_step.h"
#include "step/step_outcome.h"

namespace csim {

/// Adds the trees of the islands of the attempted step `prepared` to which these two bodies belong; whether
/// there were any that the set did not have.
bool add_islands(const PreparedStep& prepared, int body_a, int body_b, TreeSet* trees);

/// The same for the bodies of these pairs.
bool add_islands(const PreparedStep& prepared, const std::vector<std::pair<int, int>>& pairs, TreeSet* trees);

/// Fills *pairs with the bodies for which an attempt was refused for its path or its end: what it has met
/// (outcome.met), outcome.refused_pairs, and the pairs that gain in islands that hold more for nothing than
/// they may.
void find_refused_pairs(const StepOutcome& outcome, std::vector<std::pair<int, int>>* pairs);

/// Whether a subject of the event is a body, or a geometry of a body, of these trees.
[[nodiscard]] bool concerns(const Model& model, const TreeSet& trees, const Event& event);

}  // namespace csim
