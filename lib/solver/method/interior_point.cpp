#include "solver/method/interior_point.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "problem/lane_sum.h"
#include "solver/method/interior_path.h"

namespace csim {
namespace {

/// Momentum and s, as a part of their sizes, at a gap that lets Newton's method take over.
constexpr double kFeasible = 1e-6;

/// A guess at which the springs of the contacts hold no more than this part of the energy of the step is
/// nearly feasible: a Newton step from there predicts the impulses.
constexpr double kFewSprings = 1e-2;

/// Gap of the start from predicted impulses: so many times what they miss complementarity by, and no smaller
/// than so many times the goal.
constexpr double kPredictedGap = 10.0;

/// Corrections of an iteration at most, all with its factor. Clutter, Similar, k = 1e11 N/m, first second,
/// mean factorisations: 1: 17.0, 2: 14.6, 3: 13.8, 4: 13.3, 5: 13.1, 9: 12.6.
constexpr int kMaxCorrections = 5;

class IslandInteriorPoint : InteriorPath {
 public:
  IslandInteriorPoint(const ConvexProblem& problem, const Island& island, const NewtonOptions& options,
                      const InteriorPointGoal& goal, NewtonColumns* columns,
                      InteriorPointColumns* cone_columns, Iterate* iterate, IslandSolve* solve)
      : InteriorPath(problem, island, options, columns, iterate, solve), goal_(goal), c_(*cone_columns) {}

  void run() {
    multiply_A(problem_, island_, problem_.v_star, &w_.A_v_star);
    std::copy(v(), v() + n_, c_.v_start.data() + begin_);
    value_ = evaluate_island(problem_, island_, iterate_.v, &w_);
    const double cost_start = value_.cost;
    start();
    if (num_cones_ == 0.0) return;
    const bool is_nearly_feasible = value_.cost - value_.cost_A < kFewSprings * kinetic_scale_;
    if (is_nearly_feasible && out_.iterations < options_.max_iterations && !start_from_prediction()) {
      std::copy_n(c_.v_start.data() + begin_, n_, v());
      value_ = evaluate_island(problem_, island_, iterate_.v, &w_);
    }
    while (!is_close_enough() && may_go_on() && iterate_once()) {
      value_ = evaluate_island(problem_, island_, iterate_.v, &w_);
    }
    if (!(value_.cost <= cost_start)) std::copy_n(c_.v_start.data() + begin_, n_, v());
    timer_.lap(&out_.seconds.assembly);
  }

 private:
  /// lambda along the normals, of the size of the momenta that the contacts may pass on in the step, or of
  /// what a soft contact can come to; s from v, moved well inside the cone.
  void start() {
    problem_.law->fill_cones(problem_.contacts, contacts_, &c_.cones);
    // The speed that the step brings without contacts, at the contact where it is largest.
    for (int i = 0; i < n_; ++i) dv()[i] = problem_.v_star[begin_ + i] - v()[i];
    contact_velocities(problem_, island_, w_.dv, false, &w_.dv_c);
    double change2 = 0.0, speed2 = 0.0;
    for (int i = contacts_.begin; i < contacts_.end; ++i) {
      change2 = std::max(change2, squared(w_.dv_c, i));
      speed2 = std::max(speed2, squared(w_.v_c, i));
    }
    const double speed = std::max({std::sqrt(change2), 1e-3 * std::sqrt(speed2), kTinySpeed});
    multiply_A(problem_, island_, w_.dv, &w_.A_dv);
    kinetic_scale_ = dot(dv(), w_.A_dv.data() + begin_, n_);
    num_cones_ = 0.0;
    for (int i = contacts_.begin; i < contacts_.end; ++i) {
      num_cones_ += c_.cones.acts[i];
      const double mass = 1.0 / problem_.contacts.delassus[i];
      const double factor = c_.cones.tangential[i] > 0.0 ? std::min(1.0, 1.0 / c_.cones.normal[i]) : 1.0;
      const double start_speed = std::max(speed, -w_.v_c.normal[i]);
      const ConeVector lambda{std::min(factor * mass * start_speed, law_impulse(i, start_speed)), 0.0, 0.0,
                              0.0, 0.0};
      iterate_.lambda.set(i, lambda);
      ConeVector s = slack(i, lambda);
      const double rest = rest_norm(s);
      s.n = std::max(s.n, rest + std::max(0.01, 0.1 * rest));
      iterate_.s.set(i, c_.cones.acts[i] > 0.0 ? s : ConeVector{1.0, 0.0, 0.0, 0.0, 0.0});
    }
  }

