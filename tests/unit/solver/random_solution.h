// A random system solved, with its velocities as those of the model.
#pragma once

#include "solver/minimize.h"
#include "support/random_system.h"

namespace csim::testing_support {

struct Solution {
  VectorX v;  // of the model; v* where nothing touches
  SolveReport report;
  Iterate iterate;
};

inline Solution solve(const RandomSystem& system, const ConvexProblem& problem, const NewtonOptions& options,
                      const VectorX& guess) {
  Solution solution;
  NewtonWorkspace workspace;
  solution.iterate.v = guess;
  minimize(problem, options, &workspace, &solution.iterate, &solution.report);
  estimate_conditions(problem, options, &workspace, &solution.report);
  solution.v = system.free_motion.v_star;
  scatter_velocities(problem, solution.iterate.v, &solution.v);
  return solution;
}

}  // namespace csim::testing_support
