// The bar that explains the colours of pressures, on a picture.
#pragma once

#include "view/canvas.h"
#include "view/color_map.h"

namespace csim {

/// Draws the bar with its labels at the right edge, from the top down.
void draw_color_bar(const ColorBar& bar, Canvas* canvas);

}  // namespace csim
