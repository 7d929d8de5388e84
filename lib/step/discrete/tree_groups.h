// Trees that take steps of the same length.
#pragma once

#include <vector>

#include "core/tree_set.h"
#include "step/discrete/prepared_step.h"

namespace csim {

/// Trees that rows of constraints, drives or tendons couple, whether these act or not: a forest
/// (problem/components.h) over the trees of the model.
[[nodiscard]] std::vector<int> coupled_trees(const Model& model);

/// Joins the trees of each island of the step in the forest.
void join_islands(const PreparedStep& step, std::vector<int>* groups);

/// Adds to the set, [trees], all trees of the forest that are joined with one of it.
void add_joined(std::vector<int>* groups, TreeSet* trees);

}  // namespace csim
