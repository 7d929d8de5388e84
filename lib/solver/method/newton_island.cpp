#include "solver/method/newton_island.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "law/lane_sum.h"
#include "solver/lap_timer.h"
#include "solver/method/line_search.h"

namespace csim {
namespace {

/// Relative step at the round-off level: alpha |dv|_A <= 1e-12 |v|_A.
constexpr double kRoundOff = 1e-12;

/// A full step whose predicted decrease of the cost is below this part of cost and |v|_A^2, and after which
/// the gradient has not even halved, is round-off; two of them in a row are the round-off level too.
constexpr double kNoiseDecrease = 1e-15;

/// A rise of the cost by more than this part of cost and |v|_A^2 is not round-off: the line search descends.
constexpr double kCostSlop = 1e-10;

/// Short steps in a row that do not lower the cost, after which the line search counts as failed. The loose
/// one can go on like that for hundreds of iterations (plain Lagged, k = 1e9 N/m, v_s = 1e-8 m/s).
constexpr int kMaxRises = 10;

/// Lanczos steps to either end of the spectrum, at some 5 % of the time of a step: see ConditionEstimator.
/// Fewer in large islands, where each is a solve that waits for the memory.
constexpr int kConditionSteps = 4, kConditionStepsOfLarge = 3;

/// Fraction of the way to the boundary of a barrier's domain that a step may go.
constexpr double kDomainFraction = 0.99;

/// Edges are kept ready whose contacts would act if they approached faster by this (m/s^2) times the step.
/// Silo of 1000 bodies in its third second, some 2640 edges, 2110 of which act: 0.1: 2130 edges, 1: 2200 and
/// two analyses a step, 5: 2390.
constexpr double kReadyAcceleration = 1.0;

/// The last steps of a large island, |D g| below this part of the momenta, are solved by conjugate gradients
/// with the factor of the step before: few contacts still change what they do. To this part of |D g|, in at
/// most so many iterations (one takes a sixth of a factorisation); if they do not get there, the matrix is
/// factored after all.
constexpr double kNearResidual = 0.01, kInexactness = 0.03;
constexpr int kMaxConjugateGradients = 6;

/// One island's solve: names for its ranges and the stages of an iteration.
class IslandNewton {
 public:
  IslandNewton(const IslandTask& task, const NewtonOptions& options, double most_changes)
      : problem_(task.problem),
        law_(*problem_.law),
        island_(task.island),
        options_(options),
        most_changes_(most_changes),
        w_(task.columns),
        iterate_(task.iterate),
        out_(task.solve),
        begin_(island_.v_begin),
        n_(island_.nv()),
        uses_dual_(law_.has_dual && options.hessian == HessianKind::kPrimalDual),
        num_edges_(island_.edge_end - island_.edge_begin),
        is_large_(num_edges_ >= options.edges_of_large_island),
        is_foretold_(is_foretold()) {}

