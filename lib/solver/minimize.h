// The minimum of the convex problem of a step: its islands, shared out to threads, each by its method
// (solve_island.h).
#pragma once

#include <memory>
#include <vector>

#include "solver/iterate.h"
#include "solver/method/newton.h"
#include "solver/solve_report.h"

namespace csim {

/// Memory and factorisations that are kept between solves; may be dropped without changing a bit.
class NewtonWorkspace {
 public:
  NewtonWorkspace();
  ~NewtonWorkspace();
  NewtonWorkspace(NewtonWorkspace&&) noexcept;
  NewtonWorkspace& operator=(NewtonWorkspace&&) noexcept;

  struct Implementation;
  [[nodiscard]] Implementation& implementation() { return *implementation_; }

 private:
  std::unique_ptr<Implementation> implementation_;
};

/// Minimises ell from the guess iterate->v, which receives the best iterate. Numerical trouble is reported,
/// never thrown. With `asked` (by island) the others stay as the last solve of them left them, which was of
/// the same data: they count in the report with their status and residual, not with iterations. They do not
/// count where `others_are_solved` is false.
void minimize(const ConvexProblem& problem, const NewtonOptions& options, NewtonWorkspace* workspace,
              Iterate* iterate, SolveReport* report, const std::vector<char>* asked = nullptr,
              bool others_are_solved = true);

/// The condition number, as options.condition asks, of the last matrix of each island that the last
/// `minimize` was asked for: the largest is report->condition, NaN where it made none. Apart, since it costs
/// as much as an iteration, and of the solves of a step only the last one is told of.
void estimate_conditions(const ConvexProblem& problem, const NewtonOptions& options,
                         NewtonWorkspace* workspace, SolveReport* report);

/// After `minimize`, which need not have converged: Coulomb's friction in the islands asked for, from
/// iterate->v on (solve_coulomb). An entry of *asked becomes 0 where it did not converge; velocities and
/// bounds of that island stay. Of the report only counts, history, seconds and condition are filled.
void couple_friction(const NewtonOptions& options, ConvexProblem* problem, NewtonWorkspace* workspace,
                     std::vector<char>* asked, Iterate* iterate, SolveReport* report);

}  // namespace csim
