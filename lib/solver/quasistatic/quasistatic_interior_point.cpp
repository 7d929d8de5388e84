#include "solver/quasistatic/quasistatic_interior_point.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace csim {
namespace {

constexpr int kMostIterations = 100;
constexpr int kPatience = 15;  // iterations without a better iterate before it counts as stalled
// So many: Mehrotra's corrector may run in circles [Cartis 2009, Some disadvantages of a Mehrotra-type
// primal-dual corrector interior point algorithm], while steps to kCentred of the mean s z do not.
constexpr int kInCircles = 5;
constexpr double kCentred = 0.1;
constexpr double kFractionOfBoundary = 0.995;
constexpr double kShortestStep = 1e-10;
constexpr double kBarrierPath = 0.1;    // of the mean s z: how far a step with a barrier aims at once
constexpr double kSmallestSlack = 0.1;  // m/s, at the start
constexpr double kFirstImpulse = 0.1;   // of the load, at the start
// Of 1/(largest mass or h^2 K): added to W^2 of rigid rows in the matrix that is factored, which it keeps
// from losing all digits; refinement takes its effect away again.
constexpr double kMatrixSoftness = 1e-8;
// Each gains some 8 digits, near the end, where P is large, 2 or 3. Without: a field of touching cubes ends
// at 3e-10 in place of 1e-12, and takes ten times the factorizations.
constexpr int kRefinements = 2;

/// The rows of a cone from `row` on.
ConeVector cone_at(const std::vector<double>& x, int row) {
  return {x[row], x[row + 1], x[row + 2], 0.0, 0.0};
}

void set_cone(const ConeVector& c, int row, std::vector<double>* x) {
  (*x)[row] = c.n;
  (*x)[row + 1] = c.x;
  (*x)[row + 2] = c.y;
}

/// Rows that hold are none.
int count_cones(const QuasistaticProblem& problem) {
  const auto held = std::count(problem.holds.begin(), problem.holds.end(), 1);
  return std::accumulate(
      problem.groups.begin(), problem.groups.end(), -static_cast<int>(held),
      [](int n, const auto& group) { return n + (group.is_cone ? 1 : group.row_end - group.row_begin); });
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

void QuasistaticInteriorPoint::start(const QuasistaticProblem& problem, QuasistaticSolution* solution) {
  const auto m = static_cast<std::size_t>(problem.num_rows());
  solution->v.assign(problem.b.size(), 0.0);
  double load = load_;
  const double softest = max_norm(problem.compliance);
  if (softest > 0.0) load = std::max(load, max_norm(problem.e) / softest);
  solution->z.assign(m, kFirstImpulse * (load > 0.0 ? load : 1.0));
  double least = kSmallestSlack;  // the largest violation
  for (const double e : problem.e) least = std::max(least, -e);
  s_.resize(m);
  for (std::size_t j = 0; j < m; ++j) s_[j] = std::max(problem.e[j], least);
  for (const QuasistaticGroup& group : problem.groups) {
    if (!group.is_cone) continue;
    for (int j = group.row_begin + 1; j < group.row_end; ++j) s_[j] = solution->z[j] = 0.0;
  }
  for (std::size_t j = 0; j < m; ++j)
    if (problem.is_held(j)) s_[j] = solution->z[j] = 0.0;
  softness_ = problem.holds.empty() ? 0.0 : kMatrixSoftness / max_norm(problem.metric);
  for (auto* column : {&square_, &dual_step_, &weight_, &target_, &residual_, &dz_, &ds_, &r_p_, &work_})
    column->assign(m, 0.0);
  for (auto* column : {&dv_, &v_step_, &balance_}) column->resize(problem.b.size());
  scaling_.resize(problem.groups.size());
  compliant_.resize(problem.groups.size());
  G_.resize(problem.groups.size());
}

/// r_d, r_p at the iterate; returns the largest of the scaled residuals and the scaled gap.
double QuasistaticInteriorPoint::set_residuals(const QuasistaticProblem& problem,
                                               const QuasistaticSolution& solution) {
  constexpr double kTiny = std::numeric_limits<double>::min();
  r_d_.assign(problem.b.size(), 0.0);
  add_transposed_jacobian(problem, solution.z, &r_d_);
  const double impulses = max_norm(r_d_);
  for (std::size_t k = 0; k < r_d_.size(); ++k) r_d_[k] = -r_d_[k] - problem.b[k];
  add_blocks(problem, problem.Q, 1.0, solution.v, &r_d_);
  multiply_jacobian(problem, solution.v, &r_p_);
  const double speed = scale_of(problem, load_, solution.z, r_p_).speed,
               load = std::max({load_, impulses, max_norm(solution.z), kTiny});
  double gap = 0.0;
  for (std::size_t j = 0; j < s_.size(); ++j)
    r_p_[j] += problem.e[j] + problem.compliance[j] * solution.z[j] - s_[j];
  for (const QuasistaticGroup& group : problem.groups) {
    const int row = group.row_begin;
    if (group.is_cone) {
      ConeVector product = jordan_product(cone_at(s_, row), cone_at(solution.z, row));
      product.n -= 2.0 * problem.barrier;
      gap = std::max({gap, std::abs(product.n), rest_norm(product)});
      continue;
    }
    for (int j = row; j < group.row_end; ++j)
      if (!problem.is_held(j)) gap = std::max(gap, std::abs(s_[j] * solution.z[j] - problem.barrier));
  }
  return std::max({max_norm(r_d_) / load, max_norm(r_p_) / speed, gap / (load * speed)});
}

/// W, l, N and J^T P J; false when rounding has taken an iterate out of its cone.
bool QuasistaticInteriorPoint::scale(const QuasistaticProblem& problem, const QuasistaticSolution& solution) {
  for (std::size_t i = 0; i < problem.groups.size(); ++i) {
    const QuasistaticGroup& group = problem.groups[i];
    const int row = group.row_begin;
    if (!group.is_cone) {
      for (int j = row; j < group.row_end; ++j) {
        square_[j] = problem.compliance[j] + (problem.is_held(j) ? 0.0 : s_[j] / solution.z[j]);
        weight_[j] = 1.0 / (square_[j] + (problem.compliance[j] > 0.0 ? 0.0 : softness_));
      }
      G_[i] = row_matrix(problem, group, weight_);
      continue;
    }
    const ConeVector s = cone_at(s_, row), z = cone_at(solution.z, row);
    if (!(determinant(s) > 0.0) || !(determinant(z) > 0.0)) return false;
    scaling_[i] = ConeScaling::of(s, z);
    const ConeVector& w = scaling_[i].w;
    const double softness = problem.compliance[row] > 0.0 ? 0.0 : softness_;
    compliant_[i] = CompliantScaling(w, scaling_[i].eta, problem.compliance[row] + softness,
                                     problem.compliance[row + 1] + softness);
    const CompliantScaling& p = compliant_[i];
    Matrix3 P, rays;
    P << p.p_00, p.p_01 * w.x, p.p_01 * w.y,                          //
        p.p_01 * w.x, p.p_11 + p.p_2 * w.x * w.x, p.p_2 * w.x * w.y,  //
        p.p_01 * w.y, p.p_2 * w.x * w.y, p.p_11 + p.p_2 * w.y * w.y;
    rays << problem.rays[row], problem.rays[row + 1], problem.rays[row + 2];
    G_[i] = rays * P * rays.transpose();
  }
  return true;
}

/// t = W d - r_p, of cones W^-1 t, towards s o z = target; `second_order`: with the products of the direction
/// before.
void QuasistaticInteriorPoint::set_targets(const QuasistaticProblem& problem,
                                           const QuasistaticSolution& solution, double target,
                                           bool second_order) {
  for (std::size_t i = 0; i < problem.groups.size(); ++i) {
    const QuasistaticGroup& group = problem.groups[i];
    const int row = group.row_begin;
    if (!group.is_cone) {
      for (int j = row; j < group.row_end; ++j) {
        if (problem.is_held(j)) {
          target_[j] = -r_p_[j];
          continue;
        }
        const double product = s_[j] * solution.z[j] + (second_order ? ds_[j] * dz_[j] : 0.0);
        target_[j] = (target - product) / solution.z[j] - r_p_[j];
      }
      continue;
    }
    const auto& [w, eta, det_l, l] = scaling_[i];
    ConeVector r = jordan_product(l, l) * -1.0;
    if (second_order) {
      r = r - jordan_product(unscale(w, eta, cone_at(ds_, row)), csim::scale(w, eta, cone_at(dz_, row)));
    }
    r.n += problem.barrier > 0.0 ? 2.0 * target : target;
    set_cone(jordan_divide(l, det_l, r) - unscale(w, eta, cone_at(r_p_, row)), row, &target_);
  }
}

/// Rows of cones: W^-1 x.
void QuasistaticInteriorPoint::unscale_cones(const QuasistaticProblem& problem,
                                             std::vector<double>* x) const {
  for (std::size_t i = 0; i < problem.groups.size(); ++i) {
    const int row = problem.groups[i].row_begin;
    if (problem.groups[i].is_cone)
      set_cone(unscale(scaling_[i].w, scaling_[i].eta, cone_at(*x, row)), row, x);
  }
}

/// y = P t of x = t, of cones x = W^-1 t.
void QuasistaticInteriorPoint::apply_P(const QuasistaticProblem& problem, const std::vector<double>& x,
                                       std::vector<double>* y) const {
  for (std::size_t i = 0; i < problem.groups.size(); ++i) {
    const QuasistaticGroup& group = problem.groups[i];
    const int row = group.row_begin;
    if (group.is_cone) {
      const ConeVector& w = scaling_[i].w;
      const CompliantScaling& n = compliant_[i];
      set_cone(
          unscale(w, scaling_[i].eta, apply_compliance(w, n.n_00, n.n_01, n.n_11, n.n_2, cone_at(x, row))),
          row, y);
    } else {
      for (int j = row; j < group.row_end; ++j) (*y)[j] = weight_[j] * x[j];
    }
  }
}

/// balance_ and residual_ (of cones W^-1 of it): what dv_, dz_ leave of the two equations of the direction.
void QuasistaticInteriorPoint::set_direction_residuals(const QuasistaticProblem& problem) {
  for (std::size_t k = 0; k < dv_.size(); ++k) balance_[k] = -r_d_[k];
  add_transposed_jacobian(problem, dz_, &balance_);
  add_blocks(problem, problem.Q, -1.0, dv_, &balance_);
  add_blocks(problem, problem.choice, -1.0, dv_, &balance_);
  multiply_jacobian(problem, dv_, &residual_);
  for (std::size_t i = 0; i < problem.groups.size(); ++i) {
    const QuasistaticGroup& group = problem.groups[i];
    const int row = group.row_begin;
    if (group.is_cone) {
      for (int j = row; j < group.row_end; ++j) residual_[j] += problem.compliance[j] * dz_[j];
      set_cone(csim::scale(scaling_[i].w, scaling_[i].eta, cone_at(dz_, row)), row, &work_);
    } else {
      for (int j = row; j < group.row_end; ++j) work_[j] = square_[j] * dz_[j];
    }
  }
  unscale_cones(problem, &residual_);
  for (std::size_t j = 0; j < s_.size(); ++j) residual_[j] = target_[j] - residual_[j] - work_[j];
}

/// dv, dz, ds of the targets: with the matrix factored, then refined, towards the one without softness_.
void QuasistaticInteriorPoint::solve_direction(const QuasistaticProblem& problem, QuasistaticSystem* system,
                                               int refinements) {
  std::fill(dv_.begin(), dv_.end(), 0.0);
  std::fill(dz_.begin(), dz_.end(), 0.0);
  for (std::size_t k = 0; k < dv_.size(); ++k) balance_[k] = -r_d_[k];
  residual_ = target_;
  for (int round = 0; round <= refinements; ++round) {
    if (round > 0) set_direction_residuals(problem);
    apply_P(problem, residual_, &work_);
    v_step_ = balance_;
    add_transposed_jacobian(problem, work_, &v_step_);
    system->solve(&v_step_);
    multiply_jacobian(problem, v_step_, &ds_);
    unscale_cones(problem, &ds_);
    for (std::size_t j = 0; j < s_.size(); ++j) work_[j] = residual_[j] - ds_[j];
    apply_P(problem, work_, &dual_step_);
    for (std::size_t k = 0; k < dv_.size(); ++k) dv_[k] += v_step_[k];
    for (std::size_t j = 0; j < s_.size(); ++j) dz_[j] += dual_step_[j];
  }
  multiply_jacobian(problem, dv_, &ds_);
  for (std::size_t j = 0; j < s_.size(); ++j) ds_[j] += problem.compliance[j] * dz_[j] + r_p_[j];
}

double QuasistaticInteriorPoint::largest_step(const QuasistaticProblem& problem,
                                              const QuasistaticSolution& solution) const {
  double step = std::numeric_limits<double>::infinity();
  for (const QuasistaticGroup& group : problem.groups) {
    const int row = group.row_begin;
    if (group.is_cone) {
      const ConeVector s = cone_at(s_, row), z = cone_at(solution.z, row);
      step = std::min({step, step_to_boundary(s, determinant(s), cone_at(ds_, row)),
                       step_to_boundary(z, determinant(z), cone_at(dz_, row))});
      continue;
    }
    for (int j = row; j < group.row_end; ++j) {
      if (problem.is_held(j)) continue;
      if (ds_[j] < 0.0) step = std::min(step, -s_[j] / ds_[j]);
      if (dz_[j] < 0.0) step = std::min(step, -solution.z[j] / dz_[j]);
    }
  }
  return step;
}

/// The direction of the step; returns which part of the way to the boundary it may go.
double QuasistaticInteriorPoint::aim_and_solve(const QuasistaticProblem& problem, QuasistaticSystem* system,
                                               const QuasistaticSolution& solution) {
  const int num_cones = count_cones(problem);
  const double gap = dot(s_, solution.z);
  if (problem.barrier > 0.0) {  // Newton's method along the central path
    set_targets(problem, solution, std::max(kBarrierPath * gap / std::max(num_cones, 1), problem.barrier),
                false);
    solve_direction(problem, system, 0);
    return kFractionOfBoundary;
  }
  const bool runs_in_circles = idle_ >= kInCircles && num_cones > 0;
  set_targets(problem, solution, runs_in_circles ? kCentred * gap / num_cones : 0.0, false);
  solve_direction(problem, system, kRefinements);
  if (num_cones == 0) return 1.0;
  if (runs_in_circles) return kFractionOfBoundary;
  const double alpha = std::min(1.0, largest_step(problem, solution));
  const double predicted =
      gap + alpha * (dot(s_, dz_) + dot(ds_, solution.z)) + alpha * alpha * dot(ds_, dz_);
  const double ratio = std::max(0.0, predicted / gap);
  set_targets(problem, solution, ratio * ratio * ratio * gap / num_cones, true);
  solve_direction(problem, system, kRefinements);
  return kFractionOfBoundary;
}

/// One step; false when none is possible.
bool QuasistaticInteriorPoint::iterate(const QuasistaticProblem& problem, QuasistaticSystem* system,
                                       QuasistaticSolution* solution) {
  if (!scale(problem, *solution)) return false;
  ++solution->factorizations;
  if (!system->factor(problem, G_)) return false;
  const double fraction = aim_and_solve(problem, system, *solution);
  const double alpha = std::min(1.0, fraction * largest_step(problem, *solution));
  if (!(alpha > kShortestStep)) return false;
  for (std::size_t k = 0; k < dv_.size(); ++k) solution->v[k] += alpha * dv_[k];
  for (std::size_t j = 0; j < s_.size(); ++j) {
    if (!problem.is_held(j)) s_[j] += alpha * ds_[j];
    solution->z[j] += alpha * dz_[j];
  }
  return true;
}

void QuasistaticInteriorPoint::solve(const QuasistaticProblem& problem, double load, double goal,
                                     QuasistaticSystem* system, QuasistaticSolution* solution) {
  load_ = load;
  start(problem, solution);
  solution->iterations = solution->factorizations = 0;
  run(problem, goal, system, solution);
}

void QuasistaticInteriorPoint::refine(const QuasistaticProblem& problem, QuasistaticSystem* system,
                                      QuasistaticSolution* solution) {
  solution->v = best_v_;
  solution->z = best_z_;
  s_ = best_s_;
  run(problem, kGoal, system, solution);
}

void QuasistaticInteriorPoint::run(const QuasistaticProblem& problem, double goal, QuasistaticSystem* system,
                                   QuasistaticSolution* solution) {
  double best = std::numeric_limits<double>::infinity();
  idle_ = 0;
  for (;; ++solution->iterations) {
    const double error = set_residuals(problem, *solution);
    if (error < best) {
      best = error;
      best_v_ = solution->v;
      best_z_ = solution->z;
      best_s_ = s_;
      idle_ = 0;
    } else {
      ++idle_;
    }
    if (!(error >= goal) || idle_ == kPatience || solution->iterations == kMostIterations) break;
    if (!iterate(problem, system, solution)) break;
  }
  solution->ok = std::isfinite(best);
  if (!solution->ok) return;
  solution->v = best_v_;
  solution->z = best_z_;
}

}  // namespace csim
