// Checks the scene against its integrator: impossible combinations, and keys without effect.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/number_format.h"
#include "model/build_stages.h"
#include "scene/integrator_kinds.h"

namespace csim {
namespace {

/// The prescribed body that the body is, or moves with as a whole; -1: none.
int prescribed_body(const Model& model, int body) {
  while (body >= 0 && model.bodies[body].motion < 0 && model.bodies[body].tree < 0)
    body = model.bodies[body].joint.parent;
  return body >= 0 && model.bodies[body].motion >= 0 ? body : -1;
}

bool is_rigid(const BodyPair& pair) {
  return std::any_of(pair.rows.begin(), pair.rows.end(),
                     [](const BodyPair::Row& row) { return std::isinf(row.law.stiffness); });
}

bool has_velocity_jumps(const MotionSpec& motion) {
  return motion.type == MotionType::kKeyframes && motion.interpolation == Interpolation::kLinear;
}

auto values_of(const SolverSpec& s) {
  return std::tuple(s.method, s.tolerance, s.absolute_tolerance, s.max_iterations, s.line_search, s.hessian,
                    s.linear_solver, s.on_nonconvergence, s.condition_number);
}

/// Whether a step has nothing to solve: no geometry collides, and no joint or constraint asks for rows.
bool has_nothing_to_solve(const Scene& scene) {
  const auto collides = [](const BodySpec& body) {
    return std::any_of(body.geometry.begin(), body.geometry.end(),
                       [](const GeometrySpec& one) { return one.contact != ContactKind::kNone; });
  };
  return scene.joints.empty() && scene.constraints.empty() && scene.actuators.empty() &&
         std::none_of(scene.bodies.begin(), scene.bodies.end(), collides);
}

/// A stop that is violated at the start would push the bodies back at 1 m/s, with an energy that no force of
/// the scene explains.
void check_stops(const Scene& scene, Problems* problems) {
  const std::string under = std::string(" under integrator.type: ") + integrator_kind(scene).name;
  for (const JointSpec& joint : scene.joints) {
    if (joint.limits.empty()) continue;
    const double q = joint.position[0];
    if (q >= joint.limits[0] && q <= joint.limits[1]) continue;
    problems->push_back({"joints." + joint.name + ".position", format_number(q) + ", outside the limits " +
                                                                   format_number(joint.limits[0]) + " to " +
                                                                   format_number(joint.limits[1]) +
                                                                   ", expected a start within them" + under});
  }
}

}  // namespace

void check_integrator(const Scene& scene, const Model& model, Problems* problems) {
  if (!integrator_kind(scene).needs_accelerations) return;
  check_stops(scene, problems);
  std::vector<bool> reported(model.bodies.size(), false);
  const auto check = [&](int body, const std::string& what) {
    if (body < 0 || reported[body] || !has_velocity_jumps(scene.bodies[body].motion)) return;
    reported[body] = true;
    problems->push_back({"bodies." + model.bodies[body].name + ".motion.interpolation",
                         "linear, whose velocity jumps at the keys, under " + what +
                             ": the acceleration would be infinite; expected cubic or smooth under "
                             "integrator.type: " +
                             integrator_kind(scene).name});
  };
  for (const Tree& tree : model.trees) {
    const Body& first = model.bodies[bodies_of(model, tree).front()];
    check(prescribed_body(model, first.joint.parent), "the joint of '" + first.name + "'");
  }
  for (const BodyPair& pair : model.body_pairs) {
    if (pair.constraint < 0 || !is_rigid(pair)) continue;
    const std::string what =
        "the rigid constraint '" + model.constraint_names[static_cast<std::size_t>(pair.constraint)] + "'";
    for (const int body : {pair.body_a, pair.body_b}) check(prescribed_body(model, body), what);
  }
}

void note_keys_without_effect(const Scene& scene, std::vector<std::string>* notes) {
  if (!scene.integrator.sleep_speed && scene.integrator.sleep_time != IntegratorSpec().sleep_time)
    notes->push_back("integrator.sleep_time has no effect without integrator.sleep_speed");
  const bool solver_differs = values_of(scene.solver) != values_of(SolverSpec());
  if (integrator_kind(scene).solves_contact) {
    if (solver_differs && has_nothing_to_solve(scene))
      notes->push_back("solver has no effect: the scene has no contact, joint or constraint");
    return;
  }
  const std::string why = std::string(" under integrator.type: ") + integrator_kind(scene).name;
  const ContactSpec& contact = scene.contact;
  if (contact.model != ContactSpec().model)
    notes->push_back("contact.model has no effect" + why + ", but for the default of contact.normal");
  if (contact.near_rigid != 0.0) notes->push_back("contact.near_rigid has no effect" + why);
  if (contact.friction_tolerance != ContactSpec().friction_tolerance)
    notes->push_back("contact.friction_tolerance has no effect" + why);
  if (contact.max_repetitions != ContactSpec().max_repetitions)
    notes->push_back("contact.max_repetitions has no effect" + why);
  if (solver_differs) notes->push_back("solver has no effect" + why);
}

}  // namespace csim
