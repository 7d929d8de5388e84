// The linear systems of the quasistatic solvers: Q + choice + J^T G J with one 3 x 3 matrix a contact, on the
// blocks and the Cholesky of the dynamic solvers.
#pragma once

#include <memory>
#include <vector>

#include "problem/quasistatic_problem.h"
#include "solver/linear/linear_solver.h"

namespace csim {

class QuasistaticSystem {
 public:
  QuasistaticSystem();

  /// Takes over the problem's pattern; call before `factor` for every new problem.
  void analyze(const QuasistaticProblem& problem);

  /// Factors Q + choice + sum J^T G J with the `matrices` G by group, in the axes of the contact. Where
  /// rounding has taken the matrix its definiteness, a part of 1e-14 (or more, up to 1e-8) of the largest
  /// entry of the diagonal is added. False when that does not help.
  [[nodiscard]] bool factor(const QuasistaticProblem& problem, const std::vector<Matrix3>& matrices);

  /// Solves in place, [nv].
  void solve(std::vector<double>* x) { solver_->solve(x->data()); }

  [[nodiscard]] long factor_nonzeros() const { return solver_->factor_nonzeros(); }

 private:
  void assemble(const QuasistaticProblem& problem, const std::vector<Matrix3>& matrices);

  BlockSymmetricMatrix H_;
  std::unique_ptr<LinearSolver> solver_;
  std::vector<BlockSymmetricMatrix::Edge>
      edges_;                      // of the pairs of trees of a group, as `set_pattern` takes them
  std::vector<int> edge_of_pair_;  // the same pairs, in the order of their groups
};

}  // namespace csim