  /// lambda_0 of the normal law where it is loaded faster by `speed` (m/s) than at v. A face whose force
  /// hardly changes in a step stands no start far above it: s is huge there, and the first step breaks down.
  [[nodiscard]] double law_impulse(int i, double speed) const {
    const double x = std::max(c_.cones.v_hat[i] - w_.v_c.normal[i], 0.0) + speed;
    return x * (c_.cones.a[i] + c_.cones.b[i] * x) / c_.cones.normal[i];
  }

  static double squared(const ContactVelocities& v, int i) {
    const double x = v.tangential.x[i], y = v.tangential.y[i], z = v.tangential.z[i], n = v.normal[i];
    return n * n + x * x + y * y + z * z;
  }

  /// s at v and lambda of the impulse in gamma, which may lie outside the cone.
  struct Predicted {
    ConeVector s, lambda;
    double w;  // 1/kg, makes velocities of impulses

    [[nodiscard]] ConeVector difference() const { return s - lambda * w; }
  };

  /// A full step of Newton's method on the law meets the momentum balance with the impulses gamma - G J dv.
  /// The central pairs nearest to them and to s at its end, with a gap as large as what they miss
  /// complementarity by, are the start, in place of one from impulses without memory. False when the step
  /// cannot be made or promises no smaller gap.
  bool start_from_prediction() {
    problem_.law->hessian(problem_.contacts, contacts_, w_.v_c, nullptr, &w_.G);
    if (!factor()) return false;
    for (int i = 0; i < n_; ++i) dv()[i] = -w_.gradient[begin_ + i];
    out_.linear_solver->solve(dv());
    timer_.lap(&out_.seconds.solve);
    contact_velocities(problem_, island_, w_.dv, false, &w_.dv_c);
    predict_impulses();
    for (int i = 0; i < n_; ++i) v()[i] += dv()[i];
    contact_velocities(problem_, island_, iterate_.v, true, &w_.v_c);
    double missed = 0.0, cold_gap = 0.0;
    for (int i = contacts_.begin; i < contacts_.end; ++i) {
      if (c_.cones.acts[i] == 0.0) continue;
      const Predicted p = predicted(i);
      const ConeVector error = p.s - smoothed_projection(p.difference(), 0.0);
      missed += dot(error, error) / p.w;
      cold_gap += dot(iterate_.s[i], iterate_.lambda[i]);
    }
    const double goal_gap = goal_.gap * std::max(value_.v_norm2, kinetic_scale_);
    const double gap = kPredictedGap * std::max(missed, goal_gap);
    if (!(gap < cold_gap)) return false;
    for (int i = contacts_.begin; i < contacts_.end; ++i) {
      if (c_.cones.acts[i] == 0.0) continue;
      const Predicted p = predicted(i);
      const ConeVector z = p.difference();
      const double mu = p.w * gap / num_cones_;
      iterate_.s.set(i, smoothed_projection(z, mu));
      iterate_.lambda.set(i, smoothed_projection(z * -1.0, mu) * (1.0 / p.w));
    }
    count_iteration(1.0);
    value_ = evaluate_island(problem_, island_, iterate_.v, &w_);
    timer_.lap(&out_.seconds.assembly);
    return true;
  }

  /// gamma -= G J dv.
  void predict_impulses() {
    for (int i = contacts_.begin; i < contacts_.end; ++i) {
      const Vector3 change =
          w_.G[i] * (w_.dv_c.tangential[i] + w_.dv_c.normal[i] * problem_.contacts.normal[i]);
      w_.gamma.x[i] -= change.x();
      w_.gamma.y[i] -= change.y();
      w_.gamma.z[i] -= change.z();
    }
  }

