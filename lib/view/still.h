// A still picture of a scene: the page's first view, drawn without a browser.
#pragma once

#include "view/framing.h"
#include "view/png.h"
#include "view/view_scene.h"

namespace csim {

/// Frame `frame` of the scene at `width` times `height` pixels, with shadows, contacts and forces, and the
/// colours of pressures from 0 to the frame's largest; the same pixels wherever the arithmetic is the same.
[[nodiscard]] Picture render_still(const ViewScene& scene, std::size_t frame, int width, int height);

}  // namespace csim
