// The trees for which an attempt of all trees is refused: they take the step in parts, the others keep it.
#pragma once

#include "model/tree_bodies.h"
#include "step/discrete/prepared_step.h"
#include "step/step_outcome.h"

namespace csim {

/// Adds the trees of the islands of the attempted step `prepared` to which the bodies of these pairs belong.
void add_islands(const PreparedStep& prepared, const std::vector<std::pair<int, int>>& pairs, TreeSet* trees);

/// The islands of an attempt of all trees that was refused for its path or its end: those of outcome.
/// refused_pairs, and of the pairs that hold most for nothing until the others hold no more than kShareOfRest
/// of `gain_limit` (J).
[[nodiscard]] TreeSet refused_trees(const PreparedStep& prepared, const StepOutcome& outcome,
                                    double gain_limit);

/// J, what pairs without a body of these trees hold for nothing.
[[nodiscard]] double gain_outside(const Model& model, const TreeSet& trees, const OverlapGains& gains);

/// Whether a subject of the event is a body, or a geometry of a body, of these trees.
[[nodiscard]] bool concerns(const Model& model, const TreeSet& trees, const Event& event);

}  // namespace csim
