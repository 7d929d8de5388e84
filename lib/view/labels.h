// Names and masses beside the bodies of a scene that has not run, and how deep they overlap.
#pragma once

#include <functional>

#include "view/canvas.h"
#include "view/view_scene.h"

namespace csim {

/// Writes "name 0.52 kg" at the centre of mass of the bodies that move, the heaviest first, and the depth at
/// each overlap, the deepest first; what would cover an earlier label is left out. `pixel_of`: pixels and
/// nearness (> 0 in front of the camera) of a place in the world.
void draw_labels(const ViewScene& scene, const ViewFrame& frame,
                 const std::function<Vector3(const Vector3&)>& pixel_of, Canvas* canvas);

}  // namespace csim
