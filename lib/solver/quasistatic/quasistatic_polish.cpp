#include "solver/quasistatic/quasistatic_polish.h"

#include <algorithm>
#include <cmath>

namespace csim {
namespace {

constexpr double kStiffness = 1e6;   // rho, of the largest entry of Q + choice
constexpr int kMaxRefinements = 12;  // each gains a factor of about kStiffness, less rounding
constexpr int kWithChoice = 3;       // of these, that keep `choice`: they start the others at its answer
constexpr int kMaxChanges = 10;      // of the rows that act
constexpr double kRounding = 1e-15;  // of v: refinement ends
constexpr double kNoForce = 1e-9;    // of |b|: impulses below are what the interior point leaves everywhere
constexpr double kPulls = 1e-11;     // of max z: a row that pulls by less is rounding
constexpr double kViolated = 1e-12;  // of |J v| + |e|: likewise

}  // namespace

void QuasistaticPolish::find_active_rows(const QuasistaticProblem& problem,
                                         const QuasistaticSolution& solution) {
  multiply_jacobian(problem, solution.v, &rows_);
  const double largest = std::max(max_norm(solution.z), kNoForce * max_norm(problem.b));
  double speed = max_norm(problem.e);
  for (const double v : rows_) speed = std::max(speed, std::abs(v));
  active_.resize(rows_.size());
  for (std::size_t j = 0; j < rows_.size(); ++j)
    active_[j] = (rows_[j] + problem.e[j]) * largest < solution.z[j] * speed;
}

/// False when the matrix has no factor.
bool QuasistaticPolish::solve_equalities(const QuasistaticProblem& problem, QuasistaticSystem* system,
                                         QuasistaticSolution* trial) {
  double rho = 0.0;
  for (int t = 0; t < problem.num_trees(); ++t) {
    for (int k = 0; k < problem.size[t]; ++k) {
      const int place = problem.block_begin[t] + k * (problem.size[t] + 1);
      rho = std::max(rho, problem.Q[place] + problem.choice[place]);
    }
  }
  rho *= kStiffness;
  weight_.resize(active_.size());
  for (std::size_t j = 0; j < active_.size(); ++j) {
    weight_[j] = active_[j] ? rho / (1.0 + rho * problem.compliance[j]) : 0.0;
    if (!active_[j]) trial->z[j] = 0.0;
  }
  if (!system->factor(problem, weight_)) return false;
  ++trial->factorizations;
  r2_.resize(active_.size());
  for (int k = 0; k < kMaxRefinements; ++k) {
    const bool with_choice = k < kWithChoice;
    multiply_jacobian(problem, trial->v, &rows_);
    for (std::size_t j = 0; j < active_.size(); ++j) {
      r2_[j] = -(rows_[j] + problem.e[j] + problem.compliance[j] * trial->z[j]);
      rows_[j] = active_[j] ? trial->z[j] + weight_[j] * r2_[j] : 0.0;
    }
    dv_ = problem.b;
    add_blocks(problem, problem.Q, -1.0, trial->v, &dv_);
    if (with_choice) add_blocks(problem, problem.choice, -1.0, trial->v, &dv_);
    add_transposed_jacobian(problem, rows_, &dv_);
    system->solve(&dv_);
    multiply_jacobian(problem, dv_, &rows_);
    for (std::size_t j = 0; j < active_.size(); ++j)
      if (active_[j]) trial->z[j] += weight_[j] * (r2_[j] - rows_[j]);
    for (std::size_t i = 0; i < dv_.size(); ++i) trial->v[i] += dv_[i];
    if (!with_choice && !(max_norm(dv_) > kRounding * max_norm(trial->v))) break;
  }
  return std::isfinite(max_norm(trial->v)) && std::isfinite(max_norm(trial->z));
}

/// Whether rows were released or taken in.
bool QuasistaticPolish::change_active_rows(const QuasistaticProblem& problem,
                                           const QuasistaticSolution& trial) {
  multiply_jacobian(problem, trial.v, &rows_);
  const double largest = std::max(max_norm(trial.z), kNoForce * max_norm(problem.b));
  bool changed = false;
  for (std::size_t j = 0; j < rows_.size(); ++j) {
    const double s = rows_[j] + problem.e[j], scale = std::abs(rows_[j]) + std::abs(problem.e[j]);
    const bool released = active_[j] && trial.z[j] < -kPulls * largest;
    const bool taken = !active_[j] && s < -kViolated * scale;
    if (released) active_[j] = false;
    if (taken) active_[j] = true;
    changed = changed || released || taken;
  }
  return changed;
}

void QuasistaticPolish::improve(const QuasistaticProblem& problem, QuasistaticSystem* system,
                                QuasistaticSolution* solution, QuasistaticCertificate* certificate) {
  find_active_rows(problem, *solution);
  trial_ = *solution;
  for (int k = 0; k < kMaxChanges; ++k) {
    if (!solve_equalities(problem, system, &trial_)) return;
    const QuasistaticCertificate trial = certify(problem, trial_.v, trial_.z, &rows_, &work_);
    if (trial.largest() < certificate->largest()) {
      *certificate = trial;
      *solution = trial_;
    }
    if (!change_active_rows(problem, trial_)) return;
  }
}

}  // namespace csim
