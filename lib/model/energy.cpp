#include "model/dynamics.h"

namespace csim {

namespace {

void add_body(const Model& model, int index, const Kinematics& kinematics, const std::vector<Twist>& twists,
              MechanicalEnergy* energy) {
  const auto i = static_cast<std::size_t>(index);
  const Body& body = model.bodies[i];
  const RigidTransform& X = kinematics.X_WB[i];
  const Vector3 c = X.R * body.mass.com;
  const Vector3 w_B = X.R.transpose() * twists[i].w;
  energy->kinetic +=
      0.5 * body.mass.mass * twists[i].at(c).squaredNorm() + 0.5 * w_B.dot(body.mass.inertia * w_B);
  energy->potential -= body.mass.mass * body.gravity.dot(X.p + c);
}

}  // namespace

double spring_energy(const Model& model, const VectorX& q) {
  double energy = 0.0;
  for (const auto& [iq, iv] : model.springs) {
    const double stretch = q[iq] - model.rest_position[iv];
    energy += 0.5 * model.stiffness[iv] * stretch * stretch;
  }
  return energy;
}

MechanicalEnergy energy_of_trees(const Model& model, const Kinematics& kinematics,
                                 const std::vector<Twist>& twists, const VectorX& v, const TreeSet& trees) {
  MechanicalEnergy energy;
  for_each_tree(model, trees, [&](const Tree& tree) {
    for (const int body : bodies_of(model, tree)) add_body(model, body, kinematics, twists, &energy);
  });
  for (const int t : model.loaded_trees) {
    if (!contains(trees, t)) continue;
    const Tree& tree = model.trees[static_cast<std::size_t>(t)];
    for (int i = tree.v_begin; i < tree.v_begin + tree.nv; ++i)
      energy.kinetic += 0.5 * model.armature[i] * v[i] * v[i];
  }
  return energy;
}

MechanicalEnergy mechanical_energy(const Model& model, const Kinematics& kinematics,
                                   const std::vector<Twist>& twists, const State& state) {
  MechanicalEnergy energy;
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    if (model.bodies[i].tree >= 0) add_body(model, static_cast<int>(i), kinematics, twists, &energy);
  }
  energy.kinetic += 0.5 * model.armature.dot(state.v.cwiseAbs2());
  energy.springs = spring_energy(model, state.q);
  return energy;
}

}  // namespace csim
