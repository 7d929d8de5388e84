// The connected parts of a triangle surface, turned outwards.
#pragma once

#include <string>
#include <vector>

#include "geometry/surface_files.h"

namespace csim {

/// Turns triangles so that neighbours (two alone at an edge) run the same way, and each component that they
/// close so that its volume is positive. One that lies in the solid of another and ran inwards throughout is
/// a cavity and stays. Returns a sentence for each thing done, and for each component that has no two sides.
std::vector<std::string> orient_components(SurfaceData* surface);

}  // namespace csim
