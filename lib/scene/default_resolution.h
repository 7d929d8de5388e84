#pragma once

#include "scene/scene.h"

namespace csim {

/// Edge length (m) of the meshes of a shape for which none is given: a quarter of the radius, of an ellipsoid
/// of the largest semi-axis; 0 for shapes without curved surfaces.
[[nodiscard]] double default_resolution(const ShapeSpec& shape);

}  // namespace csim
