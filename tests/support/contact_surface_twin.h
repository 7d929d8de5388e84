// Contact surfaces by brute force, as a twin for tests: every pair of elements whose boxes meet, in the world
// frame, in long double, from a large square in the plane that half spaces cut down. No trees, no early outs,
// and no rule for elements that share a plane: poses have to be generic.
#pragma once

#include <variant>
#include <vector>

#include "core/rigid_transform.h"
#include "mesh/pressure_field.h"

namespace csim::testing {

using TwinBody = std::variant<CompliantMesh, TriangleMesh, CompliantHalfSpace, HalfSpace>;

struct TwinFace {
  int element_a, element_b;
  double area, pressure, gradient_a, gradient_b;
  double least_cosine;  // of the angles between the normal and the sides' gradients
  Vector3 centroid, normal;
  int num_corners;
};

/// All faces with an area, whatever their angles, sorted by (element_a, element_b).
std::vector<TwinFace> twin_surface(const TwinBody& a, const RigidTransform& X_WA, const TwinBody& b,
                                   const RigidTransform& X_WB);

}  // namespace csim::testing
