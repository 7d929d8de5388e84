// Similar: strongly coupled, glides by mu dt |v_t| (Castro et al. 2023, eqs 34-41). With z = v_n - mu
// |v_t|_s:
//
//   ell = C(z),   gamma_n = n(z),   gamma_t = -mu n(z) t_s,   t_s = v_t/W
//   G = m(z) (n - mu t_s)(n - mu t_s)^T + mu n(z) (P - t_s t_s^T)/W
//
// C is convex and decreasing and z concave, so ell is convex; Coulomb's law |gamma_t| <= mu gamma_n holds
// exactly.
#pragma once

#include "law/friction_regularised.h"
#include "law/law_terms.h"

namespace csim {

template <class Normal>
struct Similar {
  static constexpr FrictionFacts kFacts{
      .model = ContactModel::kSimilar, .name = "similar", .is_cone = true, .pulls_by_friction = true};
  using NormalForce = Normal;
  static constexpr bool kHasDual = false;
  static constexpr bool kHasDomain = Normal::kHasDomain;
  static constexpr bool kHasCone = Normal::kFacts.has_inverse;

  struct Constants {
    typename Normal::Constants normal;
    double mu, eps;
  };

  static void setup(const LawParameters& p, double h, int i, ContactColumns* c) {
    Normal::setup(p, h, i, c);
    c->friction_constant[0][i] = c->friction[i];
    c->friction_constant[1][i] =
        stiction_tolerance(p, c->friction[i], c->delassus[i], Normal::impulse0(p, *c, h, i));
  }

  static Constants load(const ContactColumns& c, int i) {
    return {Normal::load(c, i), c.friction_constant[0][i], c.friction_constant[1][i]};
  }

  static LawTerms evaluate(const Constants& c, double v_n, double s2) {
    const SoftNorm soft(s2, c.eps);
    const NormalTerms n = Normal::evaluate(c.normal, v_n - c.mu * soft.norm);
    const double slope = c.mu / soft.W;  // t_s mu = slope v_t
    const double perp = slope * n.impulse;
    return {n.cost,
            n.impulse,
            -perp,
            n.stiffness,
            -slope * n.stiffness,
            slope * slope * n.stiffness - perp / (soft.W * soft.W),
            perp};
  }

  static ConeTerms cone(const Constants& c) {
    const ConeTerms n = Normal::inverse(c.normal);
    if (!n.acts) return {};
    return make_cone(c.mu, n.v_hat, n.a, n.b, 0.0, c.eps);
  }

  static double normal_argument(const Constants& c, double v_n, double s2) {
    return v_n - c.mu * SoftNorm(s2, c.eps).norm;
  }
  /// |v_t|_s changes by at most |dv_t|.
  static double normal_slope(const Constants& c, double dv_n, double dt) { return dv_n - c.mu * dt; }

  static ContactState state(const ContactColumns& columns, int i, double h, double v_n, double s) {
    const Constants c = load(columns, i);
    const double gap = c.mu * SoftNorm(s * s, c.eps).norm;
    const bool active = Normal::evaluate(c.normal, v_n - gap).impulse > 0.0;
    return {active ? (s <= c.eps ? 1 : 2) : 0, h * gap, c.eps};
  }
};

}  // namespace csim
