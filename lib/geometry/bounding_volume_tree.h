// A binary tree of boxes over boxes: which of many things lie near a box, near a point, near each other, or
// near those of another tree.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
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

  /// Calls visit(i, j) once for every item i of this tree and item j of the other whose box, brought into
  /// this tree's frame by X and grown by `by` (m) on all sides, overlaps that of i.
  template <typename Visit>
  void query_tree(const BoundingVolumeTree& other, const RigidTransform& X, double by, Visit&& visit) const;

  /// Branch and bound towards the item nearest to a point. `squared_distance(item)` gives an item's own
  /// squared distance (m^2); returns the item, of equals that of the least number, or -1 when none is nearer
  /// than *best, which receives the least.
  template <typename SquaredDistance>
  int nearest(const Vector3& p, double* best, SquaredDistance&& squared_distance) const;

 private:
  /// A leaf holds items_[first, first + count); an inner node (count 0) has its children at first and first
  /// + 1.
  struct Node {
    Aabb box;
    double extent = 0.0;  // sum of the sides: of two nodes the larger is opened
    int first = 0;
    int count = 0;
    int leaf = -1;  // in leaves_
  };
  static constexpr int kLeafSize = 8;
  /// The boxes of a leaf side by side, so that one box is compared with all of them in a few vector
  /// instructions; the rest of a leaf that is not full overlaps nothing.
  struct Leaf {
    std::array<std::array<double, kLeafSize>, 3> lower, upper;
  };
  /// Median splits halve the items: 2^31 items are 31 levels deep, and a depth-first walk leaves one sibling
  /// a level (three a pair of nodes).
  static constexpr int kStack = 128;

  void split(int node, int begin, int end);
  void fill_leaves();

  /// Bit k is set when box k of the leaf overlaps `box`.
  static unsigned overlap_mask(const Leaf& leaf, const Aabb& box) {
    std::array<double, kLeafSize> gap;
    for (int k = 0; k < kLeafSize; ++k) gap[k] = -std::numeric_limits<double>::infinity();
    for (int axis = 0; axis < 3; ++axis) {
      const double low = box.lower[axis], high = box.upper[axis];
      for (int k = 0; k < kLeafSize; ++k) {
        const double below = leaf.lower[axis][k] - high, above = low - leaf.upper[axis][k];
        const double larger = below > above ? below : above;
        gap[k] = gap[k] > larger ? gap[k] : larger;
      }
    }
    unsigned mask = 0;
    for (int k = 0; k < kLeafSize; ++k) mask |= static_cast<unsigned>(gap[k] <= 0.0) << k;
    return mask;
  }

  /// m^2, of the boxes of a leaf from a point; infinite for the rest of one that is not full.
  static std::array<double, kLeafSize> squared_distances(const Leaf& leaf, const Vector3& p) {
    std::array<double, kLeafSize> sum{};
    for (int axis = 0; axis < 3; ++axis) {
      for (int k = 0; k < kLeafSize; ++k) {
        const double below = leaf.lower[axis][k] - p[axis], above = p[axis] - leaf.upper[axis][k];
        const double larger = below > above ? below : above, out = larger > 0.0 ? larger : 0.0;
        sum[k] += out * out;
      }
    }
    return sum;
  }

  std::vector<Aabb> given_;  // by item, while building
  std::vector<Aabb> boxes_;  // in the tree's order: boxes_[k] is that of items_[k]
  std::vector<int> items_;
  std::vector<Node> nodes_;
  std::vector<Leaf> leaves_;
};

