// The cost and its gradient on one island, with the columns they are made of. The columns are of the whole
// problem; islands touch disjoint ranges of them, so that threads may share them.
#pragma once

#include <array>

#include "problem/pools.h"
#include "solver/method/velocity_recurrence.h"

namespace csim {

/// Work space by row or contact of the whole problem.
struct NewtonColumns {
  VectorX A_v;       // A v
  VectorX A_v_star;  // A v*
  VectorX A_v0;      // A v0
  VectorX impulse;   // J^T gamma
  VectorX gradient;  // g
  VectorX dv;
  VectorX A_dv;
  PoolVelocities v_c, dv_c;
  PoolImpulses gamma;
  PoolHessians G;
  PoolLines lines;
  std::array<VectorX, kMaxOrder + 1> recurrence;  // work space of fit_recurrence

  /// Makes room for the problem, and gives none back.
  void resize(const ConvexProblem& problem);
};

/// What the methods ask of a point v.
struct IslandValue {
  MomentumNorms norms;
  double cost_A = 0.0;   // J, 1/2 |v - v*|_A^2
  double cost = 0.0;     // J, ell
  double v_norm2 = 0.0;  // J, |v|_A^2
};

/// Fills A v* and A v0 of the columns, which every value needs.
void begin_island(const ConvexProblem& problem, const Island& island, NewtonColumns* columns);

/// Value at v: fills v_c, gamma, A v, J^T gamma and the gradient of the columns (after begin_island).
[[nodiscard]] IslandValue evaluate_island(const ConvexProblem& problem, const Island& island,
                                          const VectorX& v, NewtonColumns* columns);

}  // namespace csim
