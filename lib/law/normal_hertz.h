// Hertz's power law p = 3/2 with Hunt & Crossley dissipation, f = k_p x_+^p (1 + d xdot)_+, implicit in v.
// With x = x0 - dt v, x_m = (x0 - dt/d)_+ (0 without dissipation), B = 1 - d x0/dt and c = d/dt, for x > x_m:
//
//   C = k_p [ B (x^{p+1} - x_m^{p+1})/(p+1) + c (x^{p+2} - x_m^{p+2})/(p+2) ]
//   n = dt k_p x^p (1 - d v),   m = dt k_p x^{p-1} [ p dt (1 - d v) + d x ]
//
// Just beyond x_m > 0 the two differences of C cancel to second order in r = x/x_m - 1; there the cost is
// summed as
//
//   C = k_p c x_m^{p+2} sum_j binom(p, j) r^{j+2}/(j+2).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "law/contact_law.h"
#include "law/law_terms.h"

namespace csim {

struct HertzNormal {
  static constexpr NormalFacts kFacts{
      .law = NormalLaw::kHertz, .name = "hertz", .reads_hertz_stiffness = true};
  static constexpr bool kHasDomain = false;

  static constexpr double kSeriesLimit = 0.1;
  static constexpr int kNumTerms = 10;
  static constexpr double kBinomials[kNumTerms] = {
      1.0,         1.5,          0.375,          -0.0625,           0.0234375,
      -0.01171875, 0.0068359375, -0.00439453125, 0.003021240234375, -0.0021820068359375};

  struct Constants {
    double stiffness, x0, h, dissipation;
  };

  static void setup(const LawParameters&, double h, int i, ContactColumns* c) {
    c->normal_constant[0][i] = c->hertz_stiffness[i];
    c->normal_constant[1][i] = -c->phi0[i];
    c->normal_constant[2][i] = h;
    c->normal_constant[3][i] = c->dissipation[i];
  }

  static Constants load(const ContactColumns& c, int i) {
    return {c.normal_constant[0][i], c.normal_constant[1][i], c.normal_constant[2][i],
            c.normal_constant[3][i]};
  }

  static NormalTerms evaluate(const Constants& c, double v) {
    const double rate = c.dissipation / c.h;
    const double B = 1.0 - rate * c.x0;
    const double x_m = rate > 0.0 ? std::max(c.x0 - 1.0 / rate, 0.0) : 0.0;
    // Below x_m the force is zero and so are all terms. Beyond x_m > 0: x - x_m = (1 - d v) dt/d, without
    // cancellation.
    const double u = x_m > 0.0 ? (1.0 - c.dissipation * v) / rate : c.x0 - c.h * v;
    const bool active = u > 0.0;
    const double x = x_m + std::max(u, 0.0);
    const double root = std::sqrt(x), root_m = std::sqrt(x_m);
    const double x52 = x * x * root, m52 = x_m * x_m * root_m;
    const double damping = active ? 1.0 - c.dissipation * v : 0.0;
    const double direct = B * (x52 - m52) / 2.5 + rate * (x52 * x - m52 * x_m) / 3.5;
    const double r = x_m > 0.0 ? std::max(u, 0.0) / x_m : kSeriesLimit;
    const double cost = c.stiffness * (r < kSeriesLimit ? rate * m52 * x_m * series(r) : direct);
    return {cost, c.h * c.stiffness * x * root * damping,
            active ? c.h * c.stiffness * root * (1.5 * c.h * damping + c.dissipation * x) : 0.0};
  }

  /// sum_j binom(3/2, j) r^{j+2}/(j+2), to rounding for r < kSeriesLimit.
  static double series(double r) {
    double sum = 0.0;
    for (int j = kNumTerms - 1; j >= 0; --j) sum = sum * r + kBinomials[j] / (j + 2);
    return r * r * sum;
  }

  static double impulse0(const LawParameters&, const ContactColumns& c, double h, int i) {
    const double x = std::max(-c.phi0[i], 0.0);
    return h * c.hertz_stiffness[i] * x * std::sqrt(x) * std::max(1.0 - c.dissipation[i] * c.v_n0[i], 0.0);
  }

  /// k_p (x0 - parted)_+^p, N.
  static double elastic_force(const LawParameters&, const ContactColumns& c, int i, double, double parted) {
    const double x = std::max(-(c.phi0[i] + parted), 0.0);
    return c.hertz_stiffness[i] * x * std::sqrt(x);
  }

  static double elastic_energy(const LawParameters&, const ContactColumns& c, int i, double, double phi) {
    const double x = std::max(-phi, 0.0);
    return c.hertz_stiffness[i] * x * x * std::sqrt(x) / 2.5;
  }
};

}  // namespace csim
