#include "run/scene_advice.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "core/number_format.h"
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
  texts->push_back("bodies that stick creep at up to contact.stiction_tolerance, " +
                   format_number(scene.contact.stiction_tolerance) + " m/s: up to " + format_number(creep) +
                   " m in this run, where " + name + " reaches " + format_number(smallest->radius) +
                   " m from its origin");
}

/// Of the geometries of a class: the two lightest moving bodies (-1: none), and whether a body of it stays.
struct ClassBodies {
  int lightest = -1, next = -1;
  bool has_fixed = false;

  [[nodiscard]] int lightest_but(int body) const { return lightest == body ? next : lightest; }
};

std::vector<ClassBodies> bodies_by_class(const Model& model) {
  const auto mass = [&](int body) { return body < 0 ? kInfinity : model.bodies[body].mass.mass; };
  std::vector<ClassBodies> classes(static_cast<std::size_t>(model.pairs.num_classes));
  for (const Geometry& geometry : model.geometries) {
    if (geometry.pair_class < 0) continue;
    ClassBodies& of = classes[geometry.pair_class];
    if (model.bodies[geometry.body].tree < 0) of.has_fixed = true;
    if (model.bodies[geometry.body].tree < 0 || !(mass(geometry.body) > 0.0) || geometry.body == of.lightest)
      continue;
    if (mass(geometry.body) < mass(of.lightest)) {
      of.next = of.lightest;
      of.lightest = geometry.body;
    } else if (mass(geometry.body) < mass(of.next)) {
      of.next = geometry.body;
    }
  }
  return classes;
}

void look_at_step(const Scene& scene, const Model& model, Texts* texts) {
  const IntegratorKind& kind = integrator_kind(scene);
  if (!kind.solves_contact || !kind.has_constant_step) return;
  if (scene.contact.normal != NormalLaw::kLinear && scene.contact.normal != NormalLaw::kHuntCrossley) return;
  const std::vector<ClassBodies> classes = bodies_by_class(model);
  double shortest = kInfinity, stiffness = 0.0;
  int body = -1;
  for (int a = 0; a < model.pairs.num_classes; ++a) {
    for (int b = 0; b < model.pairs.num_classes; ++b) {
      const PairRule& rule = model.pairs.rule(a, b);
      const int light = classes[a].lightest;
      if (!rule.collide || rule.patch || !(rule.stiffness > 0.0) || !std::isfinite(rule.stiffness) ||
          light < 0)
        continue;
      const int other = classes[b].lightest_but(light);
      if (other < 0 && !classes[b].has_fixed) continue;
      double inverse_mass = 1.0 / model.bodies[light].mass.mass;
      if (other >= 0) inverse_mass += 1.0 / model.bodies[other].mass.mass;
      const double time = std::numbers::pi / std::sqrt(inverse_mass * rule.stiffness);
      if (time < shortest) shortest = time, stiffness = rule.stiffness, body = light;
    }
  }
  if (!(scene.time.step * kStepsPerContact > shortest)) return;
  texts->push_back("time.step, " + format_number(scene.time.step) +
                   " s, is more than a tenth of the shortest contact, " + format_number(shortest) + " s ('" +
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
