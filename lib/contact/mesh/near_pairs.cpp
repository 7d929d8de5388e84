#include "contact/mesh/near_pairs.h"

#include <algorithm>

#include "contact/mesh/mesh_tolerances.h"

namespace csim {
namespace {

// A list costs more than a search without one: it reaches twice as far. It pays where it lasts for some
// queries more; with 4 and 10 mesh_pile takes the same time.
constexpr double kLeastQueries = 4.0;

// Fraction of the size by which a list reaches farther at least: for queries of what overlaps, whose reach is
// zero. With 0.001 to 0.01 mesh_pile takes the same time.
constexpr double kLeastSlack = 0.001;

// Relative, of numbers in single precision.
constexpr double kSinglePrecision = 1e-7;

/// m, the farthest that a point of the box goes from one pose to the other. (The way is linear in the point,
/// so that its length is largest in a corner.)
double farthest_way(const Aabb& box, const RigidTransform& X, const RigidTransform& Y) {
  const Matrix3 turned = X.R - Y.R;
  const Vector3 moved = X.p - Y.p;
  double farthest = 0.0;
  for (int corner = 0; corner < 8; ++corner) {
    Vector3 p;
    for (int axis = 0; axis < 3; ++axis) p[axis] = ((corner >> axis) & 1 ? box.upper : box.lower)[axis];
    farthest = std::max(farthest, (turned * p + moved).norm());
  }
  return farthest;
}

/// The same of both, each seen from the other.
double displacement(const Aabb& box_a, const Aabb& box_b, const RigidTransform& X_AB,
                    const RigidTransform& Y_AB) {
  return std::max(farthest_way(box_b, X_AB, Y_AB), farthest_way(box_a, X_AB.inverse(), Y_AB.inverse()));
}

}  // namespace

NearPairs::State NearPairs::look(const Aabb& box_a, const Aabb& box_b, const RigidTransform& X_AB,
                                 double reach, double size) {
  // Of several queries at one pose the first tells how far the two have come.
  const double moved = has_last_ ? displacement(box_a, box_b, X_AB, X_AB_last_) : kInfinity;
  if (moved > 0.0) moved_ = moved;
  const double slack = std::max(reach, kLeastSlack * size), rounding = MeshTolerances::kRounding * size;
  X_AB_last_ = X_AB;
  has_last_ = true;
  next_reach_ = reach + slack;
  displaced_ = reach <= reach_ ? displacement(box_a, box_b, X_AB, X_AB_) : kInfinity;
  rounding_ = rounding;
  if (reach + displaced_ + rounding <= reach_) return State::kHolds;
  return kLeastQueries * moved_ <= slack ? State::kIsDue : State::kIsIdle;
}

double NearPairs::renew() {
  pairs.clear();
  for (Vertices& vertices : vertices_) {
    vertices.surroundings.clear();
    vertices.near.clear();
  }
  reach_ = next_reach_;
  displaced_ = 0.0;
  X_AB_ = X_AB_last_;
  return reach_;
}

double NearPairs::drift() const {
  return displaced_ + rounding_ + kSinglePrecision * reach_;
}

NearPairs::Surroundings* NearPairs::Vertices::at(int v) {
  if (v >= static_cast<int>(surroundings.size())) surroundings.resize(v + 1);
  return &surroundings[v];
}

double NearPairs::farthest(bool of_a, int v) const {
  const std::vector<Surroundings>& known = vertices_[of_a ? 0 : 1].surroundings;
  return v < static_cast<int>(known.size()) ? known[v].farthest + drift() : kInfinity;
}

void NearPairs::set_farthest(bool of_a, int v, double distance) {
  vertices_[of_a ? 0 : 1].at(v)->farthest =
      static_cast<float>((1.0 + kSinglePrecision) * distance + displaced_);
}

bool NearPairs::is_outside(bool of_a, int v, double distance) const {
  const std::vector<Surroundings>& known = vertices_[of_a ? 0 : 1].surroundings;
  return v < static_cast<int>(known.size()) && known[v].outside - drift() > distance;
}

void NearPairs::set_outside(bool of_a, int v, double distance) {
  vertices_[of_a ? 0 : 1].at(v)->outside =
      static_cast<float>((1.0 - kSinglePrecision) * distance - displaced_);
}

std::span<const NearPairs::Near> NearPairs::near_triangles(bool of_a, int v, const MeshSurface& other,
                                                           const Vector3& p, double distance) {
  Vertices& vertices = vertices_[of_a ? 0 : 1];
  std::vector<Near>& near = vertices.near;
  Surroundings* const known = vertices.at(v);
  if (!(distance + drift() <= known->within)) {
    // As much farther as the list of pairs, so that it lasts as long. What was kept is left where it is.
    const double within = distance + drift() + reach_, off = displaced_ + kSinglePrecision * within;
    known->begin = static_cast<int>(near.size());
    Aabb box;
    box.add(p);
    other.tree().query(box.inflated(within), [&](int t) {
      const double apart = (other.closest_on_triangle(t, p).p - p).norm();
      if (apart <= within) near.push_back({t, static_cast<float>(apart - off)});
    });
    known->count = static_cast<int>(near.size()) - known->begin;
    std::sort(near.begin() + known->begin, near.end(), [](const Near& x, const Near& y) {
      return x.distance < y.distance || (x.distance == y.distance && x.triangle < y.triangle);
    });
    known->within = static_cast<float>(within - off);
  }
  return {near.data() + known->begin, static_cast<std::size_t>(known->count)};
}

}  // namespace csim
