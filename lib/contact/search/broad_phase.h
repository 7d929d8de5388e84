// Which bodies are near each other: pairs of overlapping boxes.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "contact/engine/query_engine.h"
#include "geometry/bounding_volume_tree.h"

namespace csim {

/// A tree over the bodies' boxes, built anew for each query: the pairs are a function of the boxes alone,
/// nothing is carried from step to step. Bodies without end (half spaces) are kept apart and meet everyone.
///
/// FCL 0.7's DynamicAABBTreeCollisionManager gives the same pairs (a test holds this) and was measured
/// against it in tests/bench/contact_bench, a dense shaken pile with 7 to 12 pairs a body, updates included:
/// 40 bodies 9.2 us against FCL's 21, 400 bodies 0.20 ms against 0.43, 4000 bodies 2.9 ms against 7.2, 32000
/// bodies 26 ms against 91 (one thread of a busy 2-core EPYC). So the tree that meshes and bodies need anyway
/// serves here too.
class BroadPhase {
 public:
  using Pairs = std::vector<std::pair<int, int>>;

  /// Bodies with equal `group` never meet. An engine, where there is one, is asked in place of our tree.
  explicit BroadPhase(std::vector<int> group, QueryEngine* engine = nullptr)
      : group_(std::move(group)), engine_(engine) {}

  /// The pairs (i < j) of bodies of different groups whose boxes (world) overlap, sorted. Empty boxes meet
  /// nobody. The reference holds until the next call; no allocation once the sizes have been seen.
  const Pairs& find(const std::vector<Aabb>& boxes);
  [[nodiscard]] const Pairs& pairs() const { return pairs_; }  // of the last `find`

  /// Fills *near with the bodies (ascending) of other groups than `body` whose boxes of the last `find`
  /// overlap `box`.
  void find_near(int body, const Aabb& box, std::vector<int>* near) const;

 private:
  void add(int i, int j) {
    if (group_[i] != group_[j]) found_.emplace_back(std::min(i, j), std::max(i, j));
  }

  /// Stable counting sort by one body of the pairs: linear, where comparing pairs costs as much as finding
  /// them.
  void count_sort(std::size_t num_bodies, int std::pair<int, int>::*body, const Pairs& from, Pairs* to);

  std::vector<int> group_;
  QueryEngine* engine_;
  BoundingVolumeTree tree_;
  std::vector<Aabb> bounded_, unbounded_;
  std::vector<int> bounded_body_, unbounded_body_;
  Pairs overlaps_;                   // of bounded_, an engine's
  Pairs found_, by_second_, pairs_;  // as they come; sorted by their second body; sorted
  std::vector<int> next_;            // [B+1], where the next pair of a body goes
};

}  // namespace csim
