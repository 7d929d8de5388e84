#include <algorithm>
#include <cmath>
#include <iomanip>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "geometry/supported_pairs.h"
#include "model/build_stages.h"
#include "model/combine_materials.h"
#include "scene/integrator_kinds.h"

namespace csim {
namespace {

bool matches(const Selector& selector, const GeometrySpec& spec, int body, int index) {
  switch (selector.type) {
    case SelectorType::kBody:
      return selector.body == body;
    case SelectorType::kGeometry:
      return selector.body == body && selector.geometry == index;
    case SelectorType::kMaterial:
      return selector.material == spec.material;
    case SelectorType::kGroup:
      return std::ranges::find(spec.groups, selector.group) != spec.groups.end();
  }
  return false;
}

// The key of a class: material, kind, and its sides in the scene's pairs and exclusions (a and b of each
// entry in turn).
struct GeometryClass {
  int material = -1;
  ContactKind kind = ContactKind::kPoint;
  std::vector<bool> pair_sides, exclude_sides;

  bool operator<(const GeometryClass& other) const {
    return std::tie(material, kind, pair_sides, exclude_sides) <
           std::tie(other.material, other.kind, other.pair_sides, other.exclude_sides);
  }
};

bool meets(const std::vector<bool>& sides_1, const std::vector<bool>& sides_2, std::size_t entry) {
  return (sides_1[2 * entry] && sides_2[2 * entry + 1]) || (sides_1[2 * entry + 1] && sides_2[2 * entry]);
}

// Classes in the order of their first geometries; sets Geometry::pair_class.
std::vector<GeometryClass> classify(const Scene& scene, Model* model) {
  std::map<GeometryClass, int> index_of;
  std::vector<GeometryClass> classes;
  std::size_t g = 0;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    for (std::size_t i = 0; i < scene.bodies[b].geometry.size(); ++i, ++g) {
      const GeometrySpec& spec = scene.bodies[b].geometry[i];
      if (spec.contact == ContactKind::kNone) continue;
      GeometryClass key;
      key.material = spec.material;
      key.kind = spec.contact;
      const auto on_side = [&](const Selector& side) {
        return matches(side, spec, static_cast<int>(b), static_cast<int>(i));
      };
      for (const PairSpec& pair : scene.contact.pairs) {
        key.pair_sides.push_back(on_side(pair.a));
        key.pair_sides.push_back(on_side(pair.b));
      }
      for (const ExcludeSpec& exclude : scene.contact.exclude) {
        key.exclude_sides.push_back(on_side(exclude.a));
        key.exclude_sides.push_back(on_side(exclude.b));
      }
      const auto [entry, inserted] = index_of.emplace(key, static_cast<int>(classes.size()));
      if (inserted) classes.push_back(key);
      model->geometries[g].pair_class = entry->second;
    }
  }
  return classes;
}

bool is_pressure_field(ContactKind kind) {
  return kind == ContactKind::kRigid || kind == ContactKind::kCompliant || kind == ContactKind::kPointOrRigid;
}

bool is_point(ContactKind kind) {
  return kind == ContactKind::kPoint || kind == ContactKind::kPointOrRigid;
}

// How two kinds meet: compliant with compliant or rigid as a patch, point with point as points, all others as
// points by fallback.
void choose_meeting(const Scene& scene, const GeometryClass& a, const GeometryClass& b, PairRule* rule) {
  const bool compliant_a = a.kind == ContactKind::kCompliant, compliant_b = b.kind == ContactKind::kCompliant;
  rule->collide = true;
  rule->patch = (compliant_a && is_pressure_field(b.kind)) || (compliant_b && is_pressure_field(a.kind));
  rule->fallback = !rule->patch && !(is_point(a.kind) && is_point(b.kind));
  if (rule->patch) {
    rule->dissipation =
        patch_dissipation(scene.materials[a.material], compliant_a, scene.materials[b.material], compliant_b);
  }
}

PairRule make_rule(const Scene& scene, const GeometryClass& a, const GeometryClass& b) {
  PairRule rule = combine_materials(scene.materials[a.material], scene.materials[b.material]);
  choose_meeting(scene, a, b, &rule);
  for (std::size_t i = 0; i < scene.contact.exclude.size(); ++i) {
    if (meets(a.exclude_sides, b.exclude_sides, i)) rule.collide = false;
  }
  for (std::size_t i = 0; i < scene.contact.pairs.size(); ++i) {
    if (!meets(a.pair_sides, b.pair_sides, i)) continue;
    const PairSpec& pair = scene.contact.pairs[i];
    rule.friction = pair.friction.value_or(rule.friction);
    rule.stiffness = pair.stiffness.value_or(rule.stiffness);
    rule.dissipation = pair.hunt_crossley_dissipation.value_or(rule.dissipation);
    rule.relaxation_time = pair.relaxation_time.value_or(rule.relaxation_time);
  }
  if (rule.patch) return rule;  // nothing acts on a patch before its pressure fields overlap
  // When the law acts within the step (pair_table.h). The linear law's damper pulls the contact forward.
  const FrictionFacts& model = facts_of(scene.contact.model);
  const NormalFacts& normal = facts_of(scene.contact.normal);
  if (normal.reads_relaxation_time) rule.reach_tau = rule.relaxation_time;
  if (model.pulls_by_friction) rule.reach_friction = rule.friction;
  if (normal.reads_barrier) rule.reach_distance = scene.contact.barrier_thickness;
  return rule;
}

// Whether two bodies can press on each other at all.
bool bodies_meet(const Model& model, int a, int b) {
  const Body &body_a = model.bodies[a], &body_b = model.bodies[b];
  if (body_a.tree < 0 && body_b.tree < 0) return false;
  if (body_a.weld_group == body_b.weld_group) return false;
  const std::pair<int, int> pair(std::min(a, b), std::max(a, b));
  return !std::binary_search(model.pairs.excluded_bodies.begin(), model.pairs.excluded_bodies.end(), pair);
}

// Checks the pairs of geometries that meet. One error per pair of classes, or per material without its Hertz
// stiffness: a thousand meshes of one kind would repeat it half a million times.
class PairChecker {
 public:
  PairChecker(const Scene& scene, const Model& model, Problems* problems)
      : scene_(scene), model_(model), problems_(problems) {
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
      for (std::size_t i = 0; i < scene.bodies[b].geometry.size(); ++i) {
        paths_.emplace_back(static_cast<int>(b), static_cast<int>(i));
      }
    }
    const int num_classes = model.pairs.num_classes;
    members_.resize(num_classes);
    for (std::size_t g = 0; g < model.geometries.size(); ++g) {
      if (model.geometries[g].pair_class >= 0)
        members_[model.geometries[g].pair_class].push_back(static_cast<int>(g));
    }
  }

