#include "contact/search/broad_phase.h"

#include "core/tree_set.h"

namespace csim {

void BroadPhase::sort_boxes(const std::vector<Aabb>& boxes) {
  bounded_.clear();
  others_.clear();
  unbounded_.clear();
  unbounded_body_.clear();
  for (int i = 0; i < static_cast<int>(boxes.size()); ++i) {
    if (boxes[i].empty()) continue;
    if (!boxes[i].bounded()) {
      unbounded_.push_back(boxes[i]);
      unbounded_body_.push_back(i);
    } else {
      (engine_ != nullptr || is_asked(i) ? bounded_ : others_).add(boxes[i], i);
    }
  }
}

/// The same where the others stay. False: other bodies are without end than were, and all have to be sorted.
bool BroadPhase::take_boxes_asked_for(const std::vector<Aabb>& boxes) {
  bounded_.clear();
  int num_new = 0;  // bodies asked for that are without end, less those of them that were
  for_each_marked(*asked_, [&](int i) {
    if (boxes[i].empty()) return;
    if (boxes[i].bounded())
      bounded_.add(boxes[i], i);
    else
      ++num_new;
  });
  for (std::size_t k = 0; k < unbounded_.size(); ++k) {
    const int i = unbounded_body_[k];
    if (boxes[i].empty() || boxes[i].bounded()) return false;
    unbounded_[k] = boxes[i];
    if (is_asked(i)) --num_new;
  }
  return num_new == 0;
}

const BroadPhase::Pairs& BroadPhase::find(const std::vector<Aabb>& boxes, const std::vector<char>* asked,
                                          bool others_stay) {
  asked_ = asked;
  found_.clear();
  const bool asked_alone =
      others_stay && asked != nullptr && engine_ == nullptr && take_boxes_asked_for(boxes);
  if (!asked_alone) sort_boxes(boxes);
  if (engine_ != nullptr) {
    engine_->find_overlaps(bounded_.boxes, &overlaps_);
    for (const auto& [i, j] : overlaps_) add(bounded_.bodies[i], bounded_.bodies[j]);
  } else {
    bounded_.tree.build(bounded_.boxes);
    bounded_.tree.query_self([&](int i, int j) { add(bounded_.bodies[i], bounded_.bodies[j]); });
    if (!asked_alone && others_.boxes != others_in_tree_) {
      others_in_tree_ = others_.boxes;
      others_.tree.build(others_.boxes);
    }
    for (std::size_t k = 0; k < bounded_.boxes.size() && !others_.boxes.empty(); ++k)
      others_.tree.query(bounded_.boxes[k], [&](int j) { add(bounded_.bodies[k], others_.bodies[j]); });
  }
  for (std::size_t k = 0; k < unbounded_body_.size(); ++k) {
    const int i = unbounded_body_[k];
    for (std::size_t m = k + 1; m < unbounded_body_.size(); ++m) add(i, unbounded_body_[m]);
    for (const Boxes* list : {&bounded_, &others_}) {
      if (list == &others_ && !is_asked(i)) continue;
      for (const int j : list->bodies)
        if (boxes[i].overlaps(boxes[j])) add(i, j);
    }
  }
  sort_pairs(boxes.size());
  asked_ = nullptr;
  return pairs_;
}

void BroadPhase::find_near(int body, const Aabb& box, std::vector<int>* near) const {
  near->clear();
  const auto take = [&](const Boxes& list) { return [&](int i) { near->push_back(list.bodies[i]); }; };
  if (engine_ != nullptr && box.bounded()) {
    engine_->find_near(box, near);
    for (int& i : *near) i = bounded_.bodies[i];
  } else if (engine_ != nullptr) {
    for (std::size_t i = 0; i < bounded_.boxes.size(); ++i)
      if (bounded_.boxes[i].overlaps(box)) near->push_back(bounded_.bodies[i]);
  } else {
    bounded_.tree.query(box, take(bounded_));
    if (!others_.boxes.empty()) others_.tree.query(box, take(others_));
  }
  for (std::size_t k = 0; k < unbounded_.size(); ++k)
    if (unbounded_[k].overlaps(box)) near->push_back(unbounded_body_[k]);
  std::erase_if(*near, [&](int other) { return group_[other] == group_[body]; });
  std::sort(near->begin(), near->end());
}

void BroadPhase::sort_pairs(std::size_t num_bodies) {
  // Comparing pairs takes less than counting all bodies up to an eighth as many pairs as bodies for 100 and
  // 1000 of these, a sixteenth for 10 000.
  constexpr std::size_t kFew = 16;
  if (found_.size() < num_bodies / kFew) {
    pairs_ = found_;
    std::sort(pairs_.begin(), pairs_.end());
    return;
  }
  count_sort(num_bodies, &std::pair<int, int>::second, found_, &by_second_);
  count_sort(num_bodies, &std::pair<int, int>::first, by_second_, &pairs_);
}

void BroadPhase::count_sort(std::size_t num_bodies, int std::pair<int, int>::*body, const Pairs& from,
                            Pairs* to) {
  next_.assign(num_bodies + 1, 0);
  for (const auto& pair : from) ++next_[pair.*body + 1];
  for (std::size_t i = 1; i < next_.size(); ++i) next_[i] += next_[i - 1];
  to->resize(from.size());
  for (const auto& pair : from) (*to)[next_[pair.*body]++] = pair;
}

}  // namespace csim
