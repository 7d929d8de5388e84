// TAMSI: Coulomb friction with the normal force of the same instant, regularised in the slip alone (Castro et
// al. 2020, A Transition-Aware Method for the Simulation of Compliant Contact with Regularized Friction):
//
//   f_n = (1 - d v_n)_+ (fe0 - dt k v_n)_+,   f_t = -mu_r(|v_t|_s/v_s) f_n v_t/|v_t|_s
//   |v_t|_s^2 = |v_t|^2 + e_v^2, e_v = 0.01 v_s,   mu_r(x) = mu x (2 - x) for x < 1, mu beyond
//
// No potential has these forces as its gradient: the law has no cost and its Jacobian is not symmetric.
// In LawTerms `cost` is 0 and `nt` is the factor of v_t n^T alone:
//   -d gamma / d v_c = nn n n^T + nt v_t n^T + tt v_t v_t^T + perp P
#pragma once

#include <algorithm>
#include <cmath>

#include "law/contact_law.h"
#include "law/law_terms.h"
#include "law/normal_hunt_crossley.h"

namespace csim {

struct Tamsi {
  static constexpr FrictionFacts kFacts{
      .model = ContactModel::kTamsi, .name = "tamsi", .takes_every_normal = false};
  using NormalForce = HuntCrossleyNormal;
  static constexpr bool kHasDual = false;
  static constexpr bool kHasDomain = false;

  /// e_v/v_s.
  static constexpr double kRelativeTolerance = 1e-2;

  struct Constants {
    double impulse0, stiffness, dissipation;  // dt fe0 (N s), dt^2 k (kg), d (s/m)
    double mu, v_s;
  };

  static void setup(const LawParameters& p, double h, int i, ContactColumns* c) {
    c->normal_constant[0][i] = h * c->elastic_force0[i];
    c->normal_constant[1][i] = h * h * c->stiffness[i];
    c->friction_constant[0][i] = p.stiction_tolerance;
  }

  static Constants load(const ContactColumns& c, int i) {
    return {c.normal_constant[0][i], c.normal_constant[1][i], c.dissipation[i], c.friction[i],
            c.friction_constant[0][i]};
  }

  static LawTerms evaluate(const Constants& c, double v_n, double s2) {
    const double damping = std::max(1.0 - c.dissipation * v_n, 0.0);
    const double elastic = std::max(c.impulse0 - c.stiffness * v_n, 0.0);
    const double n = damping * elastic;
    const double slope =
        -(damping > 0.0 ? c.dissipation * elastic : 0.0) - (elastic > 0.0 ? c.stiffness * damping : 0.0);
    const double e_v = kRelativeTolerance * c.v_s;
    const double S = std::sqrt(s2 + e_v * e_v);
    const double x = std::min(S / c.v_s, 1.0);
    const double mu = c.mu * x * (2.0 - x);
    const double mu_slope = 2.0 * c.mu * (1.0 - x) / c.v_s;
    return {0.0, n, -mu * n / S, -slope, mu * slope / S, n * (mu_slope - mu / S) / (S * S), mu * n / S};
  }

  static ContactState state(const ContactColumns& columns, int i, double, double v_n, double s) {
    const bool active = evaluate(load(columns, i), v_n, s * s).normal > 0.0;
    const double v_s = columns.friction_constant[0][i];
    return {active ? (s <= v_s ? 1 : 2) : 0, 0.0, v_s};
  }
};

}  // namespace csim