  void run() {
    if (law_.has_domain && !find_feasible_start()) return finish(SolveStatus::kInfeasibleStart);
    begin_island(problem_, island_, &w_);
    evaluate();
    if (uses_dual_ && out_.iterations == 0 && out_.norms.residual() < kCalmResidual)
      start_dual(problem_, island_, &w_, &iterate_.dual);
    if (expects_velocities() && is_finite() && !momentum_converged()) {
      if (!take_predicted_step()) return finish(SolveStatus::kNotPositiveDefinite);
      const double num_contacts = island_.contacts.end - island_.contacts.begin;
      if (count_active_set_changes() > most_changes_ * std::max(num_expected_, 0.1 * num_contacts))
        return finish(SolveStatus::kIterationLimit);
    }
    while (true) {
      if (!is_finite()) return finish(SolveStatus::kNotFinite);
      if (momentum_converged()) return finish(SolveStatus::kConverged);
      if (at_round_off_ || num_noise_steps_ >= 2) return finish(SolveStatus::kRoundOff);
      if (num_stalls_ >= 2) return finish(SolveStatus::kCost);
      if (num_iterations_ == options_.max_iterations) return finish(SolveStatus::kIterationLimit);
      if (!find_direction()) return finish(SolveStatus::kNotPositiveDefinite);
      const double slope = dot(gradient(), dv(), n_);
      if (!std::isfinite(slope)) return finish(SolveStatus::kNotFinite);
      if (!(slope < 0.0)) {
        // -slope = |dv|_H^2 is not positive by round-off only if the step is at the round-off level.
        return finish(step_is_at_floor(1.0) ? SolveStatus::kRoundOff : SolveStatus::kNotDescent);
      }
      const double alpha = find_step_length(slope);
      timer_.lap(&out_.seconds.line_search);
      // At the minimum the cost is flat to round-off; the momentum criterion, which is more accurate,
      // decides.
      const bool is_downhill = take_step(alpha, slope) && num_rises_ < kMaxRises;
      if (!is_downhill && is_finite() && !momentum_converged()) return finish(SolveStatus::kCostIncrease);
    }
  }

 private:
  double* v() { return iterate_.v.data() + begin_; }
  double* dv() { return w_.dv.data() + begin_; }
  double* gradient() { return w_.gradient.data() + begin_; }

  /// Moves the guess along the line from v = 0 into the domain of a barrier law, to at most 0.9 of the way to
  /// its boundary: gaps stay above 0.1 of what they are at rest. A guess that is inside stays when v = 0 is
  /// not.
  bool find_feasible_start() {
    std::fill(w_.dv.data() + begin_, w_.dv.data() + begin_ + n_, 0.0);
    pool_velocities(problem_, island_, w_.dv, true, &w_.v_c);  // at v = 0: the bias
    pool_velocities(problem_, island_, iterate_.v, false, &w_.dv_c);
    fill_pool_lines(island_, w_.v_c, w_.dv_c, &w_.lines);
    const double limit = 0.9 * law_.domain_step(problem_.contacts, island_.contacts, w_.lines);
    if (limit > 0.0) {
      if (limit < 1.0) {
        for (int i = 0; i < n_; ++i) v()[i] *= limit;
      }
      return true;
    }
    pool_velocities(problem_, island_, iterate_.v, true, &w_.v_c);
    pool_velocities(problem_, island_, w_.dv, false, &w_.dv_c);
    fill_pool_lines(island_, w_.v_c, w_.dv_c, &w_.lines);
    // The one to tell of is a gap that is closed before the step, rather than one that closes within it.
    for (int i = island_.contacts.begin; i < island_.contacts.end; ++i) {
      if (law_.domain_step(problem_.contacts, {i, i + 1}, w_.lines) > 0.0) continue;
      const std::vector<double>& phi0 = problem_.contacts.phi0;
      if (out_.contact < 0 || phi0[i] < std::min(phi0[out_.contact], 0.0)) out_.contact = i;
    }
    return out_.contact < 0;
  }

  void evaluate() {
    const IslandValue value = evaluate_island(problem_, island_, iterate_.v, &w_);
    out_.norms = value.norms;
    cost_A_ = value.cost_A;
    out_.cost = value.cost;
    v_norm2_ = value.v_norm2;
  }

  [[nodiscard]] bool is_finite() const {
    return std::isfinite(out_.cost) && std::isfinite(out_.norms.gradient);
  }

  [[nodiscard]] bool momentum_converged() const {
    const double part = is_foretold_ ? kForetold : 1.0;
    return out_.norms.converged(part * options_.relative_tolerance, options_.absolute_tolerance);
  }

  /// Whether the velocities are those foretold, of a tree at least.
  [[nodiscard]] bool is_foretold() const {
    for (int t = island_.tree_begin; t < island_.tree_end && !iterate_.is_foretold.empty(); ++t)
      if (iterate_.is_foretold[problem_.trees[t].model_tree]) return true;
    return false;
  }

