// Algebra of the second-order cone K = {x : x_0 >= |x_1|}, x_0 a number and x_1 in R^4: three entries of a
// tangential vector in world axes and one for the soft norm. Cones of fewer entries are those whose other
// entries are zero; a half line, x_0 alone, is a type of its own, for which the compiler leaves them out.
// Names as in Andersen, Dahl, Vandenberghe, The CVXOPT linear and quadratic cone program
// solvers, 2010.
//
//   det x = x_0^2 - |x_1|^2,   a o b = (a . b, a_0 b_1 + b_0 a_1),   e = (1, 0)
//   Nesterov-Todd scaling of s and lambda, both inside K:  W lambda = W^-1 s = l
//   W^2 = eta^2 (2 w w^T - S),  W = eta [w_0, w_1^T; w_1, I + w_1 w_1^T/(1 + w_0)],  S = diag(1, -1, ..),
//   w^T S w = 1
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace csim {

struct ConeVector {
  double n = 0.0;                    // x_0
  double x = 0.0, y = 0.0, z = 0.0;  // x_1: tangential, world axes
  double e = 0.0;                    // x_1: soft norm

  static ConeVector of(double n, double x, double y, double z, double e) { return {n, x, y, z, e}; }
};

/// x_1 = 0: the cone x_0 >= 0.
struct HalfLine {
  double n = 0.0;
  static constexpr double x = 0.0, y = 0.0, z = 0.0, e = 0.0;

  static HalfLine of(double n, double, double, double, double) { return {n}; }
};

template <class Cone>
concept ConeEntries = requires(const Cone& a) {
  Cone::of(a.n, a.x, a.y, a.z, a.e);
};

/// (n, c a_1 + b_1): x_0 and a combination of rests.
template <ConeEntries Cone>
inline Cone with_rest(double n, double c, const Cone& a, const Cone& b) {
  return Cone::of(n, c * a.x + b.x, c * a.y + b.y, c * a.z + b.z, c * a.e + b.e);
}

template <ConeEntries Cone>
inline Cone operator+(const Cone& a, const Cone& b) {
  return with_rest(a.n + b.n, 1.0, a, b);
}
template <ConeEntries Cone>
inline Cone operator-(const Cone& a, const Cone& b) {
  return with_rest(a.n - b.n, -1.0, b, a);
}
template <ConeEntries Cone>
inline Cone operator*(const Cone& a, double c) {
  return Cone::of(c * a.n, c * a.x, c * a.y, c * a.z, c * a.e);
}

/// a_1 . b_1 and a . b.
template <ConeEntries Cone>
inline double rest_dot(const Cone& a, const Cone& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.e * b.e;
}
template <ConeEntries Cone>
inline double dot(const Cone& a, const Cone& b) {
  return a.n * b.n + rest_dot(a, b);
}
template <ConeEntries Cone>
inline double rest_norm(const Cone& a) {
  return std::sqrt(rest_dot(a, a));
}
/// x_0^2 - |x_1|^2 as a product; not positive outside of K and -K.
template <ConeEntries Cone>
inline double determinant(const Cone& a) {
  const double r = rest_norm(a);
  return (a.n - r) * (a.n + r);
}

/// a o b.
template <ConeEntries Cone>
inline Cone jordan_product(const Cone& a, const Cone& b) {
  return with_rest(dot(a, b), a.n, b, a * b.n);
}

/// x with l o x = r, where det = det l > 0.
template <ConeEntries Cone>
inline Cone jordan_divide(const Cone& l, double det, const Cone& r) {
  const double n = (l.n * r.n - rest_dot(l, r)) / det;
  const Cone scaled = r * (1.0 / l.n);
  return with_rest(n, -n / l.n, l, scaled);
}

/// The largest step alpha with x + alpha d in K, x inside with det = det x; infinity when there is none.
template <ConeEntries Cone>
inline double step_to_boundary(const Cone& x, double det, const Cone& d) {
  const double a = d.n * d.n - rest_dot(d, d);
  const double b = x.n * d.n - rest_dot(x, d);
  // Negative by rounding alone where the line leaves (through the tip, the one way out of a half line).
  const double discriminant = std::max(b * b - a * det, 0.0);
  const bool leaves = a < 0.0 || b < 0.0;
  const double alpha = det / (-b + std::sqrt(discriminant));
  // Down along a ray of the boundary a and b are rounding, whose sign may say that the line stays inside; it
  // leaves before x_0 + alpha d_0 = 0 in any case.
  constexpr double kNever = std::numeric_limits<double>::infinity();
  return std::min(leaves ? alpha : kNever, d.n < 0.0 ? -x.n / d.n : kNever);
}

inline double step_to_boundary(const HalfLine& x, double /*det*/, const HalfLine& d) {
  return d.n < 0.0 ? -x.n / d.n : std::numeric_limits<double>::infinity();
}

/// The s of the central pair that belongs to z: s - l = z, s o l = mu e, and l is that of -z. With mu = 0 the
/// projection on K. On either eigenvalue x of z, z_0 +- |z_1|, it is (x + sqrt(x^2 + 4 mu))/2.
template <ConeEntries Cone>
inline Cone smoothed_projection(const Cone& z, double mu) {
  const auto smooth = [mu](double x) {
    const double root = std::sqrt(x * x + 4.0 * mu);
    return x >= 0.0 ? 0.5 * (x + root) : 2.0 * mu / (root - x);
  };
  const double rest = rest_norm(z);
  const double plus = smooth(z.n + rest), minus = smooth(z.n - rest);
  const double c = rest > 0.0 ? 0.5 * (plus - minus) / rest : 0.0;
  return Cone::of(0.5 * (plus + minus), c * z.x, c * z.y, c * z.z, c * z.e);
}

/// The scaling of one cone.
template <ConeEntries Cone>
struct NesterovTodd {
  Cone w;              // unit: w_0^2 = 1 + |w_1|^2
  double eta = 1.0;    // (det s/det lambda)^(1/4)
  double det_l = 1.0;  // det l = sqrt(det s det lambda)
  Cone l;

  /// s and lambda must be inside the cone.
  static NesterovTodd of(const Cone& s, const Cone& lambda) {
    const double root_s = std::sqrt(determinant(s)), root_lambda = std::sqrt(determinant(lambda));
    const Cone a = s * (1.0 / root_s), b = lambda * (1.0 / root_lambda);
    const double gamma = std::sqrt(0.5 * (1.0 + dot(a, b)));
    NesterovTodd scaling;
    const double half = 0.5 / gamma;
    scaling.w = with_rest(0.0, half, a, b * -half);
    scaling.w.n = std::sqrt(1.0 + rest_dot(scaling.w, scaling.w));
    scaling.eta = std::sqrt(root_s / root_lambda);
    scaling.det_l = root_s * root_lambda;
    // l = sqrt(det l) (gamma, ((gamma + b_0) a_1 + (gamma + a_0) b_1)/(a_0 + b_0 + 2 gamma)).
    const double size = std::sqrt(scaling.det_l), weight = size / (a.n + b.n + 2.0 * gamma);
    scaling.l = with_rest(size * gamma, weight * (gamma + b.n), a, b * (weight * (gamma + a.n)));
    return scaling;
  }
};

using ConeScaling = NesterovTodd<ConeVector>;

/// W x.
template <ConeEntries Cone>
inline Cone scale(const Cone& w, double eta, const Cone& x) {
  const double t = rest_dot(w, x);
  return with_rest(w.n * x.n + t, x.n + t / (1.0 + w.n), w, x) * eta;
}

/// W^-1 x.
template <ConeEntries Cone>
inline Cone unscale(const Cone& w, double eta, const Cone& x) {
  const double t = rest_dot(w, x);
  return with_rest(w.n * x.n - t, t / (1.0 + w.n) - x.n, w, x) * (1.0 / eta);
}

/// What a compliance E = diag(E_0, R, R, R, R) makes of the scaling, in closed forms whose terms are all of
/// one sign: with the cancelling ones of a cofactor inverse the Hessian loses its definiteness to rounding.
///
///   P     = (W^2 + E)^-1            = [p_00, p_01 w_1^T; p_01 w_1, p_11 I + p_2 w_1 w_1^T]
///   N^-1  = (I + W^-1 E W^-1)^-1    = [n_00, n_01 w_1^T; n_01 w_1, n_11 I + n_2 w_1 w_1^T]
///   P = W^-1 N^-1 W^-1
struct CompliantScaling {
  double p_00, p_01, p_11, p_2;
  double n_00, n_01, n_11, n_2;

  CompliantScaling() = default;
  template <ConeEntries Cone>
  CompliantScaling(const Cone& w, double eta, double E_0, double R) {
    const double eta2 = eta * eta, rest2 = rest_dot(w, w), w02 = w.n * w.n, q = w02 + rest2;
    const double det = eta2 * (eta2 + q * (E_0 + R)) + E_0 * R;  // of W^2 + E in the plane of 0 and w_1
    p_00 = (eta2 * q + R) / det;
    p_01 = -2.0 * eta2 * w.n / det;
    p_11 = 1.0 / (eta2 + R);
    p_2 = 2.0 * eta2 * (eta2 - E_0) * p_11 / det;
    const double e = E_0 / eta2, r = R / eta2;
    const double det_n = 1.0 + (e + r) * q + e * r;
    n_00 = (1.0 + e * rest2 + r * w02) / det_n;
    n_01 = (e + r) * w.n / det_n;
    n_11 = 1.0 / (1.0 + r);
    n_2 = (e + r) * (r - 1.0) * n_11 / det_n;
  }
};

/// N^-1 x.
template <ConeEntries Cone>
inline Cone apply_compliance(const Cone& w, double n_00, double n_01, double n_11, double n_2,
                             const Cone& x) {
  const double t = rest_dot(w, x);
  return with_rest(n_00 * x.n + n_01 * t, n_01 * x.n + n_2 * t, w, x * n_11);
}

}  // namespace csim
