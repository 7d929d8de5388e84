// Forces and torques of the scene on bodies.
#pragma once

#include "model/kinematics.h"

namespace csim {

/// What a force is at time t (s) on a body at the pose X_WB: (force, torque about the centre of mass), world
/// axes.
struct AppliedForce {
  Vector3 force = Vector3::Zero();   // N
  Vector3 torque = Vector3::Zero();  // N m
};
[[nodiscard]] AppliedForce evaluate_force(const Model& model, const Force& force, const RigidTransform& X_WB,
                                          double t);

/// Adds J^T of all forces at time t to generalised forces, [nv]; `kinematics`: of their lever arms.
void add_forces(const Model& model, const Kinematics& kinematics, double t, VectorX* generalized);

/// Power, W, of all forces at time t along what prescribed bodies make of the twists of the bodies that they
/// carry.
[[nodiscard]] double carried_force_power(const Model& model, const Kinematics& kinematics, double t);

}  // namespace csim
