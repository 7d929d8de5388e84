// Simultaneous traversal of two trees of boxes, one transformed to the frame of the other.
#pragma once

#include <bit>
#include <cstddef>
#include <vector>

#include "patch/wide_tree.h"

namespace csim {

/// A stack of children (WideTree::Node::child) in lists one above the other.
using TreeStack = std::vector<int>;

/// Appends the parts of a child of `target` that meet the box: its children, or the leaf itself.
inline void append_meeting(const WideTree& target, int child, const Box4& box, TreeStack* stack) {
  if (child < 0) {
    if (target.leaf_boxes[~child].overlaps(box) != 0) stack->push_back(child);
    return;
  }
  const WideTree::Node& node = target.nodes[child];
  for (unsigned mask = node.boxes.overlaps(box); mask != 0; mask &= mask - 1) {
    stack->push_back(node.child[std::countr_zero(mask)]);
  }
}

/// Calls visit(leaf of mover, begin, end) for the leaves of `mover` that may meet `target`: entries begin to
/// end of the stack are the children of `target` to visit. X_TM maps the mover's frame to the target's;
/// boxes grow by `margin` (m).
template <typename Visit>
void for_each_leaf_of_mover(const WideTree& mover, const RigidTransform& X_TM, const WideTree& target,
                            double margin, TreeStack* stack, Visit&& visit) {
  stack->clear();
  if (mover.nodes.empty() || target.nodes.empty()) return;
  stack->push_back(0);
  const auto descend = [&](const auto& self, int node_index, std::size_t begin, std::size_t end) -> void {
    const WideTree::Node& node = mover.nodes[node_index];
    const Box4Lanes boxes = transformed(X_TM, node.boxes, margin);
    for (int lane = 0; lane < node.count; ++lane) {
      const Box4 box = boxes.at(lane);
      for (std::size_t i = begin; i < end; ++i) append_meeting(target, (*stack)[i], box, stack);
      if (stack->size() == end) continue;
      if (node.child[lane] >= 0) {
        self(self, node.child[lane], end, stack->size());
      } else {
        visit(~node.child[lane], end, stack->size());
      }
      stack->resize(end);
    }
  };
  descend(descend, 0, 0, 1);
}

/// Calls visit(target leaf) for every leaf under entries begin to end of the stack of which some item meets
/// the box.
template <typename Visit>
void for_each_leaf_meeting(const WideTree& target, const Box4& box, std::size_t begin, std::size_t end,
                           TreeStack* stack, Visit&& visit) {
  for (std::size_t i = begin; i < end; ++i) {
    const std::size_t base = stack->size();
    stack->push_back((*stack)[i]);
    while (stack->size() > base) {
      const int child = stack->back();
      stack->pop_back();
      if (child >= 0) {
        append_meeting(target, child, box, stack);
      } else if (const unsigned mask = target.leaf_boxes[~child].overlaps(box); mask != 0) {
        visit(~child, mask);
      }
    }
  }
}

}  // namespace csim
