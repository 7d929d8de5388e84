#include "contact/mesh/mesh_reduce.h"
#include "contact/mesh/mesh_tolerances.h"
#include "geometry/bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <tuple>

namespace csim {

namespace {

bool parallel(const Vector3& m, const Vector3& n, double angle) {
  return (m - n).squaredNorm() < angle * angle;
}

}  // namespace

void ContactMerger::merge(double size, std::vector<ManifoldPoint>* contacts) {
  std::vector<ManifoldPoint>& found = *contacts;
  const int n = static_cast<int>(found.size());
  const double near = MeshTolerances::kSamePoint * size;
  by_feature_.resize(n);
  std::iota(by_feature_.begin(), by_feature_.end(), 0);
  by_place_ = by_feature_;
  const auto by_feature = [&](int i, int j) {
    return std::tie(found[i].feature, i) < std::tie(found[j].feature, j);
  };
  if (!std::is_sorted(by_feature_.begin(), by_feature_.end(), by_feature))
    std::sort(by_feature_.begin(), by_feature_.end(), by_feature);
  kept_.assign(n, 1);
  for (int k = 1; k < n; ++k)
    if (found[by_feature_[k]].feature == found[by_feature_[k - 1]].feature) kept_[by_feature_[k]] = 0;
  // Neighbours are within `near` along the axis along which the contacts are spread most.
  Aabb box;
  for (const ManifoldPoint& c : found) box.add(c.p_a);
  int axis = 0;
  if (n > 0) (box.upper - box.lower).maxCoeff(&axis);
  const auto at = [&](int i) {
    const double x = found[i].p_a[axis];
    return std::isnan(x) ? std::numeric_limits<double>::infinity() : x;  // sorting needs an order
  };
  std::sort(by_place_.begin(), by_place_.end(),
            [&](int i, int j) { return at(i) < at(j) || (at(i) == at(j) && i < j); });
  rank_.resize(n);
  for (int k = 0; k < n; ++k) rank_[by_place_[k]] = k;
  const auto same = [&](int i, int j) {
    return j < i && kept_[j] && (found[j].p_a - found[i].p_a).squaredNorm() < near * near &&
           parallel(found[j].normal, found[i].normal, MeshTolerances::kSameNormal);
  };
  for (int i = 0; i < n; ++i) {
    bool is_new = kept_[i];
    for (int k = rank_[i] - 1; is_new && k >= 0 && at(i) - at(by_place_[k]) < near; --k)
      is_new = !same(i, by_place_[k]);
    for (int k = rank_[i] + 1; is_new && k < n && at(by_place_[k]) - at(i) < near; ++k)
      is_new = !same(i, by_place_[k]);
    kept_[i] = is_new;
  }
  int kept = 0;
  for (int i = 0; i < n; ++i)
    if (kept_[i]) found[kept++] = found[i];
  found.resize(kept);
}

void MeshReduction::keep_round(const std::vector<int>& group, const Vector3& face,
                               std::vector<SurfaceContact>* contacts) const {
  if (group.size() <= kRoundPoints) {
    for (const int i : group) (*contacts)[i].kept = true;
    return;
  }
  // The best of the group, the first of those that are as good: `rate` tells how good (m).
  const auto keep_best = [&](double equal, const auto& rate) {
    int best = -1;
    double highest = -std::numeric_limits<double>::infinity();
    for (const int i : group) {
      const double score = rate((*contacts)[i]);
      if (!(score > highest + equal)) continue;
      highest = score;
      best = i;
    }
    if (best >= 0) (*contacts)[best].kept = true;
  };
  double lowest = std::numeric_limits<double>::infinity(), spread = 0.0;  // m
  for (const int i : group) {
    const SurfaceContact& c = (*contacts)[i];
    lowest = std::min(lowest, c.end_gap);
    spread = std::max(spread, (c.contact.p_a - (*contacts)[group[0]].contact.p_a).norm());
  }
  const double rounding = MeshTolerances::kSamePoint * spread;
  const Vector3 u = R_WS_ * (R_WS_.transpose() * face).unitOrthogonal(), w = face.cross(u);
  for (int k = 0; k < kRoundDirections; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / kRoundDirections;
    const Vector3 out = std::cos(angle) * u + std::sin(angle) * w;
    keep_best(rounding, [&](const SurfaceContact& c) {
      return out.dot(c.contact.p_a) - kDepthWeight * std::max(0.0, c.end_gap - lowest - level_);
    });
  }
  keep_best(level_, [](const SurfaceContact& c) { return -c.end_gap; });
  keep_best(level_, [](const SurfaceContact& c) { return c.contact.phi < 0.0 ? -c.contact.phi : 0.0; });
}

// What presses now or at the end of the step has a depth.
void MeshReduction::keep_flat(const std::vector<int>& group, const Vector3& face,
                              std::vector<SurfaceContact>* contacts) {
  if (group.size() <= CornerTolerances::kMost) {
    for (const int i : group) (*contacts)[i].kept = true;
    return;
  }
  const Vector3 u = face.unitOrthogonal(), w = face.cross(u);
  corners_.clear();
  double spread = 0.0;  // m
  for (std::size_t k = 0; k < group.size(); ++k) {
    const SurfaceContact& c = (*contacts)[group[k]];
    corners_.push_back({{u.dot(c.contact.p_a), w.dot(c.contact.p_a)},
                        static_cast<std::int64_t>(k),
                        0.0,
                        std::min(c.contact.phi, c.end_gap)});
    spread = std::max(spread, (c.contact.p_a - (*contacts)[group[0]].contact.p_a).norm());
  }
  choice_.choose(spread, level_, &corners_);
  for (const OverlapCorner& corner : corners_)
    (*contacts)[group[static_cast<std::size_t>(corner.id)]].kept = true;
}

void MeshReduction::reduce(double same_face, double level, const Matrix3& R_WS,
                           std::vector<SurfaceContact>* contacts) {
  const std::vector<SurfaceContact>& found = *contacts;
  level_ = level;
  R_WS_ = R_WS;
  const auto deeper = [&](int i, int j) {
    return found[i].end_gap < found[j].end_gap ||
           (found[i].end_gap == found[j].end_gap && found[i].contact.feature < found[j].contact.feature);
  };
  rest_.resize(found.size());
  std::iota(rest_.begin(), rest_.end(), 0);
  std::sort(rest_.begin(), rest_.end(),
            [&](int i, int j) { return found[i].contact.feature < found[j].contact.feature; });
  while (!rest_.empty()) {
    const int first = *std::min_element(rest_.begin(), rest_.end(), deeper);
    const Vector3 face = found[first].contact.normal;
    group_.clear();
    flat_.clear();
    std::erase_if(rest_, [&](int i) {
      if (i != first && !parallel(found[i].contact.normal, face, same_face)) return false;
      group_.push_back(i);
      if (parallel(found[i].contact.normal, face, MeshTolerances::kSameFace)) flat_.push_back(i);
      return true;
    });
    for (const int i : group_) (*contacts)[i].face = face;
    keep_flat(flat_, face, contacts);
    if (group_.size() > flat_.size()) keep_round(group_, face, contacts);
  }
}

}  // namespace csim
