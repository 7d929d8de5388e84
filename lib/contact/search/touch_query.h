// When two geometries touch on their way through a step: convex shapes, and the triangles of surfaces.
#pragma once

#include <optional>

#include "contact/search/swept_pair.h"

namespace csim {

/// Whether the balls around the two, neither a half space, come as near as `distance` (m) in `duration` (s):
/// where they do not, the rotation of the bodies does not matter.
[[nodiscard]] bool balls_touch(const SweptPair& pair, double duration, double distance);

/// When (s, 0 to `duration`) the two geometries, neither a half space, come as near as `distance` (m) for the
/// first time, to a billionth of the smaller one's size; none: they do not. Of surfaces the first of the
/// triangles that come within the way of the step.
[[nodiscard]] std::optional<double> find_touch(const SweptPair& pair, double duration, double distance);

/// Whether they do, in less time where surfaces have many triangles.
[[nodiscard]] bool touches(const SweptPair& pair, double duration, double distance);

}  // namespace csim
