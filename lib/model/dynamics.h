// Mass matrix and forces of the free motion: A (v* - v0) = dt k, with A = M + armature + dt D + dt^2 K, block-diagonal by tree.
#pragma once

#include <vector>

#include "model/kinematics.h"

namespace csim {

/// Quantities of (q, v) alone; another step size needs only `compute_free_motion` again.
struct Dynamics {
  std::vector<double> mass;      // tree blocks of M + armature, column-major, at Tree::block_begin
  VectorX force;                 // [nv]: gravity, Coriolis and gyroscopic terms, root acceleration, spring forces; damping left out
};

/// A and v* of a step h.
struct FreeMotion {
  std::vector<double> A;         // tree blocks, column-major
  VectorX v_star;                // [nv]
};

/// Composite rigid body algorithm and recursive Newton-Euler [Featherstone 2008, tables 6.2 and 5.1]; closed form for single free bodies.
/// `t_end` is the end of the step: prescribed roots accelerate by their velocities at t and t_end.
void compute_dynamics(const Model& model, const Kinematics& kinematics, const State& state, double t_end, Dynamics* dynamics);

/// Fills A and v* for the step h: A = M + armature + h D + h^2 K; A (v* - v0) = h (force - D v0 - h K v0) [symplectic Euler with implicit joint
/// damping and springs].
void compute_free_motion(const Model& model, const Dynamics& dynamics, const State& state, double h, FreeMotion* free_motion);

/// Mechanical energy, J: kinetic with armature, gravity potential (0 at the world origin), joint springs.
struct MechanicalEnergy {
  double kinetic = 0.0, potential = 0.0, springs = 0.0;
};
[[nodiscard]] MechanicalEnergy mechanical_energy(const Model& model, const Kinematics& kinematics, const std::vector<Twist>& twists,
                                                 const State& state);

}  // namespace csim
