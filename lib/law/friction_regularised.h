// What Lagged and Similar share: the soft norm of the tangential velocity and its stiction tolerance.
#pragma once

#include <algorithm>
#include <cmath>

#include "law/contact_law.h"

namespace csim {

/// W = sqrt(s^2 + eps^2) and |v_t|_s = W - eps, evaluated without cancellation (Castro et al. 2023, eqs
/// 45-47).
struct SoftNorm {
  double W, norm;

  SoftNorm(double s2, double eps) : W(std::sqrt(s2 + eps * eps)), norm(s2 / (W + eps)) {}
};

/// eps_s = max(v_s, mu sigma w gamma_n0) (eq 44), or v_s alone.
inline double stiction_tolerance(const LawParameters& p, double friction, double delassus, double impulse0) {
  return p.regularise_stiction ? std::max(p.stiction_tolerance, friction * p.sigma * delassus * impulse0)
                               : p.stiction_tolerance;
}

}  // namespace csim
