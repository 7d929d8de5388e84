// From the interior point's answer to the exact one. Where a contact just touches, or is just at its friction
// limit, the interior point converges like the square root of its gap; an equality problem on the rows that
// act has no such limit.
#pragma once

#include "solver/quasistatic/quasistatic_certificate.h"
#include "solver/quasistatic/quasistatic_interior_point.h"

namespace csim {

class QuasistaticPolish {
 public:
  /// Replaces *solution by a better one (by the largest number of *certificate, which follows) of the problem
  /// without `choice`, if it finds one. Rows act where s/max(|J v|, |e|) < z/max z; then
  ///
  ///   [Q + choice, -J_A^T; J_A, 1/rho] (dv, dz) = residuals of [Q v - J_A^T z = b; J_A v = -e]
  ///
  /// is repeated until dv is rounding: iterative refinement towards 1/rho = 0, at first of the problem with
  /// `choice`, then from its answer on without. Rows that pull are released, rows that are violated are taken
  /// in, and so again.
  void improve(const QuasistaticProblem& problem, QuasistaticSystem* system, QuasistaticSolution* solution,
               QuasistaticCertificate* certificate);

 private:
  void find_active_rows(const QuasistaticProblem& problem, const QuasistaticSolution& solution);
  bool solve_equalities(const QuasistaticProblem& problem, QuasistaticSystem* system,
                        QuasistaticSolution* trial);
  bool change_active_rows(const QuasistaticProblem& problem, const QuasistaticSolution& trial);

  QuasistaticSolution trial_;
  std::vector<char> active_;
  std::vector<double> rows_, weight_, r2_, dv_, work_;
};

}  // namespace csim
