// The scalar rows in the interior point. A row's impulse gamma between its bounds, with a slack on each:
//
//   v - v_hat + R gamma = s - t,   (gamma - lower) s = mu,   (upper - gamma) t = mu,   mu -> 0
//
// is its law; a bound at infinity has no slack. Slacks are eliminated row by row:
//
//   P = 1/(R + s/a + t/b),   a = gamma - lower,   b = upper - gamma
//   dgamma = P (c_s/a - c_t/b - r - dv),   r = v - v_hat + R gamma - s + t
//   c_s = mu - a s - dgamma ds,   c_t = mu - b t + dgamma dt   (products of the direction before)
#pragma once

#include <vector>

#include "problem/convex_problem.h"

namespace csim {

/// Columns by row of the whole problem; islands touch disjoint ranges.
class InteriorRows {
 public:
  void resize(int num_rows);

  /// Bounds that are finite: pairs of a distance and a slack.
  [[nodiscard]] static int count_pairs(const RowColumns& rows, RowRange range);

  /// The central impulse and slacks of mu (J) at the velocities v.
  void start(const RowColumns& rows, RowRange range, const std::vector<double>& v, double mu);

  /// r at v, and sums over the rows: the gap (J), |r|^2 and |s|^2 + |t|^2.
  struct Residuals {
    double gap = 0.0, residual2 = 0.0, slack2 = 0.0;
  };
  Residuals set_residuals(const RowColumns& rows, RowRange range, const std::vector<double>& v);

  /// P, the rows of the Hessian.
  void fill_hessians(const RowColumns& rows, RowRange range, std::vector<double>* G) const;

  /// The right-hand side towards (gamma - lower) s = mu; `second_order`: with the products of the direction
  /// before, otherwise mu is taken for 0.
  void aim(const RowColumns& rows, RowRange range, double mu, bool second_order);

  /// Keeps the right-hand side of `aim`, and goes back to it.
  void keep_aim(RowRange range);
  void restore_aim(RowRange range);

  /// gamma, and gamma + dgamma of dv = 0.
  void impulses(RowRange range, std::vector<double>* gamma) const;
  void impulses_without_motion(RowRange range, std::vector<double>* gamma) const;

  /// The direction for the change dv of the velocities; returns the largest step.
  double set_direction(const RowColumns& rows, RowRange range, const std::vector<double>& dv);

  /// The gap (J) after the step alpha, and the step itself.
  [[nodiscard]] double gap_after(const RowColumns& rows, RowRange range, double alpha) const;
  void take_step(RowRange range, double alpha);

 private:
  [[nodiscard]] double stiffness(const RowColumns& rows, int i) const;  // P

  std::vector<double> gamma_, s_, t_, r_, c_s_, c_t_, dgamma_, ds_, dt_, without_motion_;
  std::vector<double> c_s_before_, c_t_before_, without_motion_before_;
};

}  // namespace csim
