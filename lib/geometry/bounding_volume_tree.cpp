#include "geometry/bounding_volume_tree.h"

#include <algorithm>
#include <numeric>

namespace csim {

void BoundingVolumeTree::build(const std::vector<Aabb>& boxes) {
  given_.assign(boxes.begin(), boxes.end());
  items_.resize(boxes.size());
  std::iota(items_.begin(), items_.end(), 0);
  nodes_.clear();
  if (boxes.empty()) return;
  nodes_.reserve(boxes.size() + 1);
  nodes_.emplace_back();
  split(0, 0, static_cast<int>(boxes.size()));
  boxes_.clear();
  for (int item : items_) boxes_.push_back(given_[item]);
  fill_leaves();
}

void BoundingVolumeTree::fill_leaves() {
  leaves_.clear();
  for (Node& node : nodes_) {
    if (node.count == 0) continue;
    node.leaf = static_cast<int>(leaves_.size());
    Leaf& leaf = leaves_.emplace_back();
    for (int axis = 0; axis < 3; ++axis) {
      leaf.lower[axis].fill(std::numeric_limits<double>::infinity());
      leaf.upper[axis].fill(-std::numeric_limits<double>::infinity());
      for (int k = 0; k < node.count; ++k) {
        leaf.lower[axis][k] = boxes_[node.first + k].lower[axis];
        leaf.upper[axis][k] = boxes_[node.first + k].upper[axis];
      }
    }
  }
}

void BoundingVolumeTree::split(int node, int begin, int end) {
  Aabb box, centers;
  for (int i = begin; i < end; ++i) {
    box.add(given_[items_[i]]);
    centers.add(Vector3(given_[items_[i]].lower + given_[items_[i]].upper));
  }
  nodes_[node].box = box;
  nodes_[node].extent = (box.upper - box.lower).sum();
  if (end - begin <= kLeafSize) {
    nodes_[node].first = begin;
    nodes_[node].count = end - begin;
    return;
  }
  int axis = 0;
  (centers.upper - centers.lower).maxCoeff(&axis);
  const auto center = [&](int item) { return given_[item].lower[axis] + given_[item].upper[axis]; };
  const int middle = begin + (end - begin) / 2;
  std::nth_element(items_.begin() + begin, items_.begin() + middle, items_.begin() + end, [&](int i, int j) {
    const double ci = center(i), cj = center(j);
    return ci < cj || (ci == cj && i < j);
  });
  const int first = static_cast<int>(nodes_.size());
  nodes_[node].first = first;
  nodes_.emplace_back();
  nodes_.emplace_back();
  split(first, begin, middle);
  split(first + 1, middle, end);
}

}  // namespace csim
