#include "contact/broad_phase.h"

#include <algorithm>

namespace csim {

const std::vector<std::pair<int, int>>& BroadPhase::find(const std::vector<Aabb>& boxes) {
  bounded_.clear();
  bounded_body_.clear();
  unbounded_body_.clear();
  pairs_.clear();
  for (int i = 0; i < static_cast<int>(boxes.size()); ++i) {
    if (boxes[i].empty()) continue;
    if (boxes[i].bounded()) {
      bounded_.push_back(boxes[i]);
      bounded_body_.push_back(i);
    } else {
      unbounded_body_.push_back(i);
    }
  }

  tree_.build(bounded_);
  tree_.query_self([&](int i, int j) { add(bounded_body_[i], bounded_body_[j]); });
  for (std::size_t k = 0; k < unbounded_body_.size(); ++k) {
    const int i = unbounded_body_[k];
    for (std::size_t m = k + 1; m < unbounded_body_.size(); ++m) add(i, unbounded_body_[m]);
    for (int j : bounded_body_) {
      if (boxes[i].overlaps(boxes[j])) add(i, j);
    }
  }
  std::sort(pairs_.begin(), pairs_.end());
  return pairs_;
}

}  // namespace csim
