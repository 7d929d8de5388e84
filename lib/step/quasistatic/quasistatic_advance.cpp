#include "step/quasistatic/quasistatic_advance.h"

#include <cmath>

#include "model/joint.h"
#include "model/kinematics.h"

namespace csim {
namespace {

constexpr double kSmallAngle = 1e-2;  // rad, of half a turn: below, the series is exact to rounding

/// tan(x)/x.
double stretch(double x) {
  return x > 0.0 ? std::tan(x) / x : 1.0;
}

/// Its derivative over x.
double stretch_rate(double x) {
  const double x2 = x * x;
  if (x < kSmallAngle) return 2.0 / 3.0 + x2 * (8.0 / 15.0 + 34.0 / 105.0 * x2);
  const double tangent = std::tan(x);
  return (x * (1.0 + tangent * tangent) - tangent) / (x2 * x);
}

/// Turns h w into 2 tan(h |w|/2) about the same axis, of which the linear update makes a turn by h |w|.
void make_exponential(const Model& model, double h, VectorX* v) {
  for (const Body& body : model.bodies) {
    const Joint& joint = body.joint;
    if (joint.nv == 0 || !has_quaternion(joint.type)) continue;
    auto w = v->segment<3>(joint.v_begin);
    w *= stretch(0.5 * h * w.norm());
  }
}

/// (I - u u^T) x of a unit vector u: the change of x/|x| at |x| = 1.
Vector4 across(const Vector4& u, const Vector4& x) {
  return x - u * u.dot(x);
}

/// The part of a joint with a quaternion, of which only that part changes here.
void differentiate_quaternion(const Joint& joint, const QuasistaticAdvance& advance, const Vector4& q,
                              const Vector3& v, const Vector4& dq, const Vector3& dv, double* dq_end) {
  Vector3 w = v, dw = dv;
  if (advance.rotation == QuasistaticRotation::kExponential) {
    const double half = 0.5 * advance.h, x = half * v.norm();
    w = stretch(x) * v;
    dw = stretch(x) * dv + stretch_rate(x) * half * half * v.dot(dv) * v;
  }
  // The rates are bilinear in the quaternion and w: p = q + h N(q) w, q_end = p/|p|.
  const auto rates = [&](const Vector4& quaternion, const Vector3& turn) {
    Eigen::Matrix<double, 7, 1> positions = Eigen::Matrix<double, 7, 1>::Zero(), result = positions;
    Vector6 velocities = Vector6::Zero();
    positions.head<4>() = quaternion;
    velocities.head<3>() = turn;
    joint_position_rates(joint.type, joint.q_PF, positions.data(), velocities.data(), result.data());
    return Vector4(result.head<4>());
  };
  const Vector4 along = across(q, dq), p = q + advance.h * rates(q, w),
                dp = along + advance.h * (rates(along, w) + rates(q, dw));
  Eigen::Map<Vector4>(dq_end, 4) = across(p.normalized(), dp) / p.norm();
}

}  // namespace

void advance_quasistatic(const Model& model, const QuasistaticAdvance& advance, const VectorX& v,
                         VectorX* work, VectorX* q) {
  *work = v;
  if (advance.rotation == QuasistaticRotation::kExponential) make_exponential(model, advance.h, work);
  advance_positions(model, *work, advance.h, q);
}

void differentiate_advance(const Model& model, const QuasistaticAdvance& advance, const VectorX& q,
                           const VectorX& v, const VectorX& dq, const VectorX& dv, VectorX* dq_end) {
  compute_position_rates(model, q, dv, dq_end);  // linear in dv; quaternions follow below
  *dq_end = dq + advance.h * *dq_end;
  for (const Body& body : model.bodies) {
    const Joint& joint = body.joint;
    if (joint.nv == 0 || !has_quaternion(joint.type)) continue;
    differentiate_quaternion(joint, advance, q.segment<4>(joint.q_begin), v.segment<3>(joint.v_begin),
                             dq.segment<4>(joint.q_begin), dv.segment<3>(joint.v_begin),
                             dq_end->data() + joint.q_begin);
  }
}

}  // namespace csim
