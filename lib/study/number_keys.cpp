#include "study/number_keys.h"

#include <algorithm>
#include <cmath>

#include "scene/integrator_kinds.h"
#include "scene/yaml/strict_values.h"

namespace csim {
namespace {

/// Nothing is asked of where bodies begin: no constraint is to hold, no joint's tree to have a mass matrix
/// there, no plane of motion to be found.
bool stands_anywhere(const Scene& scene) {
  return scene.joints.empty() && scene.constraints.empty() && scene.initial.from.empty() &&
         scene.integrator.type != IntegratorType::kQuasistatic;
}

}  // namespace

const std::vector<NumberKey>& number_keys() {
  static const std::vector<NumberKey> keys{
      {"time.step"},
      {"time.end"},
      {"output.period"},
      {"output.checkpoint"},
      {"gravity"},
      {"materials.friction"},
      {"materials.stiffness"},
      {"materials.hunt_crossley_dissipation"},
      {"materials.relaxation_time"},
      {"materials.hertz_stiffness"},
      {"bodies.pose.xyz", &stands_anywhere},
      {"bodies.velocity.linear"},
      {"bodies.velocity.angular"},
      {"joints.velocity"},
      {"joints.damping"},
      {"joints.friction"},
      {"joints.stiffness"},
      {"joints.rest_position"},
      {"actuators.stiffness"},
      {"actuators.damping"},
      {"actuators.effort_limit"},
      {"actuators.command"},
      {"actuators.command.sine.mean"},
      {"actuators.command.sine.amplitude"},
      {"actuators.command.sine.frequency"},
      {"actuators.command.sine.phase"},
      {"forces.force"},
      {"forces.torque"},
      {"contact.stiction_tolerance"},
      {"contact.sigma"},
      {"contact.near_rigid"},
      {"contact.friction_tolerance"},
      {"contact.max_repetitions"},
      {"contact.margin"},
      {"contact.barrier.stiffness"},
      {"contact.barrier.thickness"},
      {"contact.pairs.friction"},
      {"contact.pairs.stiffness"},
      {"contact.pairs.hunt_crossley_dissipation"},
      {"contact.pairs.relaxation_time"},
      {"solver.tolerance"},
      {"solver.absolute_tolerance"},
      {"solver.max_iterations"},
      {"integrator.accuracy"},
      {"integrator.max_step"},
      {"integrator.tolerance"},
      {"guards.energy_gain"},
      {"guards.penetration"},
      {"guards.contacts"},
  };
  return keys;
}

const NumberKey* find_number_key(const FieldPlace& place) {
  if (place.field == nullptr) return nullptr;
  for (const NumberKey& key : number_keys())
    if (place.keys == key.keys) return &key;
  return nullptr;
}

std::optional<double> lone_number(const Field& field, const YamlNode& value) {
  constexpr double kLeast = 1e-30, kMost = 1e30;
  if (value.kind != YamlNode::Kind::kScalar) return std::nullopt;
  std::string fault;
  const std::optional<double> number =
      field.type == FieldType::kInteger ? parse_whole_number(value, &fault) : parse_number(value, &fault);
  if (!number || !field.bounds.contains(*number)) return std::nullopt;
  const double size = std::abs(*number);
  return size >= kLeast && size <= kMost ? number : std::nullopt;
}

}  // namespace csim
