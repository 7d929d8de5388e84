// Bodies, positions and velocities of some of the trees of a model.
#pragma once

#include "core/tree_set.h"
#include "model/model.h"

namespace csim {

/// visit(tree) for all trees of the set.
template <typename Visit>
void for_each_tree(const Model& model, const TreeSet& trees, Visit&& visit) {
  for (std::size_t t = 0; t < model.trees.size(); ++t)
    if (contains(trees, static_cast<int>(t))) visit(model.trees[t]);
}

/// Whether one of two bodies, or both, are of trees in the set.
[[nodiscard]] inline bool has_either(const TreeSet& trees, const Model& model, int body_a, int body_b) {
  return trees.empty() || contains(trees, model.bodies[static_cast<std::size_t>(body_a)].tree) ||
         contains(trees, model.bodies[static_cast<std::size_t>(body_b)].tree);
}

/// Whether velocities move the body, but not those of the set.
[[nodiscard]] inline bool is_outside(const TreeSet& trees, const Model& model, int body) {
  const int tree = model.bodies[static_cast<std::size_t>(body)].tree;
  return tree >= 0 && !contains(trees, tree);
}

/// Whether two positions [nq] are the same, to the last bit, of all trees of the set.
[[nodiscard]] bool is_same_inside(const Model& model, const TreeSet& trees, const VectorX& q,
                                  const VectorX& other_q);

/// Copies the parts of the trees outside the set: positions [nq] and velocities [nv of the model].
void copy_outside(const Model& model, const TreeSet& trees, const VectorX& q, const VectorX& v, VectorX* to_q,
                  VectorX* to_v);

}  // namespace csim
