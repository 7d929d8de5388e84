// What a valid scene probably does not mean, and defaults that surprise in it.
#pragma once

#include <string>
#include <vector>

#include "model/model.h"
#include "scene/scene.h"

namespace csim {

/// One sentence each: gravity that points up, friction above 10, a density below 50 kg/m^3, sizes that look
/// like millimetres, a step above a tenth of the shortest contact between points (half a period of its
/// spring, pi sqrt(m/k), m the reduced mass of the two bodies), and creep of sticking bodies at the stiction
/// tolerance by more than a twentieth of the smallest one.
[[nodiscard]] std::vector<std::string> advise(const Scene& scene, const Model& model);

}  // namespace csim
