// What quasistatic stepping makes of a model: driven coordinates, which the springs of their actuators hold,
// and passive ones, which gravity, contacts, constraints and cartesian drives move.
#pragma once

#include <optional>
#include <vector>

#include "core/diagnostics.h"
#include "model/kinematics.h"

namespace csim {

/// Friction cones in place of pyramids.
[[nodiscard]] inline bool has_friction_cones(const IntegratorSpec& spec) {
  return spec.problem == QuasistaticKind::kSocp || spec.problem == QuasistaticKind::kLogBarrierSocp ||
         spec.problem == QuasistaticKind::kNearRigid;
}
/// Coulomb's law itself: a complementarity problem.
[[nodiscard]] inline bool is_complementarity_problem(const IntegratorSpec& spec) {
  return spec.problem == QuasistaticKind::kLcp || spec.problem == QuasistaticKind::kPlanningLcp;
}
/// Barriers in place of constraints.
[[nodiscard]] inline bool has_barrier(const IntegratorSpec& spec) {
  return spec.problem == QuasistaticKind::kLogBarrier || spec.problem == QuasistaticKind::kLogBarrierSocp;
}

struct QuasistaticModel {
  std::vector<int> actuator;        // [nv], index in Model::actuators; -1: none, a passive coordinate
  std::vector<char> is_carried;     // [bodies], driven coordinates alone place it: the drives bear its weight
  double smallest_stiffness = 0.0;  // of all actuators and their coordinates, N/m or N m/rad; 0 without one
  bool has_actuators = false;
};

[[nodiscard]] QuasistaticModel make_quasistatic_model(const Model& model);

/// The unit normal of the plane in which all passive bodies (not carried) move at these poses, if there is
/// one. Where these leave a choice, carried ones decide, then gravity.
[[nodiscard]] std::optional<Vector3> find_plane_of_motion(const Model& model,
                                                          const QuasistaticModel& quasistatic,
                                                          const Kinematics& kinematics);

/// Wrong under integrator.type: quasistatic: actuators of another type or with stiffness 0, bodies that move
/// as prescribed, belts, pairs that meet by pressure fields, constraints and cartesian drives where commands
/// are executed, two rays where passive bodies do not move in one plane, gradients of Coulomb's law itself;
/// and gradients under any other type. A note for each key without effect.
void check_quasistatic(const Scene& scene, const Model& model, const State& state, Problems* problems,
                       std::vector<std::string>* notes);

}  // namespace csim
