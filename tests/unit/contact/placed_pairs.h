// Two shapes at a signed distance that is known by construction, without any query: a point of each and an
// outward normal there, laid face to face with a gap between them.
#pragma once

#include <optional>
#include <string>

#include "unit/contact/shape_oracle.h"

namespace csim::test {

struct PlacedPair {
  Shape a, b;
  RigidTransform X_A, X_B;
  Vector3 normal;    // unit, from a to b; of a gap, and of an overlap, the only one
  double phi = 0.0;  // m, signed distance
};

/// Random shapes (random_shape, their lengths times `scale`) of the kinds at the signed distance phi (m).
/// Faces, edges, vertices, rims and round parts meet at random; those whose overlap has a shorter way out
/// than phi (vertices and edges with each other) are not placed with phi < 0. Overlaps must be small against
/// the shapes: |phi| <= 1e-3 scale.
PlacedPair place_pair(const std::string& kind_a, const std::string& kind_b, double scale, double phi,
                      Random* random);

}  // namespace csim::test
