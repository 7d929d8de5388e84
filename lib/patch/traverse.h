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
class TreePair {
 public:
  TreePair(const WideTree& mover, const RigidTransform& X_TM, const WideTree& target, double margin,
           TreeStack* stack, Visit visit)
      : mover_(mover), X_TM_(X_TM), target_(target), margin_(margin), stack_(*stack), visit_(visit) {}

  void run() {
    stack_.clear();
    if (mover_.nodes.empty() || target_.nodes.empty()) return;
    stack_.push_back(0);
    descend(0, 0, 1);
  }

 private:
  void descend(int node_index, std::size_t begin, std::size_t end) {
    const WideTree::Node& node = mover_.nodes[node_index];
    const Box4Lanes boxes = transformed(X_TM_, node.boxes, margin_);
    for (int lane = 0; lane < node.count; ++lane) {
      const Box4 box = boxes.at(lane);
      for (std::size_t i = begin; i < end; ++i) append_meeting(target_, stack_[i], box, &stack_);
      if (stack_.size() > end) {
        if (node.child[lane] >= 0) {
          descend(node.child[lane], end, stack_.size());
        } else {
          visit_(~node.child[lane], end, stack_.size());
        }
        stack_.resize(end);
      }
    }
  }

  const WideTree& mover_;
  const RigidTransform& X_TM_;
  const WideTree& target_;
  double margin_;
  TreeStack& stack_;
  Visit visit_;
};

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
