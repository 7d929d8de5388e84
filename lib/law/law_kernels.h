// The batched kernels of a law, generated from its scalar function. Each loop has one contact an iteration,
// no branches that matter and no dependence between iterations, so that it vectorises.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "law/contact_law.h"
#include "law/lane_sum.h"
#include "law/law_terms.h"

namespace csim {

/// Contacts whose cost is held in a local buffer before it is summed.
inline constexpr int kLawBlock = 64;

/// Cap of the dual direction: below 0.99 the iteration slows down, at 1 the matrix could lose rank.
inline constexpr double kDualCap = 0.999999;

template <class Law>
struct LawKernels {
  static void setup(const LawParameters& parameters, double h, ContactRange range, ContactColumns* contacts) {
    for (int i = range.begin; i < range.end; ++i) Law::setup(parameters, h, i, contacts);
  }

  static double squared_slip(const ContactVelocities& v, int i) {
    const double x = v.tangential.x[i], y = v.tangential.y[i], z = v.tangential.z[i];
    return x * x + y * y + z * z;
  }

  static double evaluate(const ContactColumns& contacts, ContactRange range, const ContactVelocities& v,
                         Vector3Columns* gamma) {
    double* const gx = gamma->x.data();
    double* const gy = gamma->y.data();
    double* const gz = gamma->z.data();
    LaneSum sum;
    double cost[kLawBlock];
    for (int begin = range.begin; begin < range.end; begin += kLawBlock) {
      const int n = std::min(kLawBlock, range.end - begin);
#pragma GCC ivdep
      for (int j = 0; j < n; ++j) {
        const int i = begin + j;
        const LawTerms t = Law::evaluate(Law::load(contacts, i), v.normal[i], squared_slip(v, i));
        cost[j] = t.cost;
        gx[i] = t.normal * contacts.normal.x[i] + t.tangential * v.tangential.x[i];
        gy[i] = t.normal * contacts.normal.y[i] + t.tangential * v.tangential.y[i];
        gz[i] = t.normal * contacts.normal.z[i] + t.tangential * v.tangential.z[i];
      }
      sum.add(cost, n);
    }
    return sum.total();
  }

  static void hessian(const ContactColumns& contacts, ContactRange range, const ContactVelocities& v,
                      const Vector3Columns* dual, ContactHessians* G) {
    if constexpr (Law::kHasDual) {
      if (dual != nullptr) return dual_hessian(contacts, range, v, *dual, G);
    }
#pragma GCC ivdep
    for (int i = range.begin; i < range.end; ++i) {
      const LawTerms t = Law::evaluate(Law::load(contacts, i), v.normal[i], squared_slip(v, i));
      const double nx = contacts.normal.x[i], ny = contacts.normal.y[i], nz = contacts.normal.z[i];
      const double tx = v.tangential.x[i], ty = v.tangential.y[i], tz = v.tangential.z[i];
      const double nn = t.nn - t.perp;
      G->xx[i] = t.perp + nn * nx * nx + 2.0 * t.nt * nx * tx + t.tt * tx * tx;
      G->yx[i] = nn * ny * nx + t.nt * (ny * tx + ty * nx) + t.tt * ty * tx;
      G->zx[i] = nn * nz * nx + t.nt * (nz * tx + tz * nx) + t.tt * tz * tx;
      G->yy[i] = t.perp + nn * ny * ny + 2.0 * t.nt * ny * ty + t.tt * ty * ty;
      G->zy[i] = nn * nz * ny + t.nt * (nz * ty + tz * ny) + t.tt * tz * ty;
      G->zz[i] = t.perp + nn * nz * nz + 2.0 * t.nt * nz * tz + t.tt * tz * tz;
    }
  }

  /// G = m n n^T + perp (P - (w t_s^T + t_s w^T)/2), t_s = v_t/W; perp = mu gamma_n0/W.
  static void dual_hessian(const ContactColumns& contacts, ContactRange range, const ContactVelocities& v,
                           const Vector3Columns& dual, ContactHessians* G) {
#pragma GCC ivdep
    for (int i = range.begin; i < range.end; ++i) {
      const typename Law::Constants constants = Law::load(contacts, i);
      const double s2 = squared_slip(v, i);
      const LawTerms t = Law::evaluate(constants, v.normal[i], s2);
      const double W = std::sqrt(s2 + constants.eps * constants.eps);
      const double nx = contacts.normal.x[i], ny = contacts.normal.y[i], nz = contacts.normal.z[i];
      const double tx = v.tangential.x[i], ty = v.tangential.y[i], tz = v.tangential.z[i];
      const double wx = dual.x[i], wy = dual.y[i], wz = dual.z[i];
      const double nn = t.nn - t.perp;
      const double c = -0.5 * t.perp / W;
      G->xx[i] = t.perp + nn * nx * nx + 2.0 * c * wx * tx;
      G->yx[i] = nn * ny * nx + c * (wy * tx + ty * wx);
      G->zx[i] = nn * nz * nx + c * (wz * tx + tz * wx);
      G->yy[i] = t.perp + nn * ny * ny + 2.0 * c * wy * ty;
      G->zy[i] = nn * nz * ny + c * (wz * ty + tz * wy);
      G->zz[i] = t.perp + nn * nz * nz + 2.0 * c * wz * tz;
    }
  }

