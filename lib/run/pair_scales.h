// Stiffness and time scales of the pairs of geometries that can meet.
#pragma once

#include <vector>

#include "model/model.h"

namespace csim {

/// Two classes of geometries (PairTable) that collide, with the lightest moving bodies that they can bring
/// together: the shortest contact between them.
struct PairScale {
  int class_a = -1, class_b = -1;  // a <= b
  PairRule rule;
  int body = -1, other = -1;  // moving bodies; other -1: one that stays
  double mass = 0.0;          // kg, reduced, of the two
  // Of points with a finite stiffness k > 0, else NaN:
  double contact_time = 0.0;  // s, half a period of the spring, pi sqrt(mass / k)
  double rest_overlap = 0.0;  // m, of the lighter body under its weight on one point, m g / k
};

/// In the order of the classes. Without pairs of which neither side moves.
[[nodiscard]] std::vector<PairScale> pair_scales(const Model& model);

}  // namespace csim
