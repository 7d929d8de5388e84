// Area, pressure force and its moment over the faces of a contact surface.
#pragma once

#include "patch/contact_surface.h"

namespace csim {

struct SurfaceIntegrals {
  double area = 0.0;                   // m^2
  Vector3 centroid = Vector3::Zero();  // m, of the area
  Vector3 force = Vector3::Zero();     // N, on B: integral of the pressure along the normals
  Vector3 moment = Vector3::Zero();    // N m, about the centroid
  double max_pressure = 0.0;           // Pa, over the vertices
};

/// Of the faces [begin, end); reads their vertices. Exact for the linear pressures of the faces. Negative
/// pressure in a margin counts as 0 in force and moment: contact does not pull.
[[nodiscard]] SurfaceIntegrals integrate_surface(const ContactSurface& surface, int begin, int end);

}  // namespace csim