  static void update_dual(const ContactColumns& contacts, ContactRange range, const ContactVelocities& v,
                          const ContactVelocities& dv, Vector3Columns* dual) {
    double* const x = dual->x.data();
    double* const y = dual->y.data();
    double* const z = dual->z.data();
#pragma GCC ivdep
    for (int i = range.begin; i < range.end; ++i) {
      const double eps = Law::load(contacts, i).eps;
      const double W = std::sqrt(squared_slip(v, i) + eps * eps);
      const double tx = v.tangential.x[i], ty = v.tangential.y[i], tz = v.tangential.z[i];
      const double dx = dv.tangential.x[i], dy = dv.tangential.y[i], dz = dv.tangential.z[i];
      const double c = (tx * dx + ty * dy + tz * dz) / (W * W);
      const double wx = (tx + dx) / W - c * x[i];
      const double wy = (ty + dy) / W - c * y[i];
      const double wz = (tz + dz) / W - c * z[i];
      const double norm = std::sqrt(wx * wx + wy * wy + wz * wz);
      const double scale = norm > kDualCap ? kDualCap / norm : 1.0;
      x[i] = scale * wx;
      y[i] = scale * wy;
      z[i] = scale * wz;
    }
  }

  static LineValue evaluate_line(const ContactColumns& contacts, ContactRange range,
                                 const ContactLines& lines, double alpha) {
    LaneSum cost_sum, first_sum, second_sum;
    double cost[kLawBlock], first[kLawBlock], second[kLawBlock];
    for (int begin = range.begin; begin < range.end; begin += kLawBlock) {
      const int n = std::min(kLawBlock, range.end - begin);
#pragma GCC ivdep
      for (int j = 0; j < n; ++j) {
        const int i = begin + j;
        const double dv_n = lines.dv_n[i], dt2 = lines.dt2[i];
        const double offset = alpha - lines.alpha0[i];
        const double v_dot_dv = dt2 * offset;  // v_t(alpha) . dv_t
        const LawTerms t = Law::evaluate(Law::load(contacts, i), lines.v_n[i] + alpha * dv_n,
                                         lines.s2_min[i] + v_dot_dv * offset);
        cost[j] = t.cost;
        first[j] = -(t.normal * dv_n + t.tangential * v_dot_dv);
        second[j] =
            t.nn * dv_n * dv_n + 2.0 * t.nt * dv_n * v_dot_dv + t.tt * v_dot_dv * v_dot_dv + t.perp * dt2;
      }
      cost_sum.add(cost, n);
      first_sum.add(first, n);
      second_sum.add(second, n);
    }
    return {cost_sum.total(), first_sum.total(), second_sum.total()};
  }

  static double domain_step(const ContactColumns& contacts, ContactRange range, const ContactLines& lines) {
    double step = std::numeric_limits<double>::infinity();
    if constexpr (Law::kHasDomain) {
      for (int i = range.begin; i < range.end; ++i) {
        const typename Law::Constants c = Law::load(contacts, i);
        const double s2 = lines.s2_min[i] + lines.dt2[i] * lines.alpha0[i] * lines.alpha0[i];
        const double phi = c.normal.phi0 + c.normal.h * Law::normal_argument(c, lines.v_n[i], s2);
        const double slope = c.normal.h * Law::normal_slope(c, lines.dv_n[i], std::sqrt(lines.dt2[i]));
        if (!(phi > 0.0)) return 0.0;
        if (slope < 0.0) step = std::min(step, -phi / slope);
      }
    }
    return step;
  }

  static void fill_cones(const ContactColumns& contacts, ContactRange range, ConeColumns* cones) {
    for (int i = range.begin; i < range.end; ++i) cones->set(i, Law::cone(Law::load(contacts, i)));
  }
};

/// "lagged/hunt_crossley".
template <class Law>
struct LawName {
  static constexpr std::string_view kFriction = Law::kFacts.name, kNormal = Law::NormalForce::kFacts.name;
  static constexpr auto kText = [] {
    std::array<char, kFriction.size() + 1 + kNormal.size()> text{};
    auto end = std::copy(kFriction.begin(), kFriction.end(), text.begin());
    *end++ = '/';
    std::copy(kNormal.begin(), kNormal.end(), end);
    return text;
  }();
};

/// What every law has: its constants, its impulses, and what the results report.
template <class Law>
constexpr ContactLaw make_law_without_potential() {
  using Kernels = LawKernels<Law>;
  ContactLaw law{};
  law.name = {LawName<Law>::kText.data(), LawName<Law>::kText.size()};
  law.friction = Law::kFacts.model;
  law.normal = Law::NormalForce::kFacts.law;
  law.setup = &Kernels::setup;
  law.evaluate = &Kernels::evaluate;
  law.state = &Law::state;
  if constexpr (requires { &Law::friction_bound; }) {
    law.friction_bound = &Law::friction_bound;
    law.set_friction_bound = &Law::set_friction_bound;
    law.friction_elasticity = &Law::friction_elasticity;
  }
  if constexpr (requires { &Law::elastic_energy; }) {
    law.elastic_energy = &Law::elastic_energy;
    law.elastic_force = &Law::elastic_force;
  } else {
    law.elastic_energy = &Law::NormalForce::elastic_energy;
    law.elastic_force = &Law::NormalForce::elastic_force;
  }
  return law;
}

template <class Law>
constexpr ContactLaw make_contact_law() {
  using Kernels = LawKernels<Law>;
  ContactLaw law = make_law_without_potential<Law>();
  law.has_potential = true;
  law.has_dual = Law::kHasDual;
  law.has_domain = Law::kHasDomain;
  law.hessian = &Kernels::hessian;
  law.evaluate_line = &Kernels::evaluate_line;
  law.domain_step = &Kernels::domain_step;
  if constexpr (Law::kHasDual) law.update_dual = &Kernels::update_dual;
  if constexpr (Law::kHasCone) law.fill_cones = &Kernels::fill_cones;
  return law;
}

}  // namespace csim
