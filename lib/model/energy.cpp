#include "model/dynamics.h"

namespace csim {

MechanicalEnergy mechanical_energy(const Model& model, const Kinematics& kinematics,
                                   const std::vector<Twist>& twists, const State& state) {
  MechanicalEnergy energy;
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const Body& body = model.bodies[i];
    if (body.tree < 0) continue;
    const RigidTransform& X = kinematics.X_WB[i];
    const Vector3 c = X.R * body.mass.com;
    const Vector3 w_B = X.R.transpose() * twists[i].w;
    energy.kinetic +=
        0.5 * body.mass.mass * twists[i].at(c).squaredNorm() + 0.5 * w_B.dot(body.mass.inertia * w_B);
    energy.potential -= body.mass.mass * body.gravity.dot(X.p + c);
  }
  energy.kinetic += 0.5 * model.armature.dot(state.v.cwiseAbs2());
  for (const auto& [iq, iv] : model.springs) {
    const double stretch = state.q[iq] - model.rest_position[iv];
    energy.springs += 0.5 * model.stiffness[iv] * stretch * stretch;
  }
  return energy;
}

}  // namespace csim
