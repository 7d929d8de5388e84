#include "model/force.h"

namespace csim {

AppliedForce evaluate_force(const Model& model, const Force& force, const RigidTransform& X_WB, double t) {
  Vector3 value = evaluate_vector_command(force.value, t);
  if (force.frame == ForceFrame::kBody) value = X_WB.R * value;
  if (force.is_torque) return {Vector3::Zero(), value};
  const Vector3 arm = X_WB.R * (force.point - model.bodies[force.body].mass.com);
  return {value, arm.cross(value)};
}

void add_forces(const Model& model, const Kinematics& kinematics, double t, VectorX* generalized) {
  for (const Force& force : model.forces) {
    const Body& body = model.bodies[force.body];
    const RigidTransform& X_WB = kinematics.X_WB[force.body];
    const AppliedForce applied = evaluate_force(model, force, X_WB, t);
    const Vector3 moment =
        applied.torque + (X_WB.R * body.mass.com).cross(applied.force);  // about the origin
    const Tree& tree = model.trees[body.tree];
    if (tree.single_free_body) {
      generalized->segment<3>(tree.v_begin) += moment;
      generalized->segment<3>(tree.v_begin + 3) += applied.force;
      continue;
    }
    const double* column = kinematics.jacobians.data() + kinematics.jacobian_begin[force.body];
    for (int k = 0; k < tree.nv; ++k, column += 6)
      (*generalized)[tree.v_begin + k] += Eigen::Map<const Vector3>(column).dot(moment) +
                                          Eigen::Map<const Vector3>(column + 3).dot(applied.force);
  }
}

double carried_force_power(const Model& model, const Kinematics& kinematics, double t) {
  double power = 0.0;
  for (const Force& force : model.forces) {
    const RigidTransform& X_WB = kinematics.X_WB[force.body];
    const AppliedForce applied = evaluate_force(model, force, X_WB, t);
    const Twist& V = kinematics.bias_twist[force.body];
    power += applied.force.dot(V.at(X_WB.R * model.bodies[force.body].mass.com)) + applied.torque.dot(V.w);
  }
  return power;
}

}  // namespace csim
