#include "run/creep_scales.h"

#include <cmath>
#include <limits>

#include "contact/find_contacts.h"
#include "problem/build_contact_problem.h"
#include "scene/integrator_kinds.h"

namespace csim {

CreepScale creep_scale(const Scene& scene, double friction, double delassus) {
  const ContactSpec& contact = scene.contact;
  const double per_load = friction * contact.sigma * delassus * scene.time.step;
  if (!integrator_kind(scene).solves_contact) return {contact.stiction_tolerance, 0.0};
  switch (contact.model) {
    case ContactModel::kSap:
      return {0.0, per_load};
    case ContactModel::kTamsi:
      return {contact.stiction_tolerance, 0.0};
    case ContactModel::kLagged:
    case ContactModel::kSimilar:
    case ContactModel::kCoulomb:
      break;
  }
  return {contact.stiction_tolerance, contact.regularise_stiction ? per_load : 0.0};
}

double estimated_delassus(double reduced_mass) {
  return std::sqrt(7.0) / reduced_mass;
}

ContactSet near_contacts(const Model& model, const State& state) {
  double radius = std::numeric_limits<double>::infinity();
  for (const Body& body : model.bodies)
    if (body.tree >= 0 && body.radius > 0.0) radius = std::min(radius, body.radius);
  ContactSet contacts;
  if (!std::isfinite(radius)) return contacts;
  Kinematics kinematics;
  compute_kinematics(model, state.q, state.time, state.time, &kinematics);
  const std::vector<Twist> at_rest(model.bodies.size());
  ContactQuery query;
  query.X_WB = &kinematics.X_WB;
  query.V0 = query.V_star = &at_rest;
  query.surface_velocity = &kinematics.surface_velocity_W;
  query.margin = radius;
  ContactFinder(model).find(query, &contacts);
  return contacts;
}

std::vector<double> delassus_weights(const Scene& scene, const Model& model, const State& state, double h,
                                     const ContactSet& contacts) {
  std::vector<double> weights(static_cast<std::size_t>(contacts.size()),
                              std::numeric_limits<double>::quiet_NaN());
  if (contacts.size() == 0) return weights;
  Kinematics kinematics;
  Dynamics dynamics;
  FreeMotion free_motion;
  StepData data;
  compute_kinematics(model, state.q, state.time, state.time, &kinematics);
  compute_dynamics(model, kinematics, state, state.time, &dynamics);
  compute_free_motion(model, dynamics, state, h, &free_motion);
  choose_contact_law(scene.contact, &data.problem);
  build_contact_problem(model, kinematics, state, contacts, &data);
  set_step(h, free_motion, model, &data);
  for (int i = 0; i < data.problem.num_contacts(); ++i)
    weights[data.problem.source[i]] = data.problem.contacts.delassus[i];
  return weights;
}

}  // namespace csim
