#include "contact/mesh_reduce.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace csim {

namespace {

/// Contacts closer than this, relative to the size, with the same normal are one.
constexpr double kSamePoint = 1e-6;
constexpr double kSameNormal = 1e-3;  // rad

bool parallel(const Vector3& m, const Vector3& n, double angle) {
  return (m - n).squaredNorm() < angle * angle;
}

}  // namespace

void MeshReduction::merge(double size, std::vector<ManifoldPoint>* contacts) {
  std::vector<ManifoldPoint>& found = *contacts;
  std::size_t kept = 0;
  const double near = kSamePoint * size;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto same = [&](const ManifoldPoint& other) {
      return other.feature == found[i].feature || ((other.p_a - found[i].p_a).squaredNorm() < near * near &&
                                                   parallel(other.normal, found[i].normal, kSameNormal));
    };
    const auto end = found.begin() + static_cast<std::ptrdiff_t>(kept);
    if (std::none_of(found.begin(), end, same)) found[kept++] = found[i];
  }
  found.resize(kept);
}

void MeshReduction::reduce(double same_face, std::vector<ManifoldPoint>* contacts) {
  std::vector<ManifoldPoint>& found = *contacts;
  if (found.size() <= static_cast<std::size_t>(kMaxPoints)) return;
  kept_.clear();
  while (!found.empty()) {
    const Vector3 n = found[0].normal;
    const auto rest = std::partition(found.begin(), found.end(),
                                     [&](const auto& c) { return parallel(c.normal, n, same_face); });
    group_.assign(found.begin(), rest);
    found.erase(found.begin(), rest);
    if (group_.size() <= static_cast<std::size_t>(kMaxPoints)) {
      kept_.insert(kept_.end(), group_.begin(), group_.end());
      continue;
    }
    const Vector3 u = n.unitOrthogonal(), w = n.cross(u);
    for (int k = 0; k < kMaxPoints; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / (kMaxPoints - 1);
      const Vector3 out =
          k == kMaxPoints - 1 ? Vector3(Vector3::Zero()) : Vector3(std::cos(angle) * u + std::sin(angle) * w);
      const auto score = [&](const ManifoldPoint& c) { return out.dot(c.p_a) - kDepthWeight * c.phi; };
      const auto best = std::max_element(group_.begin(), group_.end(),
                                         [&](const auto& x, const auto& y) { return score(x) < score(y); });
      const auto taken = [&](const ManifoldPoint& c) { return c.feature == best->feature; };
      if (std::none_of(kept_.begin(), kept_.end(), taken)) kept_.push_back(*best);
    }
  }
  found.assign(kept_.begin(), kept_.end());
}

}  // namespace csim
