// A still picture of a scene: the page's first view, drawn without a browser.
#pragma once

#include "view/canvas.h"
#include "view/framing.h"
#include "view/view_scene.h"

namespace csim {

struct StillOptions {
  int width = 1280, height = 800;  // pixels
  bool plain = false;              // without colour bar, time, scale and legend
};

struct Still {
  Picture picture;
  bool annotated = false;  // with time, scale and legend: asked for, and there is room
};

/// A frame of the scene, with shadows, contacts and forces, and the colours of pressures from 0 to the
/// frame's largest; the same pixels wherever the arithmetic is the same, whatever the number of threads.
/// `framing`: of the scene.
[[nodiscard]] Still render_still(const ViewScene& scene, const ViewFrame& frame, const Framing& framing,
                                 const StillOptions& options);

/// Frame `frame` of the scene.
[[nodiscard]] inline Still render_still(const ViewScene& scene, std::size_t frame,
                                        const StillOptions& options) {
  return render_still(scene, scene.frames[frame], frame_scene(scene), options);
}

}  // namespace csim
