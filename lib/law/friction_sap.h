// SAP: linear dissipation, friction by a regularised projection on the cone (Castro et al. 2022, Sec. IV).
// With R_n = max(beta^2 w/(4 pi^2), 1/(dt k (dt + tau))), R_t = sigma w, v_hat = -phi0/(dt + tau), y_n =
// (v_hat - v_n)/R_n, y_r = s/R_t, mu_hat = mu R_t/R_n, t = -v_t/s:
//
// clang-format off
//   separated  y_n <= -mu_hat y_r   gamma = 0
//   stiction   y_r <= mu y_n        gamma = y,  G = diag(1/R_t, 1/R_t, 1/R_n)
//   sliding    otherwise            gamma_n = (y_n + mu_hat y_r)/(1 + mu mu_hat),  gamma_t = mu gamma_n t,
//                                   G = (n + mu t)(n + mu t)^T/(R_n (1 + mu mu_hat)) + mu gamma_n (P - t t^T)/s
//   cost                            gamma^T R gamma/2
// clang-format on
//
// A face of a patch may have k = 0: R_n is infinite then, gamma_n = dt (fe0)_+ and the cost -gamma_n v_n.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "law/contact_law.h"
#include "law/law_terms.h"
#include "law/normal_linear.h"

namespace csim {

struct Sap {
  static constexpr FrictionFacts kFacts{.model = ContactModel::kSap,
                                        .name = "sap",
                                        .default_normal = NormalLaw::kLinear,
                                        .takes_every_normal = false,
                                        .is_cone = true,
                                        .pulls_by_friction = true,
                                        .has_compliance_floor = true,
                                        .glides_by_relaxation = true};
  using NormalForce = LinearNormal;
  static constexpr bool kHasDual = false;
  static constexpr bool kHasDomain = false;
  static constexpr bool kHasCone = true;

  struct Constants {
    double R_n, R_t, v_hat, mu;
    double constant;  // N s, of a face whose force does not change in the step; R_n is 0 then
  };

  static void setup(const LawParameters& p, double h, int i, ContactColumns* c) {
    constexpr double kFourPiSquared = 4.0 * std::numbers::pi * std::numbers::pi;
    const double k = c->stiffness[i], fe0 = c->elastic_force0[i];
    const double reach = h + c->relaxation_time[i];
    const double floor = p.near_rigid * p.near_rigid / kFourPiSquared * c->delassus[i];
    const bool is_constant = fe0 > kConstantForceSpeed * k * reach;
    c->friction_constant[0][i] = is_constant ? 0.0 : std::max(floor, 1.0 / (h * k * reach));
    c->friction_constant[1][i] = p.sigma * c->delassus[i];
    c->friction_constant[2][i] = -c->phi0[i] / reach;
    c->normal_constant[0][i] = is_constant ? h * fe0 : 0.0;
  }

  static Constants load(const ContactColumns& c, int i) {
    return {c.friction_constant[0][i], c.friction_constant[1][i], c.friction_constant[2][i], c.friction[i],
            c.normal_constant[0][i]};
  }

  static LawTerms evaluate(const Constants& c, double v_n, double s2) {
    const double s = std::sqrt(s2);
    const bool spring = c.R_n > 0.0;
    const double y_n = spring ? (c.v_hat - v_n) / c.R_n : c.constant, y_r = s / c.R_t;
    const double mu_hat = spring ? c.mu * c.R_t / c.R_n : 0.0;
    const bool separated = y_n <= -mu_hat * y_r;
    const bool sticks = y_r <= c.mu * y_n && c.mu > 0.0;  // without friction sliding is right at rest too
    // Sliding; s > 0 in that region, and elsewhere the values are not used.
    const double safe_s = std::max(s, 1e-150);
    const double compliance = c.R_n * (1.0 + c.mu * mu_hat);
    const double gamma_n = spring ? (y_n + mu_hat * y_r) * c.R_n / compliance : y_n;
    const double divisor = spring ? compliance : std::numeric_limits<double>::infinity();
    const double slope = c.mu / safe_s;
    const double perp = slope * gamma_n;
    // The cost of a constant force is the limit of a spring's without its constant fe0^2/(2k).
    const double slide_constant = c.constant * (c.mu * s - 0.5 * c.mu * c.mu * c.R_t * c.constant - v_n);
    LawTerms t{0.5 * gamma_n * gamma_n * compliance + slide_constant,
               gamma_n,
               -perp,
               1.0 / divisor,
               -slope / divisor,
               (slope / safe_s) * (c.mu / divisor - gamma_n / safe_s),
               perp};
    const double stick_cost = 0.5 * (c.R_n * y_n * y_n + c.R_t * y_r * y_r) - c.constant * v_n;
    t.cost = separated ? 0.0 : sticks ? stick_cost : t.cost;
    t.normal = separated ? 0.0 : sticks ? y_n : t.normal;
    t.tangential = separated ? 0.0 : sticks ? -1.0 / c.R_t : t.tangential;
    t.nn = separated ? 0.0 : sticks ? (spring ? 1.0 / c.R_n : 0.0) : t.nn;
    t.nt = separated || sticks ? 0.0 : t.nt;
    t.tt = separated || sticks ? 0.0 : t.tt;
    t.perp = separated ? 0.0 : sticks ? 1.0 / c.R_t : t.perp;
    return t;
  }

  /// No impulse at all where the compliance is infinite.
  static ConeTerms cone(const Constants& c) {
    if (!std::isfinite(c.R_n)) return {};
    if (c.constant > 0.0) return constant_cone(c.mu, c.constant, c.R_t);
    return make_cone(c.mu, c.v_hat, 1.0 / c.R_n, 0.0, c.R_t, 0.0);
  }

  /// Gliding while sliding: mu (dt + tau) |v_t|; effective stiction tolerance mu R_t gamma_n.
  static ContactState state(const ContactColumns& columns, int i, double h, double v_n, double s) {
    const Constants c = load(columns, i);
    const LawTerms t = evaluate(c, v_n, s * s);
    const double tolerance = c.mu * c.R_t * t.normal;
    if (!(t.normal > 0.0)) return {0, 0.0, tolerance};
    const double y_n = c.R_n > 0.0 ? (c.v_hat - v_n) / c.R_n : c.constant;
    const bool sticks = s / c.R_t <= c.mu * y_n;
    return {sticks ? 1 : 2, sticks ? 0.0 : c.mu * (h + columns.relaxation_time[i]) * s, tolerance};
  }

  /// Of the spring that acts: k, or what the near-rigid floor makes of it.
  static double elastic_energy(const LawParameters&, const ContactColumns& c, int i, double h, double phi) {
    const double x = std::max(-phi, 0.0), R_n = c.friction_constant[0][i];
    return R_n > 0.0 ? 0.5 * x * x / (R_n * h * (h + c.relaxation_time[i])) : 0.0;
  }
  static double elastic_force(const LawParameters&, const ContactColumns& c, int i, double h, double x) {
    const double R_n = c.friction_constant[0][i];
    return R_n > 0.0 ? std::max(-(c.phi0[i] + x), 0.0) / (R_n * h * (h + c.relaxation_time[i])) : 0.0;
  }
};

}  // namespace csim
