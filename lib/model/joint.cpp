#include "model/joint.h"

namespace csim {
namespace {

Quaternion read_quaternion(const double* q) {
  return {q[0], q[1], q[2], q[3]};
}

Quaternion rotation_about(const Vector3& axis, double angle) {
  return Quaternion(Eigen::AngleAxisd(angle, axis));
}

// q' = 1/2 (0, w) q with w in the axes that the quaternion maps to.
void advance_quaternion(const Vector3& w, double dt, double* q) {
  const Quaternion q0 = read_quaternion(q);
  const Quaternion rate = Quaternion(0.0, w.x(), w.y(), w.z()) * q0;
  Vector4 q1(q0.w() + 0.5 * dt * rate.w(), q0.x() + 0.5 * dt * rate.x(), q0.y() + 0.5 * dt * rate.y(),
             q0.z() + 0.5 * dt * rate.z());
  Eigen::Map<Vector4>(q, 4) = q1 / q1.norm();
}

}  // namespace

void evaluate_joint(JointType type, const Vector3& axis, const double* q, JointKinematics* kinematics) {
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
    case JointType::kPlanar:
      joint.rotation = rotation_about(Vector3::UnitZ(), q[2]);
      joint.translation = Vector3(q[0], q[1], 0.0);
      joint.columns(3, 0) = joint.columns(4, 1) = joint.columns(2, 2) = 1.0;
      break;
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

void advance_joint(JointType type, const Quaternion& q_PF, const double* v, double dt, double* q) {
  switch (type) {
    case JointType::kFree: {
      const Vector3 w_F = q_PF.conjugate() * Vector3(v[0], v[1], v[2]);
      const Vector3 v_F = q_PF.conjugate() * Vector3(v[3], v[4], v[5]);
      advance_quaternion(w_F, dt, q);
      for (int i = 0; i < 3; ++i) q[4 + i] += dt * v_F[i];
      break;
    }
    case JointType::kBall:
      advance_quaternion(Vector3(v[0], v[1], v[2]), dt, q);
      break;
    default:
      for (int i = 0; i < num_velocities(type); ++i) q[i] += dt * v[i];
      break;
  }
}

}  // namespace csim
