#include "solver/method/normal_interior_point.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "problem/lane_sum.h"
#include "solver/method/interior_path.h"

namespace csim {
namespace {

/// Newton's method takes over below this momentum residual of the law itself (from 1e-3 it takes another 4 to
/// 8 iterations, from 1e-4 two or three), or at a gap of this part of the cost.
constexpr double kNearResidual = 1e-4, kNearGap = 1e-10;

/// Gap of the start, in units of its cost. Silo of 1000 bodies while it fills, 0.01: 22 iterations, 0.1: 18,
/// 0.3 to 10: 17.
constexpr double kStartGap = 1.0;

/// Corrections towards the centre: at most so many a step, for steps below kLongStep. Each looks further
/// ahead by kAhead, allows products between these parts of mu, and must gain a tenth of kAhead. Silo of 1000
/// bodies, 0: 17.0 iterations, 1: 15.0, 2: 14.0, 4: 13.8.
constexpr int kMaxCorrections = 2;
constexpr double kLongStep = 0.9, kAhead = 0.3, kLeastProduct = 0.1, kMostProduct = 10.0;

class IslandNormals : InteriorPath {
 public:
  IslandNormals(const ConvexProblem& problem, const Island& island, const NewtonOptions& options,
                NewtonColumns* columns, NormalPathColumns* normal_columns, Iterate* iterate,
                IslandSolve* solve)
      : InteriorPath(problem, island, options, columns, iterate, solve),
        law_(*problem.law),
        c_(*normal_columns) {}

  void run() {
    multiply_A(problem_, island_, problem_.v_star, &w_.A_v_star);
    evaluate();
    if (!std::isfinite(value_.cost) || is_near()) return;
    law_.fill_normals(problem_.contacts, contacts_, &c_.cones);
    num_normals_ = 0.0;
    for (int i = contacts_.begin; i < contacts_.end; ++i) num_normals_ += c_.cones.acts[i];
    if (num_normals_ == 0.0) return;
    const double cost_guess = value_.cost;
    std::copy_n(v(), n_, c_.v_start.data() + begin_);
    start_at_rest(cost_guess);
    forget_friction();
    set_central_pairs();
    while (!is_near() && may_go_on() && iterate_once()) evaluate();
    if (!(value_.cost <= cost_guess)) {
      std::copy_n(c_.v_start.data() + begin_, n_, v());
      forget_friction();
    }
    timer_.lap(&out_.seconds.assembly);
  }

 private:
  double* correction() { return c_.correction.data() + begin_; }

