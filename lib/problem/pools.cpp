#include "problem/pools.h"

namespace csim {

void PoolVelocities::resize(const ConvexProblem& problem) {
  ContactVelocities::resize(problem.num_contacts());
  row.resize(problem.num_rows());
}

void PoolImpulses::resize(const ConvexProblem& problem) {
  Vector3Columns::resize(problem.num_contacts());
  row.resize(problem.num_rows());
}

void PoolHessians::resize(const ConvexProblem& problem) {
  ContactHessians::resize(problem.num_contacts());
  row.resize(problem.num_rows());
}

void PoolLines::resize(const ConvexProblem& problem) {
  ContactLines::resize(problem.num_contacts());
  row_v.resize(problem.num_rows());
  row_dv.resize(problem.num_rows());
}

void pool_velocities(const ConvexProblem& problem, const Island& island, const VectorX& v, bool with_bias,
                     PoolVelocities* v_c) {
  contact_velocities(problem, island, v, with_bias, v_c);
  for (int i = island.rows.begin; i < island.rows.end; ++i) v_c->row[i] = row_velocity(problem.rows, i, v);
}

double evaluate_pools(const ConvexProblem& problem, const Island& island, const PoolVelocities& v,
                      PoolImpulses* gamma) {
  return problem.law->evaluate(problem.contacts, island.contacts, v, gamma) +
         evaluate_rows(problem.rows, island.rows, v.row, &gamma->row);
}

void pool_hessians(const ConvexProblem& problem, const Island& island, const PoolVelocities& v,
                   const Vector3Columns* dual, PoolHessians* G) {
  problem.law->hessian(problem.contacts, island.contacts, v, dual, G);
  row_hessian(problem.rows, island.rows, v.row, &G->row);
}

void pool_impulse(const ConvexProblem& problem, const Island& island, const PoolImpulses& gamma,
                  VectorX* out) {
  generalized_impulse(problem, island, gamma, out);
  const RowColumns& rows = problem.rows;
  for (int i = island.rows.begin; i < island.rows.end; ++i) {
    for (int k = rows.term_begin[i]; k < rows.term_begin[i + 1]; ++k)
      (*out)[rows.terms[k].v] += rows.terms[k].coefficient * gamma.row[i];
  }
}

void fill_pool_lines(const Island& island, const PoolVelocities& v, const PoolVelocities& dv,
                     PoolLines* lines) {
  for (int i = island.rows.begin; i < island.rows.end; ++i) {
    lines->row_v[i] = v.row[i];
    lines->row_dv[i] = dv.row[i];
  }
  const Vector3Columns& t = v.tangential;
  const Vector3Columns& d = dv.tangential;
#pragma GCC ivdep
  for (int i = island.contacts.begin; i < island.contacts.end; ++i) {
    const double dt2 = d.x[i] * d.x[i] + d.y[i] * d.y[i] + d.z[i] * d.z[i];
    const double t_dot_d = t.x[i] * d.x[i] + t.y[i] * d.y[i] + t.z[i] * d.z[i];
    const double alpha0 = dt2 > 0.0 ? -t_dot_d / dt2 : 0.0;
    const double x = t.x[i] + alpha0 * d.x[i], y = t.y[i] + alpha0 * d.y[i], z = t.z[i] + alpha0 * d.z[i];
    lines->v_n[i] = v.normal[i];
    lines->dv_n[i] = dv.normal[i];
    lines->s2_min[i] = x * x + y * y + z * z;
    lines->alpha0[i] = alpha0;
    lines->dt2[i] = dt2;
  }
}

LineValue evaluate_pool_lines(const ConvexProblem& problem, const Island& island, const PoolLines& lines,
                              double alpha) {
  LineValue value = problem.law->evaluate_line(problem.contacts, island.contacts, lines, alpha);
  const LineValue rows = evaluate_row_line(problem.rows, island.rows, lines.row_v, lines.row_dv, alpha);
  value.cost += rows.cost;
  value.first += rows.first;
  value.second += rows.second;
  return value;
}

}  // namespace csim
