// The minimum of the convex problem of a step: its islands, shared out to threads, each by its method
// (solve_island.h).
#pragma once

#include <memory>

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
/// never thrown.
void minimize(const ConvexProblem& problem, const NewtonOptions& options, NewtonWorkspace* workspace,
              Iterate* iterate, SolveReport* report);

}  // namespace csim
