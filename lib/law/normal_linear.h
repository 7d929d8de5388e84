// Linear spring with linear damping, clamped (Kelvin-Voigt): f = (k x + k tau xdot)_+, implicit in v:
//
//   n(v) = m (v_hat - v)_+,   m = dt k (dt + tau),   v_hat = x0/(dt + tau),   C(v) = m (v_hat - v)_+^2/2
//   (Castro et al. 2022, SAP)
//
// In terms of the elastic force fe0 = k x0, so that a face of a patch may have k = 0: then n = dt (fe0)_+ and
// C = -n v.
#pragma once

#include <algorithm>
#include <limits>

#include "law/contact_law.h"
#include "law/law_terms.h"

namespace csim {

/// A spring whose force does not vanish below this speed within a step (m/s) is a constant force: keeps the
/// cost free of the huge constant fe0^2/(2k) as k -> 0. No contact separates so fast.
inline constexpr double kConstantForceSpeed = 1e8;

/// What the laws of a linear spring share.
struct LinearSpring {
  /// (fe0 - k x)_+, N: the spring alone.
  static double elastic_force(const LawParameters&, const ContactColumns& c, int i, double, double x) {
    return std::max(c.elastic_force0[i] - c.stiffness[i] * x, 0.0);
  }

  static double elastic_energy(const LawParameters&, const ContactColumns& c, int i, double, double phi) {
    const double x = std::max(-phi, 0.0);
    return 0.5 * c.stiffness[i] * x * x;
  }
};

struct LinearNormal : LinearSpring {
  static constexpr NormalFacts kFacts{.law = NormalLaw::kLinear,
                                      .name = "linear",
                                      .reads_stiffness = true,
                                      .reads_relaxation_time = true,
                                      .has_inverse = true};
  static constexpr bool kHasDomain = false;

  struct Constants {
    double m, v_hat;
    double constant;  // N s, force of a face without stiffness
  };

  static void setup(const LawParameters&, double h, int i, ContactColumns* c) {
    const double k = c->stiffness[i], fe0 = c->elastic_force0[i];
    const double reach = h + c->relaxation_time[i];
    const bool is_constant = fe0 > kConstantForceSpeed * k * reach;
    const bool is_empty = k == 0.0 && fe0 <= 0.0;
    c->normal_constant[0][i] = is_constant || is_empty ? 0.0 : h * k * reach;
    c->normal_constant[1][i] =
        is_constant || is_empty ? -std::numeric_limits<double>::infinity() : fe0 / (k * reach);
    c->normal_constant[2][i] = is_constant ? h * fe0 : 0.0;
  }

  static Constants load(const ContactColumns& c, int i) {
    return {c.normal_constant[0][i], c.normal_constant[1][i], c.normal_constant[2][i]};
  }

  static NormalTerms evaluate(const Constants& c, double v) {
    const double s = std::max(c.v_hat - v, 0.0);
    const double n = c.m * s;
    return {0.5 * n * s - c.constant * v, n + c.constant, s > 0.0 ? c.m : 0.0};
  }

  /// The law without friction as a cone.
  static ConeTerms inverse(const Constants& c) {
    if (c.constant > 0.0) return constant_cone(0.0, c.constant, 0.0);
    if (!(c.m > 0.0)) return {};
    return make_cone(0.0, c.v_hat, c.m, 0.0, 0.0, 0.0);
  }

  /// gamma_n0 = dt f(x0, -v_n0): the impulse at the state of the step's start.
  static double impulse0(const LawParameters&, const ContactColumns& c, double h, int i) {
    return h * std::max(c.elastic_force0[i] - c.stiffness[i] * c.relaxation_time[i] * c.v_n0[i], 0.0);
  }
};

}  // namespace csim