  /// v += alpha dv.
  void move(double alpha) {
    for (int i = 0; i < n_; ++i) v()[i] += alpha * dv()[i];
    if (!is_foretold_) return;
    is_foretold_ = false;
    for (int t = island_.tree_begin; t < island_.tree_end; ++t)
      iterate_.is_foretold[problem_.trees[t].model_tree] = 0;
  }

  [[nodiscard]] bool expects_velocities() const {
    return num_edges_ >= options_.edges_of_prediction && uses_dual_ && !law_.has_domain &&
           out_.iterations == 0 && options_.max_iterations > 0;
  }

  /// The first step: Newton's from the guess, in full, but with each contact's law linearised at the velocity
  /// that is expected of it: a contact that touches keeps its depth, v_n = 0, one with a gap keeps its v_n.
  /// Of a pile at rest hardly any contact opens or closes then; at the guess, whose v_n would move the bodies
  /// on, many more do and stop the line search.
  bool take_predicted_step() {
    const ContactColumns& contacts = problem_.contacts;
    double* const change = w_.dv_c.normal.data();  // of v_n from the expected one to that of the guess
    for (int i = island_.contacts.begin; i < island_.contacts.end; ++i) {
      change[i] = contacts.phi0[i] <= 0.0 ? w_.v_c.normal[i] : 0.0;
      w_.v_c.normal[i] -= change[i];
    }
    law_.evaluate(contacts, island_.contacts, w_.v_c, &w_.gamma);
    for (int i = island_.contacts.begin; i < island_.contacts.end; ++i) {
      expected(i) = acts(i);
      num_expected_ += expected(i);
    }
    assemble();
    for (int i = island_.contacts.begin; i < island_.contacts.end; ++i)
      w_.gamma.set(i, w_.gamma[i] - w_.G[i] * (change[i] * contacts.normal[i]));
    pool_impulse(problem_, island_, w_.gamma, &w_.impulse);
    for (int i = begin_; i < begin_ + n_; ++i) w_.gradient[i] = w_.A_v[i] - w_.A_v_star[i] - w_.impulse[i];
    timer_.lap(&out_.seconds.assembly);
    if (!factor_and_solve()) return false;
    pool_velocities(problem_, island_, w_.dv, false, &w_.dv_c);
    law_.update_dual(contacts, island_.contacts, w_.v_c, w_.dv_c, &iterate_.dual);
    if (options_.record_iterations) out_.history.push_back({out_.cost, std::sqrt(out_.norms.gradient), 1.0});
    ++out_.iterations;
    ++num_iterations_;
    move(1.0);
    evaluate();
    return true;
  }

  /// 1 or 0: whether contact i presses, and whether it was expected to.
  [[nodiscard]] double acts(int i) const {
    return presses(w_.gamma[i], problem_.contacts.normal[i]) ? 1.0 : 0.0;
  }
  double& expected(int i) { return w_.lines.v_n[i]; }  // work space until the first line search

  /// Contacts that press after the predicted step and were not expected to, or the other way round.
  double count_active_set_changes() {
    double number = 0.0;
    for (int i = island_.contacts.begin; i < island_.contacts.end; ++i)
      number += std::abs(acts(i) - expected(i));
    return number;
  }

  /// H dv = -g, and what the line search needs of dv.
  bool find_direction() {
    assemble();
    timer_.lap(&out_.seconds.assembly);
    if (!solve_with_last_factor() && !factor_and_solve()) return false;
    pool_velocities(problem_, island_, w_.dv, false, &w_.dv_c);
    multiply_A(problem_, island_, w_.dv, &w_.A_dv);
    dv_norm2_ = dot(dv(), w_.A_dv.data() + begin_, n_);
    return true;
  }

