// Stiffness and time scales of the pairs of geometries that can meet.
#pragma once

#include <vector>

#include "model/model.h"

namespace csim {

/// Two classes of geometries (PairTable) that collide, and two bodies that they bring together.
struct PairScale {
  int class_a = -1, class_b = -1;  // a <= b
  PairRule rule;
  int body = -1, other = -1;  // of the two the lighter one that moves, and the other, which may stay
  double mass = 0.0;          // kg, reduced, of the two
  // Of points with a finite stiffness k > 0, else NaN:
  double contact_time = 0.0;  // s, half a period of the spring, pi sqrt(mass / k)
  double rest_overlap = 0.0;  // m, of the lighter body under its weight on one point, m g / k
};

/// Gives the pair two bodies, one of which moves, and what follows from their masses.
void set_bodies(const Model& model, int body_a, int body_b, PairScale* pair);

/// In the order of the classes, with the lightest bodies: the shortest contact between them. Without pairs of
/// which neither side moves.
[[nodiscard]] std::vector<PairScale> pair_scales(const Model& model);

}  // namespace csim
