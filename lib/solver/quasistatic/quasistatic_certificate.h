// How far impulses and velocities are from the optimum of a quasistatic problem: its optimality conditions,
// each as a number.
#pragma once

#include <vector>

#include "problem/quasistatic_problem.h"

namespace csim {

/// With s = J v + e, of the problem without `choice`. In a friction cone s_0 - |(s_1, s_2)| stands for a
/// row's s, the same of z, and the scalar product for s z. With a barrier s z is that of its minimum, barrier
/// of a row and twice that of a cone. Impulses of rows with compliance count as loads like b.
struct QuasistaticCertificate {
  // |Q v - b - J^T z| / max(|b|, |J^T z|); of trees that execute their commands without J^T z.
  double stationarity = 0.0;
  double primal = 0.0;           // largest violation of s + compliance z >= 0, m/s
  double dual_sign = 0.0;        // largest -z / max(max |z|, 1e-6 |b|)
  double complementarity = 0.0;  // max |s z| / (max(1e-9, |b|) 1 m/s), with s + compliance z
  // The same as stationarity by passive tree: the largest |Q v - b - J^T z| of one over its own |b|, or over
  // 1e-4 of the largest |b| where that is more: gravity on a rope that hangs straight is round-off.
  double balance = 0.0;

  [[nodiscard]] double largest() const;
};

/// The largest share of a passive tree's own load that `missing` [nv] is, as `balance`; `b`: |b|.
[[nodiscard]] double largest_share(const QuasistaticProblem& problem, double b,
                                   const std::vector<double>& missing);

/// Norms are largest magnitudes. `work_rows`, `work_v`: work space.
[[nodiscard]] QuasistaticCertificate certify(const QuasistaticProblem& problem, const std::vector<double>& v,
                                             const std::vector<double>& z, std::vector<double>* work_rows,
                                             std::vector<double>* work_v);

}  // namespace csim
