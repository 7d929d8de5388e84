#include "contact/search/broad_phase.h"

namespace csim {

const std::vector<std::pair<int, int>>& BroadPhase::find(const std::vector<Aabb>& boxes) {
  bounded_.clear();
  unbounded_.clear();
  bounded_body_.clear();
  unbounded_body_.clear();
  found_.clear();
  for (int i = 0; i < static_cast<int>(boxes.size()); ++i) {
    if (boxes[i].empty()) continue;
    if (boxes[i].bounded()) {
      bounded_.push_back(boxes[i]);
      bounded_body_.push_back(i);
    } else {
      unbounded_.push_back(boxes[i]);
      unbounded_body_.push_back(i);
    }
  }

  if (engine_ != nullptr) {
    engine_->find_overlaps(bounded_, &overlaps_);
    for (const auto& [i, j] : overlaps_) add(bounded_body_[i], bounded_body_[j]);
  } else {
    tree_.build(bounded_);
    tree_.query_self([&](int i, int j) { add(bounded_body_[i], bounded_body_[j]); });
  }
  for (std::size_t k = 0; k < unbounded_body_.size(); ++k) {
    const int i = unbounded_body_[k];
    for (std::size_t m = k + 1; m < unbounded_body_.size(); ++m) add(i, unbounded_body_[m]);
    for (int j : bounded_body_) {
      if (boxes[i].overlaps(boxes[j])) add(i, j);
    }
  }
  count_sort(boxes.size(), &std::pair<int, int>::second, found_, &by_second_);
  count_sort(boxes.size(), &std::pair<int, int>::first, by_second_, &pairs_);
  return pairs_;
}

void BroadPhase::find_near(int body, const Aabb& box, std::vector<int>* near) const {
  near->clear();
  if (engine_ != nullptr && box.bounded()) {
    engine_->find_near(box, near);
  } else if (engine_ != nullptr) {
    for (std::size_t i = 0; i < bounded_.size(); ++i)
      if (bounded_[i].overlaps(box)) near->push_back(static_cast<int>(i));
  } else {
    tree_.query(box, [&](int i) { near->push_back(i); });
  }
  for (int& i : *near) i = bounded_body_[i];
  for (std::size_t k = 0; k < unbounded_.size(); ++k)
    if (unbounded_[k].overlaps(box)) near->push_back(unbounded_body_[k]);
  std::erase_if(*near, [&](int other) { return group_[other] == group_[body]; });
  std::sort(near->begin(), near->end());
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
