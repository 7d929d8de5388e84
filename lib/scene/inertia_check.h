// What a rigid body's inertia must satisfy.
#pragma once

#include <string>

#include "core/types.h"

namespace csim {

/// Principal moments are positive (or, with `zero`, not negative), and none is larger than the sum of the
/// other two; what is wrong with a tensor about the centre of mass (kg m^2), or "".
[[nodiscard]] std::string wrong_inertia(const Matrix3& inertia, bool zero = false);

}  // namespace csim
