// What a contact query finds, in an order that depends on the scene alone.
#pragma once

#include <cstdint>
#include <vector>

#include "core/types.h"

namespace csim {

/// One contact point of a pair of geometries a < b (indices of Model::geometries).
struct PointContact {
  int geometry_a = -1, geometry_b = -1;
  int body_a = -1, body_b = -1;
  /// Tells the points of one pair apart; the same from step to step while the features are the same.
  std::int64_t feature = 0;
  double phi = 0.0;  // m, signed distance, < 0 overlap
  Vector3 normal;    // unit, from a to b, world
  Vector3 p_a, p_b;  // m, witness points on a and b, world: p_b - p_a = phi * normal. In overlap p_a is the
                     // deepest point of a inside b, and p_b of b inside a
};

/// Sorted by (body_a, body_b, geometry_a, geometry_b, feature), so that the contacts of a pair of bodies
/// stand together. Bodies follow their geometries: body_a < body_b whenever the scene's geometries are listed
/// body by body, which they are.
struct ContactSet {
  std::vector<PointContact> points;
  /// Queries that fell back (touching at a degenerate configuration …); counted in the run's summary.
  long num_degenerate = 0;
};

}  // namespace csim
