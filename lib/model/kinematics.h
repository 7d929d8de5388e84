// Poses, velocities and Jacobians of the bodies of a model.
#pragma once

#include <vector>

#include "model/model.h"

namespace csim {

/// A workspace: filled anew each step, sized once.
struct Kinematics {
  std::vector<RigidTransform> X_WB;  // [B]
  std::vector<Quaternion> q_WB;      // [B], unit
  std::vector<Twist>
      bias_twist;  // [B], world axes at the body origin: the part of the twist that no velocity coordinate
                   // makes (prescribed bodies, and bodies whose tree is rooted in one)
  std::vector<Vector3>
      surface_velocity_W;  // [B], world axes, added to the velocity of the body's surface in contact
  // Body Jacobians: V_WB = J v_tree + bias_twist, (angular, linear) rows, world axes, body origin. Single
  // free bodies have J = identity and no entry (jacobian_begin = -1), nor have bodies without a tree; the
  // others have a 6 x nv(tree) column-major block.
  std::vector<int> jacobian_begin;  // [B]
  std::vector<double> jacobians;
};

/// Fills *kinematics at the configuration q and time t (s). The poses of prescribed bodies are X(t); their
/// velocities, which contacts see, are the derivatives at t_velocity (the end of the step).
void compute_kinematics(const Model& model, const VectorX& q, double t, double t_velocity,
                        Kinematics* kinematics);

/// Twists of all bodies at velocities v: world axes, at the body origins. (*twists)[B] is sized once by the
/// caller or here.
void compute_twists(const Model& model, const Kinematics& kinematics, const VectorX& v,
                    std::vector<Twist>* twists);

/// q' = N(q) v, [nq]; reads quaternions as they are.
void compute_position_rates(const Model& model, const VectorX& q, const VectorX& v, VectorX* rates);

/// Brings the quaternions among the positions back to length 1.
void normalize_quaternions(const Model& model, VectorX* q);

/// q1 = q0 + dt N(q0) v, quaternions normalised (symplectic Euler).
void advance_positions(const Model& model, const VectorX& v, double dt, VectorX* q);

}  // namespace csim
