// What refuses an attempt of a discrete step: its solution, its path, and what its end holds.
#pragma once

#include "step/account/pair_energies.h"
#include "step/discrete/solved_step.h"
#include "step/refusal.h"

namespace csim {

/// The solution: not converged, a tree that turns too far, a velocity that is not finite. *message says what
/// is wrong, when and whose; "" when nothing is.
[[nodiscard]] Refusal judge_solution(const PreparedStep& prepared, const SolvedStep& solved,
                                     std::string* message);

/// A body of the island that such a refusal is of; -1: of any.
[[nodiscard]] int unsolved_body(const PreparedStep& prepared, const SolvedStep& solved,
                                const Refusal& refusal);

/// Coriolis and gyroscopic forces whose updates have not settled; the body of the refusal is the first of the
/// tree.
[[nodiscard]] Refusal judge_velocity_terms(const Model& model, const SolvedStep& solved);

/// The path: pairs that pass through each other, and less in a shorter step.
[[nodiscard]] Refusal judge_path(const Passages& passages);

/// The end: overlaps of meshes that no contact holds there, and did at the start, of pairs with a body of
/// `trees`. Fills *lost with them, geometries a < b.
[[nodiscard]] Refusal judge_corners(const Model& model, const TreeSet& trees, const ContactSet& start,
                                    const ContactSet& end, std::vector<std::pair<int, int>>* lost);

/// The end: overlaps of an island that hold more for nothing than they may.
[[nodiscard]] Refusal judge_gain(const IslandGain& gain);

}  // namespace csim
