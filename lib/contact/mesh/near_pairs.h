// Pairs of triangles of two surfaces that are near each other, kept from query to query.
#pragma once

#include <array>
#include <vector>

#include "core/rigid_transform.h"
#include "geometry/bounds.h"

namespace csim {

/// Of one pair of geometries. A list of pairs a little farther apart than asked for holds all that are asked
/// for until the two have moved by that little: what is answered does not depend on it (Verlet 1967, Phys.
/// Rev. 159, 98).
class NearPairs {
 public:
  enum class State {
    kHolds,   // the list holds all pairs within reach
    kIsDue,   // it does not, and a new one would last
    kIsIdle,  // it does not, and the two have come so far since the last call that a new one would not last
  };

  /// How the list is for a query at X_AB (b in a's frame) of pairs within `reach` (m); box_a and box_b bound
  /// the surfaces, each in its own frame, and `size` (m) is that of the smaller.
  [[nodiscard]] State look(const Aabb& box_a, const Aabb& box_b, const RigidTransform& X_AB, double reach,
                           double size);

  /// Empties a list that is due, for the pairs within the returned reach (m) at the pose of look().
  double renew();

  std::vector<std::array<int, 2>> pairs;  // triangles of a and b

 private:
  double reach_ = -1.0;       // m, of `pairs`
  double next_reach_ = -1.0;  // m, of a list made now
  RigidTransform X_AB_;       // of `pairs`
  RigidTransform X_AB_last_;  // of the last call
  double moved_ = 0.0;        // m, up to the last call with another pose than the one before
  bool has_last_ = false;
};

}  // namespace csim
