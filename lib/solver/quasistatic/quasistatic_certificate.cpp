#include "solver/quasistatic/quasistatic_certificate.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace csim {
namespace {

constexpr double kSignFloor = 1e-6;  // of the load, scale of the sign where no row has a force
constexpr double kLoadFloor = 1e-4;  // of the load, scale of the balance of a tree without its own

}  // namespace

double QuasistaticCertificate::largest() const {
  return std::max({stationarity, primal, dual_sign, complementarity, balance});
}

double largest_share(const QuasistaticProblem& problem, double load, const std::vector<double>& impulses,
                     const std::vector<double>& missing) {
  double share = 0.0;
  for (int t = 0; t < problem.num_trees(); ++t) {
    double own = kLoadFloor * load, error = 0.0;
    for (int k = problem.begin[t]; k < problem.begin[t + 1]; ++k) {
      if (problem.is_passive[k] == 0) continue;
      own = std::max({own, std::abs(problem.b[k]), std::abs(impulses[k])});
      error = std::max(error, std::abs(missing[k]));
    }
    if (own > 0.0) share = std::max(share, error / own);
  }
  return share;
}

QuasistaticCertificate certify(const QuasistaticProblem& problem, double load, const std::vector<double>& v,
                               const std::vector<double>& z, CertificateWork* work) {
  QuasistaticCertificate c;
  std::vector<double>&s = work->rows, &impulses = work->impulses, &residual = work->residual;
  impulses.assign(problem.b.size(), 0.0);
  add_transposed_jacobian(problem, z, &impulses);
  for (int k = 0; problem.executes_commands && k < problem.nv(); ++k)
    if (problem.is_passive[k] == 0) impulses[k] = 0.0;
  for (std::size_t j = 0; j < z.size(); ++j)
    if (problem.compliance[j] > 0.0) load = std::max(load, std::abs(z[j]));
  residual.resize(problem.b.size());
  for (std::size_t k = 0; k < residual.size(); ++k) residual[k] = -impulses[k] - problem.b[k];
  add_blocks(problem, problem.Q, 1.0, v, &residual);
  constexpr double kTiny = std::numeric_limits<double>::min();  // nothing to do: all are 0
  c.stationarity = max_norm(residual) / std::max({kTiny, load, max_norm(impulses)});
  c.balance = largest_share(problem, load, impulses, residual);
  multiply_jacobian(problem, v, &s);
  double least = 0.0, largest = 0.0;
  for (const QuasistaticGroup& group : problem.groups) {
    double product = 0.0;
    for (int j = group.row_begin; j < group.row_end; ++j) {
      const double slack = s[j] += problem.e[j] + problem.compliance[j] * z[j];
      if (problem.is_held(static_cast<std::size_t>(j))) {
        c.primal = std::max(c.primal, std::abs(slack));
        continue;
      }
      largest = std::max(largest, z[j]);
      product += slack * z[j];
      if (group.is_cone) continue;
      c.primal = std::max(c.primal, -slack);
      least = std::min(least, z[j]);
      c.complementarity = std::max(c.complementarity, std::abs(slack * z[j] - problem.barrier));
    }
    if (!group.is_cone) continue;
    const int j = group.row_begin;
    c.primal = std::max(c.primal, std::hypot(s[j + 1], s[j + 2]) - s[j]);
    least = std::min(least, z[j] - std::hypot(z[j + 1], z[j + 2]));
    c.complementarity = std::max(c.complementarity, std::abs(product - 2.0 * problem.barrier));
  }
  c.complementarity /= std::max(kTiny, load);
  if (least < 0.0) c.dual_sign = -least / std::max({largest, -least, kSignFloor * load});
  return c;
}

}  // namespace csim
