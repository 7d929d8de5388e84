// Primal-dual interior point with Mehrotra's predictor and corrector (Mehrotra 1992, SIAM J. Optim. 2) for
// the quasistatic problem, with one 3 x 3 block a contact:
//
//   r_d = (Q + choice) v - b - J^T z,   r_p = J v + e + R z - s,   w = z/(s + R z)        (R: compliance)
//   H = Q + choice + J^T diag(w) J,     H dv = -r_d + J^T (c - z r_p)/(s + R z)
//   dz = (c - z (J dv + r_p))/(s + R z),   ds = J dv + R dz + r_p,   c = sigma mu - s z - ds dz
//
// It shares blocks and factorisation with the interior point of the contact laws (method/interior_point.h),
// not the iteration: there the cones come from a law with compliance, each contact acts at one point, A is
// positive definite, and Newton's method on the law finishes; here rows are the rays of pyramids at the
// witness points of both bodies, Q is semidefinite, and the impulses themselves are the result.
#pragma once

#include "solver/quasistatic/quasistatic_system.h"

namespace csim {

struct QuasistaticSolution {
  std::vector<double> v;  // [nv]
  std::vector<double> z;  // [rows], N s
  int iterations = 0, factorizations = 0;
  bool ok = false;  // finite, however exact: the certificate judges
};

class QuasistaticInteriorPoint {
 public:
  /// Fills *solution with the best iterate: converged to rounding, stalled, or after 100 iterations.
  /// `system` has the problem's pattern.
  void solve(const QuasistaticProblem& problem, QuasistaticSystem* system, QuasistaticSolution* solution);

 private:
  void start(const QuasistaticProblem& problem, QuasistaticSolution* solution);
  double set_residuals(const QuasistaticProblem& problem, const QuasistaticSolution& solution);
  void solve_direction(const QuasistaticProblem& problem, const QuasistaticSolution& solution,
                       QuasistaticSystem* system, double target, bool second_order);
  [[nodiscard]] double largest_step(const QuasistaticSolution& solution) const;

  std::vector<double> s_, r_d_, r_p_, weight_, right_, dv_, dz_, ds_, best_v_, best_z_, product_;
};

}  // namespace csim
