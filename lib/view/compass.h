// The directions of the world's axes and of gravity in the corner of a still.
#pragma once

#include <optional>

#include "view/canvas.h"

namespace csim {

/// At the lower right: arrows x, y, z, and g along gravity where it is known and not zero. `direction`: from
/// the scene to the camera, unit.
void draw_compass(const Vector3& direction, const std::optional<Vector3>& gravity, Canvas* canvas);

}  // namespace csim
