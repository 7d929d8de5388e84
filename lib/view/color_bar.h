// The bar that explains the colours of pressures, on a picture.
#pragma once

#include "view/color_map.h"
#include "view/png.h"

namespace csim {

/// Draws the bar with its labels at the right edge, from the top down.
void draw_color_bar(const ColorBar& bar, Picture* picture);

}  // namespace csim
