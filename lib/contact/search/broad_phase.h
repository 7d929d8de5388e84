// Which bodies are near each other: pairs of overlapping boxes.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "contact/engine/query_engine.h"
#include "geometry/bounding_volume_tree.h"

namespace csim {

/// A tree over the boxes of the bodies that are asked for, built anew for each query, and one over those of
/// the others, built anew where one of them has changed: the pairs are a function of the boxes alone. Bodies
/// without end (half spaces) are kept apart and meet everyone.
///
/// (FCL's dynamic tree finds the same pairs, in more time: docs/evidence/contact_queries.md.)
class BroadPhase {
 public:
  using Pairs = std::vector<std::pair<int, int>>;

  /// Bodies with equal `group` never meet. An engine, where there is one, is asked in place of our tree.
  explicit BroadPhase(std::vector<int> group, QueryEngine* engine = nullptr)
      : group_(std::move(group)), engine_(engine) {}

  /// The pairs (i < j) of bodies of different groups whose boxes (world) overlap, sorted, one body of them at
  /// least among those `asked` for ([B]; null: all). Empty boxes meet nobody. `others_stay`: the same bodies
  /// are asked for as in the last call, and the boxes of the others are those of it. The reference holds
  /// until the next call; no allocation once the sizes have been seen.
  const Pairs& find(const std::vector<Aabb>& boxes, const std::vector<char>* asked = nullptr,
                    bool others_stay = false);
  [[nodiscard]] const Pairs& pairs() const { return pairs_; }  // of the last `find`

  /// Fills *near with the bodies (ascending) of other groups than `body` whose boxes of the last `find`
  /// overlap `box`.
  void find_near(int body, const Aabb& box, std::vector<int>* near) const;

 private:
  void add(int i, int j) {
    if (group_[i] != group_[j] && (is_asked(i) || is_asked(j)))
      found_.emplace_back(std::min(i, j), std::max(i, j));
  }
  [[nodiscard]] bool is_asked(int i) const { return asked_ == nullptr || (*asked_)[i] != 0; }
  void sort_boxes(const std::vector<Aabb>& boxes);
  [[nodiscard]] bool take_boxes_asked_for(const std::vector<Aabb>& boxes);
  void sort_pairs(std::size_t num_bodies);

  /// Stable counting sort by one body of the pairs: linear, where comparing pairs costs as much as finding
  /// them.
  void count_sort(std::size_t num_bodies, int std::pair<int, int>::*body, const Pairs& from, Pairs* to);

  std::vector<int> group_;
  QueryEngine* engine_;
  const std::vector<char>* asked_ = nullptr;  // of the `find` at hand
  /// Bounded boxes, and whose they are.
  struct Boxes {
    std::vector<Aabb> boxes;
    std::vector<int> bodies;
    BoundingVolumeTree tree;
    void clear() {
      boxes.clear();
      bodies.clear();
    }
    void add(const Aabb& box, int body) {
      boxes.push_back(box);
      bodies.push_back(body);
    }
  };
  Boxes bounded_;                     // asked for, or all of an engine
  Boxes others_;                      // the others
  std::vector<Aabb> others_in_tree_;  // of which others_.tree is built
  std::vector<Aabb> unbounded_;
  std::vector<int> unbounded_body_;
  Pairs overlaps_;                   // of bounded_, an engine's
  Pairs found_, by_second_, pairs_;  // as they come; sorted by their second body; sorted
  std::vector<int> next_;            // [B+1], where the next pair of a body goes
};

}  // namespace csim
