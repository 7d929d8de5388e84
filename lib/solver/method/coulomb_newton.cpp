#include "solver/method/coulomb_newton.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "law/lane_sum.h"
#include "solver/lap_timer.h"
#include "solver/method/line_search.h"

namespace csim {
namespace {

/// Landing clutter of 40 bodies: 95 of 100 islands converge, in 8 iterations on average, few in more than 20.
/// Of those that do not, most have not halved their residual for 8 iterations.
constexpr int kMaxIterations = 25, kPatience = 8;

/// Of |D g|: what a full step may leave at most to be taken.
constexpr double kFullStep = 0.95;

/// Vectors of GMRES, and the part of |D g| that it leaves. 1 to 4 are usual; where 8 are not enough K is
/// nearly singular, and more do not help: the silo of 200 bodies took a third more vectors with 30, in as
/// many repetitions.
constexpr int kMaxKrylov = 8;
constexpr double kInexactness = 0.1;

/// Names for the island's ranges and the stages of an iteration.
class CoulombIsland {
 public:
  CoulombIsland(const Island& island, const NewtonOptions& options, ConvexProblem* problem,
                NewtonColumns* columns, CoulombColumns* coulomb, Iterate* iterate, IslandSolve* solve)
      : island_(island),
        options_(options),
        problem_(*problem),
        law_(*problem->law),
        w_(*columns),
        c_(*coulomb),
        iterate_(*iterate),
        out_(*solve),
        begin_(island.v_begin),
        n_(island.nv()),
        uses_dual_(law_.has_dual && options.hessian == HessianKind::kPrimalDual) {
    const std::size_t entries = static_cast<std::size_t>(n_) * (kMaxKrylov + 1);
    if (out_.krylov.size() < entries) out_.krylov.resize(entries);
  }

  void run() {
    keep_start();
    begin_island(problem_, island_, &w_);
    evaluate();
    if (uses_dual_ && out_.norms.residual() < kCalmResidual)
      start_dual(problem_, island_, &w_, &iterate_.dual);
    double best = std::numeric_limits<double>::infinity();  // |D g|^2
    for (int k = 0, k_best = 0;; ++k) {
      if (!std::isfinite(out_.norms.gradient)) break;
      if (out_.norms.converged(options_.relative_tolerance, options_.absolute_tolerance)) {
        out_.status = SolveStatus::kConverged;
        if (out_.has_factor) estimate_condition(options_, /*is_large=*/false, &out_);
        return;
      }
      if (out_.norms.gradient < 0.25 * best) {
        best = out_.norms.gradient;
        k_best = k;
      }
      if (k == kMaxIterations || k - k_best >= kPatience || !find_direction() || !take_step()) break;
    }
    go_back();
    out_.status = SolveStatus::kIterationLimit;
  }

 private:
  double* v() { return iterate_.v.data() + begin_; }
  double* dv() { return w_.dv.data() + begin_; }
  double* gradient() { return w_.gradient.data() + begin_; }
  const double* scale() { return problem_.scale.data() + begin_; }
  double* krylov(int k) { return out_.krylov.data() + static_cast<std::ptrdiff_t>(k) * n_; }

  void keep_start() {
    std::copy_n(v(), n_, c_.v_before.begin() + begin_);
    for (int i = island_.contacts.begin; i < island_.contacts.end; ++i)
      c_.bound_before[i] = law_.friction_bound(problem_.contacts, i);
  }

  void go_back() {
    std::copy_n(c_.v_before.begin() + begin_, n_, v());
    for (int i = island_.contacts.begin; i < island_.contacts.end; ++i)
      law_.set_friction_bound(problem_.law_parameters, c_.bound_before[i], i, &problem_.contacts);
  }

  /// Bounds, and everything else, at v.
  void evaluate() {
    pool_velocities(problem_, island_, iterate_.v, true, &w_.v_c);
    law_.evaluate(problem_.contacts, island_.contacts, w_.v_c, &w_.gamma);
    const ContactColumns& contacts = problem_.contacts;
    for (int i = island_.contacts.begin; i < island_.contacts.end; ++i) {
      const double bound = contacts.friction[i] * std::max(0.0, w_.gamma[i].dot(contacts.normal[i]));
      law_.set_friction_bound(problem_.law_parameters, bound, i, &problem_.contacts);
    }
    value_ = evaluate_island(problem_, island_, iterate_.v, &w_);
    out_.norms = value_.norms;
    out_.cost = value_.cost;
  }

