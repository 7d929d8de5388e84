// Prescribed motion X(t) of a body in the world, with its first and second derivatives.
#pragma once

#include <vector>

#include "core/rigid_transform.h"
#include "core/spatial.h"
#include "model/keyframes.h"
#include "scene/scene.h"

namespace csim {

/// A motion made ready for evaluation.
struct Motion {
  MotionSpec spec;
  Pose base;  // `pose` of the body: start of a velocity motion, centre of a sine, pose without keyframes
  std::vector<Vector3> xyz_slopes;  // m/s, at the keys of a cubic or smooth motion
  std::vector<Vector3> rpy_slopes;  // rad/s, likewise
};

/// Prepares a motion: finds the slopes of the cubic spline through the keys, two times continuously
/// differentiable inside, at rest at both ends ("clamped").
[[nodiscard]] Motion make_motion(const MotionSpec& spec, const Pose& base);

struct MotionState {
  Vector3 position = Vector3::Zero();            // m
  Quaternion rotation = Quaternion::Identity();  // unit
  Twist velocity;                                // world axes, at the body origin
  Twist acceleration;  // derivative of `velocity`: angular, and linear of the body origin
};

/// Rotation R = Rz(c) Ry(b) Rx(a) of the angles (a, b, c), its angular velocity and acceleration.
void set_rotation_from_angles(const KeyframeSample<Vector3>& rpy, MotionState* state);

/// Pose, velocity and acceleration at time t (s), without the surface velocity.
///
/// Keyframes: each coordinate of xyz and each angle of rpy is interpolated by itself
/// (keyframes.h); the rotation is Rz(yaw) Ry(pitch) Rx(roll) of the interpolated angles (an rpy that passes
/// from pi to -pi turns all the way back). Velocity: position base +
/// t v, rotation exp(t w) base. Sine: base + amplitude sin(2 pi frequency t + phase).
[[nodiscard]] MotionState evaluate_motion(const Motion& motion, double t);

}  // namespace csim
