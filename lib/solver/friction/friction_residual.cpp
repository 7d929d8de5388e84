#include "solver/friction/friction_residual.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace csim {
namespace {

/// u~ - u of the normal: sum_k mu_k |u_k|.
double shift(const FrictionProblem& problem, int contact, const Eigen::Ref<const VectorX>& u) {
  double sum = 0.0;
  for (int k = 0; k < num_frictions(problem.dimension); ++k) {
    const FrictionRows rows = friction_rows(problem.dimension, k);
    sum += coefficient(problem, contact, k) * u.segment(rows.first, rows.count).norm();
  }
  return sum;
}

double mean_diagonal(const FrictionProblem& problem, int contact) {
  double sum = 0.0;
  for (int i = 0; i < problem.dimension; ++i) {
    const int row = problem.dimension * contact + i;
    sum += problem.W.coeff(row, row);
  }
  return sum / problem.dimension;
}

/// F_c/rho.
VectorX natural_map(const FrictionProblem& problem, int contact, const Eigen::Ref<const VectorX>& r,
                    const Eigen::Ref<const VectorX>& u, double rho) {
  VectorX z = r - rho * u;
  z[0] -= rho * shift(problem, contact, u);
  project_on_cone(problem, contact, z);
  return (r - z) / rho;
}

}  // namespace

void project_on_cone(const FrictionProblem& problem, int contact, Eigen::Ref<VectorX> z) {
  struct Part {
    FrictionRows rows;
    double mu, norm;
  };
  std::array<Part, 2> parts;
  const int count = num_frictions(problem.dimension);
  for (int k = 0; k < count; ++k) {
    const FrictionRows rows = friction_rows(problem.dimension, k);
    parts[k] = {rows, coefficient(problem, contact, k), z.segment(rows.first, rows.count).norm()};
  }
  // From n = 0 on, parts leave the sum as n passes |t_k|/mu_k, the smallest first.
  std::sort(parts.begin(), parts.begin() + count,
            [](const Part& a, const Part& b) { return a.norm * b.mu < b.norm * a.mu; });
  double n = 0.0;
  for (int inside = 0; inside <= count; ++inside) {
    double right = z[0], left = 1.0;
    for (int k = inside; k < count; ++k) {
      right += parts[k].mu * parts[k].norm;
      left += parts[k].mu * parts[k].mu;
    }
    n = std::max(right / left, 0.0);
    if (inside == count || parts[inside].mu * n <= parts[inside].norm) break;
  }
  z[0] = n;
  for (int k = 0; k < count; ++k) {
    const double limit = parts[k].mu * n;
    if (parts[k].norm > limit) z.segment(parts[k].rows.first, parts[k].rows.count) *= limit / parts[k].norm;
  }
}

VectorX contact_velocity(const FrictionProblem& problem, const VectorX& r) {
  return problem.W * r + problem.q;
}

FrictionResidual friction_residual(const FrictionProblem& problem, const VectorX& r) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  FrictionResidual residual;
  if (!r.allFinite()) return {kNone, kNone, -1};
  const VectorX u = contact_velocity(problem, r);
  if (!u.allFinite()) return {kNone, kNone, -1};
  // In a unit of about the largest entry of q no square overflows; a power of two rounds nothing.
  const double largest = problem.q.size() > 0 ? problem.q.lpNorm<Eigen::Infinity>() : 0.0;
  const double unit = largest > 0.0 ? std::ldexp(1.0, std::ilogb(largest)) : 1.0;
  const double size = largest > 0.0 ? (problem.q / unit).norm() : 1.0;
  double sum = 0.0, scaled_sum = 0.0, worst = -1.0;
  for (int c = 0; c < problem.num_contacts(); ++c) {
    const VectorX r_c = r.segment(problem.dimension * c, problem.dimension) / unit;
    const VectorX u_c = u.segment(problem.dimension * c, problem.dimension) / unit;
    const double diagonal = mean_diagonal(problem, c);
    const double plain = natural_map(problem, c, r_c, u_c, 1.0).squaredNorm();
    const double scaled =
        diagonal > 0.0 ? natural_map(problem, c, r_c, u_c, 1.0 / diagonal).squaredNorm() : plain;
    if (!std::isfinite(plain + scaled)) return {kNone, kNone, c};
    sum += plain;
    scaled_sum += scaled;
    if (std::max(plain, scaled) > worst) {
      worst = std::max(plain, scaled);
      residual.worst_contact = c;
    }
  }
  residual.natural_map = std::sqrt(sum) / size;
  residual.scaled = std::sqrt(scaled_sum) / size;
  return residual;
}

double motion_residual(const GlobalFrictionProblem& problem, const VectorX& v, const VectorX& r) {
  if (v.size() == 0) return 0.0;
  const VectorX momentum = problem.M * v, impulse = problem.H * r;
  const double size = std::max({momentum.lpNorm<Eigen::Infinity>(), impulse.lpNorm<Eigen::Infinity>(),
                                problem.f.lpNorm<Eigen::Infinity>()});
  return size > 0.0 ? (momentum - impulse - problem.f).lpNorm<Eigen::Infinity>() / size : 0.0;
}

}  // namespace csim
