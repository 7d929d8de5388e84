// From all the contacts of a surface and a shape to those that matter.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "contact/mesh_contacts.h"

namespace csim {

namespace {

/// Contacts closer than this, relative to the shape's size, with the same normal are one.
constexpr double kSamePoint = 1e-6;
constexpr double kSameNormal = 1e-3;  // rad

/// Contacts whose normals differ by less (rad) support the same face.
constexpr double kSameFace = 1e-2;

bool parallel(const Vector3& m, const Vector3& n, double angle) {
  return (m - n).squaredNorm() < angle * angle;
}

}  // namespace

/// Keeps the first of contacts at one place: those with facets come before those with corners and edges.
void MeshQuery::merge() {
  std::size_t kept = 0;
  const double near = kSamePoint * size_;
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const auto same = [&](const ManifoldPoint& other) {
      return other.feature == found_[i].feature || ((other.p_a - found_[i].p_a).squaredNorm() < near * near &&
                                                    parallel(other.normal, found_[i].normal, kSameNormal));
    };
    const auto end = found_.begin() + static_cast<std::ptrdiff_t>(kept);
    if (std::none_of(found_.begin(), end, same)) found_[kept++] = found_[i];
  }
  found_.resize(kept);
}

/// Of each group of parallel contacts keeps the deepest and the farthest in seven directions around the
/// normal, deeper ones preferred: the support of the contact region in directions that do not turn with the
/// shape.
void MeshQuery::reduce() {
  if (found_.size() <= static_cast<std::size_t>(kMaxPoints)) return;
  kept_.clear();
  while (!found_.empty()) {
    const Vector3 n = found_[0].normal;
    const auto rest = std::partition(found_.begin(), found_.end(),
                                     [&](const auto& c) { return parallel(c.normal, n, kSameFace); });
    group_.assign(found_.begin(), rest);
    found_.erase(found_.begin(), rest);
    if (group_.size() <= static_cast<std::size_t>(kMaxPoints)) {
      kept_.insert(kept_.end(), group_.begin(), group_.end());
      continue;
    }
    const Vector3 u = n.unitOrthogonal(), w = n.cross(u);
    for (int k = 0; k < kMaxPoints; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / (kMaxPoints - 1);
      const Vector3 out =
          k == kMaxPoints - 1 ? Vector3(Vector3::Zero()) : Vector3(std::cos(angle) * u + std::sin(angle) * w);
      const auto score = [&](const ManifoldPoint& c) { return out.dot(c.p_a) - c.phi; };
      const auto best = std::max_element(group_.begin(), group_.end(),
                                         [&](const auto& x, const auto& y) { return score(x) < score(y); });
      const auto taken = [&](const ManifoldPoint& c) { return c.feature == best->feature; };
      if (std::none_of(kept_.begin(), kept_.end(), taken)) kept_.push_back(*best);
    }
  }
  found_.assign(kept_.begin(), kept_.end());
}

}  // namespace csim
