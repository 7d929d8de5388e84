// Poses, velocities and Jacobians of the bodies of a model.
#pragma once

#include <vector>

#include "core/tree_set.h"
#include "model/model.h"

namespace csim {

/// A workspace: filled anew each step, sized once.
struct Kinematics {
  std::vector<RigidTransform> X_WB;  // [B]
  std::vector<Quaternion> q_WB;      // [B], unit
  std::vector<Twist>
      bias_twist;  // [B], world axes at the body origin: the part of the twist that no velocity coordinate
                   // makes (prescribed bodies, and bodies whose tree is rooted in one), mean over the step
  std::vector<Vector3> bias_center;  // [B], m, world: origin of the prescribed body, about which it turns
  double bias_step = 0.0;            // s, length of that step
  std::uint64_t rest_number = 0;     // of the state whose sleeping trees have these poses; 0: none
  std::vector<Vector3>
      surface_velocity_W;  // [B], world axes, added to the velocity of the body's surface in contact
  // Body Jacobians: V_WB = J v_tree + bias_twist, (angular, linear) rows, world axes, body origin. Single
  // free bodies have J = identity and no entry (jacobian_begin = -1), nor have bodies without a tree; the
  // others have a 6 x nv(tree) column-major block.
  std::vector<int> jacobian_begin;  // [B]
  std::vector<double> jacobians;
};

/// Fills *kinematics at the configuration q and time t (s). The poses of prescribed bodies are X(t); their
/// velocities, which contacts see, are means over the step h that ends at t_end: (p(t_end) - p(t))/h of the
/// origin, and the rotation vector of R(t_end) R(t)^T over h. A body that turns by more than half a turn in
/// the step has the angular velocity at t_end. With t_end = t all are the derivatives at t. What is of other
/// trees than `trees` stays as it is.
void compute_kinematics(const Model& model, const VectorX& q, double t, double t_end, Kinematics* kinematics,
                        const TreeSet& trees = {});

/// Whether the body is prescribed, or carried by one that is, and moves in the step of `kinematics`, or has a
/// belt that does.
[[nodiscard]] bool moves_as_prescribed(const Model& model, const Kinematics& kinematics, int body);

/// Mean velocity, m/s, with which the prescribed motion takes the material point at p_WO along its chord,
/// less the velocity of bias_twist there: -h/2 w x (w x r) and smaller, 0 after more than half a turn.
[[nodiscard]] Vector3 chord_velocity(const Kinematics& kinematics, int body, const Vector3& p_WO);

/// Twists of all bodies at velocities v: world axes, at the body origins. (*twists)[B] is sized once by the
/// caller or here. Those of free bodies of other trees than `trees` stay as they are.
void compute_twists(const Model& model, const Kinematics& kinematics, const VectorX& v,
                    std::vector<Twist>* twists, const TreeSet& trees = {});

/// q' = N(q) v, [nq]; reads quaternions as they are.
void compute_position_rates(const Model& model, const VectorX& q, const VectorX& v, VectorX* rates);

/// Brings the quaternions among the positions back to length 1.
void normalize_quaternions(const Model& model, VectorX* q);

/// q1 = q0 + dt N(q0) v, quaternions normalised (symplectic Euler), of these trees.
void advance_positions(const Model& model, const VectorX& v, double dt, VectorX* q,
                       const TreeSet& trees = {});

}  // namespace csim
