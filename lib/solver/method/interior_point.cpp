#include "solver/method/interior_point.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "law/lane_sum.h"
#include "solver/method/interior_point_island.h"

namespace csim {
namespace {

/// Momentum and s, as a part of their sizes, at a gap that lets Newton's method take over.
constexpr double kFeasible = 1e-6;

/// A guess at which the springs of the contacts hold no more than this part of the energy of the step is
/// nearly feasible: a Newton step from there predicts the impulses.
constexpr double kFewSprings = 1e-2;

/// 9 to 20 iterations are usual; more are a breakdown, and so is a shorter step.
constexpr int kMaxIterations = 40;
constexpr double kSmallestStep = 1e-6;

/// Part of the way to the boundary; 0.995 and more harm.
constexpr double kBoundaryFraction = 0.99;

/// Corrections of a direction at most, all with its factor: they keep the factorisations low. Clutter of 40,
/// Similar, k = 1e11 N/m, first second, mean factorisations and ms a step of the solver: 1: 18.2 and 0.43,
/// 3: 14.9 and 0.48.
constexpr int kMaxCorrections = 3;

constexpr double kSeparating = 1e100;  // m/s, v_n at which no normal law acts

}  // namespace

template <class Cone>
IslandInteriorPoint<Cone>::IslandInteriorPoint(const IslandTask& task, const InteriorPointGoal& goal)
    : problem_(task.problem),
      law_(*problem_.law),
      island_(task.island),
      options_(task.options),
      goal_(goal),
      w_(task.columns),
      c_(task.cone_columns),
      iterate_(task.iterate),
      out_(task.solve),
      contacts_(island_.contacts),
      begin_(island_.v_begin),
      n_(island_.nv()) {}

template <class Cone>
void IslandInteriorPoint<Cone>::run() {
  begin_island(problem_, island_, &w_);
  std::copy_n(v(), n_, c_.v_start.data() + begin_);
  evaluate();
  const double cost_start = value_.cost;
  fill_cones();
  if (num_cones_ == 0.0) return;
  if constexpr (kHasSeparateFriction) {
    reset_dual();
    start_from_rest();
  } else {
    start_along_normals();
    const bool is_nearly_feasible = value_.cost - value_.cost_A < kFewSprings * kinetic_scale_;
    if (is_nearly_feasible && out_.iterations < options_.max_iterations && !start_from_prediction()) {
      restore_start();
      evaluate();
    }
  }
  while (!is_close_enough() && num_iterations_ < kMaxIterations &&
         out_.iterations < options_.max_iterations && iterate_once()) {
    evaluate();
  }
  if (!(value_.cost <= cost_start)) restore_start();
  timer_.lap(&out_.seconds.assembly);
}

template <class Cone>
void IslandInteriorPoint<Cone>::restore_start() {
  std::copy_n(c_.v_start.data() + begin_, n_, v());
  if (kHasSeparateFriction) reset_dual();
}

/// The dual direction of the friction at 0: not known yet.
template <class Cone>
void IslandInteriorPoint<Cone>::reset_dual() {
  for (auto* column : {&iterate_.dual.x, &iterate_.dual.y, &iterate_.dual.z})
    std::fill(column->begin() + contacts_.begin, column->begin() + contacts_.end, 0.0);
}

/// Value of the law at v, and the friction apart from the normal impulses where the cones do not hold it.
template <class Cone>
void IslandInteriorPoint<Cone>::evaluate() {
  value_ = evaluate_island(problem_, island_, iterate_.v, &w_);
  if (!kHasSeparateFriction) return;
  const Vector3Columns& normal = problem_.contacts.normal;
#pragma GCC ivdep
  for (int i = contacts_.begin; i < contacts_.end; ++i) {
    const double x = w_.gamma.x[i], y = w_.gamma.y[i], z = w_.gamma.z[i];
    const double gamma_n = x * normal.x[i] + y * normal.y[i] + z * normal.z[i];
    c_.friction.x[i] = x - gamma_n * normal.x[i];
    c_.friction.y[i] = y - gamma_n * normal.y[i];
    c_.friction.z[i] = z - gamma_n * normal.z[i];
  }
}

/// Residuals at v and the gap; whether Newton's method may take over.
template <class Cone>
bool IslandInteriorPoint<Cone>::is_close_enough() {
  if (!std::isfinite(value_.cost) || value_.norms.residual() < goal_.residual) return true;
  if (value_.norms.converged(options_.relative_tolerance, options_.absolute_tolerance)) return true;
  set_residuals();
  if (gap_ > goal_.gap * std::max(value_.v_norm2, kinetic_scale_)) return false;
  const double residual2 = sum(c_.residual2) + rows_.residual2, size2 = sum(c_.s2) + rows_.slack2;
  if (residual2 > kFeasible * kFeasible * size2) return false;
  return momentum_is_balanced();
}

/// r_p, E_0 and the gap at v, s, lambda.
template <class Cone>
void IslandInteriorPoint<Cone>::set_residuals() {
#pragma GCC ivdep
  for (int i = contacts_.begin; i < contacts_.end; ++i) {
    const Cone lambda = at(iterate_.lambda, i), s = at(iterate_.s, i);
    const double slope = InverseNormal(c_.cones.a[i], c_.cones.b[i], lambda.n * c_.cones.normal[i]).slope;
    const Cone r_p = (slack(i, lambda) - s) * c_.cones.acts[i];
    c_.E_0[i] = slope * c_.cones.normal[i] * c_.cones.normal[i];
    c_.r_p.set(i, r_p);
    c_.gap[i] = c_.cones.acts[i] * dot(s, lambda);
    c_.residual2[i] = dot(r_p, r_p);
    c_.s2[i] = c_.cones.acts[i] * dot(s, s);
  }
  rows_ = c_.rows.set_residuals(problem_.rows, island_.rows, w_.v_c.row);
  gap_ = sum(c_.gap) + rows_.gap;
}

/// Whether A (v - v*) is the impulse of lambda to kFeasible.
template <class Cone>
bool IslandInteriorPoint<Cone>::momentum_is_balanced() {
  add_impulses(iterate_.lambda);
  c_.rows.impulses(island_.rows, &w_.gamma.row);
  pool_impulse(problem_, island_, w_.gamma, &w_.impulse);
  double residual2 = 0.0, scale2 = 0.0;
  for (int i = begin_; i < begin_ + n_; ++i) {
    const double r = problem_.scale[i] * (w_.A_v[i] - w_.A_v_star[i] - w_.impulse[i]);
    const double p = problem_.scale[i] * w_.impulse[i];
    residual2 += r * r;
    scale2 += p * p;
  }
  return residual2 <= kFeasible * kFeasible * std::max(scale2, value_.norms.momentum);
}

template <class Cone>
double IslandInteriorPoint<Cone>::sum(const std::vector<double>& terms) const {
  LaneSum sum;
  sum.add(terms.data() + contacts_.begin, contacts_.end - contacts_.begin);
  return sum.total();
}

/// gamma = M^T lambda, and what the cones do not hold of the friction.
template <class Cone>
void IslandInteriorPoint<Cone>::add_impulses(const ConeVectors& lambda) {
  const Vector3Columns& normal = problem_.contacts.normal;
#pragma GCC ivdep
  for (int i = contacts_.begin; i < contacts_.end; ++i) {
    const Cone l = at(lambda, i);
    const double n = c_.cones.normal[i] * l.n, t = c_.cones.tangential[i];
    w_.gamma.x[i] = n * normal.x[i] + t * l.x;
    w_.gamma.y[i] = n * normal.y[i] + t * l.y;
    w_.gamma.z[i] = n * normal.z[i] + t * l.z;
  }
  if (!kHasSeparateFriction) return;
#pragma GCC ivdep
  for (int i = contacts_.begin; i < contacts_.end; ++i) {
    w_.gamma.x[i] += c_.friction.x[i];
    w_.gamma.y[i] += c_.friction.y[i];
    w_.gamma.z[i] += c_.friction.z[i];
  }
}

/// Predictor, corrector, step; false on a breakdown.
template <class Cone>
bool IslandInteriorPoint<Cone>::iterate_once() {
  scale_cones();
  if (!factor()) return false;
  const double gap_mean = gap_ / num_cones_;
  set_predictor();
  solve_direction();
  const double predicted_step = std::min(1.0, largest_step());
  const double ratio = gap_after(predicted_step) / gap_;
  const double centering = std::clamp(ratio * ratio * ratio, 1e-6, 1.0);
  const double alpha = std::min(1.0, kBoundaryFraction * correct(centering * gap_mean));
  if (!(alpha > kSmallestStep)) return false;
  take_step(alpha);
  return true;
}

/// The direction towards s . lambda = target (J) in every cone, and how far it leads: corrections with the
/// second-order term of the direction before, as long as the way to the boundary does not get shorter
/// (Gondzio 1996, Multiple centrality corrections, for the idea to use a factor more than twice).
template <class Cone>
double IslandInteriorPoint<Cone>::correct(double target) {
  set_corrector(target);
  solve_direction();
  double step = largest_step();
  for (int k = 1; k < kMaxCorrections && kBoundaryFraction * step < 1.0; ++k) {
    copy_cones(c_.d, &c_.d_before);
    c_.rows.keep_aim(island_.rows);
    set_corrector(target);
    solve_direction();
    const double next = largest_step();
    if (!(next >= step)) {
      copy_cones(c_.d_before, &c_.d);
      c_.rows.restore_aim(island_.rows);
      solve_direction();
      break;
    }
    step = next;
  }
  return step;
}

template <class Cone>
void IslandInteriorPoint<Cone>::copy_cones(const ConeVectors& from, ConeVectors* to) const {
  for (int i = contacts_.begin; i < contacts_.end; ++i) to->set(i, at(from, i));
}

template <class Cone>
void IslandInteriorPoint<Cone>::take_step(double alpha) {
  count_iteration(alpha);
  if (kHasSeparateFriction) law_.update_dual(problem_.contacts, contacts_, w_.v_c, w_.dv_c, &iterate_.dual);
  for (int i = 0; i < n_; ++i) v()[i] += alpha * dv()[i];
#pragma GCC ivdep
  for (int i = contacts_.begin; i < contacts_.end; ++i) {
    iterate_.lambda.set(i, at(iterate_.lambda, i) + at(c_.dlambda, i) * alpha);
    iterate_.s.set(i, at(iterate_.s, i) + at(c_.ds, i) * alpha);
  }
  c_.rows.take_step(island_.rows, alpha);
  timer_.lap(&out_.seconds.assembly);
}

template <class Cone>
void IslandInteriorPoint<Cone>::count_iteration(double alpha) {
  if (options_.record_iterations)
    out_.history.push_back({value_.cost, std::sqrt(value_.norms.gradient), alpha});
  ++num_iterations_;
  ++out_.iterations;
  ++out_.interior_point_iterations;
}

/// W, l, P, N and the contacts' Hessians G = M^T P M.
template <class Cone>
void IslandInteriorPoint<Cone>::scale_cones() {
  const Vector3Columns& normal = problem_.contacts.normal;
#pragma GCC ivdep
  for (int i = contacts_.begin; i < contacts_.end; ++i) {
    const auto scaling = NesterovTodd<Cone>::of(at(iterate_.s, i), at(iterate_.lambda, i));
    const CompliantScaling p(scaling.w, scaling.eta, c_.E_0[i], c_.cones.R_t[i]);
    c_.w.set(i, scaling.w);
    c_.l.set(i, scaling.l);
    c_.eta[i] = scaling.eta;
    c_.det_l[i] = scaling.det_l;
    c_.n_00[i] = p.n_00;
    c_.n_01[i] = p.n_01;
    c_.n_11[i] = p.n_11;
    c_.n_2[i] = p.n_2;
    const double m = c_.cones.normal[i], t = c_.cones.tangential[i];
    const double nx = normal.x[i], ny = normal.y[i], nz = normal.z[i];
    const double wx = scaling.w.x, wy = scaling.w.y, wz = scaling.w.z;
    const double perp = t * p.p_11, nn = m * m * p.p_00 - perp, nw = m * t * p.p_01, ww = t * p.p_2;
    w_.G.xx[i] = perp + nn * nx * nx + 2.0 * nw * nx * wx + ww * wx * wx;
    w_.G.yx[i] = nn * ny * nx + nw * (ny * wx + wy * nx) + ww * wy * wx;
    w_.G.zx[i] = nn * nz * nx + nw * (nz * wx + wz * nx) + ww * wz * wx;
    w_.G.yy[i] = perp + nn * ny * ny + 2.0 * nw * ny * wy + ww * wy * wy;
    w_.G.zy[i] = nn * nz * ny + nw * (nz * wy + wz * ny) + ww * wz * wy;
    w_.G.zz[i] = perp + nn * nz * nz + 2.0 * nw * nz * wz + ww * wz * wz;
  }
  if (kHasSeparateFriction) add_friction_hessians();
  c_.rows.fill_hessians(problem_.rows, island_.rows, &w_.G.row);
}

/// G += the friction's matrix: the law's where no contact presses.
template <class Cone>
void IslandInteriorPoint<Cone>::add_friction_hessians() {
  const int begin = contacts_.begin, count = contacts_.end - contacts_.begin;
  std::copy_n(w_.v_c.normal.data() + begin, count, c_.v_n.data() + begin);
  std::fill_n(w_.v_c.normal.data() + begin, count, kSeparating);
  law_.hessian(problem_.contacts, contacts_, w_.v_c, &iterate_.dual, &c_.friction_G);
  std::copy_n(c_.v_n.data() + begin, count, w_.v_c.normal.data() + begin);
#pragma GCC ivdep
  for (int i = contacts_.begin; i < contacts_.end; ++i) {
    w_.G.xx[i] += c_.friction_G.xx[i];
    w_.G.yx[i] += c_.friction_G.yx[i];
    w_.G.zx[i] += c_.friction_G.zx[i];
    w_.G.yy[i] += c_.friction_G.yy[i];
    w_.G.zy[i] += c_.friction_G.zy[i];
    w_.G.zz[i] += c_.friction_G.zz[i];
  }
}

/// H of the contacts' matrices w_.G, with all edges of the island, and its factor; false when H is not
/// positive definite.
template <class Cone>
bool IslandInteriorPoint<Cone>::factor() {
  if (num_iterations_ == 0) {
    set_hessian_pattern(problem_, island_, &out_.H);
    out_.linear_solver->analyze(out_.H);
  }
  assemble_hessian(problem_, island_, w_.G, &out_.H, &out_.buffer);
  timer_.lap(&out_.seconds.assembly);
  ++out_.factorizations;
  out_.has_factor = out_.linear_solver->factor(out_.H);
  timer_.lap(&out_.seconds.factor);
  return out_.has_factor;
}

/// d = -l: towards s . lambda = 0 in one step.
template <class Cone>
void IslandInteriorPoint<Cone>::set_predictor() {
#pragma GCC ivdep
  for (int i = contacts_.begin; i < contacts_.end; ++i) c_.d.set(i, at(c_.l, i) * -c_.cones.acts[i]);
  c_.rows.aim(problem_.rows, island_.rows, 0.0, false);
}

/// d = l \ (target e - l o l - (W^-1 ds) o (W dlambda)) with ds, dlambda of the direction before.
template <class Cone>
void IslandInteriorPoint<Cone>::set_corrector(double target) {
#pragma GCC ivdep
  for (int i = contacts_.begin; i < contacts_.end; ++i) {
    const Cone l = at(c_.l, i), dlambda = at(c_.scaled_dlambda, i);
    const Cone ds = at(c_.d, i) - dlambda;
    Cone r = jordan_product(ds, dlambda) * -1.0;
    r.n += target;
    c_.d.set(i, (jordan_divide(l, c_.det_l[i], r) - l) * c_.cones.acts[i]);
  }
  c_.rows.aim(problem_.rows, island_.rows, target, true);
}

/// dv, dlambda, ds and W dlambda for the right-hand side d; W^-1 ds = d - W dlambda.
template <class Cone>
void IslandInteriorPoint<Cone>::solve_direction() {
  // lambda + q, in place of dlambda.
#pragma GCC ivdep
  for (int i = contacts_.begin; i < contacts_.end; ++i) {
    const Cone w = at(c_.w, i);
    const Cone y = comply(i, w, at(c_.d, i) - unscale(w, c_.eta[i], at(c_.r_p, i)));
    c_.dlambda.set(i, at(iterate_.lambda, i) + unscale(w, c_.eta[i], y));
  }
  add_impulses(c_.dlambda);
  c_.rows.impulses_without_motion(island_.rows, &w_.gamma.row);
  pool_impulse(problem_, island_, w_.gamma, &w_.impulse);
  for (int i = begin_; i < begin_ + n_; ++i) w_.dv[i] = w_.impulse[i] - (w_.A_v[i] - w_.A_v_star[i]);
  timer_.lap(&out_.seconds.assembly);
  out_.linear_solver->solve(dv());
  timer_.lap(&out_.seconds.solve);
  pool_velocities(problem_, island_, w_.dv, false, &w_.dv_c);
  row_step_ = c_.rows.set_direction(problem_.rows, island_.rows, w_.dv_c.row);
#pragma GCC ivdep
  for (int i = contacts_.begin; i < contacts_.end; ++i) {
    const Cone w = at(c_.w, i), l = at(c_.l, i);
    const Cone ds_v = map_velocity(i) + at(c_.r_p, i);
    const Cone y = comply(i, w, at(c_.d, i) - unscale(w, c_.eta[i], ds_v));
    const Cone dlambda = unscale(w, c_.eta[i], y);
    const double R_t = c_.cones.R_t[i];
    const Cone ds = Cone::of(ds_v.n + c_.E_0[i] * dlambda.n, ds_v.x + R_t * dlambda.x,
                             ds_v.y + R_t * dlambda.y, ds_v.z + R_t * dlambda.z, ds_v.e);
    c_.scaled_dlambda.set(i, y);
    c_.dlambda.set(i, dlambda);
    c_.ds.set(i, ds);
    const double step =
        std::min(step_to_boundary(l, c_.det_l[i], y), step_to_boundary(l, c_.det_l[i], at(c_.d, i) - y));
    c_.step[i] = c_.cones.acts[i] > 0.0 ? step : std::numeric_limits<double>::infinity();
  }
}

template <class Cone>
double IslandInteriorPoint<Cone>::largest_step() const {
  return std::accumulate(c_.step.begin() + contacts_.begin, c_.step.begin() + contacts_.end, row_step_,
                         [](double a, double b) { return std::min(a, b); });
}

/// s . lambda after the step alpha, in scaled variables.
template <class Cone>
double IslandInteriorPoint<Cone>::gap_after(double alpha) {
#pragma GCC ivdep
  for (int i = contacts_.begin; i < contacts_.end; ++i) {
    const Cone l = at(c_.l, i), y = at(c_.scaled_dlambda, i);
    c_.gap[i] = c_.cones.acts[i] * dot(l + (at(c_.d, i) - y) * alpha, l + y * alpha);
  }
  return sum(c_.gap) + c_.rows.gap_after(problem_.rows, island_.rows, alpha);
}

template class IslandInteriorPoint<HalfLine>;
template class IslandInteriorPoint<ConeVector>;

void InteriorPointColumns::resize(const ConvexProblem& problem) {
  rows.resize(problem.num_rows());
  const std::size_t n = problem.num_contacts();
  if (v_start.size() < problem.nv()) v_start.resize(problem.nv());
  cones.resize(n);
  friction.resize(n);
  friction_G.resize(n);
  for (ConeVectors* column : {&w, &l, &r_p, &d, &d_before, &scaled_dlambda, &dlambda, &ds}) column->resize(n);
  for (auto* column : {&eta, &det_l, &E_0, &n_00, &n_01, &n_11, &n_2, &gap, &residual2, &s2, &step, &v_n})
    column->resize(n);
}

void approach_by_interior_point(const IslandTask& task, const InteriorPointGoal& goal) {
  if (task.problem.law->has_dual)
    IslandInteriorPoint<HalfLine>(task, goal).run();
  else
    IslandInteriorPoint<ConeVector>(task, goal).run();
}

}  // namespace csim
