// Coriolis and gyroscopic forces at the mean of the velocities before and after a step. With
//
//   M (v - v0) = h f(q0, m) + p,   m = (v0 + v)/2          p: impulses of contacts and constraints
//
// they do no work on the mean velocity: with M(q0) the kinetic energy is kept but for what gravity and p do.
// A free body that then turns about its own new angular velocity keeps it at any step and spin. With m = v0
// they feed fast spins.
#pragma once

#include <Eigen/LU>

#include "core/workers.h"
#include "model/dynamics.h"

namespace csim {

/// Work space of `take_mean_velocity_terms`, made by its first call.
struct MeanVelocityWorkspace {
  VectorX v, mean, change;                 // [nv]
  static constexpr double kUnknown = 1.0;  // contraction
  struct TreeSearch {
    double contraction = kUnknown;  // of the changes, the largest in the first search of a step
    MatrixX jacobian;
    Eigen::PartialPivLU<MatrixX> factor;
  };
  std::vector<TreeSearch> search;  // [trees]
  std::vector<int> free_bodies;    // those asked for, in Model::free_bodies
  Workers* workers = nullptr;      // in: share out the trees; null: none
};

/// The next searches are of another step.
void forget_contractions(const Model& model, MeanVelocityWorkspace* workspace);

/// Puts the velocity terms of some trees at the mean velocity of the step h (s) with the impulses p [nv], and
/// v* with them: fills dynamics->force and free_motion->v_star, both given with the terms at state.v. `guess`
/// [nv]: where the search for v begins; may be free_motion->v_star. `accuracy`: the change of v, relative to
/// v, below which it ends; 0: rounding.
///
/// A free body has no centripetal force of its origin about its centre of mass: `carry_origins` after the
/// step gives the velocity of the origin at the new pose.
///
/// Returns the first tree for which no mean was found, as of one that turns by a radian or more in the step,
/// or -1. Its terms are those of the last try.
[[nodiscard]] int take_mean_velocity_terms(const Model& model, const Kinematics& kinematics,
                                           const State& state, const TreeSet& trees, const VectorX& p,
                                           const VectorX& guess, double accuracy, double h,
                                           Dynamics* dynamics, FreeMotion* free_motion,
                                           MeanVelocityWorkspace* workspace);

/// (R - 1) c / h, m/s, R the turn by the angular velocity w that advance_positions makes of a free body in
/// the step h: by the quaternion (1, h w/2) normalised.
[[nodiscard]] inline Vector3 turned_by(const Vector3& w, const Vector3& c, double h) {
  const Vector3 a = w.cross(c);
  return 1.0 / (1.0 + 0.25 * h * h * w.squaredNorm()) * (a + 0.5 * h * w.cross(a));
}

/// After advance_positions with v (kinematics: of the start): the centre of mass of every free body has moved
/// straight on by h times its velocity, and its velocity and the body's turn make that of the origin at the
/// new pose. With this a body moves alike wherever its origin is.
void carry_origins(const Model& model, const Kinematics& kinematics, double h, VectorX* q, VectorX* v,
                   const TreeSet& trees = {});

}  // namespace csim