  /// Value at v, and the friction apart from the normal impulses: v_c keeps the slip alone, at which the
  /// law's matrix is that of the friction.
  void evaluate() {
    value_ = evaluate_island(problem_, island_, iterate_.v, &w_);
    std::copy_n(w_.v_c.normal.data() + contacts_.begin, contacts_.end - contacts_.begin,
                c_.v_n.data() + contacts_.begin);
    std::fill_n(w_.v_c.normal.data() + contacts_.begin, contacts_.end - contacts_.begin, kParting);
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

  /// From v = 0, where as a rule no contact has closed yet, unless the cost is lower at the guess.
  void start_at_rest(double cost_guess) {
    std::fill_n(v(), n_, 0.0);
    evaluate();
    if (value_.cost < cost_guess) return;
    std::copy_n(c_.v_start.data() + begin_, n_, v());
    evaluate();
  }

  void forget_friction() {
    for (auto* column : {&iterate_.dual.x, &iterate_.dual.y, &iterate_.dual.z})
      std::fill(column->begin() + contacts_.begin, column->begin() + contacts_.end, 0.0);
  }

  /// s and lambda with s lambda = mu, the nearest to those of the law at v: s - w lambda = z, where w is the
  /// compliance of the contact with that of its law, z = v_n - v_hat.
  void set_central_pairs() {
    const double mu = kStartGap * std::abs(value_.cost) / num_normals_;
    for (int i = contacts_.begin; i < contacts_.end; ++i) {
      const double z = c_.v_n[i] - c_.cones.v_hat[i];
      const double w =
          problem_.contacts.delassus[i] + 1.0 / (c_.cones.a[i] + c_.cones.b[i] * std::abs(z) + kTiny);
      const double root = std::sqrt(z * z + 4.0 * w * mu);
      c_.s[i] = z > 0.0 ? 0.5 * (z + root) : 2.0 * w * mu / (root - z);
      c_.lambda[i] = c_.cones.acts[i] * (z > 0.0 ? 2.0 * mu / (root + z) : 0.5 * (root - z) / w);
    }
  }

  [[nodiscard]] bool is_near() const {
    return value_.norms.residual() < kNearResidual ||
           value_.norms.converged(options_.relative_tolerance, options_.absolute_tolerance);
  }

  /// Predictor, corrector, corrections towards the centre, step; false at the end of the path or on a
  /// breakdown.
  bool iterate_once() {
    measure();
    if (!(gap_ > kNearGap * std::abs(value_.cost))) return false;
    if (!predict()) return false;
    const double ratio = gap_after(std::min(1.0, largest_step(false))) / gap_;
    const double mu = std::clamp(ratio * ratio * ratio, 1e-6, 1.0) * gap_ / num_normals_;
    for (int i = contacts_.begin; i < contacts_.end; ++i) c_.product[i] = mu - c_.ds[i] * c_.dlambda[i];
    solve_correction();
    add_correction();
    double alpha = step_length(false);
    for (int k = 0; k < kMaxCorrections && alpha < kLongStep; ++k) {
      centre(mu, std::min(1.0, alpha / kBoundaryFraction + kAhead));
      solve_correction();
      const double longer = step_length(true);
      if (longer < alpha + 0.1 * kAhead) break;
      add_correction();
      alpha = longer;
    }
    timer_.lap(&out_.seconds.solve);
    if (!(alpha > kSmallestStep)) return false;
    take_step(alpha);
    return true;
  }

  /// Residual of s, slopes and the gap at the iterate.
  void measure() {
#pragma GCC ivdep
    for (int i = contacts_.begin; i < contacts_.end; ++i) {
      const double lambda = c_.lambda[i];
      const InverseNormal p(c_.cones.a[i], c_.cones.b[i], lambda);
      c_.slope[i] = p.slope;
      c_.pivot[i] = c_.s[i] + lambda * p.slope;
      c_.r_s[i] = c_.cones.acts[i] * (c_.v_n[i] - c_.cones.v_hat[i] + p.speed - c_.s[i]);
    }
    gap_ = dot(c_.s.data() + contacts_.begin, c_.lambda.data() + contacts_.begin,
               contacts_.end - contacts_.begin);
  }

  /// G: the friction's matrices and lambda/(s + lambda p') along the normals.
  void fill_matrices() {
    law_.hessian(problem_.contacts, contacts_, w_.v_c, &iterate_.dual, &w_.G);
    const Vector3Columns& normal = problem_.contacts.normal;
#pragma GCC ivdep
    for (int i = contacts_.begin; i < contacts_.end; ++i) {
      const double x = normal.x[i], y = normal.y[i], z = normal.z[i];
      const double stiffness = c_.lambda[i] / c_.pivot[i];
      w_.G.xx[i] += stiffness * x * x;
      w_.G.yx[i] += stiffness * y * x;
      w_.G.zx[i] += stiffness * z * x;
      w_.G.yy[i] += stiffness * y * y;
      w_.G.zy[i] += stiffness * z * y;
      w_.G.zz[i] += stiffness * z * z;
    }
  }

  /// The direction to s lambda = 0 and to the balance of momenta: dv, ds, dlambda. False when H is not
  /// positive definite.
  bool predict() {
    fill_matrices();
    for (int i = contacts_.begin; i < contacts_.end; ++i) {
      // lambda + dlambda at dv = 0: dlambda = -(lambda s + lambda r_s)/pivot
      const double lambda = c_.lambda[i];
      set_impulse(i, lambda - lambda * (c_.s[i] + c_.r_s[i]) / c_.pivot[i], 1.0);
    }
    generalized_impulse(problem_, island_, w_.gamma, &w_.impulse);
    for (int i = begin_; i < begin_ + n_; ++i) w_.dv[i] = w_.impulse[i] - (w_.A_v[i] - w_.A_v_star[i]);
    if (!factor_by([&] { return out_.linear_solver->factor_and_solve(out_.H, dv()); })) return false;
    contact_velocities(problem_, island_, w_.dv, false, &w_.dv_c);
#pragma GCC ivdep
    for (int i = contacts_.begin; i < contacts_.end; ++i) {
      const double ds_v = w_.dv_c.normal[i] + c_.r_s[i];
      c_.dlambda[i] = -c_.lambda[i] * (c_.s[i] + ds_v) / c_.pivot[i];
      c_.ds[i] = c_.cones.acts[i] * (ds_v + c_.slope[i] * c_.dlambda[i]);
    }
    return true;
  }

  /// What `product` on the right-hand side of the complementarity adds to the direction.
  void solve_correction() {
    for (int i = contacts_.begin; i < contacts_.end; ++i) {
      c_.product[i] *= c_.cones.acts[i];
      set_impulse(i, c_.product[i] / c_.pivot[i], 0.0);
    }
    generalized_impulse(problem_, island_, w_.gamma, &c_.correction);
    out_.linear_solver->solve(correction());
    contact_velocities(problem_, island_, c_.correction, false, &w_.dv_c);
#pragma GCC ivdep
    for (int i = contacts_.begin; i < contacts_.end; ++i) {
      c_.ddlambda[i] = (c_.product[i] - c_.lambda[i] * w_.dv_c.normal[i]) / c_.pivot[i];
      c_.dds[i] = c_.cones.acts[i] * (w_.dv_c.normal[i] + c_.slope[i] * c_.ddlambda[i]);
    }
  }

  void add_correction() {
    for (int i = 0; i < n_; ++i) dv()[i] += correction()[i];
    for (int i = contacts_.begin; i < contacts_.end; ++i) {
      c_.dlambda[i] += c_.ddlambda[i];
      c_.ds[i] += c_.dds[i];
    }
  }

  /// Products that are out of proportion to mu after a step `ahead` are brought back.
  void centre(double mu, double ahead) {
    for (int i = contacts_.begin; i < contacts_.end; ++i) {
      const double product = (c_.s[i] + ahead * c_.ds[i]) * (c_.lambda[i] + ahead * c_.dlambda[i]);
      const double wanted = std::clamp(product, kLeastProduct * mu, kMostProduct * mu);
      c_.product[i] = std::max(wanted - product, -kMostProduct * mu);
    }
  }

  /// gamma = impulse n + part gamma_t.
  void set_impulse(int i, double impulse, double part) {
    const Vector3Columns& normal = problem_.contacts.normal;
    w_.gamma.x[i] = impulse * normal.x[i] + part * c_.friction.x[i];
    w_.gamma.y[i] = impulse * normal.y[i] + part * c_.friction.y[i];
    w_.gamma.z[i] = impulse * normal.z[i] + part * c_.friction.z[i];
  }

  /// Where the first s or lambda vanishes along the direction, with the correction or without.
  [[nodiscard]] double largest_step(bool corrected) {
    const double weight = corrected ? 1.0 : 0.0;
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
#pragma GCC ivdep
    for (int i = contacts_.begin; i < contacts_.end; ++i) {
      const double ds = c_.ds[i] + weight * c_.dds[i];
      const double dlambda = c_.dlambda[i] + weight * c_.ddlambda[i];
      const double of_s = ds < 0.0 ? -c_.s[i] / ds : kInfinity;
      const double of_lambda = dlambda < 0.0 ? -c_.lambda[i] / dlambda : kInfinity;
      c_.step[i] = std::min(of_s, of_lambda);
    }
    return *std::min_element(c_.step.begin() + contacts_.begin, c_.step.begin() + contacts_.end);
  }

  [[nodiscard]] double step_length(bool corrected) {
    return std::min(1.0, kBoundaryFraction * largest_step(corrected));
  }

  [[nodiscard]] double gap_after(double alpha) const {
    LaneSum sum;
    constexpr int kBlock = 64;
    double s[kBlock], lambda[kBlock];
    for (int begin = contacts_.begin; begin < contacts_.end; begin += kBlock) {
      const int n = std::min(kBlock, contacts_.end - begin);
#pragma GCC ivdep
      for (int j = 0; j < n; ++j) {
        s[j] = c_.s[begin + j] + alpha * c_.ds[begin + j];
        lambda[j] = c_.lambda[begin + j] + alpha * c_.dlambda[begin + j];
      }
      sum.add_products(s, lambda, n);
    }
    return sum.total();
  }

  void take_step(double alpha) {
    count_iteration(alpha);
    contact_velocities(problem_, island_, w_.dv, false, &w_.dv_c);
    law_.update_dual(problem_.contacts, contacts_, w_.v_c, w_.dv_c, &iterate_.dual);
    for (int i = 0; i < n_; ++i) v()[i] += alpha * dv()[i];
    for (int i = contacts_.begin; i < contacts_.end; ++i) {
      c_.s[i] += alpha * c_.ds[i];
      c_.lambda[i] += alpha * c_.dlambda[i];
    }
    timer_.lap(&out_.seconds.assembly);
  }

  static constexpr double kTiny = 1e-300;
  static constexpr double kParting = 1e100;  // m/s, at which no normal law acts

  const ContactLaw& law_;
  NormalPathColumns& c_;
  double num_normals_ = 0.0;  // contacts that can press
};

}  // namespace

void NormalPathColumns::resize(const ConvexProblem& problem) {
  const std::size_t n = problem.num_contacts();
  for (VectorX* vector : {&correction, &v_start}) {
    if (vector->size() < problem.nv()) vector->resize(problem.nv());
  }
  cones.resize(n);
  friction.resize(n);
  for (auto* column :
       {&v_n, &s, &lambda, &slope, &pivot, &r_s, &ds, &dlambda, &dds, &ddlambda, &product, &step})
    column->resize(n);
}

void approach_by_normals(const ConvexProblem& problem, const Island& island, const NewtonOptions& options,
                         NewtonColumns* columns, NormalPathColumns* normal_columns, Iterate* iterate,
                         IslandSolve* solve) {
  IslandNormals(problem, island, options, columns, normal_columns, iterate, solve).run();
}

}  // namespace csim
