// Points that stand in one place.
#pragma once

#include <vector>

#include "core/types.h"

namespace csim {

/// [point]: the first point at its place. Two points within `tolerance` (m) of each other along every axis
/// share a place, and so do those that a chain of such points joins. All must be finite.
[[nodiscard]] std::vector<int> first_at_place(const std::vector<Vector3>& points, double tolerance);

}  // namespace csim
