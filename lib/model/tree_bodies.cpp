#include "model/tree_bodies.h"

namespace csim {

bool is_same_inside(const Model& model, const TreeSet& trees, const VectorX& q, const VectorX& other_q) {
  for (std::size_t t = 0; t < model.trees.size(); ++t) {
    const Tree& tree = model.trees[t];
    if (contains(trees, static_cast<int>(t)) &&
        q.segment(tree.q_begin, tree.nq) != other_q.segment(tree.q_begin, tree.nq))
      return false;
  }
  return true;
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
