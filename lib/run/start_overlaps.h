// Which geometries overlap in a state.
#pragma once

#include <vector>

#include "contact/contact_set.h"

namespace csim {

/// Two geometries that overlap. Depth: of points that of the deepest one; of patches the largest pressure
/// over its gradient, of the two bodies together.
struct StartOverlap {
  double depth = 0.0;                    // m, > 0
  int geometry_a = -1, geometry_b = -1;  // indices in Model::geometries
  int body_a = -1, body_b = -1;
  Vector3 point;  // m, world: where it is deepest, halfway
};

/// One a pair of geometries, the deepest first.
[[nodiscard]] std::vector<StartOverlap> find_overlaps(const ContactSet& contacts);

}  // namespace csim
