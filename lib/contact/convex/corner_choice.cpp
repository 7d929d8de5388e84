#include "contact/convex/corner_choice.h"

#include <algorithm>
#include <limits>

namespace csim {

void CornerChoice::reserve(std::size_t num_corners) {
  for (std::vector<int>* indices : {&pressing_, &apart_, &taken_}) indices->reserve(num_corners);
  distance_.reserve(num_corners);
  kept_.reserve(num_corners);
}

// Joins corners that coincide.
void CornerChoice::merge(double size, std::vector<OverlapCorner>* corners) const {
  std::vector<OverlapCorner>& all = *corners;
  std::sort(all.begin(), all.end(),
            [](const OverlapCorner& x, const OverlapCorner& y) { return x.id < y.id; });
  const double same = CornerTolerances::kSame * size;
  std::size_t kept = 0;
  for (const OverlapCorner& corner : all) {
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(kept);
    const auto at_place = std::find_if(all.begin(), end, [&](const OverlapCorner& other) {
      return (other.q - corner.q).squaredNorm() < same * same;
    });
    if (at_place == end) {
      all[kept++] = corner;
    } else if (corner.phi < at_place->phi - CornerTolerances::kRounding * size) {
      *at_place = corner;
    }
  }
  all.resize(kept);
}

void CornerChoice::take(const std::vector<OverlapCorner>& corners, int corner) {
  taken_.push_back(corner);
  for (std::size_t i = 0; i < corners.size(); ++i) {
    distance_[i] = std::min(distance_[i], (corners[i].q - corners[corner].q).norm());
  }
}

// Takes of the pool (ordered by name) what lies farthest from the corners taken so far, until there are
// `most`. A depth counts for it as a length, a height against it: `steep` is 1, or 0 where they do not
// matter.
void CornerChoice::fill(const std::vector<OverlapCorner>& corners, const std::vector<int>& pool,
                        std::size_t most, double steep) {
  if (taken_.empty() && !pool.empty()) take(corners, pool[0]);
  while (taken_.size() < most) {
    int best = -1;
    double farthest = -std::numeric_limits<double>::infinity();
    for (const int i : pool) {
      if (distance_[i] == 0.0) continue;
      const double rate = distance_[i] - steep * corners[i].phi;
      if (best >= 0 && rate <= farthest + CornerTolerances::kTie * std::abs(farthest)) continue;
      farthest = rate;
      best = i;
    }
    if (best < 0) return;
    take(corners, best);
  }
}

void CornerChoice::choose(double size, std::vector<OverlapCorner>* corners) {
  constexpr std::size_t kMost = CornerTolerances::kMost;
  merge(size, corners);
  if (corners->size() <= kMost) return;
  const std::vector<OverlapCorner>& all = *corners;
  pressing_.clear();
  apart_.clear();
  for (std::size_t i = 0; i < all.size(); ++i)
    (all[i].phi < -CornerTolerances::kRounding * size ? pressing_ : apart_).push_back(static_cast<int>(i));

  taken_.clear();
  distance_.assign(all.size(), std::numeric_limits<double>::infinity());
  if (pressing_.size() <= kMost) {
    for (const int i : pressing_) take(all, i);
    fill(all, apart_, kMost, 1.0);
  } else {
    const auto deeper = [&](int i, int j) { return all[i].phi < all[j].phi; };
    fill(all, pressing_, kMost - 1, 0.0);
    const int deepest = *std::min_element(pressing_.begin(), pressing_.end(), deeper);
    const int held = *std::min_element(taken_.begin(), taken_.end(), deeper);
    if (all[deepest].phi < all[held].phi - CornerTolerances::kLevel * size) take(all, deepest);
    fill(all, pressing_, kMost, 0.0);
  }
  kept_.clear();
  for (const int i : taken_) kept_.push_back(all[i]);
  corners->swap(kept_);
}

}  // namespace csim