  [[nodiscard]] Predicted predicted(int i) const {
    const ConeColumns& c = c_.cones;
    const Vector3 normal = problem_.contacts.normal[i], gamma = w_.gamma[i];
    const double gamma_n = gamma.dot(normal);
    const Vector3 tangential = c.tangential[i] * (gamma - gamma_n * normal);
    ConeVector lambda{gamma_n / c.normal[i], tangential.x(), tangential.y(), tangential.z(), 0.0};
    // The soft norm's entry puts lambda on the boundary, as at the minimum.
    if (c.eps[i] > 0.0 && lambda.n > 0.0) lambda.e = -std::sqrt(std::max(determinant(lambda), 0.0));
    ConeVector pressing = lambda;
    pressing.n = std::max(lambda.n, 0.0);
    return {slack(i, pressing), lambda, problem_.contacts.delassus[i]};
  }

  /// s(v_c, lambda) of a contact.
  [[nodiscard]] ConeVector slack(int i, const ConeVector& lambda) const {
    const ConeColumns& c = c_.cones;
    const InverseNormal p(c.a[i], c.b[i], lambda.n * c.normal[i]);
    return {(w_.v_c.normal[i] - c.v_hat[i] + p.speed) * c.normal[i] + c.eps[i],
            c.tangential[i] * w_.v_c.tangential.x[i] + c.R_t[i] * lambda.x,
            c.tangential[i] * w_.v_c.tangential.y[i] + c.R_t[i] * lambda.y,
            c.tangential[i] * w_.v_c.tangential.z[i] + c.R_t[i] * lambda.z, c.eps[i]};
  }

  /// M dv_c of a contact.
  [[nodiscard]] ConeVector map_velocity(int i) const {
    const ConeColumns& c = c_.cones;
    const double t = c.tangential[i];
    return {c.normal[i] * w_.dv_c.normal[i], t * w_.dv_c.tangential.x[i], t * w_.dv_c.tangential.y[i],
            t * w_.dv_c.tangential.z[i], 0.0};
  }

  /// Residuals at v and the gap; whether Newton's method may take over.
  bool is_close_enough() {
    if (!std::isfinite(value_.cost) || value_.norms.residual() < goal_.residual) return true;
#pragma GCC ivdep
    for (int i = contacts_.begin; i < contacts_.end; ++i) {
      const ConeVector lambda = iterate_.lambda[i], s = iterate_.s[i];
      const double slope = InverseNormal(c_.cones.a[i], c_.cones.b[i], lambda.n * c_.cones.normal[i]).slope;
      const ConeVector r_p = (slack(i, lambda) - s) * c_.cones.acts[i];
      c_.E_0[i] = slope * c_.cones.normal[i] * c_.cones.normal[i];
      c_.r_p.set(i, r_p);
      c_.gap[i] = c_.cones.acts[i] * dot(s, lambda);
      c_.residual2[i] = dot(r_p, r_p);
      c_.s2[i] = c_.cones.acts[i] * dot(s, s);
    }
    gap_ = sum(c_.gap);
    if (gap_ > goal_.gap * std::max(value_.v_norm2, kinetic_scale_)) return false;
    if (sum(c_.residual2) > kFeasible * kFeasible * sum(c_.s2)) return false;
    add_impulses(iterate_.lambda);
    generalized_impulse(problem_, island_, w_.gamma, &w_.impulse);
    double residual2 = 0.0, scale2 = 0.0;
    for (int i = begin_; i < begin_ + n_; ++i) {
      const double r = problem_.scale[i] * (w_.A_v[i] - w_.A_v_star[i] - w_.impulse[i]);
      const double p = problem_.scale[i] * w_.impulse[i];
      residual2 += r * r;
      scale2 += p * p;
    }
    return residual2 <= kFeasible * kFeasible * std::max(scale2, value_.norms.momentum);
  }

