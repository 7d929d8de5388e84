// The solution of a quasistatic problem: interior point, polish and method of multipliers in turn.
#pragma once

#include "problem/quasistatic_islands.h"
#include "solver/quasistatic/quasistatic_choice.h"
#include "solver/quasistatic/quasistatic_multipliers.h"
#include "solver/quasistatic/quasistatic_polish.h"

namespace csim {

/// Work space of `solve`, which allocates only when it must grow.
class QuasistaticSolver {
 public:
  /// Each island apart. First as if it rested (`QuasistaticPolish::rest`). Where that is not the answer:
  /// interior point, and one try of the polish, enough for most steps. Where it does not end with the exact
  /// answer, the interior point goes on; where that is close but not good the method of multipliers goes on;
  /// each time the polish tries again. Where springs are so soft that this does not tell them from `choice`,
  /// all of it again with a smaller one, of which the answer is free. The best answer, by the largest number
  /// of its certificate, is the result; where others are as good, that of least norm (quasistatic_choice.h),
  /// by the same methods. With a barrier: the interior point alone. Iterations and factorizations: largest
  /// over islands, without those of the choice.
  void solve(const QuasistaticProblem& problem, QuasistaticSolution* solution,
             QuasistaticCertificate* certificate);

  /// Of the last problem.
  [[nodiscard]] int num_islands() const { return islands_.count(); }
  [[nodiscard]] long factor_nonzeros() const;

 private:
  void choose(const QuasistaticProblem& problem, double load, QuasistaticSystem* system,
              QuasistaticSolution* solution);
  void solve_island(const QuasistaticProblem& problem, double load, QuasistaticSystem* system,
                    QuasistaticSolution* solution);
  /// Returns the largest number of the certificate.
  double try_methods(const QuasistaticProblem& problem, double load, QuasistaticSystem* system,
                     QuasistaticSolution* solution);
  bool take_better(const QuasistaticProblem& problem, double load, int most_tries, double good,
                   QuasistaticSystem* system, QuasistaticSolution* solution,
                   QuasistaticCertificate* certificate);

  QuasistaticIslands islands_;
  std::vector<QuasistaticSystem> systems_;  // by island: its pattern often stays
  std::vector<QuasistaticSystem> choice_systems_;
  QuasistaticProblem choice_;   // of an island: which of its solutions
  QuasistaticProblem smaller_;  // an island with a smaller `choice`
  std::vector<double> rows_;
  QuasistaticInteriorPoint interior_point_;
  QuasistaticPolish polish_;
  QuasistaticMultipliers multipliers_;
  QuasistaticSolution part_, trial_, way_, other_;
  CertificateWork work_;
};

}  // namespace csim
