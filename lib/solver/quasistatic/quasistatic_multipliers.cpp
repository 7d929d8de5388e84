#include "solver/quasistatic/quasistatic_multipliers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace csim {
namespace {

constexpr double kFirstPenalty = 3e4;   // rho of the first round, of the largest entry of Q + choice
constexpr double kPenaltyGrowth = 1.3;  // of rho in a round
constexpr int kMostRounds = 20, kMostNewtonSteps = 30, kMostHalvings = 30;
constexpr double kRising = 0.5;             // of the slope at the start of a step: it goes too far
constexpr double kRoundedGradient = 1e-11;  // of the impulses: below, and no longer halved, it is rounding
constexpr double kHalved = 0.5;             // of the gradient of the step before
// Of the best certificate: a better iterate. Where gravity is not quite balanced v drifts without an end, and
// its certificate hardly changes.
constexpr double kBetter = 0.5;
// Rounds in a row without a better iterate: further ones only cost time. All steps of 1000 random scenes of
// qp, and of socp, are as exact as with 20.
constexpr int kMostIdleRounds = 3;

/// z: the projection of D^-1 y on the cone z_0 >= |z_t| in the norm of D = diag(d_0, d_1, d_1). Returns
/// dz/dy.
Matrix3 project_on_cone(const Vector3& y, double d_0, double d_1, Eigen::Ref<Vector3> z) {
  const Vector2 y_t = y.tail<2>();
  const double t = y_t.norm();
  Matrix3 derivative = Matrix3::Zero();
  z.setZero();
  if (t * d_0 <= y.x() * d_1) {  // sticks
    derivative.diagonal() << 1.0 / d_0, 1.0 / d_1, 1.0 / d_1;
    z = derivative * y;
  } else if (y.x() + t > 0.0) {  // slides
    const Vector3 ray(1.0, y.y() / t, y.z() / t);
    z = (y.x() + t) / (d_0 + d_1) * ray;
    derivative = ray * ray.transpose() / (d_0 + d_1);
    derivative.bottomRightCorner<2, 2>() +=
        z.x() / t * (Eigen::Matrix2d::Identity() - ray.tail<2>() * ray.tail<2>().transpose());
  }
  return derivative;
}

}  // namespace

/// z(v) in at_.z, G_ and gradient_.
void QuasistaticMultipliers::evaluate(const QuasistaticProblem& problem, const std::vector<double>& v) {
  multiply_jacobian(problem, v, &rows_);
  const auto y = [&](int j) { return center_.z[j] / rho_ - rows_[j] - problem.e[j]; };
  const auto d = [&](int j) { return problem.compliance[j] + 1.0 / rho_; };
  for (std::size_t i = 0; i < problem.groups.size(); ++i) {
    const QuasistaticGroup& group = problem.groups[i];
    const int row = group.row_begin;
    if (group.is_cone) {
      Matrix3 rays;
      rays << problem.rays[row], problem.rays[row + 1], problem.rays[row + 2];
      G_[i] = rays *
              project_on_cone({y(row), y(row + 1), y(row + 2)}, d(row), d(row + 1),
                              Eigen::Map<Vector3>(at_.z.data() + row)) *
              rays.transpose();
      continue;
    }
    for (int j = row; j < group.row_end; ++j) {
      const bool is_held = problem.is_held(static_cast<std::size_t>(j));
      at_.z[j] = is_held ? y(j) / d(j) : std::max(0.0, y(j) / d(j));
      rows_[j] = is_held || at_.z[j] > 0.0 ? 1.0 / d(j) : 0.0;
    }
    G_[i] = row_matrix(problem, group, rows_);
  }
  gradient_.assign(v.size(), 0.0);
  add_transposed_jacobian(problem, at_.z, &gradient_);
  for (std::size_t k = 0; k < v.size(); ++k) gradient_[k] = -gradient_[k] - problem.b[k];
  add_blocks(problem, problem.Q, 1.0, v, &gradient_);
  work_.resize(v.size());
  for (std::size_t k = 0; k < v.size(); ++k) work_[k] = v[k] - center_.v[k];
  add_blocks(problem, problem.choice, 1.0, work_, &gradient_);
}

/// Newton's method from at_.v; a step that climbs at its end is halved (the cost is convex).
void QuasistaticMultipliers::minimise(const QuasistaticProblem& problem, double load,
                                      QuasistaticSystem* system) {
  evaluate(problem, at_.v);
  const double rounded = kRoundedGradient * std::max(load, max_norm(at_.z));
  const auto slope = [&] { return -std::inner_product(dv_.begin(), dv_.end(), gradient_.begin(), 0.0); };
  double last = std::numeric_limits<double>::infinity();
  for (int step = 0; step < kMostNewtonSteps; ++step) {
    const double error = max_norm(gradient_);
    if (!(error > 0.0) || (error < rounded && error > kHalved * last) || !system->factor(problem, G_)) return;
    last = error;
    ++at_.factorizations;
    dv_ = gradient_;
    system->solve(&dv_);
    const double start = slope();
    trial_ = at_.v;
    double alpha = 1.0;
    for (int k = 0; k < kMostHalvings; ++k, alpha *= 0.5) {
      for (std::size_t i = 0; i < dv_.size(); ++i) trial_[i] = at_.v[i] - alpha * dv_[i];
      evaluate(problem, trial_);
      if (slope() <= -kRising * start) break;
    }
    at_.v.swap(trial_);
  }
}

void QuasistaticMultipliers::improve(const QuasistaticProblem& problem, double load, double goal,
                                     QuasistaticSystem* system, QuasistaticSolution* solution) {
  rho_ = kFirstPenalty * largest_weight(problem);
  G_.resize(problem.groups.size());
  at_ = *solution;
  double best = certify(problem, load, at_.v, at_.z, &certificate_work_).largest();
  int idle = 0;
  for (int round = 0; round < kMostRounds && idle < kMostIdleRounds && best > goal;
       ++round, rho_ *= kPenaltyGrowth) {
    center_.v = at_.v;
    center_.z = at_.z;
    minimise(problem, load, system);
    const double error = certify(problem, load, at_.v, at_.z, &certificate_work_).largest();
    ++idle;
    if (!(error < kBetter * best)) continue;
    best = error;
    *solution = at_;
    idle = 0;
  }
  solution->factorizations = at_.factorizations;
}

}  // namespace csim
