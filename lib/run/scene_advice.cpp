#include "run/scene_advice.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/number_format.h"
#include "core/seconds_text.h"
#include "model/command.h"
#include "run/pair_scales.h"
#include "scene/integrator_kinds.h"

namespace csim {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kLargeFriction = 10.0;
constexpr double kSmallDensity = 50.0;     // kg/m^3; cork has 200
constexpr double kLargeBody = 5.0;         // m, radius: of 10 mm read as metres
constexpr double kStepsPerContact = 10.0;  // with fewer a step takes 40 % of a rebound
constexpr double kGoodSteps = 50.0;        // a tenth
constexpr double kNoticedRebound = 0.1;    // m/s
constexpr double kCreep = 0.05;            // of the radius of the smallest body

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
                       " kg/m^3, less than that of foam; water has 1000");
  }
}

/// Keys of materials that differ from their defaults and that no contact of the scene reads. Quasistatic
/// steps have notes of their own.
void look_at_idle_keys(const Scene& scene, const Model& model, Texts* texts) {
  if (!integrator_kind(scene).reads_materials) return;
  const MaterialSpec common;
  std::vector<bool> is_compliant(scene.materials.size(), false);
  for (const Geometry& geometry : model.geometries) {
    if (geometry.kind == ContactKind::kCompliant && geometry.material >= 0)
      is_compliant[static_cast<std::size_t>(geometry.material)] = true;
  }
  const NormalFacts& normal = facts_of(scene.contact.normal);
  for (std::size_t m = 0; m < scene.materials.size(); ++m) {
    const MaterialSpec& material = scene.materials[m];
    const std::string path = "materials." + material.name + ".";
    if (material.relaxation_time != common.relaxation_time && !normal.reads_relaxation_time)
      texts->push_back(path + "relaxation_time has no effect with contact.normal: " + normal.name);
    if (material.hydroelastic_modulus != common.hydroelastic_modulus && !is_compliant[m])
      texts->push_back(
          path + "hydroelastic_modulus has no effect: no geometry of this material is contact: compliant");
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
    texts->push_back("the smallest moving body, " + name + ", reaches " +
                     format_text("%.3g", smallest->radius) +
                     " m from its origin: lengths are in metres; a mesh in millimetres needs scale: 0.001");
  }
  const double creep = scene.contact.stiction_tolerance * scene.time.end;
  if (!integrator_kind(scene).solves_contact || scene.contact.model == ContactModel::kSap ||
      creep < kCreep * smallest->radius)
    return;
  texts->push_back(
      "bodies that stick creep at about contact.stiction_tolerance" +
      format_text(", %.3g m/s: about %.3g m in this run, where ", scene.contact.stiction_tolerance, creep) +
      name + format_text(" reaches %.3g m from its origin", smallest->radius));
}

/// The part of a rebound's speed that steps leave of which a contact lasts n: a linear spring is damped by
/// 1/sqrt(1 + theta^2) a step of theta = pi/n of its phase, about exp(-pi^2/(2 n)) over the contact.
double rebound_left(double n) {
  return std::exp(-std::numbers::pi * std::numbers::pi / (2.0 * n));
}

/// Whether impacts of the pair rebound by the law at a speed worth resolving: Hunt & Crossley's law lets none
/// leave faster than 1/d, and a linear damper takes nearly all where its relaxation time is a third of the
/// contact.
bool rebounds(const Scene& scene, const PairScale& pair) {
  if (scene.contact.normal == NormalLaw::kLinear) return 3.0 * pair.rule.relaxation_time < pair.contact_time;
  return kNoticedRebound * pair.rule.dissipation < 1.0;
}

void look_at_step(const Scene& scene, const Model& model, Texts* texts) {
  const IntegratorKind& kind = integrator_kind(scene);
  if (!kind.solves_contact || !kind.has_constant_step) return;
  if (scene.contact.normal != NormalLaw::kLinear && scene.contact.normal != NormalLaw::kHuntCrossley) return;
  PairScale shortest;
  shortest.contact_time = kInfinity;
  for (const PairScale& pair : pair_scales(model))
    if (pair.contact_time < shortest.contact_time && rebounds(scene, pair)) shortest = pair;
  if (!(scene.time.step * kStepsPerContact > shortest.contact_time)) return;
  const double steps = shortest.contact_time / scene.time.step;
  const double rebound = scene.contact.normal == NormalLaw::kHuntCrossley && shortest.rule.dissipation > 0.0
                             ? 1.0 / shortest.rule.dissipation
                             : kInfinity;
  const auto name = [&](int body) { return "'" + model.bodies[static_cast<std::size_t>(body)].name + "'"; };
  texts->push_back(
      "if " + name(shortest.body) + " hits " + name(shortest.other) + ", their contact lasts " +
      seconds_text(shortest.contact_time) + ", " + format_text("%.2g steps", steps) +
      ": the step damps it, and leaves " +
      (steps < 2.0 ? "hardly anything" : format_text("about %.0f %%", 100.0 * rebound_left(steps))) +
      " of the rebound that the contact law gives" +
      (std::isfinite(rebound) ? format_text(" (%.3g m/s at most)", rebound) : "") +
      "; where rebounds matter, a time.step of " + seconds_text(shortest.contact_time / kGoodSteps) +
      format_text(" leaves %.0f %%", 100.0 * rebound_left(kGoodSteps)) +
      ". What rests, slides or rolls is not affected");
}

/// How far a cubic curve of a command leaves the range of its values, by 32 places a segment.
void look_at_cubic_commands(const Scene& scene, Texts* texts) {
  constexpr int kPlaces = 32;
  constexpr double kNoticed = 0.01;  // of the range
  for (const ActuatorSpec& actuator : scene.actuators) {
    const CommandSpec& spec = actuator.command;
    if (spec.type != CommandType::kTable || spec.interpolation != Interpolation::kCubic) continue;
    const Command command = make_command(spec);
    const auto [low, high] = std::minmax_element(spec.values.begin(), spec.values.end());
    double least = *low, most = *high;
    for (std::size_t i = 1; i < spec.times.size(); ++i) {
      for (int k = 0; k < kPlaces; ++k) {
        const double t = spec.times[i - 1] + (spec.times[i] - spec.times[i - 1]) * k / kPlaces;
        const double value = evaluate_command(command, t).value;
        least = std::min(least, value);
        most = std::max(most, value);
      }
    }
    if (std::max(*low - least, most - *high) > kNoticed * (*high - *low))
      texts->push_back("actuators." + actuator.name + ": the cubic command goes from " +
                       format_text("%.3g", least) + " to " + format_text("%.3g", most) +
                       ", beyond its values of " + format_number(*low) + " to " + format_number(*high) +
                       "; interpolation: smooth or linear stays within them");
  }
}

}  // namespace

std::vector<std::string> advise(const Scene& scene, const Model& model) {
  Texts texts;
  if (scene.gravity.z() > 0.0)
    texts.push_back("gravity points up, along +z, by " + format_number(scene.gravity.z()) +
                    " m/s^2; the default is [0, 0, -9.81]");
  look_at_materials(scene, &texts);
  look_at_idle_keys(scene, model, &texts);
  look_at_sizes(scene, smallest_body(model), &texts);
  look_at_step(scene, model, &texts);
  look_at_cubic_commands(scene, &texts);
  return texts;
}

}  // namespace csim
