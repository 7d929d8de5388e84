#include "solver/method/island_value.h"

#include <algorithm>

#include "law/lane_sum.h"

namespace csim {

void begin_island(const ConvexProblem& problem, const Island& island, NewtonColumns* columns) {
  multiply_A(problem, island, problem.v_star, &columns->A_v_star);
  multiply_A(problem, island, problem.v0, &columns->A_v0);
}

IslandValue evaluate_island(const ConvexProblem& problem, const Island& island, const VectorX& v,
                            NewtonColumns* columns) {
  NewtonColumns& w = *columns;
  pool_velocities(problem, island, v, true, &w.v_c);
  const double pool_cost = evaluate_pools(problem, island, w.v_c, &w.gamma);
  pool_impulse(problem, island, w.gamma, &w.impulse);
  multiply_A(problem, island, v, &w.A_v);
  const int n_rows = island.nv();
  const double* const velocity = v.data() + island.v_begin;
  const double* const A_v = w.A_v.data() + island.v_begin;
  const double* const A_v_star = w.A_v_star.data() + island.v_begin;
  const double* const A_v0 = w.A_v0.data() + island.v_begin;
  const double* const impulse = w.impulse.data() + island.v_begin;
  const double* const scale = problem.scale.data() + island.v_begin;
  const double* const v_star = problem.v_star.data() + island.v_begin;
  double* const gradient = w.gradient.data() + island.v_begin;
  // |v - v*|_A^2/2 from the difference of momenta.
  LaneSum kinetic, gradient2, momentum2, impulse2, change2;
  constexpr int kBlock = 64;
  double k[kBlock], g2[kBlock], m2[kBlock], i2[kBlock], c2[kBlock];
  for (int begin = 0; begin < n_rows; begin += kBlock) {
    const int n = std::min(kBlock, n_rows - begin);
#pragma GCC ivdep
    for (int j = 0; j < n; ++j) {
      const int i = begin + j;
      const double change = A_v[i] - A_v_star[i];
      const double g = change - impulse[i];
      const double d2 = scale[i] * scale[i];
      gradient[i] = g;
      k[j] = 0.5 * change * (velocity[i] - v_star[i]);
      g2[j] = d2 * g * g;
      m2[j] = d2 * A_v[i] * A_v[i];
      i2[j] = d2 * impulse[i] * impulse[i];
      c2[j] = d2 * (A_v_star[i] - A_v0[i]) * (A_v_star[i] - A_v0[i]);
    }
    kinetic.add(k, n);
    gradient2.add(g2, n);
    momentum2.add(m2, n);
    impulse2.add(i2, n);
    change2.add(c2, n);
  }
  const double cost_A = kinetic.total();
  return {{gradient2.total(), momentum2.total(),
           impulse2.total() + row_impulse_norm2(problem.rows, island.rows, w.gamma.row), change2.total()},
          cost_A,
          cost_A + pool_cost,
          dot(velocity, A_v, n_rows)};
}

void NewtonColumns::resize(const ConvexProblem& problem) {
  const int nv = problem.nv();
  for (VectorX* vector : {&A_v, &A_v_star, &A_v0, &impulse, &gradient, &dv, &A_dv}) {
    if (vector->size() < nv) vector->resize(nv);
  }
  for (VectorX& vector : recurrence) {
    if (vector.size() < nv) vector.resize(nv);
  }
  v_c.resize(problem);
  dv_c.resize(problem);
  gamma.resize(problem);
  G.resize(problem);
  lines.resize(problem);
}

}  // namespace csim
