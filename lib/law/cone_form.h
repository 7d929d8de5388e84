// Laws as cones: SAP and Similar, with a normal law that has an inverse, are second-order cone
// complementarity problems with a compliance (Castro et al. 2022, SAP, eq. 12, for the former). With K = {x :
// x_0 >= |x_rest|} every contact asks for
//
//   lambda in K,  s in K,  s . lambda = 0,   gamma_n = lambda_0/mu,  gamma_t = lambda_t
//   s = ( (v_n - v_hat + p(gamma_n))/mu + eps,  v_t + R_t lambda_t,  eps ),   p(gamma) = 2 gamma/(a + r),
//   r = sqrt(a^2 + 4 b gamma)
//
// p is the inverse of gamma_n = a x + b x^2, x = v_hat - z the speed at which the normal law is loaded.
//
// Similar (R_t = 0): on the boundary lambda is proportional to (s_0, -s_rest), so s_0 = sqrt(|v_t|^2 + eps^2)
// gives z = v_n - mu |v_t|_s = v_hat - p(gamma_n), that is gamma_n = n(z) and gamma_t = -mu gamma_n v_t/W.
// SAP (eps = 0, b = 0, a = 1/R_n): the optimality conditions of its projection on the friction cone.
// Without friction the cone is a half line: lambda_0 = gamma_n, s_0 = v_n - v_hat + p(gamma_n).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace csim {

/// A contact as a cone.
struct ConeTerms {
  double normal = 0.0;      // 1/mu, s/m: from v_n to s_0 and from lambda_0 to gamma_n; 1 without friction
  double tangential = 0.0;  // 1, or 0 without friction
  double v_hat = 0.0;       // m/s
  double a = 1.0, b = 0.0;  // kg, kg s/m: p(gamma) = 2 gamma/(a + sqrt(a^2 + 4 b gamma))
  double R_t = 0.0;         // 1/kg, tangential compliance
  double eps = 0.0;         // m/s, stiction tolerance of the soft norm
  bool acts = false;        // false: a contact without any impulse (a face without stiffness); not a cone
};

/// The cone of a contact with friction mu and the normal law of (a, b, v_hat).
inline ConeTerms make_cone(double mu, double v_hat, double a, double b, double R_t, double eps) {
  const bool slides = mu > 0.0;
  return {slides ? 1.0 / mu : 1.0, slides ? 1.0 : 0.0, v_hat, a, b,
          slides ? R_t : 0.0,      slides ? eps : 0.0, true};
}

/// p(gamma) and its derivative.
struct InverseNormal {
  double speed, slope;

  InverseNormal(double a, double b, double gamma) {
    const double root = std::sqrt(a * a + 4.0 * b * gamma);
    speed = 2.0 * gamma / (a + root);
    slope = 1.0 / root;
  }
};

/// A constant impulse (a face with neither stiffness nor dissipation) has no inverse: here it is a spring so
/// soft that it fades out at this speed (m/s) only. Newton's method on the law itself finishes.
inline constexpr double kConstantImpulseSpeed = 1e6;

inline ConeTerms constant_cone(double mu, double impulse, double R_t) {
  return make_cone(mu, kConstantImpulseSpeed, impulse / kConstantImpulseSpeed, 0.0, R_t, 0.0);
}

/// The cones of contacts, one column a quantity; `acts` is 1 or 0.
struct ConeColumns {
  std::vector<double> normal, tangential, v_hat, a, b, R_t, eps, acts;

  void resize(std::size_t n) {
    for (auto* column : {&normal, &tangential, &v_hat, &a, &b, &R_t, &eps, &acts}) column->resize(n);
  }
  void set(int i, const ConeTerms& t) {
    normal[i] = t.acts ? t.normal : 0.0;
    tangential[i] = t.acts ? t.tangential : 0.0;
    v_hat[i] = t.acts ? t.v_hat : 0.0;
    a[i] = t.acts ? t.a : 1.0;
    b[i] = t.b;
    R_t[i] = t.R_t;
    eps[i] = t.eps;
    acts[i] = t.acts ? 1.0 : 0.0;
  }
};

}  // namespace csim