  /// G and H at w_.v_c.
  void assemble() {
    pool_hessians(problem_, island_, w_.v_c, uses_dual_ ? &iterate_.dual : nullptr, &w_.G);
    set_pattern();
    assemble_hessian(problem_, island_, w_.G, &out_.H, &out_.buffer, is_large_ ? &out_.places : nullptr);
  }

  /// H dv = -g by a new factor; false when H is not positive definite.
  bool factor_and_solve() {
    ++out_.factorizations;
    for (int i = 0; i < n_; ++i) dv()[i] = -gradient()[i];
    has_factor_ = out_.linear_solver->factor_and_solve(out_.H, dv());
    out_.has_factor = has_factor_;
    timer_.lap(&out_.seconds.factor);
    return has_factor_;
  }

  /// H dv = -g to a part of |D g| by the factor of an earlier iteration; false where that is not worth it or
  /// not enough.
  bool solve_with_last_factor() {
    if (!is_large_ || !has_factor_ || out_.norms.residual() > kNearResidual) return false;
    const double converged = options_.relative_tolerance * out_.norms.scale();
    const double tolerance = std::max(kInexactness * std::sqrt(out_.norms.gradient), 0.3 * converged);
    for (int i = begin_; i < begin_ + n_; ++i) w_.A_dv[i] = -w_.gradient[i];
    const bool solved =
        out_.conjugate_gradients.solve(out_.H, out_.linear_solver.get(), problem_.scale.data() + begin_,
                                       w_.A_dv.data() + begin_, tolerance, kMaxConjugateGradients, dv());
    timer_.lap(&out_.seconds.solve);
    return solved;
  }

  /// The pattern of H for the contacts at hand. In a large island it holds the edges whose contacts act or
  /// are near to it, and is made anew when another one begins to act: a factor of fewer entries for an
  /// analysis or two a step.
  void set_pattern() {
    if (is_large_) {
      if (num_iterations_ > 0 && pattern_holds(problem_, island_, w_.G, out_.places)) return;
      set_hessian_pattern(problem_, island_, w_.G, w_.v_c.normal, kReadyAcceleration * problem_.h,
                          &out_.places, &out_.H);
    } else {
      if (num_iterations_ > 0) return;
      set_hessian_pattern(problem_, island_, &out_.H);
    }
    out_.linear_solver->analyze(out_.H);
    has_factor_ = out_.has_factor = false;
  }

  double find_step_length(double slope) {
    fill_pool_lines(island_, w_.v_c, w_.dv_c, &w_.lines);
    double limit = std::numeric_limits<double>::infinity();
    if (law_.has_domain)
      limit = kDomainFraction * law_.domain_step(problem_.contacts, island_.contacts, w_.lines);
    LaneSum slope_A;
    for (int i = 0; i < n_; ++i)
      w_.A_v[begin_ + i] -= w_.A_v_star[begin_ + i];  // A (v - v*); A v is not needed any more
    slope_A.add_products(dv(), w_.A_v.data() + begin_, n_);
    const LineFunction ell{problem_, island_, w_.lines, cost_A_, slope_A.total(), dv_norm2_, v_norm2_};
    const LineSearchResult found = search_line(options_.line_search, ell, out_.cost, slope, limit);
    out_.line_search_iterations += found.evaluations;
    return found.alpha;
  }

  [[nodiscard]] bool step_is_at_floor(double alpha) const {
    return alpha * alpha * dv_norm2_ <= kRoundOff * kRoundOff * v_norm2_;
  }

