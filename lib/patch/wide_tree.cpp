#include "patch/wide_tree.h"

#include <algorithm>
#include <numeric>

namespace csim {
namespace {

struct Range {
  int begin, end;
  [[nodiscard]] int num_leaves() const { return (end - begin + 7) / 8; }
};

class Builder {
 public:
  explicit Builder(const std::vector<Box4>& boxes) : boxes_(boxes), order_(boxes.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    if (boxes.empty()) return;
    tree_.nodes.emplace_back();
    fill(0, {0, static_cast<int>(boxes.size())});
  }
  WideTree take() { return std::move(tree_); }

 private:
  /// Cuts a range in up to eight, each of whole leaves, and makes them the children of a node.
  void fill(int node, Range range) {
    std::array<Range, 8> parts;
    parts[0] = range;
    int count = 1;
    for (int round = 0; round < 3; ++round) {
      for (int i = 0, before = count; i < before; ++i) {
        if (parts[i].num_leaves() > 1) parts[count++] = cut(&parts[i]);
      }
    }
    for (int lane = 0; lane < 8; ++lane) tree_.nodes[node].boxes.set(lane, Box4::empty());
    tree_.nodes[node].child.fill(0);
    tree_.nodes[node].count = count;
    for (int lane = 0; lane < count; ++lane) {
      Box4 box = Box4::empty();
      for (int i = parts[lane].begin; i < parts[lane].end; ++i) box.add(boxes_[order_[i]]);
      const int child =
          parts[lane].num_leaves() == 1 ? ~add_leaf(parts[lane]) : static_cast<int>(tree_.nodes.size());
      if (child >= 0) tree_.nodes.emplace_back();
      tree_.nodes[node].boxes.set(lane, box);
      tree_.nodes[node].child[lane] = child;
      if (child >= 0) fill(child, parts[lane]);
    }
  }

  /// Leaves the lower half in *range and returns the upper: at the median of the centres along the axis that
  /// makes the two boxes smallest (sum of their sides).
  Range cut(Range* range) {
    const int middle = range->begin + 8 * ((range->num_leaves() + 1) / 2);
    double least = std::numeric_limits<double>::infinity();
    int best = 0;
    for (int axis = 0; axis < 3; ++axis) {
      part(*range, middle, axis);
      const double cost = size_of({range->begin, middle}) + size_of({middle, range->end});
      if (cost < least) {
        least = cost;
        best = axis;
      }
    }
    part(*range, middle, best);
    const Range upper{middle, range->end};
    range->end = middle;
    return upper;
  }

  void part(Range range, int middle, int axis) {
    const auto center = [&](int item) { return boxes_[item].lower[axis] + boxes_[item].upper[axis]; };
    std::nth_element(order_.begin() + range.begin, order_.begin() + middle, order_.begin() + range.end,
                     [&](int i, int j) {
                       const double ci = center(i), cj = center(j);
                       return ci < cj || (ci == cj && i < j);
                     });
  }

  [[nodiscard]] double size_of(Range range) const {
    Box4 box = Box4::empty();
    for (int i = range.begin; i < range.end; ++i) box.add(boxes_[order_[i]]);
    double size = 0.0;
    for (int axis = 0; axis < 3; ++axis) size += box.upper[axis] - box.lower[axis];
    return size;
  }

  int add_leaf(Range range) {
    Box4Lanes& lanes = tree_.leaf_boxes.emplace_back();
    // Within a leaf by index, so that equal sets of items are equal leaves.
    std::sort(order_.begin() + range.begin, order_.begin() + range.end);
    for (int lane = 0; lane < 8; ++lane) {
      const bool filled = range.begin + lane < range.end;
      lanes.set(lane, filled ? boxes_[order_[range.begin + lane]] : Box4::empty());
      tree_.items.push_back(filled ? order_[range.begin + lane] : -1);
    }
    return static_cast<int>(tree_.leaf_boxes.size()) - 1;
  }

  const std::vector<Box4>& boxes_;
  std::vector<int> order_;
  WideTree tree_;
};

}  // namespace

Box4Lanes transformed(const RigidTransform& X, const Box4Lanes& boxes, double margin) {
  const Eight one_half = Eight::all(0.5);
  Eight center[3], half[3];
  for (int i = 0; i < 3; ++i) {
    const Eight lower = Eight::load(boxes.lower[i]), upper = Eight::load(boxes.upper[i]);
    center[i] = one_half * (lower + upper);
    half[i] = one_half * (upper - lower);
  }
  Box4Lanes result;
  for (int i = 0; i < 3; ++i) {
    Eight c = Eight::all(X.p[i]), h = Eight::all(margin);
    for (int j = 0; j < 3; ++j) {
      const Eight r = Eight::all(X.R(i, j));
      c = c + r * center[j];
      h = h + abs(r) * half[j];
    }
    (c - h).store(result.lower[i]);
    (c + h).store(result.upper[i]);
  }
  Eight::load(boxes.lower[3]).store(result.lower[3]);
  Eight::load(boxes.upper[3]).store(result.upper[3]);
  return result;
}

WideTree build_wide_tree(const std::vector<Box4>& boxes) {
  return Builder(boxes).take();
}

}  // namespace csim
