// The solution of a quasistatic problem: interior point, polish and method of multipliers in turn.
#pragma once

#include "solver/quasistatic/quasistatic_multipliers.h"
#include "solver/quasistatic/quasistatic_polish.h"

namespace csim {

/// Work space of `solve`, which allocates only when it must grow.
class QuasistaticSolver {
 public:
  /// Interior point, and one try of the polish: enough for most steps. Where it does not end with the exact
  /// answer, the interior point goes on without `choice`; where that is not close it starts again and
  /// converges to rounding; where it is close but not good the method of multipliers goes on; each time with
  /// more tries of the polish. The best answer, by the largest number of its certificate, is the result. With
  /// a barrier: the interior point alone.
  void solve(const QuasistaticProblem& problem, QuasistaticSolution* solution,
             QuasistaticCertificate* certificate);

  [[nodiscard]] long factor_nonzeros() const { return system_.factor_nonzeros(); }

 private:
  bool take_better(const QuasistaticProblem& problem, int most_tries, double good,
                   QuasistaticSolution* solution, QuasistaticCertificate* certificate);

  QuasistaticSystem system_;
  QuasistaticInteriorPoint interior_point_;
  QuasistaticPolish polish_;
  QuasistaticMultipliers multipliers_;
  QuasistaticSolution trial_;
  std::vector<double> rows_, work_;
};

}  // namespace csim
