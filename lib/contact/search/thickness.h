// Lengths that tell how far two geometries may move or overlap without going through each other.
#pragma once

#include "contact/search/collision_body.h"

namespace csim {

/// The smallest side (m) of the thinner one: geometries that travel less neither come out behind each other
/// nor vanish in each other. A half space, and an open surface, which is two-sided and thin, have none: the
/// other counts. Infinite for two of these.
[[nodiscard]] double thickness(const CollisionGeometry& a, const CollisionGeometry& b);

/// The same of the thicker one.
[[nodiscard]] double larger_thickness(const CollisionGeometry& a, const CollisionGeometry& b);

/// Overlaps (m) of less have their way out where they came in.
[[nodiscard]] double shallow_overlap(const CollisionGeometry& a, const CollisionGeometry& b);

}  // namespace csim
