#include "solver/quasistatic/quasistatic_polish.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace csim {
namespace {

constexpr double kPenalty = 1e6;     // rho, of the largest entry of Q + choice
constexpr int kMaxRefinements = 12;  // each gains a factor of about kPenalty, less rounding
constexpr int kWithChoice = 3;       // before these, that keep `choice`: they start the others at its answer
constexpr int kSlidesWithChoice = 12;  // the same where a cone slides, Newton's method, until v settles
constexpr double kSettled = 1e-12;     // of v
constexpr int kChangesAtOnce = 4;      // changes of all rows that are wrong, later ones of the worst alone
constexpr double kRoundedOff = 1e-15;  // of v: refinement ends
constexpr double kStalled = 0.5;       // of the step before: likewise, where v itself is small
constexpr double kPulls = 1e-11;       // of max z: a row that pulls by less is rounding
constexpr double kViolated = 1e-12;    // of |J v| + |e|: likewise
constexpr double kMayStick = 1e-3;     // of load/|Q|, m/s: a cone that slides less may stick at its limit
constexpr double kTouching = 1e-9;     // m, gap at rest
constexpr double kSlowestSlip = 1e-9;  // of max |J v|: slip below has no curvature of its own

/// s_t of a cone whose rows begin at `row`.
Vector2 tangential(const std::vector<double>& s, int row) {
  return {s[row + 1], s[row + 2]};
}

}  // namespace

void QuasistaticPolish::find_modes(const QuasistaticProblem& problem, const QuasistaticSolution& solution,
                                   double slow) {
  multiply_jacobian(problem, solution.v, &rows_);
  const auto [impulse, speed] = scale_of(problem, load_, solution.z, rows_);
  mode_.assign(rows_.size(), Mode::kFree);
  direction_.assign(problem.groups.size(), Vector2::UnitX());
  for (std::size_t i = 0; i < problem.groups.size(); ++i) {
    const QuasistaticGroup& group = problem.groups[i];
    const int row = group.row_begin;
    if (!group.is_cone) {
      for (int j = row; j < group.row_end; ++j)
        if (problem.is_held(j) || (rows_[j] + problem.e[j]) * impulse < solution.z[j] * speed)
          mode_[j] = Mode::kActs;
      continue;
    }
    const double s_0 = rows_[row] + problem.e[row], s_t = tangential(rows_, row).norm();
    const double z_0 = solution.z[row], z_t = tangential(solution.z, row).norm();
    Mode mode = Mode::kSlides;
    if ((z_0 + z_t) * speed < (s_0 - s_t) * impulse) mode = Mode::kFree;
    if ((s_0 + s_t) * impulse < (z_0 - z_t) * speed) mode = Mode::kActs;
    if (mode == Mode::kSlides && s_0 + s_t < slow) mode = Mode::kActs;
    for (int j = row; j < group.row_end; ++j) mode_[j] = mode;
    if (z_t > 0.0) direction_[i] = -tangential(solution.z, row) / z_t;
    if (s_t > 0.0) direction_[i] = tangential(rows_, row) / s_t;
  }
}

/// J_A^T rho J_A and the curvature of cones that slide, at the slacks `rows_` (without e, which cones have in
/// their first row alone).
void QuasistaticPolish::set_matrices(const QuasistaticProblem& problem, double rho,
                                     const QuasistaticSolution& trial) {
  const double slowest = std::max(kSlowestSlip * max_norm(rows_), 1e-300);
  weight_.resize(mode_.size());
  G_.resize(problem.groups.size());
  for (std::size_t j = 0; j < mode_.size(); ++j)
    weight_[j] = mode_[j] == Mode::kActs ? rho / (1.0 + rho * problem.compliance[j]) : 0.0;
  for (std::size_t i = 0; i < problem.groups.size(); ++i) {
    const QuasistaticGroup& group = problem.groups[i];
    const int row = group.row_begin;
    G_[i] = row_matrix(problem, group, weight_);
    if (!group.is_cone || mode_[row] != Mode::kSlides) continue;
    const Vector2& d = direction_[i];
    weight_[row] = rho / (1.0 + rho * (problem.compliance[row] + problem.compliance[row + 1]));
    const Vector3 g = problem.rays[row] - d.x() * problem.rays[row + 1] - d.y() * problem.rays[row + 2];
    G_[i] = weight_[row] * g * g.transpose();
    const double curvature = std::max(0.0, trial.z[row]) / std::max(tangential(rows_, row).norm(), slowest);
    G_[i].topLeftCorner<2, 2>() += curvature * (Eigen::Matrix2d::Identity() - d * d.transpose());
  }
}