  [[nodiscard]] double sum(const std::vector<double>& terms) const {
    LaneSum sum;
    sum.add(terms.data() + contacts_.begin, contacts_.end - contacts_.begin);
    return sum.total();
  }

  /// gamma = M^T lambda.
  void add_impulses(const ConeVectors& lambda) {
    const Vector3Columns& normal = problem_.contacts.normal;
#pragma GCC ivdep
    for (int i = contacts_.begin; i < contacts_.end; ++i) {
      const double n = c_.cones.normal[i] * lambda.n[i], t = c_.cones.tangential[i];
      w_.gamma.x[i] = n * normal.x[i] + t * lambda.x[i];
      w_.gamma.y[i] = n * normal.y[i] + t * lambda.y[i];
      w_.gamma.z[i] = n * normal.z[i] + t * lambda.z[i];
    }
  }

  /// The direction towards s . lambda = target (J) in every cone, and how far it leads: corrections with the
  /// second-order term of the direction before, as long as the way to the boundary does not get shorter
  /// (Gondzio 1996, Multiple centrality corrections, for the idea to use a factor more than twice).
  double correct(double target) {
    set_corrector(target);
    solve_direction();
    double step = largest_step();
    for (int k = 1; k < kMaxCorrections && kBoundaryFraction * step < 1.0; ++k) {
      copy_cones(c_.d, &c_.d_before);
      set_corrector(target);
      solve_direction();
      const double next = largest_step();
      if (!(next >= step)) {
        copy_cones(c_.d_before, &c_.d);
        solve_direction();
        break;
      }
      step = next;
    }
    return step;
  }

  void copy_cones(const ConeVectors& from, ConeVectors* to) const {
    for (int i = contacts_.begin; i < contacts_.end; ++i) to->set(i, from[i]);
  }

  /// Predictor, corrector, step; false on a breakdown.
  bool iterate_once() {
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
    count_iteration(alpha);
    for (int i = 0; i < n_; ++i) v()[i] += alpha * dv()[i];
#pragma GCC ivdep
    for (int i = contacts_.begin; i < contacts_.end; ++i) {
      iterate_.lambda.set(i, iterate_.lambda[i] + c_.dlambda[i] * alpha);
      iterate_.s.set(i, iterate_.s[i] + c_.ds[i] * alpha);
    }
    timer_.lap(&out_.seconds.assembly);
    return true;
  }