  void check_classes(int a, int b) {
    const PairRule& rule = model_.pairs.rule(a, b);
    if (!rule.collide) return;
    if (rule.patch) {
      check_law_of_patches(a, b);
      return;
    }
    if (rule.fallback && scene_.contact.fallback == Fallback::kError) check_fallback(a, b);
    check_shapes(a, b);
    check_materials(a, b, rule);
  }

 private:
  // The first two geometries of the classes that meet and satisfy the predicate; (-1, -1): none.
  template <typename Predicate>
  std::pair<int, int> find_pair(int class_a, int class_b, const Predicate& predicate) const {
    for (int g : members_[class_a]) {
      for (int h : members_[class_b]) {
        if (class_a == class_b && h <= g) continue;
        const Geometry &a = model_.geometries[g], &b = model_.geometries[h];
        if (predicate(a, b) && bodies_meet(model_, a.body, b.body)) return {std::min(g, h), std::max(g, h)};
      }
    }
    return {-1, -1};
  }

  // Pressure has no Hertz law and no barrier.
  void check_law_of_patches(int a, int b) {
    if (law_of_patches_reported_ || facts_of(scene_.contact.normal).reads_stiffness) return;
    const auto [g, h] = find_pair(a, b, [](const Geometry&, const Geometry&) { return true; });
    if (g < 0) return;
    law_of_patches_reported_ = true;
    problems_->push_back(
        {"contact.normal",
         "the patch of " + pair_name(g, h) + " takes linear or hunt_crossley alone, expected one of them"});
  }

  void check_fallback(int a, int b) {
    const auto [g, h] = find_pair(a, b, [](const Geometry&, const Geometry&) { return true; });
    if (g < 0) return;
    const auto kind = [&](int i) {
      const ContactKind kind = model_.geometries[i].kind;
      return std::string(kind == ContactKind::kCompliant ? "compliant"
                         : kind == ContactKind::kRigid   ? "rigid"
                                                         : "point");
    };
    problems_->push_back({geometry_path(scene_, paths_[g].first, paths_[g].second) + ".contact",
                          "the pair " + pair_name(g, h) + " meets as " + kind(g) + " with " + kind(h) +
                              ", which makes no patch; expected compliant with compliant or rigid, "
                              "contact.exclude, or contact.fallback: point"});
  }