/// Impulses of rows that do not act are 0, those of cones that slide oppose the slip at `rows_`. Whether any
/// slides.
bool QuasistaticPolish::set_impulses(const QuasistaticProblem& problem, QuasistaticSolution* trial) {
  bool slides = false;
  for (std::size_t j = 0; j < mode_.size(); ++j)
    if (mode_[j] == Mode::kFree) trial->z[j] = 0.0;
  for (std::size_t i = 0; i < problem.groups.size(); ++i) {
    const int row = problem.groups[i].row_begin;
    if (!problem.groups[i].is_cone || mode_[row] != Mode::kSlides) continue;
    slides = true;
    const Vector2 s_t = tangential(rows_, row);
    if (s_t.norm() > kSlowestSlip * max_norm(rows_)) direction_[i] = s_t.normalized();
    Eigen::Map<Vector2>(trial->z.data() + row + 1) = -trial->z[row] * direction_[i];
  }
  return slides;
}

/// False when the matrix has no factor.
bool QuasistaticPolish::solve_equalities(const QuasistaticProblem& problem, QuasistaticSystem* system,
                                         QuasistaticSolution* trial) {
  const double rho = kPenalty * largest_weight(problem);
  double last_step = std::numeric_limits<double>::infinity(), last_change = last_step;
  r2_.resize(mode_.size());
  bool with_choice = true;
  for (int k = 0, without = 0; without < kMaxRefinements; ++k) {
    multiply_jacobian(problem, trial->v, &rows_);
    const bool slides = set_impulses(problem, trial);
    if (k == 0 || slides) {
      set_matrices(problem, rho, *trial);
      if (!system->factor(problem, G_)) return false;
      ++trial->factorizations;
    }
    for (std::size_t j = 0; j < mode_.size(); ++j)
      r2_[j] = -(rows_[j] + problem.e[j] + problem.compliance[j] * trial->z[j]);
    rows_ = trial->z;  // the impulses that dv = 0 would give
    for (std::size_t i = 0; i < problem.groups.size(); ++i) {
      const int row = problem.groups[i].row_begin;
      if (problem.groups[i].is_cone && mode_[row] == Mode::kSlides) {
        const double beta = rows_[row] + weight_[row] * (r2_[row] - direction_[i].dot(tangential(r2_, row)));
        rows_[row] = beta;
        Eigen::Map<Vector2>(rows_.data() + row + 1) = -beta * direction_[i];
      } else {
        for (int j = row; j < problem.groups[i].row_end; ++j) rows_[j] += weight_[j] * r2_[j];
      }
    }
    dv_ = problem.b;
    add_blocks(problem, problem.Q, -1.0, trial->v, &dv_);
    if (with_choice) add_blocks(problem, problem.choice, -1.0, trial->v, &dv_);
    add_transposed_jacobian(problem, rows_, &dv_);
    system->solve(&dv_);
    multiply_jacobian(problem, dv_, &rows_);
    for (std::size_t i = 0; i < problem.groups.size(); ++i) {
      const int row = problem.groups[i].row_begin;
      if (problem.groups[i].is_cone && mode_[row] == Mode::kSlides) {
        const auto along = [&](const std::vector<double>& x) {
          return x[row] - direction_[i].dot(tangential(x, row));
        };
        r2_[row] = weight_[row] * (along(r2_) - along(rows_));
        trial->z[row] += r2_[row];
      } else {
        for (int j = row; j < problem.groups[i].row_end; ++j) {
          r2_[j] = weight_[j] * (r2_[j] - rows_[j]);
          trial->z[j] += r2_[j];
        }
      }
    }
    for (std::size_t i = 0; i < dv_.size(); ++i) trial->v[i] += dv_[i];
    const double step = max_norm(dv_), change = max_norm(r2_);
    if (with_choice) {
      const bool settled = !slides || step <= kSettled * max_norm(trial->v) || k + 1 == kSlidesWithChoice;
      with_choice = k + 1 < kWithChoice || !settled;
      continue;
    }
    ++without;
    if (!(step > kRoundedOff * max_norm(trial->v))) break;
    if (!slides && step > kStalled * last_step && change > kStalled * last_change) break;
    last_step = step;
    last_change = change;
  }
  multiply_jacobian(problem, trial->v, &rows_);
  (void)set_impulses(problem, trial);
  return std::isfinite(max_norm(trial->v)) && std::isfinite(max_norm(trial->z));
}

