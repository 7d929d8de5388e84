#include "contact/mesh/way_out_planes.h"

#include <algorithm>
#include <cmath>

#include "contact/mesh/mesh_tolerances.h"

namespace csim {

void WayOutPlanes::add(const Vector3& normal, const Vector3& x) {
  const Vector3 n = normal.normalized();
  const double height = n.dot(x);
  const Plane plane{height < 0.0 ? Vector3(-n) : n, std::abs(height)};
  if (count_ < kPlanes) {
    planes_[count_++] = plane;
  } else {
    planes_[oldest_] = plane;
    oldest_ = (oldest_ + 1) % kPlanes;
  }
}

bool WayOutPlanes::clears(const Vector3& x) const {
  const double rounding = MeshTolerances::kSearch * x.norm();
  return std::all_of(planes_.begin(), planes_.begin() + count_,
                     [&](const Plane& p) { return p.normal.dot(x) >= p.height - rounding; });
}

/// The nearest point of the line of two planes.
std::optional<Vector3> WayOutPlanes::foot(const Plane& p, const Plane& q) {
  const double c = p.normal.dot(q.normal), squared_sine = p.normal.cross(q.normal).squaredNorm();
  if (squared_sine < MeshTolerances::kSameNormal * MeshTolerances::kSameNormal) return std::nullopt;
  return ((p.height - c * q.height) * p.normal + (q.height - c * p.height) * q.normal) / squared_sine;
}

/// The point of three planes.
std::optional<Vector3> WayOutPlanes::corner(const Plane& p, const Plane& q, const Plane& r) {
  const Vector3 line = p.normal.cross(q.normal);
  const double volume = line.dot(r.normal);
  if (std::abs(volume) < MeshTolerances::kSameNormal * line.norm()) return std::nullopt;
  return (p.height * q.normal.cross(r.normal) + q.height * r.normal.cross(p.normal) + r.height * line) /
         volume;
}

/// The shortest is among the feet and corners, and none of these that clears all planes is shorter.
std::optional<Vector3> WayOutPlanes::nearest() const {
  std::optional<Vector3> best;
  const auto offer = [&](const std::optional<Vector3>& x) {
    if (x && (!best || x->squaredNorm() < best->squaredNorm()) && clears(*x)) best = x;
  };
  for (int i = 0; i < count_; ++i) {
    offer(Vector3(planes_[i].height * planes_[i].normal));
    for (int j = 0; j < i; ++j) {
      offer(foot(planes_[i], planes_[j]));
      for (int k = 0; k < j; ++k) offer(corner(planes_[i], planes_[j], planes_[k]));
    }
  }
  return best;
}

}  // namespace csim
