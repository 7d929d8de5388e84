// Minimum of the dense twin by a plain damped Newton method that shares only the law's scalar formulas with
// the solver under test.
#pragma once

#include <Eigen/Cholesky>

#include "support/random_system.h"

namespace csim::testing_support {

struct DensePoint {
  double cost = 0.0;
  VectorX gradient;
  MatrixX hessian;
};

inline DensePoint evaluate_twin(const DenseTwin& twin, const ConvexProblem& problem, const VectorX& v) {
  const int n = problem.num_contacts();
  const ContactColumns& c = problem.contacts;
  const VectorX v_c = twin.J * v + twin.b;
  ContactVelocities split;
  Vector3Columns gamma;
  ContactHessians G;
  split.resize(n);
  gamma.resize(n);
  G.resize(n);
  for (int i = 0; i < n; ++i) {
    const Vector3 vi = v_c.segment<3>(3 * i), normal = c.normal[i];
    split.normal[i] = vi.dot(normal);
    split.tangential.set(i, vi - vi.dot(normal) * normal);
  }
  DensePoint point;
  const VectorX momentum = twin.A * (v - twin.v_star);
  point.cost = 0.5 * (v - twin.v_star).dot(momentum) + problem.law->evaluate(c, {0, n}, split, &gamma);
  problem.law->hessian(c, {0, n}, split, nullptr, &G);
  VectorX impulse(3 * n);
  MatrixX GJ(3 * n, v.size());
  for (int i = 0; i < n; ++i) {
    impulse.segment<3>(3 * i) = gamma[i];
    GJ.middleRows(3 * i, 3) = G[i] * twin.J.middleRows(3 * i, 3);
  }
  point.gradient = momentum - twin.J.transpose() * impulse;
  point.hessian = twin.A + twin.J.transpose() * GJ;
  for (int i = 0; i < problem.num_rows(); ++i) {
    const RowColumns& rows = problem.rows;
    const double v_i = twin.C.row(i).dot(v);
    const double free = (rows.v_hat[i] - v_i) / rows.R[i];
    const double gamma = std::max(rows.lower[i], std::min(free, rows.upper[i]));
    point.cost += gamma * (rows.v_hat[i] - v_i) - 0.5 * rows.R[i] * gamma * gamma;
    point.gradient -= gamma * twin.C.row(i).transpose();
    if (gamma == free) point.hessian += twin.C.row(i).transpose() * twin.C.row(i) / rows.R[i];
  }
  return point;
}

/// Minimises from `v` until the A-norm of the step is below 1e-14 of the velocity's or 2000 iterations. Step
/// lengths by bisection on ell', which never asks for the cost to be accurate.
inline VectorX minimize_twin(const DenseTwin& twin, const ConvexProblem& problem, VectorX v) {
  for (int k = 0; k < 2000; ++k) {
    const DensePoint at = evaluate_twin(twin, problem, v);
    const VectorX dv = at.hessian.llt().solve(-at.gradient);
    const auto slope = [&](double alpha) {
      const DensePoint p = evaluate_twin(twin, problem, v + alpha * dv);
      return std::isfinite(p.cost) ? p.gradient.dot(dv) : std::numeric_limits<double>::infinity();
    };
    double alpha = 1.0;
    if (slope(1.0) > 0.1 * std::abs(at.gradient.dot(dv))) {
      double lo = 0.0, hi = 1.0;
      for (int i = 0; i < 25; ++i) {
        alpha = 0.5 * (lo + hi);
        (slope(alpha) < 0.0 ? lo : hi) = alpha;
      }
      alpha = lo > 0.0 ? lo : alpha;
    }
    v += alpha * dv;
    if (alpha * std::sqrt(dv.dot(twin.A * dv)) <= 1e-14 * std::sqrt(v.dot(twin.A * v))) break;
  }
  return v;
}

/// |x|_A.
inline double energy_norm(const DenseTwin& twin, const VectorX& x) {
  return std::sqrt(x.dot(twin.A * x));
}

}  // namespace csim::testing_support
