// The joint types: pose of the child in the joint frame F, velocity columns, velocity-product acceleration,
// position rates.
//
// type       q                      v                                     X_FB
// free       qw qx qy qz, x y z     angular, linear (parent's axes)       (quaternion, xyz)
// weld       -                      -                                     identity
// revolute   angle about `axis`     rate                                  rotation
// prismatic  length along `axis`    rate                                  translation
// planar     x, y, angle about z    rates                                 (Rz(angle), (x, y, 0))
// ball       qw qx qy qz            angular velocity (joint-frame axes)   quaternion
// universal  a about x, b about y'  rates                                 Rx(a) Ry(b)
// screw      angle about `axis`     rate                                  rotation, pitch times it along
// `axis`
#pragma once

#include "core/spatial.h"
#include "scene/joint_coordinates.h"
#include "scene/scene.h"

namespace csim {

/// What a joint does at its coordinates q, v, in the axes of its frame F; linear parts are those of the
/// child's origin.
struct JointKinematics {
  Quaternion rotation = Quaternion::Identity();  // q_FB
  Vector3 translation = Vector3::Zero();         // p_FB, m
  Eigen::Matrix<double, 6, 6> columns =
      Matrix6::Zero();  // first nv: the child's relative twist per velocity coordinate
};

/// Pose and columns at the positions q[nq] of the joint; `pitch` of a screw, m per radian. The columns of a
/// free joint are the identity whatever its frame, since its velocities are in the parent's axes: the caller
/// turns columns by the parent's rotation there, by that of F for the other types.
void evaluate_joint(JointType type, const Vector3& axis, double pitch, const double* q,
                    JointKinematics* kinematics);

/// Whether the joint has a relative acceleration at zero coordinate accelerations: the universal one alone.
[[nodiscard]] inline bool has_bias_acceleration(JointType type) {
  return type == JointType::kUniversal;
}

/// That acceleration, F axes.
[[nodiscard]] Twist joint_bias_acceleration(JointType type, const double* q, const double* v);

/// q' = N(q) v of one joint, [nq]. `q_PF`: orientation of the joint frame in the parent, which turns a free
/// joint's velocities into the axes of its positions.
void joint_position_rates(JointType type, const Quaternion& q_PF, const double* q, const double* v,
                          double* rates);

/// q += dt N(q) v for one joint; quaternions are normalised afterwards (linear update).
void advance_joint(JointType type, const Quaternion& q_PF, const double* v, double dt, double* q);

}  // namespace csim
