// Meshes as text that other programs read; numbers read back to the same bits.
#pragma once

#include <string>

#include "geometry/shape.h"
#include "mesh/pressure_field.h"

namespace csim {

/// Legacy VTK with the point arrays `pressure` (Pa) and `extent` (pressure/modulus), and the cell array
/// `quality` (tet_quality).
[[nodiscard]] std::string vtk_text(const CompliantMesh& compliant, double modulus, const std::string& title);
/// Legacy VTK with triangles.
[[nodiscard]] std::string vtk_text(const TriangleMesh& surface, const std::string& title);
/// Wavefront OBJ.
[[nodiscard]] std::string obj_text(const TriangleMesh& surface, const std::string& title);

}  // namespace csim
