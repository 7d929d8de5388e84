#include "contact/convex/corner_choice.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace csim {

namespace {

// About the width (m) of a convex outline: twice its area by its largest diameter, between the width and
// twice that.
double width_of(const std::vector<OverlapCorner>& corners, const std::vector<int>& outline) {
  double twice_area = 0.0, squared_diameter = 0.0;
  const Vector2& origin = corners[outline[0]].q;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Vector2& p = corners[outline[i]].q;
    const Vector2& next = corners[outline[(i + 1) % outline.size()]].q;
    twice_area += cross(p - origin, next - origin);
    for (std::size_t k = 0; k < i; ++k) {
      squared_diameter = std::max(squared_diameter, (p - corners[outline[k]].q).squaredNorm());
    }
  }
  return squared_diameter > 0.0 ? std::max(0.0, twice_area) / std::sqrt(squared_diameter) : 0.0;
}

}  // namespace

void CornerChoice::reserve(std::size_t num_corners) {
  for (std::vector<int>* indices : {&all_, &level_, &higher_, &order_, &outline_, &taken_})
    indices->reserve(num_corners + 1);  // the outline's walk ends where it began
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

// The convex hull of the members' places (Andrew 1979), into outline_.
void CornerChoice::find_outline(const std::vector<OverlapCorner>& corners, const std::vector<int>& members) {
  std::vector<int>& order = order_;
  order = members;
  std::sort(order.begin(), order.end(), [&](int i, int j) {
    const Vector2 &p = corners[i].q, &q = corners[j].q;
    return p.x() < q.x() || (p.x() == q.x() && p.y() < q.y());
  });
  outline_.clear();
  const auto grow = [&](int i, std::size_t bottom) {
    while (outline_.size() >= bottom + 2) {
      const Vector2& p = corners[outline_[outline_.size() - 2]].q;
      if (cross(corners[outline_.back()].q - p, corners[i].q - p) > 0.0) break;
      outline_.pop_back();
    }
    outline_.push_back(i);
  };
  for (const int i : order) grow(i, 0);
  const std::size_t bottom = outline_.size() - 1;
  for (auto i = order.rbegin() + (order.empty() ? 0 : 1); i != order.rend(); ++i) grow(*i, bottom);
  if (outline_.size() > 1) outline_.pop_back();
  const auto first = std::min_element(outline_.begin(), outline_.end(),
                                      [&](int i, int j) { return corners[i].id < corners[j].id; });
  std::rotate(outline_.begin(), first, outline_.end());
}

// Takes points of edges out of the outline, every other one of a row at a time, for as long as there are any.
void CornerChoice::drop_straight(const std::vector<OverlapCorner>& corners) {
  for (bool dropped = true; dropped;) {
    dropped = false;
    for (std::size_t i = 0; i < outline_.size() && outline_.size() > 3; ++i) {
      const std::size_t n = outline_.size();
      const Vector2 &p = corners[outline_[(i + n - 1) % n]].q, &q = corners[outline_[i]].q,
                    &r = corners[outline_[(i + 1) % n]].q;
      const double shorter = std::min((q - p).norm(), (r - q).norm());
      if (cross(q - p, r - p) >= CornerTolerances::kStraight * shorter * (r - p).norm()) continue;
      outline_.erase(outline_.begin() + static_cast<std::ptrdiff_t>(i));
      dropped = true;
    }
  }
}

void CornerChoice::take(const std::vector<OverlapCorner>& corners, int corner) {
  taken_.push_back(corner);
  for (std::size_t i = 0; i < corners.size(); ++i) {
    distance_[i] = std::min(distance_[i], (corners[i].q - corners[corner].q).norm());
  }
}

// Takes of the pool (ordered by name) what lies farthest from the corners taken so far, until there are
// enough. A height over the level counts against it as a length: `steep` is 1, or 0 where heights do not
// matter.
void CornerChoice::fill(const std::vector<OverlapCorner>& corners, const std::vector<int>& pool, double level,
                        double steep) {
  if (taken_.empty() && !pool.empty()) take(corners, pool[0]);
  while (taken_.size() < CornerTolerances::kMost) {
    int best = -1;
    double farthest = -std::numeric_limits<double>::infinity();
    for (const int i : pool) {
      if (distance_[i] == 0.0) continue;
      const double rate = distance_[i] - steep * (corners[i].phi - level);
      if (best >= 0 && rate <= farthest + CornerTolerances::kTie * std::abs(farthest)) continue;
      farthest = rate;
      best = i;
    }
    if (best < 0) return;
    take(corners, best);
  }
}

// Takes what presses, where that is not too much; then what lies no higher than the deepest lies deep, the
// nearest first: a step may bring it down.
void CornerChoice::take_pressing(const std::vector<OverlapCorner>& corners, double deepest, double rounding) {
  if (deepest >= -rounding) return;
  order_.clear();
  std::size_t pressing = 0;
  for (const std::vector<int>* pool : {&level_, &higher_}) {
    for (const int i : *pool) {
      if (corners[i].phi < -deepest) order_.push_back(i);
      if (corners[i].phi < -rounding) ++pressing;
    }
  }
  if (pressing > CornerTolerances::kMost) return;
  std::sort(order_.begin(), order_.end(), [&](int i, int j) {
    return corners[i].phi < corners[j].phi || (corners[i].phi == corners[j].phi && i < j);
  });
  if (order_.size() > CornerTolerances::kMost) order_.resize(CornerTolerances::kMost);
  for (const int i : order_) take(corners, i);
}

void CornerChoice::choose(double size, std::vector<OverlapCorner>* corners) {
  merge(size, corners);
  const int count = static_cast<int>(corners->size());
  if (count < 3) return;
  const std::vector<OverlapCorner>& all = *corners;
  all_.resize(all.size());
  std::iota(all_.begin(), all_.end(), 0);
  find_outline(all, all_);
  double deepest = std::numeric_limits<double>::infinity();
  for (const OverlapCorner& corner : all) deepest = std::min(deepest, corner.phi);
  const double level = deepest + CornerTolerances::kLevel * width_of(all, outline_);

  // What lies inside the outline of the level corners, or on its edges, carries nothing of its own.
  level_.clear();
  higher_.clear();
  for (int i = 0; i < count; ++i) (all[i].phi <= level ? level_ : higher_).push_back(i);
  find_outline(all, level_);
  drop_straight(all);
  level_ = outline_;
  std::sort(level_.begin(), level_.end());

  taken_.clear();
  distance_.assign(all.size(), std::numeric_limits<double>::infinity());
  if (level_.size() + higher_.size() > CornerTolerances::kMost) {
    take_pressing(all, deepest, CornerTolerances::kRounding * size);
    fill(all, level_, level, 0.0);
    fill(all, higher_, level, 1.0);
  } else {
    taken_ = level_;
    taken_.insert(taken_.end(), higher_.begin(), higher_.end());
  }
  kept_.clear();
  for (const int i : taken_) kept_.push_back(all[i]);
  corners->swap(kept_);
}

}  // namespace csim
