#include "model/joint.h"

#include <algorithm>

#include "core/rigid_transform.h"

namespace csim {
namespace {

constexpr int kMaxPositions = 7;  // of a joint: free

Quaternion read_quaternion(const double* q) {
  return {q[0], q[1], q[2], q[3]};
}

Quaternion rotation_about(const Vector3& axis, double angle) {
  return Quaternion(Eigen::AngleAxisd(angle, axis));
}

// q' = 1/2 (0, w) q with w in the axes that the quaternion maps to.
void quaternion_rates(const Vector3& w, const double* q, double* rates) {
  const Quaternion rate = Quaternion(0.0, w.x(), w.y(), w.z()) * read_quaternion(q);
  rates[0] = 0.5 * rate.w();
  rates[1] = 0.5 * rate.x();
  rates[2] = 0.5 * rate.y();
  rates[3] = 0.5 * rate.z();
}

}  // namespace

void evaluate_joint(JointType type, const Vector3& axis, double pitch, const double* q,
                    JointKinematics* kinematics) {
  JointKinematics& joint = *kinematics;
  joint.rotation.setIdentity();
  joint.translation.setZero();
  joint.columns.setZero();
  switch (type) {
    case JointType::kFree:
      joint.rotation = read_quaternion(q);
      joint.translation = Vector3(q[4], q[5], q[6]);
      joint.columns.setIdentity();
      break;
    case JointType::kWeld:
      break;
    case JointType::kRevolute:
      joint.rotation = rotation_about(axis, q[0]);
      joint.columns.col(0).head<3>() = axis;
      break;
    case JointType::kPrismatic:
      joint.translation = q[0] * axis;
      joint.columns.col(0).tail<3>() = axis;
      break;
    case JointType::kScrew:
      joint.rotation = rotation_about(axis, q[0]);
      joint.translation = pitch * q[0] * axis;
      joint.columns.col(0) << axis, pitch * axis;
      break;
    case JointType::kPlanar: {
      // x and y of the plane: exactly the frame's own where the axis is z.
      const Matrix3 plane = rotation_of_z_to(axis).toRotationMatrix();
      joint.rotation = rotation_about(axis, q[2]);
      joint.translation = plane.col(0) * q[0] + plane.col(1) * q[1];
      joint.columns.block<3, 2>(3, 0) = plane.leftCols<2>();
      joint.columns.col(2).head<3>() = axis;
      break;
    }
    case JointType::kBall:
      joint.rotation = read_quaternion(q);
      joint.columns.topLeftCorner<3, 3>().setIdentity();
      break;
    case JointType::kUniversal:
      joint.rotation = rotation_about(Vector3::UnitX(), q[0]) * rotation_about(Vector3::UnitY(), q[1]);
      joint.columns(0, 0) = 1.0;
      joint.columns.col(1).head<3>() = Vector3(0.0, std::cos(q[0]), std::sin(q[0]));
      break;
  }
}

Twist joint_bias_acceleration(JointType type, const double* q, const double* v) {
  Twist bias;
  // d/dt [a' x + b' y'(a)] at a'' = b'' = 0:  y' turns about x with a'.
  if (type == JointType::kUniversal) bias.w = v[0] * v[1] * Vector3(0.0, -std::sin(q[0]), std::cos(q[0]));
  return bias;
}

void joint_position_rates(JointType type, const Quaternion& q_PF, const double* q, const double* v,
                          double* rates) {
  switch (type) {
    case JointType::kFree: {
      quaternion_rates(q_PF.conjugate() * Vector3(v[0], v[1], v[2]), q, rates);
      Eigen::Map<Vector3>(rates + 4) = q_PF.conjugate() * Vector3(v[3], v[4], v[5]);
      break;
    }
    case JointType::kBall:
      quaternion_rates(Vector3(v[0], v[1], v[2]), q, rates);
      break;
    default:
      std::copy_n(v, num_velocities(type), rates);
      break;
  }
}

void advance_joint(JointType type, const Quaternion& q_PF, const double* v, double dt, double* q) {
  double rates[kMaxPositions];
  joint_position_rates(type, q_PF, q, v, rates);
  for (int i = 0; i < num_positions(type); ++i) q[i] += dt * rates[i];
  if (has_quaternion(type)) {
    const Eigen::Map<Vector4> quaternion(q, 4);
    Eigen::Map<Vector4>(q, 4) = quaternion / quaternion.norm();
  }
}

}  // namespace csim
