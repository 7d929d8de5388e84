// All pools of a problem at once: contacts, and scalar rows (row_pool.h). What a solver calls.
#pragma once

#include <vector>

#include "problem/convex_problem.h"

namespace csim {

/// Velocities of contacts, and of rows, m/s or rad/s.
struct PoolVelocities : ContactVelocities {
  std::vector<double> row;

  void resize(const ConvexProblem& problem);
};

/// Impulses of contacts, N s, world axes, on body b, and of rows, N s or N m s.
struct PoolImpulses : Vector3Columns {
  std::vector<double> row;

  void resize(const ConvexProblem& problem);
};

/// -d gamma / d v of contacts and rows.
struct PoolHessians : ContactHessians {
  std::vector<double> row;

  void resize(const ConvexProblem& problem);
};

/// Contacts and rows along a line v + alpha dv.
struct PoolLines : ContactLines {
  std::vector<double> row_v, row_dv;

  void resize(const ConvexProblem& problem);
};

/// J v + b of the island's contacts and c^T v of its rows; without the bias it maps a difference of
/// velocities. `v` is of the whole problem.
void pool_velocities(const ConvexProblem& problem, const Island& island, const VectorX& v, bool with_bias,
                     PoolVelocities* v_c);

/// Returns the island's sum of costs (J) and fills its part of *gamma.
double evaluate_pools(const ConvexProblem& problem, const Island& island, const PoolVelocities& v,
                      PoolImpulses* gamma);

/// Fills G; `dual` as of ContactLaw::hessian.
void pool_hessians(const ConvexProblem& problem, const Island& island, const PoolVelocities& v,
                   const Vector3Columns* dual, PoolHessians* G);

/// The island's rows of J^T gamma, of all pools; other rows of *out stay.
void pool_impulse(const ConvexProblem& problem, const Island& island, const PoolImpulses& gamma,
                  VectorX* out);

/// The five scalars of each contact of the island along v + alpha dv, and the two of each row.
void fill_pool_lines(const Island& island, const PoolVelocities& v, const PoolVelocities& dv,
                     PoolLines* lines);

/// The sum of costs and its derivatives at v + alpha dv.
[[nodiscard]] LineValue evaluate_pool_lines(const ConvexProblem& problem, const Island& island,
                                            const PoolLines& lines, double alpha);

}  // namespace csim
