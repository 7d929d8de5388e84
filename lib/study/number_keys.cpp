#include "study/number_keys.h"

#include <algorithm>
#include <cmath>

#include "scene/default_resolution.h"
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

/// No joint's tree has to have a mass matrix.
bool has_free_bodies_alone(const Scene& scene) {
  return scene.joints.empty();
}

constexpr double kLeastSize = 1e-4, kMostSize = 1e4;  // m: of one shape none is flat beside another

bool is_size(double size) {
  return size >= kLeastSize && size <= kMostSize;
}

/// Of a shape of points, which needs no mesh of a pressure field, or one that no size describes.
bool has_good_sizes(const GeometrySpec& geometry) {
  const ShapeSpec& shape = geometry.shape;
  const bool is_point = geometry.contact == ContactKind::kPoint || geometry.contact == ContactKind::kNone ||
                        geometry.contact == ContactKind::kPointOrRigid;
  switch (shape.type) {
    case ShapeType::kBox:
      return is_point && std::all_of(shape.size.begin(), shape.size.end(), is_size);
    case ShapeType::kSphere:
      return is_point && is_size(shape.radius);
    case ShapeType::kCylinder:
    case ShapeType::kCapsule:
      return is_point && is_size(shape.radius) && is_size(shape.length);
    default:
      return is_point;
  }
}

/// Sizes change masses and nothing else.
bool has_sizes_alone(const Scene& scene) {
  return has_free_bodies_alone(scene) &&
         std::all_of(scene.bodies.begin(), scene.bodies.end(), [](const BodySpec& body) {
           return std::all_of(body.geometry.begin(), body.geometry.end(), has_good_sizes);
         });
}

double resolution_of_radius(double radius) {
  ShapeSpec shape;
  shape.type = ShapeType::kSphere;
  shape.radius = radius;
  return default_resolution(shape);
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
      {"bodies.mass", &has_free_bodies_alone},
      {"bodies.density", &has_free_bodies_alone},
      {"bodies.pose.xyz", &stands_anywhere},
      {"bodies.velocity.linear"},
      {"bodies.velocity.angular"},
      {"bodies.geometry.radius", &has_sizes_alone, kLeastSize, kMostSize, "resolution",
       &resolution_of_radius},
      {"bodies.geometry.length", &has_sizes_alone, kLeastSize, kMostSize},
      {"bodies.geometry.size", &has_sizes_alone, kLeastSize, kMostSize},
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

std::optional<double> lone_number(const NumberKey& key, const Field& field, const YamlNode& value) {
  if (value.kind != YamlNode::Kind::kScalar) return std::nullopt;
  std::string fault;
  const std::optional<double> number =
      field.type == FieldType::kInteger ? parse_whole_number(value, &fault) : parse_number(value, &fault);
  if (!number || !field.bounds.contains(*number)) return std::nullopt;
  const double size = std::abs(*number);
  return size >= key.least && size <= key.most ? number : std::nullopt;
}

}  // namespace csim
