// The page: one HTML file with everything in it, that asks nothing of any network.
#pragma once

#include <string>

#include "view/framing.h"
#include "view/view_scene.h"

namespace csim {

/// The complete text: three.js, our own scripts and style, and the data, all inlined.
[[nodiscard]] std::string page_html(const ViewScene& scene);

}  // namespace csim
