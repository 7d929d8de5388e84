#include "contact/convex/corner_choice.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace csim {

void join_corners(double size, std::vector<OverlapCorner>* corners) {
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

void CornerChoice::reserve(std::size_t num_corners) {
  for (std::vector<int>* indices : {&pressing_, &apart_, &taken_}) indices->reserve(num_corners);
  squared_distance_.reserve(num_corners);
  kept_.reserve(num_corners);
}

void CornerChoice::take(const std::vector<OverlapCorner>& corners, int corner) {
  taken_.push_back(corner);
  const Vector2& q = corners[corner].q;
  for (std::size_t i = 0; i < corners.size(); ++i)
    squared_distance_[i] = std::min(squared_distance_[i], (corners[i].q - q).squaredNorm());
}

// Takes of the pool (ordered by name) what rate(corner) says is best, until there are `most`: the first of
// those that are as good to within the fraction `tie`.
template <typename Rate>
void CornerChoice::fill(const std::vector<OverlapCorner>& corners, const std::vector<int>& pool,
                        std::size_t most, double tie, const Rate& rate) {
  if (taken_.empty() && !pool.empty()) take(corners, pool[0]);
  while (taken_.size() < most) {
    int best = -1;
    double bound = -std::numeric_limits<double>::infinity();
    for (const int i : pool) {
      if (squared_distance_[i] == 0.0) continue;
      const double rated = rate(i);
      if (!(rated > bound)) continue;
      bound = rated + tie * std::abs(rated);
      best = i;
    }
    if (best < 0) return;
    take(corners, best);
  }
}

void CornerChoice::choose(double size, double level, std::vector<OverlapCorner>* corners) {
  constexpr std::size_t kMost = CornerTolerances::kMost;
  if (corners->size() <= kMost) return;
  const std::vector<OverlapCorner>& all = *corners;
  pressing_.clear();
  apart_.clear();
  for (std::size_t i = 0; i < all.size(); ++i)
    (all[i].phi < -CornerTolerances::kRounding * size ? pressing_ : apart_).push_back(static_cast<int>(i));

  const auto far = [&](int i) { return squared_distance_[i]; };
  const auto far_and_low = [&](int i) { return std::sqrt(squared_distance_[i]) - all[i].phi; };
  taken_.clear();
  squared_distance_.assign(all.size(), std::numeric_limits<double>::infinity());
  if (pressing_.size() <= kMost) {
    for (const int i : pressing_) take(all, i);
    fill(all, apart_, kMost, CornerTolerances::kTie, far_and_low);
  } else {
    const auto deeper = [&](int i, int j) { return all[i].phi < all[j].phi; };
    fill(all, pressing_, kMost - 1, 2.0 * CornerTolerances::kTie, far);
    const int deepest = *std::min_element(pressing_.begin(), pressing_.end(), deeper);
    const int held = *std::min_element(taken_.begin(), taken_.end(), deeper);
    if (all[deepest].phi < all[held].phi - level) take(all, deepest);
    fill(all, pressing_, kMost, 2.0 * CornerTolerances::kTie, far);
  }
  kept_.clear();
  for (const int i : taken_) kept_.push_back(all[i]);
  corners->swap(kept_);
}

}  // namespace csim
