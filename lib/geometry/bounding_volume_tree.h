// A binary tree of boxes over boxes: which of many things lie near a box, near a point, near each other, or
// near those of another tree.
#pragma once

#include <array>
#include <limits>
#include <vector>

#include "geometry/bounds.h"

namespace csim {

/// Built anew whenever the boxes change; building reuses memory and queries allocate nothing. The tree
/// depends on the boxes alone (median splits along the widest axis of the centres, ties by index). All boxes
/// must be finite.
class BoundingVolumeTree {
 public:
  /// Items are numbered as in `boxes`.
  void build(const std::vector<Aabb>& boxes);

  [[nodiscard]] bool empty() const { return nodes_.empty(); }
  [[nodiscard]] const Aabb& bounds() const { return nodes_[0].box; }

  /// Calls visit(item) for every item whose box overlaps `box`, in the tree's order.
  template <typename Visit>
  void query(const Aabb& box, Visit&& visit) const;

  /// The same for items whose boxes pass `overlaps(box)`, which must hold for a box that holds another for
  /// which it holds.
  template <typename Overlaps, typename Visit>
  void query_where(Overlaps&& overlaps, Visit&& visit) const;

  /// Calls visit(i, j), i < j, once for every pair of items whose boxes overlap.
  template <typename Visit>
  void query_self(Visit&& visit) const;

  /// Calls visit(i, j) for items i of this tree (frame A) and j of `other` (frame B) whose boxes may come
  /// within `distance` (m): j's box is turned into a box of A.
  template <typename Visit>
  void query_tree(const BoundingVolumeTree& other, const RigidTransform& X_AB, double distance,
                  Visit&& visit) const;

  /// Branch and bound towards the item nearest to a point. `squared_distance(item)` gives an item's own
  /// squared distance (m^2); returns the item, the first in the tree's order among equals, or -1 when none is
  /// nearer than *best, which receives the least.
  template <typename SquaredDistance>
  int nearest(const Vector3& p, double* best, SquaredDistance&& squared_distance) const;

 private:
  /// A leaf holds items_[first, first + count); an inner node (count 0) has its children at first and first
  /// + 1.
  struct Node {
    Aabb box;
    int first = 0;
    int count = 0;
  };
  static constexpr int kLeafSize = 4;
  /// Median splits halve the items: 2^31 items are 31 levels deep, and a depth-first walk leaves one sibling
  /// a level (three a pair of nodes).
  static constexpr int kStack = 128;

  void split(int node, int begin, int end);

  std::vector<Aabb> boxes_;
  std::vector<int> items_;
  std::vector<Node> nodes_;
};

template <typename Visit>
void BoundingVolumeTree::query(const Aabb& box, Visit&& visit) const {
  query_where([&](const Aabb& other) { return other.overlaps(box); }, visit);
}

template <typename Overlaps, typename Visit>
void BoundingVolumeTree::query_where(Overlaps&& overlaps, Visit&& visit) const {
  if (nodes_.empty()) return;
  std::array<int, kStack> stack;
  int top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const Node& node = nodes_[stack[--top]];
    if (!overlaps(node.box)) continue;
    for (int i = node.first; i < node.first + node.count; ++i) {
      if (overlaps(boxes_[items_[i]])) visit(items_[i]);
    }
    if (node.count == 0) {
      stack[top++] = node.first + 1;
      stack[top++] = node.first;
    }
  }
}

template <typename Visit>
void BoundingVolumeTree::query_self(Visit&& visit) const {
  if (nodes_.empty()) return;
  std::array<std::array<int, 2>, kStack> stack;
  int top = 0;
  stack[top++] = {0, 0};
  const auto test = [&](int i, int j) {
    if (boxes_[i].overlaps(boxes_[j])) visit(std::min(i, j), std::max(i, j));
  };
  while (top > 0) {
    const auto [m, n] = stack[--top];
    const Node &a = nodes_[m], &b = nodes_[n];
    if (m == n) {
      // A node with itself: its own pairs, or its children with themselves and with each other.
      for (int i = a.first; i < a.first + a.count; ++i) {
        for (int j = i + 1; j < a.first + a.count; ++j) test(items_[i], items_[j]);
      }
      if (a.count == 0) {
        stack[top++] = {a.first, a.first + 1};
        stack[top++] = {a.first + 1, a.first + 1};
        stack[top++] = {a.first, a.first};
      }
      continue;
    }
    if (!a.box.overlaps(b.box)) continue;
    if (a.count > 0 && b.count > 0) {
      for (int i = a.first; i < a.first + a.count; ++i) {
        for (int j = b.first; j < b.first + b.count; ++j) test(items_[i], items_[j]);
      }
    } else if (b.count > 0 || (a.count == 0 && a.box.half_size().sum() >= b.box.half_size().sum())) {
      stack[top++] = {a.first + 1, n};
      stack[top++] = {a.first, n};
    } else {
      stack[top++] = {m, b.first + 1};
      stack[top++] = {m, b.first};
    }
  }
}

template <typename Visit>
void BoundingVolumeTree::query_tree(const BoundingVolumeTree& other, const RigidTransform& X_AB,
                                    double distance, Visit&& visit) const {
  if (nodes_.empty() || other.nodes_.empty()) return;
  // Boxes of B as boxes of A, with |R| computed once.
  const Matrix3 abs_R = X_AB.R.cwiseAbs();
  const auto overlap = [&](const Aabb& box_A, const Aabb& box_B) {
    const Vector3 offset = X_AB * box_B.center() - box_A.center();
    const Vector3 reach = (box_A.half_size() + abs_R * box_B.half_size()).array() + distance;
    return (offset.cwiseAbs().array() <= reach.array()).all();
  };
  std::array<std::array<int, 2>, kStack> stack;
  int top = 0;
  stack[top++] = {0, 0};
  while (top > 0) {
    const auto [m, n] = stack[--top];
    const Node &a = nodes_[m], &b = other.nodes_[n];
    if (!overlap(a.box, b.box)) continue;
    if (a.count > 0 && b.count > 0) {
      for (int i = a.first; i < a.first + a.count; ++i) {
        for (int j = b.first; j < b.first + b.count; ++j) {
          if (overlap(boxes_[items_[i]], other.boxes_[other.items_[j]])) visit(items_[i], other.items_[j]);
        }
      }
    } else if (b.count > 0 || (a.count == 0 && a.box.half_size().sum() >= b.box.half_size().sum())) {
      stack[top++] = {a.first + 1, n};
      stack[top++] = {a.first, n};
    } else {
      stack[top++] = {m, b.first + 1};
      stack[top++] = {m, b.first};
    }
  }
}

template <typename SquaredDistance>
int BoundingVolumeTree::nearest(const Vector3& p, double* best, SquaredDistance&& squared_distance) const {
  if (nodes_.empty()) return -1;
  int item = -1;
  std::array<int, kStack> stack;
  int top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const Node& node = nodes_[stack[--top]];
    if (!(node.box.squared_distance(p) < *best)) continue;
    for (int i = node.first; i < node.first + node.count; ++i) {
      if (!(boxes_[items_[i]].squared_distance(p) < *best)) continue;
      const double own = squared_distance(items_[i]);
      if (own < *best) {
        *best = own;
        item = items_[i];
      }
    }
    if (node.count == 0) {
      // The nearer child is looked at first.
      const bool swap =
          nodes_[node.first + 1].box.squared_distance(p) < nodes_[node.first].box.squared_distance(p);
      stack[top++] = node.first + (swap ? 0 : 1);
      stack[top++] = node.first + (swap ? 1 : 0);
    }
  }
  return item;
}

}  // namespace csim