  /// W, l, P, N and the contacts' Hessians G = M^T P M.
  void scale_cones() {
    const Vector3Columns& normal = problem_.contacts.normal;
#pragma GCC ivdep
    for (int i = contacts_.begin; i < contacts_.end; ++i) {
      const ConeScaling scaling = ConeScaling::of(iterate_.s[i], iterate_.lambda[i]);
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
  }

  bool factor() {
    return factor_by([&] { return out_.linear_solver->factor(out_.H); });
  }

  /// d = -l: towards s . lambda = 0 in one step.
  void set_predictor() {
#pragma GCC ivdep
    for (int i = contacts_.begin; i < contacts_.end; ++i) c_.d.set(i, c_.l[i] * -c_.cones.acts[i]);
  }

  /// d = l \ (target e - l o l - (W^-1 ds) o (W dlambda)) with ds, dlambda of the direction before.
  void set_corrector(double target) {
#pragma GCC ivdep
    for (int i = contacts_.begin; i < contacts_.end; ++i) {
      const ConeVector l = c_.l[i], dlambda = c_.scaled_dlambda[i];
      const ConeVector ds = c_.d[i] - dlambda;
      ConeVector r = jordan_product(ds, dlambda) * -1.0;
      r.n += target;
      c_.d.set(i, (jordan_divide(l, c_.det_l[i], r) - l) * c_.cones.acts[i]);
    }
  }

  /// dv, dlambda, ds and W dlambda for the right-hand side d; W^-1 ds = d - W dlambda.
  void solve_direction() {
    // lambda + q, in place of dlambda.
#pragma GCC ivdep
    for (int i = contacts_.begin; i < contacts_.end; ++i) {
      const ConeVector w = c_.w[i];
      const ConeVector t = c_.d[i] - unscale(w, c_.eta[i], c_.r_p[i]);
      const ConeVector y = apply_compliance(w, c_.n_00[i], c_.n_01[i], c_.n_11[i], c_.n_2[i], t);
      c_.dlambda.set(i, iterate_.lambda[i] + unscale(w, c_.eta[i], y));
    }
    add_impulses(c_.dlambda);
    generalized_impulse(problem_, island_, w_.gamma, &w_.impulse);
    for (int i = begin_; i < begin_ + n_; ++i) w_.dv[i] = w_.impulse[i] - (w_.A_v[i] - w_.A_v_star[i]);
    timer_.lap(&out_.seconds.assembly);
    out_.linear_solver->solve(dv());
    timer_.lap(&out_.seconds.solve);
    contact_velocities(problem_, island_, w_.dv, false, &w_.dv_c);
#pragma GCC ivdep
    for (int i = contacts_.begin; i < contacts_.end; ++i) {
      const ConeVector w = c_.w[i], l = c_.l[i];
      const ConeVector ds_v = map_velocity(i) + c_.r_p[i];
      const ConeVector t = c_.d[i] - unscale(w, c_.eta[i], ds_v);
      const ConeVector y = apply_compliance(w, c_.n_00[i], c_.n_01[i], c_.n_11[i], c_.n_2[i], t);
      const ConeVector dlambda = unscale(w, c_.eta[i], y);
      const double R_t = c_.cones.R_t[i];
      const ConeVector ds{ds_v.n + c_.E_0[i] * dlambda.n, ds_v.x + R_t * dlambda.x, ds_v.y + R_t * dlambda.y,
                          ds_v.z + R_t * dlambda.z, ds_v.e};
      c_.scaled_dlambda.set(i, y);
      c_.dlambda.set(i, dlambda);
      c_.ds.set(i, ds);
      const double step =
          std::min(step_to_boundary(l, c_.det_l[i], y), step_to_boundary(l, c_.det_l[i], c_.d[i] - y));
      c_.step[i] = c_.cones.acts[i] > 0.0 ? step : std::numeric_limits<double>::infinity();
    }
  }

  [[nodiscard]] double largest_step() const {
    return *std::min_element(c_.step.begin() + contacts_.begin, c_.step.begin() + contacts_.end);
  }

  /// s . lambda after the step alpha, in scaled variables.
  double gap_after(double alpha) {
#pragma GCC ivdep
    for (int i = contacts_.begin; i < contacts_.end; ++i) {
      const ConeVector l = c_.l[i], y = c_.scaled_dlambda[i];
      c_.gap[i] = c_.cones.acts[i] * dot(l + (c_.d[i] - y) * alpha, l + y * alpha);
    }
    return sum(c_.gap);
  }

  static constexpr double kTinySpeed = 1e-9;  // m/s

  const InteriorPointGoal& goal_;
  InteriorPointColumns& c_;
  double kinetic_scale_ = 0.0;  // J, |v* - v|_A^2 at the start
  double num_cones_ = 0.0;
};

}  // namespace

void InteriorPointColumns::resize(const ConvexProblem& problem) {
  const std::size_t n = problem.num_contacts();
  if (v_start.size() < problem.nv()) v_start.resize(problem.nv());
  cones.resize(n);
  for (ConeVectors* column : {&w, &l, &r_p, &d, &d_before, &scaled_dlambda, &dlambda, &ds}) column->resize(n);
  for (auto* column : {&eta, &det_l, &E_0, &n_00, &n_01, &n_11, &n_2, &gap, &residual2, &s2, &step})
    column->resize(n);
}

void approach_by_interior_point(const ConvexProblem& problem, const Island& island,
                                const NewtonOptions& options, const InteriorPointGoal& goal,
                                NewtonColumns* columns, InteriorPointColumns* cone_columns, Iterate* iterate,
                                IslandSolve* solve) {
  IslandInteriorPoint(problem, island, options, goal, columns, cone_columns, iterate, solve).run();
}

}  // namespace csim
