#include "run/scene_advice.h"

#include <cmath>
#include <limits>

#include "core/number_format.h"
#include "core/seconds_text.h"
#include "run/pair_scales.h"
#include "scene/integrator_kinds.h"

namespace csim {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kLargeFriction = 10.0;
constexpr double kSmallDensity = 50.0;  // kg/m^3; cork has 200
constexpr double kLargeBody = 5.0;      // m, radius: of 10 mm read as metres
constexpr double kStepsPerContact = 10.0;
constexpr double kCreep = 0.05;  // of the radius of the smallest body

using Texts = std::vector<std::string>;

void look_at_materials(const Scene& scene, Texts* texts) {
  const auto look = [&](double friction, const std::string& where) {
    if (friction > kLargeFriction)
      texts->push_back(where + ": friction " + format_number(friction) +
                       ", which is far above that of dry solids (0.1 to 1.5)");
  };
  for (const MaterialSpec& material : scene.materials) look(material.friction, "materials." + material.name);
  for (std::size_t i = 0; i < scene.contact.pairs.size(); ++i)
    look(scene.contact.pairs[i].friction.value_or(0.0), "contact.pairs[" + std::to_string(i) + "]");
  for (const BodySpec& body : scene.bodies) {
    if (body.mass_source == MassSource::kDensity && body.density < kSmallDensity)
      texts->push_back("bodies." + body.name + ": density " + format_number(body.density) +
                       " kg/m^3, less than foam has; water has 1000");
  }
}

/// The moving body with the smallest radius that collides; null when there is none.
const Body* smallest_body(const Model& model) {
  const Body* smallest = nullptr;
  for (const Body& body : model.bodies) {
    if (body.tree >= 0 && body.radius > 0.0 && (smallest == nullptr || body.radius < smallest->radius))
      smallest = &body;
  }
  return smallest;
}

void look_at_sizes(const Scene& scene, const Body* smallest, Texts* texts) {
  if (smallest == nullptr) return;
  const std::string name = "'" + smallest->name + "'";
  if (smallest->radius > kLargeBody) {
    texts->push_back("the smallest moving body, " + name + ", reaches " + format_number(smallest->radius) +
                     " m from its origin: lengths are in metres; a mesh in millimetres needs scale: 0.001");
  }
  const double creep = scene.contact.stiction_tolerance * scene.time.end;
  if (!integrator_kind(scene).solves_contact || scene.contact.model == ContactModel::kSap ||
      creep < kCreep * smallest->radius)
    return;
  texts->push_back("bodies that stick creep at about contact.stiction_tolerance, " +
                   format_number(scene.contact.stiction_tolerance) + " m/s: about " + format_number(creep) +
                   " m in this run, where " + name + " reaches " + format_number(smallest->radius) +
                   " m from its origin");
}

void look_at_step(const Scene& scene, const Model& model, Texts* texts) {
  const IntegratorKind& kind = integrator_kind(scene);
  if (!kind.solves_contact || !kind.has_constant_step) return;
  if (scene.contact.normal != NormalLaw::kLinear && scene.contact.normal != NormalLaw::kHuntCrossley) return;
  double shortest = kInfinity, stiffness = 0.0;
  int body = -1;
  for (const PairScale& pair : pair_scales(model)) {
    if (pair.contact_time < shortest)
      shortest = pair.contact_time, stiffness = pair.rule.stiffness, body = pair.body;
  }
  if (!(scene.time.step * kStepsPerContact > shortest)) return;
  texts->push_back("time.step, " + seconds_text(scene.time.step) +
                   ", is more than a tenth of the shortest contact, " + seconds_text(shortest) + " ('" +
                   model.bodies[body].name + "' on a stiffness of " + format_number(stiffness) +
                   " N/m): impacts end within a few steps and rebound less than the law says; contacts that "
                   "last are not affected");
}

}  // namespace

std::vector<std::string> advise(const Scene& scene, const Model& model) {
  Texts texts;
  if (scene.gravity.z() > 0.0)
    texts.push_back("gravity points up, along +z, by " + format_number(scene.gravity.z()) +
                    " m/s^2; the default is [0, 0, -9.81]");
  look_at_materials(scene, &texts);
  look_at_sizes(scene, smallest_body(model), &texts);
  look_at_step(scene, model, &texts);
  return texts;
}

}  // namespace csim
