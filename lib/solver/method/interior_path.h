// What the two interior points share: names for an island's ranges, the limits of a path, the factor of its
// matrix, and the count of an iteration.
#pragma once

#include <cmath>

#include "solver/lap_timer.h"
#include "solver/method/newton_island.h"

namespace csim {

/// One island's way along a central path. Derived classes say what the path is.
class InteriorPath {
 protected:
  /// 9 to 20 iterations are usual; more are a breakdown, and so is a shorter step.
  static constexpr int kMaxIterations = 40;
  static constexpr double kSmallestStep = 1e-6;

  /// Part of the way to the boundary; 0.995 and more harm.
  static constexpr double kBoundaryFraction = 0.99;

  InteriorPath(const ConvexProblem& problem, const Island& island, const NewtonOptions& options,
               NewtonColumns* columns, Iterate* iterate, IslandSolve* solve)
      : problem_(problem),
        island_(island),
        options_(options),
        w_(*columns),
        iterate_(*iterate),
        out_(*solve),
        contacts_(island.contacts),
        begin_(island.v_begin),
        n_(island.nv()) {}

  double* v() { return iterate_.v.data() + begin_; }
  double* dv() { return w_.dv.data() + begin_; }

  [[nodiscard]] bool may_go_on() const {
    return num_iterations_ < kMaxIterations && out_.iterations < options_.max_iterations;
  }

  /// H of the contacts' matrices w_.G, with all edges of the island, and its factor by `factor()`; false when
  /// H is not positive definite.
  template <typename Factor>
  bool factor_by(Factor&& factor) {
    if (num_iterations_ == 0) {
      set_hessian_pattern(problem_, island_, &out_.H);
      out_.linear_solver->analyze(out_.H);
    }
    assemble_hessian(problem_, island_, w_.G, &out_.H, &out_.buffer);
    timer_.lap(&out_.seconds.assembly);
    ++out_.factorizations;
    const bool positive = factor();
    timer_.lap(&out_.seconds.factor);
    return positive;
  }

  void count_iteration(double alpha) {
    if (options_.record_iterations)
      out_.history.push_back({value_.cost, std::sqrt(value_.norms.gradient), alpha});
    ++num_iterations_;
    ++out_.iterations;
    ++out_.interior_point_iterations;
  }

  const ConvexProblem& problem_;
  const Island& island_;
  const NewtonOptions& options_;
  NewtonColumns& w_;
  Iterate& iterate_;
  IslandSolve& out_;
  const ContactRange contacts_;
  const int begin_, n_;  // rows of the island

  LapTimer timer_;
  IslandValue value_;
  double gap_ = 0.0;        // J, sum of s . lambda
  int num_iterations_ = 0;  // of this call
};

}  // namespace csim