  /// v += alpha dv and everything at the new v; false when the cost rose beyond round-off.
  bool take_step(double alpha, double slope) {
    if (options_.record_iterations)
      out_.history.push_back({out_.cost, std::sqrt(out_.norms.gradient), alpha});
    ++out_.iterations;
    ++num_iterations_;
    if (uses_dual_) {
      law_.update_dual(problem_.contacts, island_.contacts, w_.v_c, w_.dv_c, &iterate_.dual);
    }
    const double cost_before = out_.cost, gradient2_before = out_.norms.gradient;
    const double energy = std::abs(out_.cost) + v_norm2_;
    move(alpha);
    at_round_off_ = step_is_at_floor(alpha);
    evaluate();
    const double change = out_.cost - cost_before;
    const double size = 0.5 * (std::abs(out_.cost) + std::abs(cost_before));
    const bool stalled = alpha > 0.5 && std::abs(change) < 1e-30 + 1e-15 * size;
    num_stalls_ = options_.cost_criterion && stalled ? num_stalls_ + 1 : 0;
    const bool is_noise =
        alpha > 0.5 && -slope <= kNoiseDecrease * energy && 4.0 * out_.norms.gradient > gradient2_before;
    num_noise_steps_ = is_noise ? num_noise_steps_ + 1 : 0;
    num_rises_ = alpha < 0.5 && change >= 0.0 ? num_rises_ + 1 : 0;
    out_.last_decrease = -change;
    return !(change > kCostSlop * energy);
  }

  void finish(SolveStatus status) {
    out_.status = status;
    timer_.lap(&out_.seconds.assembly);
  }

  const ConvexProblem& problem_;
  const ContactLaw& law_;
  const Island& island_;
  const NewtonOptions& options_;
  const double most_changes_;
  NewtonColumns& w_;
  Iterate& iterate_;
  IslandSolve& out_;
  const int begin_, n_;  // rows of the island
  const bool uses_dual_;
  const int num_edges_;
  const bool is_large_;  // its factor takes longer than all else

  LapTimer timer_;
  double cost_A_ = 0.0;        // J, 1/2 |v - v*|_A^2
  double v_norm2_ = 0.0;       // J, |v|_A^2
  double dv_norm2_ = 0.0;      // J, |dv|_A^2
  int num_iterations_ = 0;     // of this call
  double num_expected_ = 0.0;  // contacts that are expected to press
  bool has_factor_ = false;    // of this call, with the present pattern
  bool at_round_off_ = false;
  bool is_foretold_;
  int num_stalls_ = 0;       // iterations in a row that did not change the cost
  int num_noise_steps_ = 0;  // iterations in a row that were noise
  int num_rises_ = 0;        // iterations in a row with short steps that did not lower the cost
};

}  // namespace

void start_report(IslandSolve* solve) {
  solve->status = SolveStatus::kIterationLimit;
  solve->iterations = solve->line_search_iterations = solve->factorizations = 0;
  solve->interior_point_iterations = 0;
  solve->has_factor = false;
  solve->contact = -1;
  solve->cost = solve->last_decrease = 0.0;
  solve->condition = std::numeric_limits<double>::quiet_NaN();
  solve->norms = {};
  solve->seconds = {};
  solve->history.clear();
}

void start_dual(const ConvexProblem& problem, const Island& island, NewtonColumns* columns,
                Vector3Columns* dual) {
  Vector3Columns& dv_t = columns->dv_c.tangential;
  for (auto* column : {&dv_t.x, &dv_t.y, &dv_t.z})
    std::fill(column->begin() + island.contacts.begin, column->begin() + island.contacts.end, 0.0);
  problem.law->update_dual(problem.contacts, island.contacts, columns->v_c, columns->dv_c, dual);
}

void estimate_condition(const NewtonOptions& options, bool is_large, IslandSolve* solve) {
  if (options.condition == ConditionKind::kEstimate)
    solve->condition = solve->condition_estimator.estimate(
        solve->H, *solve->linear_solver, is_large ? kConditionStepsOfLarge : kConditionSteps);
  if (options.condition == ConditionKind::kExact) solve->condition = exact_condition_number(solve->H);
}

void minimize_island(const IslandTask& task, const NewtonOptions& options, double most_changes) {
  IslandNewton(task, options, most_changes).run();
}

}  // namespace csim
