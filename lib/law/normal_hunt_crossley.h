// Linear spring with Hunt & Crossley dissipation, f = k x_+ (1 + d xdot)_+, implicit in v (Castro et al.
// 2023, eqs 13-16). With v_hat = min(x0/dt, 1/d) and s = (v_hat - v)_+ every term is a sum of parts that are
// not negative:
//
//   C = a s^2/2 + b s^3/3,   n = a s + b s^2,   m = a + 2 b s (s > 0),   a = dt |d fe0 - k dt|,   b = k dt^2
//   d,   fe0 = k x0
//
// which differs from the paper's cost by a constant. k = 0 with d = 0 (a face of constant pressure): n = dt
// (fe0)_+, C = -n v.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "law/contact_law.h"
#include "law/law_terms.h"
#include "law/normal_linear.h"

namespace csim {

struct HuntCrossleyNormal : LinearSpring {
  static constexpr NormalFacts kFacts{
      .law = NormalLaw::kHuntCrossley, .name = "hunt_crossley", .reads_stiffness = true, .has_inverse = true};
  static constexpr bool kHasDomain = false;

  struct Constants {
    double a, b, v_hat;
    double constant;  // N s, force of a face without stiffness and dissipation
  };

  static void setup(const LawParameters&, double h, int i, ContactColumns* c) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const double k = c->stiffness[i], fe0 = c->elastic_force0[i], d = c->dissipation[i];
    const bool is_constant = d == 0.0 && fe0 > kConstantForceSpeed * k * h;
    const bool is_empty = k == 0.0 && fe0 <= 0.0;
    double v_hat = -kInfinity;
    if (!is_constant && !is_empty) {
      const double v_spring = k > 0.0 ? fe0 / (k * h) : kInfinity;
      v_hat = std::min(v_spring, d > 0.0 ? 1.0 / d : kInfinity);
    }
    c->normal_constant[0][i] = is_constant || is_empty ? 0.0 : h * std::abs(d * fe0 - k * h);
    c->normal_constant[1][i] = k * h * h * d;
    c->normal_constant[2][i] = v_hat;
    c->normal_constant[3][i] = is_constant ? h * fe0 : 0.0;
  }

  static Constants load(const ContactColumns& c, int i) {
    return {c.normal_constant[0][i], c.normal_constant[1][i], c.normal_constant[2][i],
            c.normal_constant[3][i]};
  }

  static NormalTerms evaluate(const Constants& c, double v) {
    const double s = std::max(c.v_hat - v, 0.0);
    return {s * s * (0.5 * c.a + (1.0 / 3.0) * c.b * s) - c.constant * v, s * (c.a + c.b * s) + c.constant,
            s > 0.0 ? c.a + 2.0 * c.b * s : 0.0};
  }

  /// The law without friction as a cone: n = a s + b s^2 has the inverse of `InverseNormal`.
  static ConeTerms inverse(const Constants& c) {
    if (c.constant > 0.0) return constant_cone(0.0, c.constant, 0.0);
    if (!(c.a + c.b > 0.0)) return {};
    return make_cone(0.0, c.v_hat, c.a, c.b, 0.0, 0.0);
  }

  /// gamma_n0 = dt k (x0)_+ (1 - d v_n0)_+.
  static double impulse0(const LawParameters&, const ContactColumns& c, double h, int i) {
    return h * std::max(c.elastic_force0[i], 0.0) * std::max(1.0 - c.dissipation[i] * c.v_n0[i], 0.0);
  }
};

}  // namespace csim