  /// K dv = -g.
  bool find_direction() {
    pool_hessians(problem_, island_, w_.v_c, uses_dual_ ? &iterate_.dual : nullptr, &w_.G);
    set_hessian_pattern(problem_, island_, &out_.H);
    out_.linear_solver->analyze(out_.H);
    assemble_hessian(problem_, island_, w_.G, &out_.H, &out_.buffer);
    find_coupling();
    timer_.lap(&out_.seconds.assembly);
    ++out_.factorizations;
    out_.has_factor = out_.linear_solver->factor(out_.H);
    timer_.lap(&out_.seconds.factor);
    if (!out_.has_factor) return false;
    const bool solved = solve_by_gmres();
    timer_.lap(&out_.seconds.solve);
    return solved;
  }

  /// d gamma_t/d b times d b/d v_n.
  void find_coupling() {
    const ContactColumns& contacts = problem_.contacts;
    for (int i = island_.contacts.begin; i < island_.contacts.end; ++i) {
      const double bound = law_.friction_bound(contacts, i);
      const Vector3 n = contacts.normal[i], gamma = w_.gamma[i];
      if (!(bound > 0.0)) {
        c_.coupling.set(i, Vector3::Zero());
        continue;
      }
      const double elasticity =
          law_.friction_elasticity(problem_.law_parameters, contacts, i, w_.v_c.tangential[i].squaredNorm());
      const double factor = -elasticity * contacts.friction[i] * n.dot(w_.G[i] * n) / bound;
      c_.coupling.set(i, factor * (gamma - gamma.dot(n) * n));
    }
  }

  /// y = D K H^-1 D^-1 z.
  void apply(const double* z, double* y) {
    double* const x = c_.x.data() + begin_;
    for (int i = 0; i < n_; ++i) x[i] = z[i] / scale()[i];
    out_.linear_solver->solve(x);
    pool_velocities(problem_, island_, c_.x, false, &c_.x_c);
    for (int i = island_.contacts.begin; i < island_.contacts.end; ++i)
      c_.change.set(i, c_.x_c.normal[i] * c_.coupling[i]);
    pool_impulse(problem_, island_, c_.change, &c_.impulse);
    const double* const impulse = c_.impulse.data() + begin_;
    for (int i = 0; i < n_; ++i) y[i] = z[i] - scale()[i] * impulse[i];
  }

  bool solve_by_gmres() {
    const double norm0 = std::sqrt(out_.norms.gradient);
    for (int i = 0; i < n_; ++i) krylov(0)[i] = -scale()[i] * gradient()[i] / norm0;
    // R of the Hessenberg matrix by columns, its Givens rotations, and the right-hand side that they turn.
    double R[kMaxKrylov][kMaxKrylov + 1], cosine[kMaxKrylov], sine[kMaxKrylov];
    double right[kMaxKrylov + 1] = {norm0};
    int m = 0;
    while (m < kMaxKrylov && std::abs(right[m]) > kInexactness * norm0) {
      double* const next = krylov(m + 1);
      double* const column = R[m];
      apply(krylov(m), next);
      for (int j = 0; j <= m; ++j) {
        column[j] = dot(krylov(j), next, n_);
        for (int i = 0; i < n_; ++i) next[i] -= column[j] * krylov(j)[i];
      }
      const double norm = std::sqrt(dot(next, next, n_));
      for (int j = 0; j < m; ++j) {
        const double above = column[j], below = column[j + 1];
        column[j] = cosine[j] * above + sine[j] * below;
        column[j + 1] = cosine[j] * below - sine[j] * above;
      }
      const double diagonal = std::hypot(column[m], norm);
      if (!(diagonal > 0.0) || !std::isfinite(diagonal)) return false;
      cosine[m] = column[m] / diagonal;
      sine[m] = norm / diagonal;
      column[m] = diagonal;
      right[m + 1] = -sine[m] * right[m];
      right[m] *= cosine[m];
      ++m;
      if (!(norm > 0.0)) break;
      for (int i = 0; i < n_; ++i) next[i] /= norm;
    }
    double* const x = dv();
    std::fill_n(x, n_, 0.0);
    for (int j = m - 1; j >= 0; --j) {
      for (int k = j + 1; k < m; ++k) right[j] -= R[k][j] * right[k];
      right[j] /= R[j][j];
      for (int i = 0; i < n_; ++i) x[i] += right[j] * krylov(j)[i];
    }
    for (int i = 0; i < n_; ++i) x[i] /= scale()[i];
    out_.linear_solver->solve(x);
    return true;
  }

