// The force law of a scalar row: joint limits, dry friction, drives, constraints. problem/row_pool.h makes it
// implicit.
#pragma once

#include <limits>

namespace csim {

/// One coordinate of a row, c v of its velocity c^T v.
struct RowTerm {
  int tree = -1;  // index of its tree
  int v = -1;     // index of its velocity
  double coefficient = 1.0;
};

/// f = clamp(-k g - c (v - v_d), f_lower, f_upper) at the deviation g and the velocity v. Units: N, N m; g in
/// m or rad.
struct RowLaw {
  double g0 = 0.0;    // g at the start of the step
  double rate = 0.0;  // v_d
  /// The part of the velocity of g that no coordinate makes: prescribed motion, and what the way of the step
  /// bends (offer_rows.h).
  double bias = 0.0;
  double stiffness = 0.0;                                   // k; infinity: rigid
  double damping = 0.0;                                     // c; infinity: dry friction
  double lower = -std::numeric_limits<double>::infinity();  // bounds of the force
  double upper = std::numeric_limits<double>::infinity();
  double near_rigid = 0.1;  // beta > 0
  /// Where the near-rigid bound softens the row: whether its spring relaxes within the step, c = h k, or
  /// keeps the ratio of k and c.
  bool relaxes_in_step = true;
  bool stores_energy = true;  // k is a spring, not the gain of a drive
  /// Of the first row of a group, its size: rows along the axes of one vector, which share one weight, so
  /// that they are one law whatever the axes. 0: of the others.
  int group = 1;
};

/// A near-rigid row that is violated, as at a start outside the limits of a joint, is mended with this speed
/// at most (m/s or rad/s): what a stop throws back keeps the speed.
inline constexpr double kLargestCorrection = 1.0;

/// Whether the row presses one way alone, as a limit and a rope do.
[[nodiscard]] inline bool is_stop(const RowLaw& law) {
  return law.lower == 0.0;
}

}  // namespace csim
