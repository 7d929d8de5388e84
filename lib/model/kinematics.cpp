#include "model/kinematics.h"

#include <cmath>
#include <numbers>

#include "core/rotation_vector.h"
#include "model/joint.h"
#include "model/tree_bodies.h"

namespace csim {
namespace {

void resize(const Model& model, Kinematics* kinematics) {
  const std::size_t num_bodies = model.bodies.size();
  kinematics->X_WB.resize(num_bodies);
  kinematics->q_WB.resize(num_bodies);
  kinematics->bias_twist.resize(num_bodies);
  kinematics->bias_center.resize(num_bodies, Vector3::Zero());
  kinematics->surface_velocity_W.resize(num_bodies);
  kinematics->jacobian_begin = model.jacobian_begin;
  kinematics->jacobians.resize(model.jacobian_size);
}

void place_free_bodies(const Model& model, const VectorX& q, const TreeSet& trees, Kinematics* kinematics) {
  for_each_free_body(model, trees, [&](const FreeBody& free) {
    const double* qi = q.data() + free.q_begin;
    Quaternion q_WB(qi[0], qi[1], qi[2], qi[3]);
    Vector3 p_WB(qi[4], qi[5], qi[6]);
    if (free.placed) {
      const Joint& joint = model.bodies[free.body].joint;
      q_WB = joint.q_PF * q_WB;
      p_WB = joint.X_PF * p_WB;
    }
    kinematics->q_WB[free.body] = q_WB;
    kinematics->X_WB[free.body] = RigidTransform(q_WB, p_WB);
    kinematics->bias_twist[free.body] = Twist();
    kinematics->surface_velocity_W[free.body].setZero();
  });
}

// J of a body in its tree: the parent's, moved to the body's origin, and the joint's own columns.
void fill_jacobian(const Model& model, const Body& body, int index, const JointKinematics& joint,
                   const Matrix3& R_WP, const Matrix3& R_WF, const Vector3& p_PB_W, Kinematics* kinematics) {
  const int nv = model.trees[body.tree].nv;
  Eigen::Map<Matrix6X> J(kinematics->jacobians.data() + kinematics->jacobian_begin[index], 6, nv);
  const int parent = body.joint.parent;
  if (parent >= 0 && model.bodies[parent].tree == body.tree) {
    const Eigen::Map<const Matrix6X> J_P(kinematics->jacobians.data() + kinematics->jacobian_begin[parent], 6,
                                         nv);
    for (int j = 0; j < nv; ++j) {
      const Vector3 w = J_P.col(j).head<3>();
      J.col(j).head<3>() = w;
      J.col(j).tail<3>() = J_P.col(j).tail<3>() + w.cross(p_PB_W);
    }
  } else {
    J.setZero();
  }
  const Matrix3& R = body.joint.type == JointType::kFree ? R_WP : R_WF;
  const int begin = body.joint.v_begin - model.trees[body.tree].v_begin;
  for (int j = 0; j < body.joint.nv; ++j) {
    J.col(begin + j).head<3>() = R * joint.columns.col(j).head<3>();
    J.col(begin + j).tail<3>() = R * joint.columns.col(j).tail<3>();
  }
}

void place_body(const Model& model, const VectorX& q, int index, Kinematics* kinematics) {
  const Body& body = model.bodies[index];
  const int parent = body.joint.parent;
  const Quaternion q_WP = parent >= 0 ? kinematics->q_WB[parent] : Quaternion::Identity();
  const RigidTransform X_WP = parent >= 0 ? kinematics->X_WB[parent] : RigidTransform();
  const Quaternion q_WF = q_WP * body.joint.q_PF;
  const RigidTransform X_WF = X_WP * body.joint.X_PF;
  JointKinematics joint;
  evaluate_joint(body.joint.type, body.joint.axis, body.joint.pitch, q.data() + body.joint.q_begin, &joint);
  const Quaternion q_WB = (q_WF * joint.rotation).normalized();
  kinematics->q_WB[index] = q_WB;
  kinematics->X_WB[index] = RigidTransform(q_WB, X_WF * joint.translation);
  const Vector3 p_PB_W = kinematics->X_WB[index].p - X_WP.p;
  kinematics->bias_twist[index] = parent >= 0 ? shift_twist(kinematics->bias_twist[parent], p_PB_W) : Twist();
  if (parent >= 0) kinematics->bias_center[index] = kinematics->bias_center[parent];
  kinematics->surface_velocity_W[index] = kinematics->X_WB[index].R * body.surface_velocity;
  if (body.tree >= 0) fill_jacobian(model, body, index, joint, X_WP.R, X_WF.R, p_PB_W, kinematics);
}

/// Mean twist between two poses of a motion, h (s) apart.
Twist mean_twist(const MotionState& start, const MotionState& end, double h) {
  Twist mean{end.velocity.w, (end.position - start.position) / h};
  if (h * end.velocity.w.norm() <= std::numbers::pi)
    mean.w = rotation_vector(end.rotation * start.rotation.conjugate()) / h;
  return mean;
}

void place_prescribed_body(const Model& model, int index, double t, double t_end, Kinematics* kinematics) {
  const Body& body = model.bodies[index];
  const Motion& motion = model.motions[body.motion];
  const MotionState state = evaluate_motion(motion, t);
  kinematics->q_WB[index] = state.rotation;
  kinematics->X_WB[index] = RigidTransform(state.rotation, state.position);
  kinematics->bias_twist[index] =
      t_end > t ? mean_twist(state, evaluate_motion(motion, t_end), t_end - t) : state.velocity;
  kinematics->bias_center[index] = state.position;
  kinematics->surface_velocity_W[index] = kinematics->X_WB[index].R * body.surface_velocity;
}

}  // namespace

void compute_kinematics(const Model& model, const VectorX& q, double t, double t_end, Kinematics* kinematics,
                        const TreeSet& trees) {
  resize(model, kinematics);
  kinematics->bias_step = t_end - t;
  place_free_bodies(model, q, trees, kinematics);
  for (int index : model.articulated_order) {
    const int tree = model.bodies[index].tree;
    if (tree >= 0 && !contains(trees, tree)) continue;
    if (model.bodies[index].motion >= 0) {
      place_prescribed_body(model, index, t, t_end, kinematics);
    } else {
      place_body(model, q, index, kinematics);
    }
  }
}

Vector3 chord_velocity(const Kinematics& kinematics, int body, const Vector3& p_WO) {
  // R r - r = sin a/a (a x r) + (1 - cos a)/a^2 a x (a x r), a = h w
  const double h = kinematics.bias_step;
  const Vector3& w = kinematics.bias_twist[body].w;
  const double angle = h * w.norm();
  if (angle == 0.0 || angle > std::numbers::pi) return Vector3::Zero();
  const Vector3 v = w.cross(p_WO - kinematics.bias_center[body]);
  const double half_sine = std::sin(0.5 * angle) / (0.5 * angle);
  return (std::sin(angle) / angle - 1.0) * v + 0.5 * h * half_sine * half_sine * w.cross(v);
}

void compute_twists(const Model& model, const Kinematics& kinematics, const VectorX& v,
                    std::vector<Twist>* twists, const TreeSet& trees) {
  twists->resize(model.bodies.size());
  for_each_free_body(model, trees, [&](const FreeBody& free) {
    (*twists)[free.body] = {v.segment<3>(free.v_begin), v.segment<3>(free.v_begin + 3)};
  });
  for (int index : model.articulated_order) {
    const Body& body = model.bodies[index];
    if (body.tree < 0) {
      (*twists)[index] = kinematics.bias_twist[index];
      continue;
    }
    // The parent's twist moved to the body's origin, and the joint's own columns of J.
    const int parent = body.joint.parent;
    Twist V;
    if (parent >= 0) V = shift_twist((*twists)[parent], kinematics.X_WB[index].p - kinematics.X_WB[parent].p);
    const Tree& tree = model.trees[body.tree];
    const double* column = kinematics.jacobians.data() + kinematics.jacobian_begin[index] +
                           6 * (body.joint.v_begin - tree.v_begin);
    for (int j = 0; j < body.joint.nv; ++j, column += 6) {
      V.w += v[body.joint.v_begin + j] * Eigen::Map<const Vector3>(column);
      V.v += v[body.joint.v_begin + j] * Eigen::Map<const Vector3>(column + 3);
    }
    (*twists)[index] = V;
  }
}

bool moves_as_prescribed(const Model& model, const Kinematics& kinematics, int body) {
  const auto b = static_cast<std::size_t>(body);
  const Twist& V = kinematics.bias_twist[b];
  const bool is_still = V.w.isZero(0.0) && V.v.isZero(0.0) && kinematics.surface_velocity_W[b].isZero(0.0);
  return model.bodies[b].tree < 0 && !is_still;
}

void compute_position_rates(const Model& model, const VectorX& q, const VectorX& v, VectorX* rates) {
  rates->resize(model.nq);
  for (const Body& body : model.bodies) {
    const Joint& joint = body.joint;
    joint_position_rates(joint.type, joint.q_PF, q.data() + joint.q_begin, v.data() + joint.v_begin,
                         rates->data() + joint.q_begin);
  }
}

void normalize_quaternions(const Model& model, VectorX* q) {
  for (const Body& body : model.bodies) {
    if (!has_quaternion(body.joint.type) || body.joint.nq == 0) continue;
    const auto quaternion = q->segment<4>(body.joint.q_begin);
    q->segment<4>(body.joint.q_begin) = quaternion / quaternion.norm();
  }
}

void advance_positions(const Model& model, const VectorX& v, double dt, VectorX* q, const TreeSet& trees) {
  for_each_free_body(model, trees, [&](const FreeBody& free) {
    const Quaternion q_PF = free.placed ? model.bodies[free.body].joint.q_PF : Quaternion::Identity();
    advance_joint(JointType::kFree, q_PF, v.data() + free.v_begin, dt, q->data() + free.q_begin);
  });
  for (int index : model.articulated_order) {
    if (!contains(trees, model.bodies[index].tree)) continue;
    const Joint& joint = model.bodies[index].joint;
    advance_joint(joint.type, joint.q_PF, v.data() + joint.v_begin, dt, q->data() + joint.q_begin);
  }
}

}  // namespace csim
