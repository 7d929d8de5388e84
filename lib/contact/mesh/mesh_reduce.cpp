#include "contact/mesh/mesh_reduce.h"
#include "contact/mesh/mesh_tolerances.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace csim {

namespace {

bool parallel(const Vector3& m, const Vector3& n, double angle) {
  return (m - n).squaredNorm() < angle * angle;
}

}  // namespace

void merge_contacts(double size, std::vector<ManifoldPoint>* contacts) {
  std::vector<ManifoldPoint>& found = *contacts;
  std::size_t kept = 0;
  const double near = MeshTolerances::kSamePoint * size;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto same = [&](const ManifoldPoint& other) {
      return other.feature == found[i].feature ||
             ((other.p_a - found[i].p_a).squaredNorm() < near * near &&
              parallel(other.normal, found[i].normal, MeshTolerances::kSameNormal));
    };
    const auto end = found.begin() + static_cast<std::ptrdiff_t>(kept);
    if (std::none_of(found.begin(), end, same)) found[kept++] = found[i];
  }
  found.resize(kept);
}

void MeshReduction::keep(const Vector3& face, const Matrix3& R_WS,
                         std::vector<SurfaceContact>* contacts) const {
  const bool few = group_.size() <= static_cast<std::size_t>(kMaxPoints);
  for (const int i : group_) {
    (*contacts)[i].face = face;
    (*contacts)[i].kept = few;
  }
  if (few) return;
  const Vector3 u = R_WS * (R_WS.transpose() * face).unitOrthogonal(), w = face.cross(u);
  for (int k = 0; k <= kDirections; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / kDirections;
    const Vector3 out =
        k == kDirections ? Vector3(Vector3::Zero()) : Vector3(std::cos(angle) * u + std::sin(angle) * w);
    int best = -1;
    double highest = -std::numeric_limits<double>::infinity();
    for (const int i : group_) {
      const SurfaceContact& c = (*contacts)[i];
      const double score = out.dot(c.contact.p_a) - kDepthWeight * c.end_gap;
      if (score <= highest) continue;
      highest = score;
      best = i;
    }
    if (best >= 0) (*contacts)[best].kept = true;
  }
  const int deepest = *std::min_element(group_.begin(), group_.end(), [&](int i, int j) {
    return (*contacts)[i].contact.phi < (*contacts)[j].contact.phi;
  });
  if ((*contacts)[deepest].contact.phi < 0.0) (*contacts)[deepest].kept = true;
}

void MeshReduction::reduce(double same_face, const Matrix3& R_WS, std::vector<SurfaceContact>* contacts) {
  const std::vector<SurfaceContact>& found = *contacts;
  const auto deeper = [&](int i, int j) {
    return found[i].end_gap < found[j].end_gap ||
           (found[i].end_gap == found[j].end_gap && found[i].contact.feature < found[j].contact.feature);
  };
  rest_.resize(found.size());
  std::iota(rest_.begin(), rest_.end(), 0);
  while (!rest_.empty()) {
    const int first = *std::min_element(rest_.begin(), rest_.end(), deeper);
    const Vector3 face = found[first].contact.normal;
    group_.clear();
    std::erase_if(rest_, [&](int i) {
      if (i != first && !parallel(found[i].contact.normal, face, same_face)) return false;
      group_.push_back(i);
      return true;
    });
    keep(face, R_WS, contacts);
  }
}

}  // namespace csim
