// Lagged: the normal impulse inside the friction is that of the step's start (Castro et al. 2023, eqs 29-33).
//
//   ell = C(v_n) + mu gamma_n0 |v_t|_s,   gamma_n = n(v_n),   gamma_t = -mu gamma_n0 v_t/W,   G_tt = mu
//   gamma_n0 (P - t_s t_s^T)/W
//
// contact.model: coulomb has this law too; its problem is solved again with mu gamma_n of the solution as the
// bound (problem/friction_bounds.h).
//
// Consistent as dt -> 0, no gliding. Primal-dual Hessian: G_tt = mu gamma_n0 (P - (w t_s^T + t_s w^T)/2)/W.
#pragma once

#include "law/friction_regularised.h"
#include "law/law_terms.h"

namespace csim {

inline constexpr FrictionFacts kCoulombFacts{.model = ContactModel::kCoulomb, .name = "coulomb"};

template <class Normal>
struct Lagged {
  static constexpr FrictionFacts kFacts{.model = ContactModel::kLagged, .name = "lagged"};
  using NormalForce = Normal;
  static constexpr bool kHasDual = true;
  static constexpr bool kHasDomain = Normal::kHasDomain;
  static constexpr bool kHasCone = Normal::kFacts.has_inverse;

  struct Constants {
    typename Normal::Constants normal;
    double mu_gamma0, eps;
  };

  static void setup(const LawParameters& p, double h, int i, ContactColumns* c) {
    Normal::setup(p, h, i, c);
    const double impulse0 = Normal::impulse0(p, *c, h, i);
    c->friction_constant[0][i] = c->friction[i] * impulse0;
    c->friction_constant[1][i] = stiction_tolerance(p, c->friction[i], c->delassus[i], impulse0);
  }

  static double friction_bound(const ContactColumns& c, int i) { return c.friction_constant[0][i]; }

  static void set_friction_bound(const LawParameters& p, double bound, int i, ContactColumns* c) {
    c->friction_constant[0][i] = bound;
    c->friction_constant[1][i] = stiction_tolerance(p, 1.0, c->delassus[i], bound);
  }

  /// The stiction tolerance grows with the bound where it is not v_s: gamma_t = -b v_t/W, W^2 = s^2 + eps^2.
  static double friction_elasticity(const LawParameters& p, const ContactColumns& c, int i, double s2) {
    const double eps = c.friction_constant[1][i];
    return eps > p.stiction_tolerance ? s2 / (s2 + eps * eps) : 1.0;
  }

  static Constants load(const ContactColumns& c, int i) {
    return {Normal::load(c, i), c.friction_constant[0][i], c.friction_constant[1][i]};
  }

  static LawTerms evaluate(const Constants& c, double v_n, double s2) {
    const NormalTerms n = Normal::evaluate(c.normal, v_n);
    const SoftNorm soft(s2, c.eps);
    const double perp = c.mu_gamma0 / soft.W;
    return {n.cost + c.mu_gamma0 * soft.norm, n.impulse, -perp, n.stiffness, 0.0,
            -perp / (soft.W * soft.W),        perp};
  }

  /// v_n at which the normal law is evaluated, and the slope bound of its decrease along (dv_n, |dv_t|).
  static double normal_argument(const Constants&, double v_n, double) { return v_n; }
  static double normal_slope(const Constants&, double dv_n, double) { return dv_n; }

  /// The normal law alone: the friction's bound does not depend on v.
  static ConeTerms cone(const Constants& c) requires(Normal::kFacts.has_inverse) {
    return Normal::inverse(c.normal);
  }

  static ContactState state(const ContactColumns& columns, int i, double, double v_n, double s) {
    const Constants c = load(columns, i);
    const bool active = Normal::evaluate(c.normal, v_n).impulse > 0.0;
    return {active ? (s <= c.eps ? 1 : 2) : 0, 0.0, c.eps};
  }
};

}  // namespace csim
