// Cartesian actuators: an impedance between a frame of a body and a pose in its base.
//
// With the frame at (p, R) and the command at (p_d, R_d) in the base, the wrench on the frame is, in the
// base's axes,
//   force    K_l (p_d - p) + D_l d(p_d - p)/dt
//   torque   K_a rho + D_a (w_d - w),   exp(rho) R = R_d
// and its opposite acts on the base. It is six rows of the problem, along and about the base's axes through
// the frame's origin.
#pragma once

#include <array>

#include "model/body_pair.h"

namespace csim {

/// The rows of a drive at a pose, one a coordinate: x is the position of the frame less that of the command,
/// or the rotation vector from the command to the frame, axes of the base.
struct CartesianMeasure {
  Vector3 point = Vector3::Zero();  // the frame's origin, m, world
  std::array<ScrewRow, 6> rows;     // linear ones first
  Vector6 rate;                     // of the command, m/s and rad/s, base's axes
};

/// The command at time t (s): the pose of the frame in the base.
[[nodiscard]] RigidTransform commanded_frame(const Model& model, const CartesianDrive& drive,
                                             const SequenceState& sequence, double t);

/// At the poses of `kinematics`, with the command at time t (s).
void measure_cartesian(const Model& model, const CartesianDrive& drive, const Kinematics& kinematics,
                       const SequenceState& sequence, double t, CartesianMeasure* measure);

/// The same with a command that stands still, its six coordinates among those of all actuators.
void measure_cartesian_at(const CartesianDrive& drive, const Kinematics& kinematics, const VectorX& command,
                          CartesianMeasure* measure);

/// The wrenches at the state: of *efforts, [coordinates of all actuators], those of cartesian ones. `twists`
/// as of `compute_twists` at state.v.
void compute_cartesian_efforts(const Model& model, const Kinematics& kinematics,
                               const std::vector<Twist>& twists, const State& state, VectorX* efforts);

}  // namespace csim