/// What a row or cone should do instead of what it does, and by how much it is wrong, as a part of the
/// largest impulse or of its speeds; 0: right.
QuasistaticPolish::Change QuasistaticPolish::wanted(const QuasistaticProblem& problem, int group_index, int j,
                                                    double impulse, const QuasistaticSolution& trial) const {
  if (problem.is_held(j)) return {Mode::kActs, 0.0};
  const QuasistaticGroup& group = problem.groups[group_index];
  const double s_t = group.is_cone ? tangential(rows_, j).norm() : 0.0;
  const double z_t = group.is_cone && mode_[j] == Mode::kActs ? tangential(trial.z, j).norm() : 0.0;
  const double scale = std::abs(rows_[j]) + std::abs(problem.e[j]) + s_t;
  if (mode_[j] == Mode::kFree) {
    const double violation = scale > 0.0 ? (s_t - rows_[j] - problem.e[j]) / scale : 0.0;
    if (violation > kViolated) return {group.is_cone ? Mode::kSlides : Mode::kActs, violation};
  } else {
    const double pull = impulse > 0.0 ? (z_t - trial.z[j]) / impulse : 0.0;
    if (pull > kPulls) return {group.is_cone && mode_[j] == Mode::kActs ? Mode::kSlides : Mode::kFree, pull};
  }
  return {mode_[j], 0.0};
}

bool QuasistaticPolish::rest(const QuasistaticProblem& problem, double load, RestGuess guess,
                             QuasistaticSystem* system, QuasistaticSolution* solution) {
  load_ = load;
  solution->restart(problem);
  mode_.assign(problem.rays.size(), Mode::kFree);
  direction_.assign(problem.groups.size(), Vector2::UnitX());
  for (const QuasistaticGroup& group : problem.groups) {
    if (guess == RestGuess::kTouching && problem.e[group.row_begin] * problem.h < kTouching)
      std::fill(mode_.begin() + group.row_begin, mode_.begin() + group.row_end, Mode::kActs);
    for (int j = group.row_begin; j < group.row_end; ++j)
      if (problem.is_held(j)) mode_[j] = Mode::kActs;
  }
  return solve_equalities(problem, system, solution) && !change_modes(problem, *solution, true) &&
         certify(problem, load_, solution->v, solution->z, &work_).largest() < kExact;
}

/// Changes all rows and cones that are wrong, or the worst alone. Whether there were any.
bool QuasistaticPolish::change_modes(const QuasistaticProblem& problem, const QuasistaticSolution& trial,
                                     bool worst_alone) {
  multiply_jacobian(problem, trial.v, &rows_);
  const double impulse = scale_of(problem, load_, trial.z, rows_).impulse;
  const auto apply = [&](int group_index, int j, Mode mode) {
    const QuasistaticGroup& group = problem.groups[group_index];
    if (group.is_cone && mode == Mode::kSlides && mode_[j] == Mode::kActs)
      direction_[group_index] = -tangential(trial.z, j).normalized();
    std::fill_n(mode_.begin() + j, group.is_cone ? 3 : 1, mode);
  };
  double worst = 0.0;
  int worst_group = -1, worst_row = -1;
  Mode worst_mode = Mode::kFree;
  for (std::size_t i = 0; i < problem.groups.size(); ++i) {
    const QuasistaticGroup& group = problem.groups[i];
    const int end = group.is_cone ? group.row_begin + 1 : group.row_end;
    for (int j = group.row_begin; j < end; ++j) {
      const Change change = wanted(problem, static_cast<int>(i), j, impulse, trial);
      if (change.error > 0.0 && !worst_alone) apply(static_cast<int>(i), j, change.mode);
      if (change.error <= worst) continue;
      worst = change.error;
      worst_group = static_cast<int>(i);
      worst_row = j;
      worst_mode = change.mode;
    }
  }
  if (worst > 0.0 && worst_alone) apply(worst_group, worst_row, worst_mode);
  return worst > 0.0;
}

bool QuasistaticPolish::improve(const QuasistaticProblem& problem, double load, QuasistaticSystem* system,
                                QuasistaticSolution* solution, QuasistaticCertificate* certificate,
                                int most_tries) {
  load_ = load;
  start_ = *solution;
  const double natural_speed = load_ / largest_weight(problem);
  for (const double slow : {0.0, kMayStick * natural_speed}) {
    find_modes(problem, start_, slow);
    trial_ = start_;
    for (int k = 0; k < most_tries; ++k) {
      if (!solve_equalities(problem, system, &trial_)) break;
      const QuasistaticCertificate trial = certify(problem, load_, trial_.v, trial_.z, &work_);
      const bool is_wrong = change_modes(problem, trial_, k >= kChangesAtOnce);
      const bool exact = !is_wrong && trial.largest() < kExact;
      // An exact one is taken whatever the certificate before: that does not see a friction impulse turned by
      // less than the root of its number.
      if (exact || trial.largest() < certificate->largest()) {
        *certificate = trial;
        *solution = trial_;
      }
      solution->factorizations = trial_.factorizations;
      if (exact) return true;
      if (!is_wrong) break;
    }
    if (!has_cones(problem)) break;
  }
  return false;
}

}  // namespace csim
