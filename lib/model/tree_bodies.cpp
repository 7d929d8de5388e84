#include "model/tree_bodies.h"

namespace csim {

bool is_same_inside(const Model& model, const TreeSet& trees, const VectorX& q, const VectorX& other_q) {
  bool is_same = true;
  for_each_tree(model, trees, [&](const Tree& tree) {
    is_same = is_same && q.segment(tree.q_begin, tree.nq) == other_q.segment(tree.q_begin, tree.nq);
  });
  return is_same;
}

void copy_positions(const Model& model, const TreeSet& trees, const VectorX& q, VectorX* to) {
  if (trees.empty()) {
    *to = q;
    return;
  }
  for_each_tree(model, trees, [&](const Tree& tree) {
    to->segment(tree.q_begin, tree.nq) = q.segment(tree.q_begin, tree.nq);
  });
}

void copy_velocities(const Model& model, const TreeSet& trees, const VectorX& v, VectorX* to) {
  if (trees.empty()) {
    *to = v;
    return;
  }
  for_each_tree(model, trees, [&](const Tree& tree) {
    to->segment(tree.v_begin, tree.nv) = v.segment(tree.v_begin, tree.nv);
  });
}

void copy_state(const Model& model, const TreeSet& trees, std::uint64_t number, const StepState& from,
                StepState* to) {
  if (is_held(from.rest_number, number) && is_held(to->rest_number, number)) {
    static_cast<StepSums&>(*to) = from;
    copy_positions(model, trees, from.q, &to->q);
    copy_velocities(model, trees, from.v, &to->v);
    for_each_in(trees, 0, static_cast<int>(model.trees.size()), [&](int t) {
      to->tree_gain[t] = from.tree_gain[t];
      to->tree_dissipated[t] = from.tree_dissipated[t];
    });
  } else {
    *to = from;
  }
  to->rest_number = number;
}

void copy_state(const Model& model, const TreeSet& trees, std::uint64_t number, const State& from,
                State* to) {
  if (is_held(from.rest_number, number) && is_held(to->rest_number, number)) {
    for_each_in(trees, 0, static_cast<int>(model.trees.size()),
                [&](int t) { to->rest.since[t] = from.rest.since[t]; });
  } else {
    to->rest = from.rest;
  }
  copy_state(model, trees, number, static_cast<const StepState&>(from), static_cast<StepState*>(to));
}

bool is_same(const Model& model, const TreeSet& trees, std::uint64_t number, const StepState& state,
             const StepState& other) {
  if (!is_held(state.rest_number, number) || !is_held(other.rest_number, number))
    return state.q == other.q && state.v == other.v;
  bool is_same = true;
  for_each_tree(model, trees, [&](const Tree& tree) {
    is_same = is_same && state.q.segment(tree.q_begin, tree.nq) == other.q.segment(tree.q_begin, tree.nq) &&
              state.v.segment(tree.v_begin, tree.nv) == other.v.segment(tree.v_begin, tree.nv);
  });
  return is_same;
}

void copy_outside(const Model& model, const TreeSet& trees, const VectorX& q, const VectorX& v, VectorX* to_q,
                  VectorX* to_v) {
  for (std::size_t t = 0; t < model.trees.size(); ++t) {
    if (contains(trees, static_cast<int>(t))) continue;
    const Tree& tree = model.trees[t];
    to_q->segment(tree.q_begin, tree.nq) = q.segment(tree.q_begin, tree.nq);
    to_v->segment(tree.v_begin, tree.nv) = v.segment(tree.v_begin, tree.nv);
  }
}

}  // namespace csim
