// How far impulses and velocities are from the optimum of a quasistatic problem: its optimality conditions,
// each as a number.
#pragma once

#include <vector>

#include "problem/quasistatic_problem.h"

namespace csim {

/// With s = J v + e, of the problem without `choice`. In a friction cone s_0 - |(s_1, s_2)| stands for a
/// row's s, the same of z, and the scalar product for s z. With a barrier s z is that of its minimum, barrier
/// of a row and twice that of a cone. L: the problem's load (quasistatic_scale.h), or the largest impulse of
/// a row with compliance where that is more.
struct QuasistaticCertificate {
  // |Q v - b - J^T z| / max(L, |J^T z|); of coordinates that execute commands without J^T z.
  double stationarity = 0.0;
  double primal = 0.0;           // largest violation of s + compliance z >= 0 (of a row that holds: = 0), m/s
  double dual_sign = 0.0;        // largest -z / max(max |z|, 1e-6 L)
  double complementarity = 0.0;  // max |s z| / (L 1 m/s), with s + compliance z
  // The same as stationarity of the passive coordinates by tree: the largest |Q v - b - J^T z| of one over
  // its own |b| and |J^T z|, or over 1e-4 L where that is more: gravity on a rope that hangs straight is
  // round-off.
  double balance = 0.0;

  [[nodiscard]] double largest() const;
};

/// The largest share that `missing` is of the |b| and |impulses| of a tree's passive coordinates, as
/// `balance` (both [nv]).
[[nodiscard]] double largest_share(const QuasistaticProblem& problem, double load,
                                   const std::vector<double>& impulses, const std::vector<double>& missing);

/// Work space of `certify`.
struct CertificateWork {
  std::vector<double> rows, impulses, residual;
};

/// Norms are largest magnitudes. `load`: of the problem.
[[nodiscard]] QuasistaticCertificate certify(const QuasistaticProblem& problem, double load,
                                             const std::vector<double>& v, const std::vector<double>& z,
                                             CertificateWork* work);

}  // namespace csim
