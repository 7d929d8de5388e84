// The trees for which an attempt of all trees is refused: they take the step in parts, the others keep it.
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

/// Fills *trees with the islands of an attempt of all trees that was refused for its path or its end: those
/// of outcome.refused_pairs, and of the pairs of islands that hold more for nothing than `gain_limit` of what
/// they may.
void find_refused_trees(const PreparedStep& prepared, const StepOutcome& outcome, double gain_limit,
                        TreeSet* trees);

/// Whether a subject of the event is a body, or a geometry of a body, of these trees.
[[nodiscard]] bool concerns(const Model& model, const TreeSet& trees, const Event& event);

}  // namespace csim
