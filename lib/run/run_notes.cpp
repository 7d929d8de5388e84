#include "run/run_notes.h"

#include <algorithm>
#include <iomanip>
#include <limits>
#include <sstream>

#include "core/log.h"
#include "core/number_format.h"
#include "run/start_overlaps.h"

namespace csim {
namespace {

// An initial overlap is worth a warning from this fraction of the smaller body's size on.
constexpr double kDeepOverlap = 0.05;

// .. and from the energy on that lifts the lighter body by this part of its size: what rests, or stands under
// others, stores less in a contact of usual stiffness.
constexpr double kLift = 0.01;

// So many pairs that overlap are named, the deepest first.
constexpr std::size_t kNamedOverlaps = 10;

// A patch is worth a note when its depth at rest is this part of the fall in a step.
constexpr double kStiffPatch = 1e-3;

bool has_margin(const Geometry& geometry) {
  if (const auto* field = std::get_if<std::shared_ptr<const CompliantMesh>>(&geometry.pressure))
    return *std::min_element((*field)->pressure.begin(), (*field)->pressure.end()) < 0.0;
  const auto* half_space = std::get_if<CompliantHalfSpace>(&geometry.pressure);
  return half_space != nullptr && half_space->margin > 0.0;
}

/// J, by the contacts of two bodies.
double stored_energy(const State& state, int body_1, int body_2) {
  const auto [a, b] = std::minmax(body_1, body_2);
  for (const PairEnergy& pair : state.pair_energies)
    if (pair.body_a == a && pair.body_b == b) return pair.stored;
  return 0.0;
}

/// Of two bodies of which one moves, or both do.
int lighter_body(const Model& model, const StartOverlap& overlap) {
  const Body &a = model.bodies[overlap.body_a], &b = model.bodies[overlap.body_b];
  const bool is_a = b.tree < 0 || (a.tree >= 0 && a.mass.mass < b.mass.mass);
  return is_a ? overlap.body_a : overlap.body_b;
}

/// " and would throw 'crate' 0.14 m up": where all of it lifts the lighter body by more than its own size.
std::string thrown(const Model& model, const StartOverlap& overlap, double stored) {
  const int body = lighter_body(model, overlap);
  const double weight = model.bodies[body].mass.mass * model.gravity.norm();
  if (!(stored > weight * model.bodies[body].radius)) return "";
  std::ostringstream text;
  text << std::setprecision(3) << ", enough to throw '" << model.bodies[body].name << "' " << stored / weight
       << " m up";
  return weight > 0.0 ? text.str() : "";
}

/// Whether the bodies overlap deeply, or store enough to be thrown.
bool is_deep(const Model& model, const State& start, const StartOverlap& overlap) {
  const Body &a = model.bodies[overlap.body_a], &b = model.bodies[overlap.body_b];
  if (overlap.depth > kDeepOverlap * std::min(a.radius, b.radius)) return true;
  const Body& lighter = model.bodies[lighter_body(model, overlap)];
  const double lift = kLift * lighter.radius * lighter.mass.mass * model.gravity.norm();
  return lift > 0.0 && stored_energy(start, overlap.body_a, overlap.body_b) > lift;
}

}  // namespace

std::vector<std::string> describe_deep_overlaps(const Model& model, const State& start,
                                                const ContactSet& contacts) {
  std::vector<StartOverlap> overlaps = find_overlaps(contacts);
  std::erase_if(overlaps, [&](const StartOverlap& overlap) { return !is_deep(model, start, overlap); });
  std::vector<std::string> texts;
  const std::size_t named = std::min(overlaps.size(), kNamedOverlaps);
  for (std::size_t i = 0; i < named; ++i) {
    std::ostringstream text;
    text << std::setprecision(3) << "at the start '" << model.geometries[overlaps[i].geometry_a].name
         << "' and '" << model.geometries[overlaps[i].geometry_b].name << "' overlap by " << overlaps[i].depth
         << " m";
    const double stored = stored_energy(start, model.geometries[overlaps[i].geometry_a].body,
                                        model.geometries[overlaps[i].geometry_b].body);
    if (stored > 0.0) text << ", which stores " << stored << " J" << thrown(model, overlaps[i], stored);
    texts.push_back(text.str());
  }
  if (const std::size_t others = overlaps.size() - named; others > 0) {
    texts.push_back("at the start " + std::to_string(others) +
                    (others == 1 ? " pair overlaps" : " pairs overlap") + " less deeply than these");
  }
  return texts;
}

void note_stiff_patches(const Model& model, const ContactSet& contacts, double step) {
  const double g = model.gravity.norm(), fall = step * step * g;
  for (const ContactPatch& patch : contacts.patches) {
    double stiffness = 0.0;
    for (int face = patch.face_begin; face < patch.face_end; ++face)
      stiffness += contacts.surface.gradient[face] * contacts.surface.area[face];
    double mass = std::numeric_limits<double>::infinity();
    for (const int body : {patch.body_a, patch.body_b}) {
      if (model.bodies[body].tree >= 0) mass = std::min(mass, model.bodies[body].mass.mass);
    }
    const Geometry &a = model.geometries[patch.geometry_a], &b = model.geometries[patch.geometry_b];
    const double depth = mass * g / stiffness;
    if (!(stiffness > 0.0) || !(depth < kStiffPatch * fall) || has_margin(a) || has_margin(b)) continue;
    log_info(
        "note: at rest '" + a.name + "' and '" + b.name + "' are " + format_number(depth) +
        " m deep in each other, little compared with the " + format_number(fall) +
        " m that a body falls in a step; if they rattle, a geometry margin of about that much prevents it");
  }
}

}  // namespace csim
