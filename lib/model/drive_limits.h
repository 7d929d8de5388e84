// Drives that reach their largest effort within a step.
//
// The effort of a drive at the end of a step of length h is u = clamp(u0 - K v, -L, L), K = damping + h
// stiffness, where u0 is that at v = 0. It falls with v, so that it is minus the gradient of a convex
// function of v that bends with h K between the limits and not at all beyond. On each of its three pieces the
// step is one like any other, with h K in A or with a constant force; found is the choice of pieces that the
// velocities of its own solution confirm. There is exactly one, as the whole is strictly convex.
#pragma once

#include "model/dynamics.h"

namespace csim {

class DriveLimits {
 public:
  /// Every drive between its limits.
  void restart(const Model& model, FreeMotion* free_motion);

  /// As after `restart` for `settled`, from the pieces at hand.
  void count_anew() { num_rounds_ = 0; }

  /// Whether some drive is not on its piece at the velocities v, the solution for the present pieces, by more
  /// than `slack` of its limit. Then FreeMotion::saturation is another one, and A, v* and the solution are
  /// due again. All drives change at once at first; where this goes in circles, one at a time from the start,
  /// the first of the list before all others, which comes to an end (the least-index rule of Murty 1974 for
  /// complementarity problems; by induction, as the effort of the last drive falls with its own velocity
  /// whatever the solved ones before it do, so that it changes at most twice). What a drive at one limit
  /// would give at the velocities of that force says nothing of the other limit: it goes between the two
  /// first. False too when it has not come to an end within kMaxRounds.
  [[nodiscard]] bool change(const Model& model, const Dynamics& dynamics, const VectorX& v, double h,
                            double slack, FreeMotion* free_motion);

  /// False after `change` has given up.
  [[nodiscard]] bool settled() const { return num_rounds_ < kMaxRounds; }

 private:
  static constexpr int kRoundsTogether = 8, kMaxRounds = 200;
  int num_rounds_ = 0;
};

}  // namespace csim
