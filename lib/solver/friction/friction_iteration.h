// What the iterations of all methods share: the best impulses so far, judged by the residual of the problem.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "solver/friction/friction_residual.h"
#include "solver/friction/friction_system.h"

namespace csim {

/// What a problem is solved with. Its matrices must outlive it.
struct FrictionTask {
  const FrictionProblem& problem;
  const FrictionSystem& system;
  double tolerance = 1e-8;  // of FrictionResidual::largest
};

/// Iterates of a method as the problem sees them.
class FrictionIterates {
 public:
  /// Begins with r' of the system.
  FrictionIterates(const FrictionTask& task, const VectorX& scaled)
      : task_(task), best_(scaled), farthest_(scaled) {
    add(scaled);
  }

  /// Judges an iterate and keeps the best: the start until one has a smaller residual. Whether that is within
  /// the tolerance.
  bool add(const VectorX& scaled) {
    const FrictionResidual residual =
        friction_residual(task_.problem, to_problem(task_.system, task_.problem, scaled));
    history_.push_back(residual.largest());
    if (const double size = scaled.norm(); std::isfinite(size) && !(size < farthest_.norm()))
      farthest_ = scaled;
    if (!(residual.largest() < best_residual_)) return solved();
    best_residual_ = residual.largest();
    best_ = scaled;
    best_at_ = static_cast<int>(history_.size());
    return solved();
  }
  [[nodiscard]] bool solved() const { return best_residual_ <= task_.tolerance; }
  [[nodiscard]] const VectorX& best() const { return best_; }
  /// Of all iterates the largest, which shows where impulses grow without bound.
  [[nodiscard]] const VectorX& farthest() const { return farthest_; }
  [[nodiscard]] const std::vector<double>& history() const { return history_; }  // of the start first
  /// Iterates since the best.
  [[nodiscard]] int stalled() const { return static_cast<int>(history_.size()) - best_at_; }

 private:
  const FrictionTask& task_;
  VectorX best_, farthest_;
  double best_residual_ = std::numeric_limits<double>::infinity();
  int best_at_ = 1;  // in the history, from 1
  std::vector<double> history_;
};

}  // namespace csim