  bool take_step() {
    pool_velocities(problem_, island_, w_.dv, false, &w_.dv_c);
    if (options_.record_iterations) out_.history.push_back({out_.cost, std::sqrt(out_.norms.gradient), 1.0});
    ++out_.iterations;
    keep_dual();
    const double most = kFullStep * kFullStep * out_.norms.gradient;
    move(1.0);
    if (out_.norms.gradient <= most) return true;
    move_back();
    const bool descends = descend();
    timer_.lap(&out_.seconds.line_search);
    return descends;
  }

  /// A step that lowers Lagged's cost with the bounds of v: along dv, or Newton's own where dv does not.
  bool descend() {
    double slope = dot(gradient(), dv(), n_);
    if (!(slope < 0.0)) {
      for (int i = 0; i < n_; ++i) dv()[i] = -gradient()[i];
      out_.linear_solver->solve(dv());
      pool_velocities(problem_, island_, w_.dv, false, &w_.dv_c);
      slope = dot(gradient(), dv(), n_);
      if (!(slope < 0.0)) return false;
    }
    multiply_A(problem_, island_, w_.dv, &w_.A_dv);
    fill_pool_lines(island_, w_.v_c, w_.dv_c, &w_.lines);
    for (int i = begin_; i < begin_ + n_; ++i) w_.A_v[i] -= w_.A_v_star[i];
    const LineFunction ell{problem_,
                           island_,
                           w_.lines,
                           value_.cost_A,
                           dot(dv(), w_.A_v.data() + begin_, n_),
                           dot(dv(), w_.A_dv.data() + begin_, n_),
                           value_.v_norm2};
    const LineSearchResult found =
        search_line(options_.line_search, ell, out_.cost, slope, std::numeric_limits<double>::infinity());
    out_.line_search_iterations += found.evaluations;
    if (options_.record_iterations) out_.history.back().step_length = found.alpha;
    move(found.alpha);
    return true;
  }

  void keep_dual() {
    if (!uses_dual_) return;
    copy_dual(iterate_.dual, &c_.dual_before);
  }
  void copy_dual(const Vector3Columns& from, Vector3Columns* to) {
    for (int i = island_.contacts.begin; i < island_.contacts.end; ++i) to->set(i, from[i]);
  }

  void move(double alpha) {
    if (uses_dual_) law_.update_dual(problem_.contacts, island_.contacts, w_.v_c, w_.dv_c, &iterate_.dual);
    std::copy_n(v(), n_, c_.x.data() + begin_);
    for (int i = 0; i < n_; ++i) v()[i] += alpha * dv()[i];
    evaluate();
    timer_.lap(&out_.seconds.assembly);
  }

  void move_back() {
    std::copy_n(c_.x.data() + begin_, n_, v());
    if (uses_dual_) copy_dual(c_.dual_before, &iterate_.dual);
    evaluate();
  }

  const Island& island_;
  const NewtonOptions& options_;
  ConvexProblem& problem_;
  const ContactLaw& law_;
  NewtonColumns& w_;
  CoulombColumns& c_;
  Iterate& iterate_;
  IslandSolve& out_;
  const int begin_, n_;  // rows of the island
  const bool uses_dual_;

  LapTimer timer_;
  IslandValue value_;
};

}  // namespace

void CoulombColumns::resize(const ConvexProblem& problem) {
  x_c.resize(problem);
  change.resize(problem);
  std::fill(change.row.begin(), change.row.end(), 0.0);
  const auto num_contacts = static_cast<std::size_t>(problem.num_contacts());
  const auto nv = static_cast<std::size_t>(problem.nv());
  coupling.resize(num_contacts);
  dual_before.resize(num_contacts);
  bound_before.resize(num_contacts);
  v_before.resize(std::max(nv, v_before.size()));
  for (VectorX* vector : {&x, &impulse})
    if (vector->size() < problem.nv()) vector->resize(problem.nv());
}

void solve_coulomb(const Island& island, const NewtonOptions& options, ConvexProblem* problem,
                   NewtonColumns* columns, CoulombColumns* coulomb, Iterate* iterate, IslandSolve* solve) {
  CoulombIsland(island, options, problem, columns, coulomb, iterate, solve).run();
}

}  // namespace csim
