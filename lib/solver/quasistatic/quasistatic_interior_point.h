// Primal-dual interior point with Mehrotra's predictor and corrector (Mehrotra 1992, SIAM J. Optim. 2) for
// the quasistatic problem, with one 3 x 3 block a contact. In each cone (a row of its own, or the three rows
// of a friction cone) with the scaling W z = W^-1 s = l of Nesterov and Todd (of a row: W = sqrt(s/z)), R the
// compliance:
//
//   r_d = Q v - b - J^T z,   r_p = J v + e + R z - s,   P = (W^2 + R + r)^-1
//   d = l \ (sigma mu - l o l - (W^-1 ds) o (W dz)),   t = W d - r_p
//   H = Q + choice + J^T P J,   H dv = -r_d + J^T P t,   dz = P (t - J dv),   ds = J dv + R dz + r_p
//
// `choice` holds v near the iterate, not near 0 [the proximal method of multipliers: Pougkakiotis & Gondzio
// 2021, An interior point-proximal method of multipliers]: it adds no error, and where v is not unique the
// first solution on the way is found. Directions are refined on the two equations that H stands for. Of cones
// these are scaled by W^-1 and P is applied as W^-1 N^-1 W^-1 (second_order_cone.h): near the boundary t is
// of size s, and P, a matrix with entries of 1/mu, times t leaves no digits of the impulse.
//
// A row that holds has s = 0 and no bound on z: P would have no bound either. Then r is small instead of 0,
// and the refinement is that with r = 0 [Altman & Gondzio 1999, Regularized symmetric indefinite systems in
// interior point methods].
//
// With a barrier s o z ends at the barrier's value instead of 0: its minimum is a point of the central path.
//
// It shares blocks, factorisation and the algebra of cones with the interior point of the contact laws
// (method/interior_point.h), not the iteration: there the cones come from a law with compliance, each contact
// acts at one point, A is positive definite, and Newton's method on the law finishes; here rows act at the
// witness points of both bodies, Q is semidefinite, and the impulses themselves are the result.
#pragma once

#include <algorithm>

#include "solver/method/cone_vectors.h"
#include "solver/quasistatic/quasistatic_scale.h"
#include "solver/quasistatic/quasistatic_system.h"

namespace csim {

struct QuasistaticSolution {
  std::vector<double> v;  // [nv]
  std::vector<double> z;  // [rows], N s
  int iterations = 0, factorizations = 0;
  bool ok = false;  // finite, however exact: the certificate judges

  /// v = 0, z = 0, ok, of which the parts of islands are to come.
  void restart(const QuasistaticProblem& problem) {
    v.assign(problem.b.size(), 0.0);
    z.assign(problem.rays.size(), 0.0);
    iterations = factorizations = 0;
    ok = true;
  }

  /// Of an island: the larger counts; ok where both are.
  void take_part(const QuasistaticSolution& part) {
    iterations = std::max(iterations, part.iterations);
    factorizations = std::max(factorizations, part.factorizations);
    ok = ok && part.ok;
  }
};

class QuasistaticInteriorPoint {
 public:
  static constexpr double kGoal = 1e-13;  // of the scaled residuals: rounding

  /// Fills *solution with the best iterate: its scaled residuals below `goal`, stalled, or after 100
  /// iterations. `load`: of the problem; `system` has its pattern.
  void solve(const QuasistaticProblem& problem, double load, double goal, QuasistaticSystem* system,
             QuasistaticSolution* solution);

  /// Goes on from the iterate that `solve` ended with to kGoal.
  void refine(const QuasistaticProblem& problem, QuasistaticSystem* system, QuasistaticSolution* solution);

 private:
  void run(const QuasistaticProblem& problem, double goal, QuasistaticSystem* system,
           QuasistaticSolution* solution);
  void start(const QuasistaticProblem& problem, QuasistaticSolution* solution);
  double set_residuals(const QuasistaticProblem& problem, const QuasistaticSolution& solution);
  bool scale(const QuasistaticProblem& problem, const QuasistaticSolution& solution);
  void set_targets(const QuasistaticProblem& problem, const QuasistaticSolution& solution, double target,
                   bool second_order);
  void unscale_cones(const QuasistaticProblem& problem, std::vector<double>* x) const;
  void apply_P(const QuasistaticProblem& problem, const std::vector<double>& x, std::vector<double>* y) const;
  void set_direction_residuals(const QuasistaticProblem& problem);
  void solve_direction(const QuasistaticProblem& problem, QuasistaticSystem* system, int refinements);
  [[nodiscard]] double largest_step(const QuasistaticProblem& problem,
                                    const QuasistaticSolution& solution) const;
  double aim_and_solve(const QuasistaticProblem& problem, QuasistaticSystem* system,
                       const QuasistaticSolution& solution);
  bool iterate(const QuasistaticProblem& problem, QuasistaticSystem* system, QuasistaticSolution* solution);

  std::vector<double> s_, r_d_, r_p_, target_, dv_, dz_, ds_, best_v_, best_z_, best_s_, work_;
  std::vector<double> square_, weight_;                          // of rows: W^2 + R, P
  std::vector<double> balance_, residual_, v_step_, dual_step_;  // of the refinement
  double load_ = 0.0;                                            // of the problem, N s
  double softness_ = 0.0;                                        // r, m/(N s)
  int idle_ = 0;                                                 // iterations since the best iterate
  std::vector<ConeScaling> scaling_;                             // [groups], of cones
  std::vector<CompliantScaling> compliant_;                      // [groups], of cones: P and N
  std::vector<Matrix3> G_;  // [groups], J^T P J in the axes of the contact
};

}  // namespace csim
