// Bodies, positions and velocities of some of the trees of a model.
#pragma once

#include <cstdint>

#include "core/tree_set.h"
#include "model/model.h"

namespace csim {

/// visit(tree) for all trees of the set.
template <typename Visit>
void for_each_tree(const Model& model, const TreeSet& trees, Visit&& visit) {
  for_each_in(trees, 0, static_cast<int>(model.trees.size()),
              [&](int t) { visit(model.trees[static_cast<std::size_t>(t)]); });
}

/// visit(free) for all single free bodies whose trees are in the set.
template <typename Visit>
void for_each_free_body(const Model& model, const TreeSet& trees, Visit&& visit) {
  if (trees.empty()) {
    for (const FreeBody& free : model.free_bodies) visit(free);
    return;
  }
  for_each_tree(model, trees, [&](const Tree& tree) {
    if (tree.single_free_body) visit(model.free_bodies[static_cast<std::size_t>(tree.free_body)]);
  });
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

/// Whether the trees outside `trees` are known to be the same in what has the number `held` and what has the
/// number `now` (StepState::rest_number).
[[nodiscard]] inline bool is_held(std::uint64_t held, std::uint64_t now) {
  return now != 0 && held == now;
}

/// *to becomes `from`, with the rest_number `number`. Where all trees outside `trees` sleep in the states of
/// that number, and both are such, `trees` alone are copied of what trees have, and of RestState `since`.
void copy_state(const Model& model, const TreeSet& trees, std::uint64_t number, const StepState& from,
                StepState* to);
void copy_state(const Model& model, const TreeSet& trees, std::uint64_t number, const State& from, State* to);

/// Whether the positions and velocities of two states are the same, to the last bit; the trees outside
/// `trees` as in copy_state.
[[nodiscard]] bool is_same(const Model& model, const TreeSet& trees, std::uint64_t number,
                           const StepState& state, const StepState& other);

/// Copies the parts of these trees: positions [nq], or velocities [nv of the model].
void copy_positions(const Model& model, const TreeSet& trees, const VectorX& q, VectorX* to);
void copy_velocities(const Model& model, const TreeSet& trees, const VectorX& v, VectorX* to);

/// Copies the parts of the trees outside the set: positions [nq] and velocities [nv of the model].
void copy_outside(const Model& model, const TreeSet& trees, const VectorX& q, const VectorX& v, VectorX* to_q,
                  VectorX* to_v);

}  // namespace csim