  void check_shapes(int a, int b) {
    const auto has_mesh = [&](int c) {
      return std::any_of(members_[c].begin(), members_[c].end(),
                         [&](int g) { return std::holds_alternative<Mesh>(model_.geometries[g].shape); });
    };
    // Half spaces do not move, so only pairs of open meshes have no contact.
    if (!has_mesh(a) || !has_mesh(b)) return;
    const auto [g, h] = find_pair(
        a, b, [](const Geometry& a, const Geometry& b) { return !has_point_contact(a.shape, b.shape); });
    if (g < 0) return;
    problems_->push_back(
        {geometry_path(scene_, paths_[g].first, paths_[g].second) + ".shape",
         "the pair " + model_.geometries[g].name + " and " + model_.geometries[h].name +
             " meets and is not supported (two open surface meshes); expected a closed mesh, a "
             "convex or a primitive shape on one side, or contact.exclude"});
  }

  void check_materials(int a, int b, const PairRule& rule) {
    const ContactSpec& contact = scene_.contact;
    const int material_a = model_.geometries[members_[a].front()].material;
    const int material_b = model_.geometries[members_[b].front()].material;
    const auto any = [](const Geometry&, const Geometry&) { return true; };
    if (facts_of(contact.normal).reads_hertz_stiffness && integrator_kind(scene_).reads_materials) {
      for (int m : {material_a, material_b}) {
        if (scene_.materials[m].hertz_stiffness || hertz_missing_.count(m) > 0) continue;
        const auto [g, h] = find_pair(a, b, any);
        if (g < 0) return;
        hertz_missing_.insert(m);
        problems_->push_back(
            {"materials." + scene_.materials[m].name,
             "no hertz_stiffness, which contact.normal: hertz reads for the pair " + pair_name(g, h)});
      }
    }
    const bool reads_stiffness =
        facts_of(contact.normal).reads_stiffness && integrator_kind(scene_).reads_materials;
    const bool near_rigid = facts_of(contact.model).has_compliance_floor && contact.near_rigid > 0.0 &&
                            integrator_kind(scene_).solves_contact;
    if (!reads_stiffness || near_rigid || std::isfinite(rule.stiffness)) return;
    const auto [g, h] = find_pair(a, b, any);
    if (g < 0) return;
    problems_->push_back(
        {"materials." + scene_.materials[model_.geometries[g].material].name + ".stiffness",
         "both sides of the pair " + pair_name(g, h) +
             " are rigid; expected a stiffness on one side or in contact.pairs, or contact.near_rigid > 0 "
             "under model: sap"});
  }

  [[nodiscard]] std::string pair_name(int g, int h) const {
    return model_.geometries[g].name + " and " + model_.geometries[h].name;
  }

  const Scene& scene_;
  const Model& model_;
  Problems* problems_;
  std::vector<std::pair<int, int>> paths_;  // (body, index within it) of each geometry
  std::vector<std::vector<int>> members_;   // geometries of each class
  std::set<int> hertz_missing_;
  bool law_of_patches_reported_ = false;
};

// Patches take their stiffness from the pressure fields.
void note_stiffness_of_patches(const Scene& scene, const Model& model,
                               const std::vector<GeometryClass>& classes, std::vector<std::string>* notes) {
  for (std::size_t i = 0; i < scene.contact.pairs.size(); ++i) {
    if (!scene.contact.pairs[i].stiffness) continue;
    int num_patches = 0, num_points = 0;
    for (std::size_t a = 0; a < classes.size(); ++a) {
      for (std::size_t b = a; b < classes.size(); ++b) {
        const PairRule& rule = model.pairs.rule(static_cast<int>(a), static_cast<int>(b));
        if (!rule.collide || !meets(classes[a].pair_sides, classes[b].pair_sides, i)) continue;
        ++(rule.patch ? num_patches : num_points);
      }
    }
    if (num_patches == 0 || num_points > 0) continue;
    notes->push_back("contact.pairs." + std::to_string(i) +
                     ".stiffness has no effect: the pair meets on patches, whose stiffness is that of their "
                     "pressure fields (materials.*.hydroelastic_modulus)");
  }
}

/// The bodies, those welded together as one, that have a geometry of a class.
std::vector<std::set<int>> bodies_of_classes(const Model& model) {
  std::vector<std::set<int>> bodies(model.pairs.num_classes);
  for (const Geometry& geometry : model.geometries)
    if (geometry.pair_class >= 0) bodies[geometry.pair_class].insert(model.bodies[geometry.body].weld_group);
  return bodies;
}

/// Whether two classes belong to one body alone, which does not meet itself.
bool are_one_body(const std::set<int>& a, const std::set<int>& b) {
  return a.size() == 1 && a == b;
}

