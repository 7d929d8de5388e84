#include "solver/quasistatic/quasistatic_interior_point.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace csim {
namespace {

constexpr int kMaxIterations = 100;
constexpr int kPatience = 6;     // iterations without a better iterate before it counts as stalled
constexpr double kGoal = 1e-13;  // of the scaled residuals: rounding
constexpr double kBoundaryFraction = 0.995;
constexpr double kSmallestStep = 1e-10;
constexpr double kSmallestSlack = 0.1;  // m/s, at the start
constexpr double kFirstImpulse = 0.1;   // of |b|, at the start

}  // namespace

void QuasistaticInteriorPoint::start(const QuasistaticProblem& problem, QuasistaticSolution* solution) {
  const auto m = static_cast<std::size_t>(problem.num_rows());
  solution->v.assign(problem.b.size(), 0.0);
  double load = max_norm(problem.b);
  const double softest = max_norm(problem.compliance);
  if (softest > 0.0) load = std::max(load, max_norm(problem.e) / softest);
  if (load == 0.0) load = max_norm(problem.Q) + max_norm(problem.choice);  // times 1 m/s
  solution->z.assign(m, kFirstImpulse * (load > 0.0 ? load : 1.0));
  s_.assign(m, std::max(max_norm(problem.e), kSmallestSlack));
  weight_.resize(m);
  right_.resize(m);
  dz_.resize(m);
  ds_.resize(m);
  r_p_.resize(m);
}

/// r_d, r_p at the iterate; returns the largest of the scaled residuals and the scaled gap.
double QuasistaticInteriorPoint::set_residuals(const QuasistaticProblem& problem,
                                               const QuasistaticSolution& solution) {
  constexpr double kTiny = std::numeric_limits<double>::min();
  r_d_.assign(problem.b.size(), 0.0);
  add_transposed_jacobian(problem, solution.z, &r_d_);
  const double load = std::max({max_norm(r_d_), max_norm(problem.b), max_norm(solution.z), kTiny});
  for (std::size_t k = 0; k < r_d_.size(); ++k) r_d_[k] = -r_d_[k] - problem.b[k];
  add_blocks(problem, problem.Q, 1.0, solution.v, &r_d_);
  add_blocks(problem, problem.choice, 1.0, solution.v, &r_d_);
  multiply_jacobian(problem, solution.v, &r_p_);
  double speed = std::max(max_norm(problem.e), kTiny), gap = 0.0;
  for (std::size_t j = 0; j < s_.size(); ++j) {
    speed = std::max(speed, std::abs(r_p_[j]));
    gap = std::max(gap, s_[j] * solution.z[j]);
    r_p_[j] += problem.e[j] + problem.compliance[j] * solution.z[j] - s_[j];
  }
  return std::max({max_norm(r_d_) / load, max_norm(r_p_) / speed, gap / (load * speed)});
}

/// The direction towards s z = target; `second_order`: with the products of the direction before.
void QuasistaticInteriorPoint::solve_direction(const QuasistaticProblem& problem,
                                               const QuasistaticSolution& solution, QuasistaticSystem* system,
                                               double target, bool second_order) {
  const std::size_t m = s_.size();
  const std::vector<double>& z = solution.z;
  for (std::size_t j = 0; j < m; ++j) {
    right_[j] = target - s_[j] * z[j] - (second_order ? ds_[j] * dz_[j] : 0.0);
    product_[j] = (right_[j] - z[j] * r_p_[j]) / (s_[j] + problem.compliance[j] * z[j]);
  }
  for (std::size_t k = 0; k < dv_.size(); ++k) dv_[k] = -r_d_[k];
  add_transposed_jacobian(problem, product_, &dv_);
  system->solve(&dv_);
  multiply_jacobian(problem, dv_, &product_);
  for (std::size_t j = 0; j < m; ++j) {
    const double R = problem.compliance[j], ds_v = product_[j] + r_p_[j];
    dz_[j] = (right_[j] - z[j] * ds_v) / (s_[j] + R * z[j]);
    ds_[j] = ds_v + R * dz_[j];
  }
}

double QuasistaticInteriorPoint::largest_step(const QuasistaticSolution& solution) const {
  double step = std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < s_.size(); ++j) {
    if (ds_[j] < 0.0) step = std::min(step, -s_[j] / ds_[j]);
    if (dz_[j] < 0.0) step = std::min(step, -solution.z[j] / dz_[j]);
  }
  return step;
}

void QuasistaticInteriorPoint::solve(const QuasistaticProblem& problem, QuasistaticSystem* system,
                                     QuasistaticSolution* solution) {
  start(problem, solution);
  const std::size_t m = s_.size();
  dv_.resize(problem.b.size());
  product_.resize(m);
  double best = std::numeric_limits<double>::infinity();
  int since_best = 0;
  solution->iterations = solution->factorizations = 0;
  for (;; ++solution->iterations) {
    const double error = set_residuals(problem, *solution);
    if (error < best) {
      best = error;
      best_v_ = solution->v;
      best_z_ = solution->z;
      since_best = 0;
    } else {
      ++since_best;
    }
    if (!(error >= kGoal) || since_best == kPatience || solution->iterations == kMaxIterations) break;

    for (std::size_t j = 0; j < m; ++j)
      weight_[j] = solution->z[j] / (s_[j] + problem.compliance[j] * solution->z[j]);
    ++solution->factorizations;
    if (!system->factor(problem, weight_)) break;
    solve_direction(problem, *solution, system, 0.0, false);
    double alpha = std::min(1.0, largest_step(*solution));
    if (m > 0) {
      double gap = 0.0, predicted = 0.0;
      for (std::size_t j = 0; j < m; ++j) {
        gap += s_[j] * solution->z[j];
        predicted += (s_[j] + alpha * ds_[j]) * (solution->z[j] + alpha * dz_[j]);
      }
      const double ratio = predicted / gap;
      solve_direction(problem, *solution, system, ratio * ratio * ratio * gap / static_cast<double>(m), true);
      alpha = std::min(1.0, kBoundaryFraction * largest_step(*solution));
    }
    if (!(alpha > kSmallestStep)) break;
    for (std::size_t k = 0; k < dv_.size(); ++k) solution->v[k] += alpha * dv_[k];
    for (std::size_t j = 0; j < m; ++j) {
      s_[j] += alpha * ds_[j];
      solution->z[j] += alpha * dz_[j];
    }
  }
  solution->ok = std::isfinite(best);
  if (!solution->ok) return;
  solution->v = best_v_;
  solution->z = best_z_;
}

}  // namespace csim
