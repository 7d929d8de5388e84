// Mass properties of uniform solids.
#pragma once

#include "core/spatial.h"
#include "geometry/shape.h"

namespace csim {

/// Volume (m^3) of a solid shape. Half spaces and open meshes have none: returns 0.
[[nodiscard]] double volume(const Shape& shape);

/// Mass, centre of mass and inertia (about the com, axes of the shape's frame) of the uniform solid of the
/// given density (kg/m^3): closed forms for primitives, exact polyhedral integrals for convex polytopes and
/// closed meshes (divergence theorem). Half spaces and open meshes give zero mass.
[[nodiscard]] MassProperties solid_mass_properties(const Shape& shape, double density);

}  // namespace csim