// An element of contact.pairs whose sides never meet is a slip of its writer.
void note_pairs_without_effect(const Scene& scene, const Model& model,
                               const std::vector<GeometryClass>& classes, std::vector<std::string>* notes) {
  const std::vector<std::set<int>> bodies = bodies_of_classes(model);
  for (std::size_t i = 0; i < scene.contact.pairs.size(); ++i) {
    bool is_used = false;
    for (std::size_t a = 0; a < classes.size() && !is_used; ++a) {
      for (std::size_t b = a; b < classes.size() && !is_used; ++b) {
        is_used = model.pairs.rule(static_cast<int>(a), static_cast<int>(b)).collide &&
                  meets(classes[a].pair_sides, classes[b].pair_sides, i) &&
                  !are_one_body(bodies[a], bodies[b]);
      }
    }
    if (!is_used)
      notes->push_back(
          "contact.pairs." + std::to_string(i) +
          " has no effect: nothing of a and b can meet (a body does not meet itself; contact.exclude "
          "takes pairs out)");
  }
}

/// The key that makes a rule's stiffness 0: the last element of contact.pairs that says it, or a material's.
std::string key_of_no_stiffness(const Scene& scene, const GeometryClass& a, const GeometryClass& b) {
  for (std::size_t i = scene.contact.pairs.size(); i-- > 0;) {
    if (scene.contact.pairs[i].stiffness && meets(a.pair_sides, b.pair_sides, i))
      return "contact.pairs." + std::to_string(i) + ".stiffness";
  }
  const MaterialSpec& first = scene.materials[a.material];
  return "materials." + (first.stiffness == 0.0 ? first : scene.materials[b.material]).name + ".stiffness";
}

// Points without stiffness let bodies through, in silence: nothing presses, so nothing overlaps too much.
void note_no_stiffness(const Scene& scene, const Model& model, const std::vector<GeometryClass>& classes,
                       std::vector<std::string>* notes) {
  if (!integrator_kind(scene).solves_contact || !facts_of(scene.contact.normal).reads_stiffness) return;
  const std::vector<std::set<int>> bodies = bodies_of_classes(model);
  std::set<std::string> keys;
  for (std::size_t a = 0; a < classes.size(); ++a) {
    for (std::size_t b = a; b < classes.size(); ++b) {
      const PairRule& rule = model.pairs.rule(static_cast<int>(a), static_cast<int>(b));
      if (rule.collide && !rule.patch && rule.stiffness == 0.0 && !are_one_body(bodies[a], bodies[b]))
        keys.insert(key_of_no_stiffness(scene, classes[a], classes[b]));
    }
  }
  for (const std::string& key : keys)
    notes->push_back(key + " is 0: contact points of it exert no force, and bodies pass through each other");
}

/// SAP's gap between bodies that slide (eq 41) is worth a note from this many metres at 1 m/s on.
constexpr double kVisibleGlide = 0.01;

void note_gliding(const Scene& scene, const Model& model, std::vector<std::string>* notes) {
  if (!facts_of(scene.contact.model).glides_by_relaxation || !integrator_kind(scene).solves_contact) return;
  const std::vector<std::set<int>> bodies = bodies_of_classes(model);
  double gap = 0.0;  // m at 1 m/s
  for (int a = 0; a < model.pairs.num_classes; ++a) {
    for (int b = 0; b < model.pairs.num_classes; ++b) {
      const PairRule& rule = model.pairs.rule(a, b);
      if (rule.collide && !are_one_body(bodies[a], bodies[b]))
        gap = std::max(gap, rule.friction * (scene.time.step + rule.relaxation_time));
    }
  }
  if (gap < kVisibleGlide) return;
  std::ostringstream text;
  text << std::setprecision(3)
       << "contact.model sap holds bodies that slide apart by friction (time.step + relaxation times) times "
          "their speed: here by up to "
       << gap
       << " m at 1 m/s (/artefact/gliding_distance); a smaller relaxation_time, lagged or similar let them "
          "touch";
  notes->push_back(text.str());
}

}  // namespace

void build_pair_table(const Scene& scene, Model* model, Problems* problems, std::vector<std::string>* notes) {
  const std::vector<GeometryClass> classes = classify(scene, model);
  const int num_classes = static_cast<int>(classes.size());
  model->pairs.num_classes = num_classes;
  model->pairs.rules.clear();
  model->pairs.rules.reserve(static_cast<std::size_t>(num_classes) * num_classes);
  for (const GeometryClass& a : classes) {
    for (const GeometryClass& b : classes) model->pairs.rules.push_back(make_rule(scene, a, b));
  }
  note_pairs_without_effect(scene, *model, classes, notes);
  note_stiffness_of_patches(scene, *model, classes, notes);
  note_no_stiffness(scene, *model, classes, notes);
  note_gliding(scene, *model, notes);
  PairChecker checker(scene, *model, problems);
  for (int a = 0; a < num_classes; ++a) {
    for (int b = a; b < num_classes; ++b) checker.check_classes(a, b);
  }
}

}  // namespace csim
