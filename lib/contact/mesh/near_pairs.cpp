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
  if (reach <= reach_ && reach + displacement(box_a, box_b, X_AB, X_AB_) + rounding <= reach_)
    return State::kHolds;
  return kLeastQueries * moved_ <= slack ? State::kIsDue : State::kIsIdle;
}

double NearPairs::renew() {
  pairs.clear();
  reach_ = next_reach_;
  X_AB_ = X_AB_last_;
  return reach_;
}

}  // namespace csim
