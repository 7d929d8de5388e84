// Barriers: elastic energies U(phi) that keep the gap open, implicit by C(v) = U(phi0 + dt v) (Castro et al.
// 2023, eqs 9-12).
//
//   logarithmic:  U = -kappa ln(phi/D)                               kappa in J, acts on every pair offered;
//   D, from where on pairs are offered, only fixes the zero of the energy IPC:          U = -kappa (phi -
//   D)^2 ln(phi/D), phi < D          kappa in N/m, twice continuously differentiable at D
//
// The domain is phi > 0; outside it cost and impulse are infinite and the curvature is zero.
#pragma once

#include <cmath>
#include <limits>

#include "law/contact_law.h"
#include "law/law_terms.h"

namespace csim {

/// U, -U' and U'' of the logarithmic barrier.
struct LogBarrier {
  static constexpr NormalFacts kFacts{
      .law = NormalLaw::kLogBarrier, .name = "log_barrier", .reads_barrier = true};

  static NormalTerms potential(double kappa, double D, double phi) {
    return {-kappa * std::log(phi / D), kappa / phi, kappa / (phi * phi)};
  }
};

/// U, -U' and U'' of the barrier of incremental potential contact (Li et al. 2020).
struct IpcBarrier {
  static constexpr NormalFacts kFacts{
      .law = NormalLaw::kIpcBarrier, .name = "ipc_barrier", .reads_barrier = true};

  static NormalTerms potential(double kappa, double D, double phi) {
    const double r = phi / D;
    if (r >= 1.0) return {0.0, 0.0, 0.0};
    const double L = std::log(r);
    const double q = r - 1.0;
    return {-kappa * D * D * q * q * L, kappa * D * (2.0 * q * L + q * q / r),
            -kappa * (2.0 * L + 4.0 * q / r - q * q / (r * r))};
  }
};

template <class Barrier>
struct BarrierNormal {
  static constexpr NormalFacts kFacts = Barrier::kFacts;
  static constexpr bool kHasDomain = true;

  struct Constants {
    double kappa, D, phi0, h;
  };

  static void setup(const LawParameters& p, double h, int i, ContactColumns* c) {
    c->normal_constant[0][i] = p.barrier_stiffness;
    c->normal_constant[1][i] = p.barrier_thickness;
    c->normal_constant[2][i] = c->phi0[i];
    c->normal_constant[3][i] = h;
  }

  static Constants load(const ContactColumns& c, int i) {
    return {c.normal_constant[0][i], c.normal_constant[1][i], c.normal_constant[2][i],
            c.normal_constant[3][i]};
  }

  static NormalTerms evaluate(const Constants& c, double v) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const double phi = c.phi0 + c.h * v;
    if (!(phi > 0.0)) return {kInfinity, kInfinity, 0.0};
    const NormalTerms U = Barrier::potential(c.kappa, c.D, phi);
    return {U.cost, c.h * U.impulse, c.h * c.h * U.stiffness};
  }

  /// dt f(phi0): the barrier has no dissipation. 0 with a closed gap, where no solve starts.
  static double impulse0(const LawParameters& p, const ContactColumns& c, double h, int i) {
    if (!(c.phi0[i] > 0.0)) return 0.0;
    return h * Barrier::potential(p.barrier_stiffness, p.barrier_thickness, c.phi0[i]).impulse;
  }

  /// -U'(phi0 + x), N: all of the force. Infinite at a closed gap.
  static double elastic_force(const LawParameters& p, const ContactColumns& c, int i, double, double x) {
    const double phi = c.phi0[i] + x;
    if (!(phi > 0.0)) return std::numeric_limits<double>::infinity();
    return Barrier::potential(p.barrier_stiffness, p.barrier_thickness, phi).impulse;
  }

  static double elastic_energy(const LawParameters& p, const ContactColumns&, int, double, double phi) {
    if (!(phi > 0.0)) return std::numeric_limits<double>::infinity();
    return Barrier::potential(p.barrier_stiffness, p.barrier_thickness, phi).cost;
  }
};

}  // namespace csim
