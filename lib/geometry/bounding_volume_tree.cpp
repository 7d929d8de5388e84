#include "geometry/bounding_volume_tree.h"

#include <algorithm>
#include <numeric>

namespace csim {

void BoundingVolumeTree::build(const std::vector<Aabb>& boxes) {
  boxes_.assign(boxes.begin(), boxes.end());
  items_.resize(boxes.size());
  std::iota(items_.begin(), items_.end(), 0);
  nodes_.clear();
  if (boxes.empty()) return;
  nodes_.reserve(boxes.size() + 1);
  nodes_.emplace_back();
  split(0, 0, static_cast<int>(boxes.size()));
}

void BoundingVolumeTree::split(int node, int begin, int end) {
  Aabb box, centers;
  for (int i = begin; i < end; ++i) {
    box.add(boxes_[items_[i]]);
    centers.add(Vector3(boxes_[items_[i]].lower + boxes_[items_[i]].upper));
  }
  nodes_[node].box = box;
  if (end - begin <= kLeafSize) {
    nodes_[node].first = begin;
    nodes_[node].count = end - begin;
    return;
  }
  int axis = 0;
  (centers.upper - centers.lower).maxCoeff(&axis);
  const auto center = [&](int item) { return boxes_[item].lower[axis] + boxes_[item].upper[axis]; };
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
