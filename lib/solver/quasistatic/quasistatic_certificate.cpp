#include "solver/quasistatic/quasistatic_certificate.h"

#include <algorithm>
#include <cmath>

namespace csim {
namespace {

constexpr double kSmallestImpulse = 1e-12;  // N s, scale of stationarity without any force
constexpr double kSignFloor = 1e-6;         // of |b|, scale of the sign where no row has a force
constexpr double kLoadFloor = 1e-4;         // of |b|, scale of the balance of a tree without load
constexpr double kSmallestProduct = 1e-9;   // N s, scale of complementarity without any force

}  // namespace

double QuasistaticCertificate::largest() const {
  return std::max({stationarity, primal, dual_sign, complementarity, balance});
}

double largest_share(const QuasistaticProblem& problem, double b, const std::vector<double>& missing) {
  double share = 0.0;
  for (int t = 0; t < problem.num_trees(); ++t) {
    if (!problem.is_passive[t]) continue;
    double load = kLoadFloor * b, error = 0.0;
    for (int k = problem.begin[t]; k < problem.begin[t + 1]; ++k) {
      load = std::max(load, std::abs(problem.b[k]));
      error = std::max(error, std::abs(missing[k]));
    }
    if (load > 0.0) share = std::max(share, error / load);
  }
  return share;
}

QuasistaticCertificate certify(const QuasistaticProblem& problem, const std::vector<double>& v,
                               const std::vector<double>& z, std::vector<double>* s,
                               std::vector<double>* residual) {
  QuasistaticCertificate c;
  residual->assign(problem.b.size(), 0.0);
  add_transposed_jacobian(problem, z, residual);
  for (int t = 0; t < problem.num_trees(); ++t) {
    if (problem.executes_commands && !problem.is_passive[t])
      std::fill_n(residual->begin() + problem.begin[t], problem.size[t], 0.0);
  }
  const double impulse = max_norm(*residual);
  double b = max_norm(problem.b);
  for (std::size_t j = 0; j < z.size(); ++j)
    if (problem.compliance[j] > 0.0) b = std::max(b, std::abs(z[j]));
  for (std::size_t k = 0; k < residual->size(); ++k) (*residual)[k] = -(*residual)[k] - problem.b[k];
  add_blocks(problem, problem.Q, 1.0, v, residual);
  c.stationarity = max_norm(*residual) / std::max({kSmallestImpulse, b, impulse});
  c.balance = largest_share(problem, b, *residual);
  multiply_jacobian(problem, v, s);
  double least = 0.0, largest = 0.0;
  for (const QuasistaticGroup& group : problem.groups) {
    double product = 0.0;
    for (int j = group.row_begin; j < group.row_end; ++j) {
      const double slack = (*s)[j] += problem.e[j] + problem.compliance[j] * z[j];
      largest = std::max(largest, z[j]);
      product += slack * z[j];
      if (group.is_cone) continue;
      c.primal = std::max(c.primal, -slack);
      least = std::min(least, z[j]);
      c.complementarity = std::max(c.complementarity, std::abs(slack * z[j] - problem.barrier));
    }
    if (!group.is_cone) continue;
    const int j = group.row_begin;
    c.primal = std::max(c.primal, std::hypot((*s)[j + 1], (*s)[j + 2]) - (*s)[j]);
    least = std::min(least, z[j] - std::hypot(z[j + 1], z[j + 2]));
    c.complementarity = std::max(c.complementarity, std::abs(product - 2.0 * problem.barrier));
  }
  c.complementarity /= std::max(kSmallestProduct, b);
  if (least < 0.0) c.dual_sign = -least / std::max({largest, -least, kSignFloor * b});
  return c;
}

}  // namespace csim
