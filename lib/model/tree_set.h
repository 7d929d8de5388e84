// Some of the trees of a model.
#pragma once

#include <algorithm>
#include <vector>

#include "model/model.h"

namespace csim {

/// [trees of the model], nonzero for those of the set; empty: all trees.
using TreeSet = std::vector<char>;

/// Whether the tree is in the set; the tree -1, of what no velocity moves, is in none but that of all.
[[nodiscard]] inline bool contains(const TreeSet& trees, int tree) {
  return trees.empty() || (tree >= 0 && trees[static_cast<std::size_t>(tree)] != 0);
}

/// Whether the set has all trees there are.
[[nodiscard]] inline bool is_all(const TreeSet& trees) {
  return std::all_of(trees.begin(), trees.end(), [](char is_in) { return is_in != 0; });
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

/// Copies the parts of the trees outside the set: positions [nq] and velocities [nv of the model].
void copy_outside(const Model& model, const TreeSet& trees, const VectorX& q, const VectorX& v, VectorX* to_q,
                  VectorX* to_v);

}  // namespace csim
