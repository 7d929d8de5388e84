#include "model/combine_materials.h"

#include <cmath>

namespace csim {
namespace {

void combine_springs(const MaterialSpec& a, const MaterialSpec& b, PairRule* rule) {
  const bool rigid_a = std::isinf(a.stiffness), rigid_b = std::isinf(b.stiffness);
  if (rigid_a || rigid_b) {
    rule->weight_a = rigid_a && rigid_b ? 0.5 : (rigid_a ? 1.0 : 0.0);
    rule->stiffness = rigid_a ? b.stiffness : a.stiffness;
  } else if (a.stiffness + b.stiffness > 0.0) {
    rule->weight_a = a.stiffness / (a.stiffness + b.stiffness);
    rule->stiffness = rule->weight_a * b.stiffness;
  } else {
    rule->weight_a = 0.5;
    rule->stiffness = rule->dissipation = 0.0;
    return;
  }
  const double weight_b =
      rigid_a || rigid_b ? 1.0 - rule->weight_a : b.stiffness / (a.stiffness + b.stiffness);
  rule->dissipation = weight_b * a.hunt_crossley_dissipation + rule->weight_a * b.hunt_crossley_dissipation;
}

double combine_hertz(double a, double b) {
  if (!(a > 0.0) || !(b > 0.0)) return 0.0;
  return std::pow(std::pow(a, -2.0 / 3.0) + std::pow(b, -2.0 / 3.0), -1.5);
}

}  // namespace

double patch_dissipation(const MaterialSpec& a, bool compliant_a, const MaterialSpec& b, bool compliant_b) {
  if (!compliant_b) return a.hunt_crossley_dissipation;
  if (!compliant_a) return b.hunt_crossley_dissipation;
  const double weight_a = b.hydroelastic_modulus / (a.hydroelastic_modulus + b.hydroelastic_modulus);
  return weight_a * a.hunt_crossley_dissipation + (1.0 - weight_a) * b.hunt_crossley_dissipation;
}

PairRule combine_materials(const MaterialSpec& a, const MaterialSpec& b) {
  PairRule rule;
  combine_springs(a, b, &rule);
  const double friction_sum = a.friction + b.friction;
  rule.friction = friction_sum > 0.0 ? 2.0 * a.friction * b.friction / friction_sum : 0.0;
  rule.relaxation_time = a.relaxation_time + b.relaxation_time;
  rule.hertz_stiffness = combine_hertz(a.hertz_stiffness.value_or(0.0), b.hertz_stiffness.value_or(0.0));
  return rule;
}

}  // namespace csim
