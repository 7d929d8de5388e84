// Which bodies are near each other: pairs of overlapping boxes.
#pragma once

#include <utility>
#include <vector>

#include "geometry/bounding_volume_tree.h"

namespace csim {

/// A tree over the bodies' boxes, built anew for each query: the pairs are a function of the boxes alone, and
/// building costs about as much as one query. Bodies without end (half spaces) are kept apart and meet
/// everyone.
class BroadPhase {
 public:
  /// Bodies with equal `group` never meet.
  explicit BroadPhase(std::vector<int> group) : group_(std::move(group)) {}

  /// The pairs (i < j) of bodies of different groups whose boxes (world) overlap, sorted. Empty boxes meet
  /// nobody. The reference holds until the next call; no allocation once the sizes have been seen.
  const std::vector<std::pair<int, int>>& find(const std::vector<Aabb>& boxes);

 private:
  void add(int i, int j) {
    if (group_[i] != group_[j]) pairs_.emplace_back(std::min(i, j), std::max(i, j));
  }

  std::vector<int> group_;
  BoundingVolumeTree tree_;
  std::vector<Aabb> bounded_;
  std::vector<int> bounded_body_, unbounded_body_;
  std::vector<std::pair<int, int>> pairs_;
};

}  // namespace csim