template <typename Visit>
void BoundingVolumeTree::query(const Aabb& box, Visit&& visit) const {
  if (nodes_.empty()) return;
  std::array<int, kStack> stack;
  int top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const Node& node = nodes_[stack[--top]];
    if (!node.box.overlaps(box)) continue;
    if (node.count == 0) {
      stack[top++] = node.first + 1;
      stack[top++] = node.first;
      continue;
    }
    for (unsigned mask = overlap_mask(leaves_[node.leaf], box); mask != 0; mask &= mask - 1) {
      visit(items_[node.first + std::countr_zero(mask)]);
    }
  }
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
      if (overlaps(boxes_[i])) visit(items_[i]);
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
  // Item number i of the tree's order against those of a leaf that `mask` leaves.
  const auto report = [&](int i, const Node& leaf, unsigned mask) {
    for (; mask != 0; mask &= mask - 1) {
      const int p = items_[i], q = items_[leaf.first + std::countr_zero(mask)];
      visit(std::min(p, q), std::max(p, q));
    }
  };
  while (top > 0) {
    const auto [m, n] = stack[--top];
    const Node &a = nodes_[m], &b = nodes_[n];
    if (m == n) {
      // A node with itself: its own pairs, or its children with themselves and with each other.
      for (int k = 0; k < a.count; ++k) {
        report(a.first + k, a, overlap_mask(leaves_[a.leaf], boxes_[a.first + k]) & (~1u << k));
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
        if (boxes_[i].overlaps(b.box)) report(i, b, overlap_mask(leaves_[b.leaf], boxes_[i]));
      }
    } else if (b.count > 0 || (a.count == 0 && a.extent >= b.extent)) {
      stack[top++] = {a.first + 1, n};
      stack[top++] = {a.first, n};
    } else {
      stack[top++] = {m, b.first + 1};
      stack[top++] = {m, b.first};
    }
  }
}

template <typename Visit>
void BoundingVolumeTree::query_tree(const BoundingVolumeTree& other, const RigidTransform& X, double by,
                                    Visit&& visit) const {
  if (nodes_.empty() || other.nodes_.empty()) return;
  std::array<std::array<int, 2>, kStack> stack;
  int top = 0;
  stack[top++] = {0, 0};
  while (top > 0) {
    const auto [m, n] = stack[--top];
    const Node &a = nodes_[m], &b = other.nodes_[n];
    if (!a.box.overlaps(transformed(X, b.box).inflated(by))) continue;
    if (a.count > 0 && b.count > 0) {
      for (int j = b.first; j < b.first + b.count; ++j) {
        const Aabb box = transformed(X, other.boxes_[j]).inflated(by);
        for (unsigned mask = overlap_mask(leaves_[a.leaf], box); mask != 0; mask &= mask - 1) {
          visit(items_[a.first + std::countr_zero(mask)], other.items_[j]);
        }
      }
    } else if (b.count > 0 || (a.count == 0 && a.extent >= b.extent)) {
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
  struct Open {
    double squared_distance;  // m^2, of its box
    int node;
  };
  int item = -1;
  std::array<Open, kStack> stack;
  int top = 0;
  const auto open = [&](double distance, int node) {
    if (distance <= *best) stack[top++] = {distance, node};
  };
  open(nodes_[0].box.squared_distance(p), 0);
  while (top > 0) {
    const auto [distance, number] = stack[--top];
    if (!(distance <= *best)) continue;
    const Node& node = nodes_[number];
    if (node.count == 0) {
      // The nearer child is looked at first.
      const double first = nodes_[node.first].box.squared_distance(p);
      const double second = nodes_[node.first + 1].box.squared_distance(p);
      const bool swap = second < first;
      open(swap ? first : second, node.first + (swap ? 0 : 1));
      open(swap ? second : first, node.first + (swap ? 1 : 0));
      continue;
    }
    const std::array<double, kLeafSize> apart = squared_distances(leaves_[node.leaf], p);
    for (int k = 0; k < node.count; ++k) {
      if (!(apart[k] <= *best)) continue;
      const int other = items_[node.first + k];
      const double own = squared_distance(other);
      if (own < *best || (own == *best && other < item)) {
        *best = own;
        item = other;
      }
    }
  }
  return item;
}

}  // namespace csim
