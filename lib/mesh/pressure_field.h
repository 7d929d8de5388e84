// Pressure fields of compliant bodies: the potential whose equal values are contact surfaces (Elandt et al.
// 2019; Masterjohn et al., Velocity Level Approximation of Pressure Field Contact Patches). The field is
// fixed in the body, zero on its surface and grows to the hydroelastic modulus at the deepest place.
#pragma once

#include <array>
#include <vector>

#include "mesh/tet_mesh.h"

namespace csim {

/// A tetrahedral mesh and its pressure, linear in each tet. The values hold the modulus; negative ones lie in
/// a margin, between the surface (pressure 0) and the mesh's boundary.
struct CompliantMesh {
  TetMesh mesh;
  std::vector<double> pressure;  // [vertices], Pa
};

/// A compliant solid below z = 0: pressure = -slope z, offered down to z = margin, where it is negative.
struct CompliantHalfSpace {
  double slope = 0.0;   // Pa/m: hydroelastic modulus over slab thickness
  double margin = 0.0;  // m
};

/// p(x) = gradient . x + constant.
struct LinearField {
  Vector3 gradient = Vector3::Zero();  // Pa/m
  double constant = 0.0;               // Pa, at the origin of the frame
  [[nodiscard]] double at(const Vector3& x) const { return gradient.dot(x) + constant; }
};

/// The linear field with the values p at the vertices v of a tet of either sign. A tet so flat that a height
/// rounds to nothing gives numbers that are not finite.
[[nodiscard]] LinearField linear_field(const std::array<Vector3, 4>& v, const std::array<double, 4>& p);

/// The field of each tet, in the mesh's frame.
[[nodiscard]] std::vector<LinearField> linear_fields(const CompliantMesh& compliant);

}  // namespace csim
