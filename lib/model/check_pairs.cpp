// Errors and notes of pairs of geometries: shapes, kinds and materials that give no contact, keys of pairs
// without effect.
#include <algorithm>
#include <cmath>
#include <iomanip>
#include <set>
#include <span>
#include <sstream>

#include "geometry/supported_pairs.h"
#include "model/build_stages.h"
#include "model/pair_classes.h"
#include "scene/integrator_kinds.h"

namespace csim {
namespace {

// A rule and who may have it: two general classes, some classes of which may have rules of their own instead,
// or two classes.
struct RuleUse {
  int rule = -1;
  std::span<const int> classes_a, classes_b, geometries_a, geometries_b;
};

// Calls f for each rule once, as (a, b) and (b, a) are the same.
template <typename Function>
void for_each_rule(const PairRules& rules, const PairClasses& classes, const Function& f) {
  const int n = static_cast<int>(classes.general.size());
  for (int a = 0; a < n; ++a) {
    for (int b = a; b < n; ++b) {
      f(RuleUse{a * n + b, classes.classes_of_general[a], classes.classes_of_general[b],
                classes.geometries_of_general[a], classes.geometries_of_general[b]});
    }
  }
  for (const NamedRule& one : rules.named) {
    const auto& [a, b] = one.classes;
    if (a <= b) f(RuleUse{one.rule, {&a, 1}, {&b, 1}, classes.geometries[a], classes.geometries[b]});
  }
}

// Whether geometries of two bodies have the rule.
bool is_used(const PairRules& rules, const PairClasses& classes, const RuleUse& use) {
  return std::any_of(use.classes_a.begin(), use.classes_a.end(), [&](int a) {
    return std::any_of(use.classes_b.begin(), use.classes_b.end(),
                       [&](int b) { return !classes.are_one_body(a, b) && rules.index(a, b) == use.rule; });
  });
}

bool is_sheet(const Geometry& geometry) {
  return !has_point_contact(geometry.shape, geometry.shape) && std::holds_alternative<Mesh>(geometry.shape);
}

bool is_any(const Geometry&) {
  return true;
}

// Whether two bodies can press on each other at all.
bool bodies_meet(const Model& model, int a, int b) {
  const Body &body_a = model.bodies[a], &body_b = model.bodies[b];
  if (body_a.tree < 0 && body_b.tree < 0) return false;
  if (body_a.weld_group == body_b.weld_group) return false;
  const std::pair<int, int> pair(std::min(a, b), std::max(a, b));
  return !std::binary_search(model.pairs.excluded_bodies.begin(), model.pairs.excluded_bodies.end(), pair);
}

// Checks the pairs of geometries that meet. One error per rule, or per material without its Hertz stiffness:
// a thousand meshes of one kind would repeat it half a million times.
class PairChecker {
 public:
  PairChecker(const Scene& scene, const Model& model, const PairRules& rules, Problems* problems)
      : scene_(scene), model_(model), rules_(rules), problems_(problems) {
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
      for (std::size_t i = 0; i < scene.bodies[b].geometry.size(); ++i) {
        paths_.emplace_back(static_cast<int>(b), static_cast<int>(i));
      }
    }
  }

  void check(const RuleUse& use) {
    const PairRule& rule = rules_.rules[use.rule];
    if (!rule.collide) return;
    if (rule.patch) {
      check_law_of_patches(use);
      return;
    }
    if (rule.fallback && scene_.contact.fallback == Fallback::kError) check_fallback(use);
    check_shapes(use);
    check_materials(use, rule);
  }

 private:
  // The first two geometries that meet by the rule and satisfy the predicate; (-1, -1): none.
  template <typename Predicate>
  std::pair<int, int> find_pair(const RuleUse& use, const Predicate& predicate) const {
    for (const int g : use.geometries_a) {
      const Geometry& a = model_.geometries[g];
      if (!predicate(a)) continue;
      for (const int h : use.geometries_b) {
        const Geometry& b = model_.geometries[h];
        if (predicate(b) && bodies_meet(model_, a.body, b.body) &&
            rules_.index(a.pair_class, b.pair_class) == use.rule)
          return std::minmax(g, h);
      }
    }
    return {-1, -1};
  }

  // Pressure has no Hertz law and no barrier.
  void check_law_of_patches(const RuleUse& use) {
    if (law_of_patches_reported_ || facts_of(scene_.contact.normal).reads_stiffness) return;
    const auto [g, h] = find_pair(use, is_any);
    if (g < 0) return;
    law_of_patches_reported_ = true;
    problems_->push_back(
        {"contact.normal",
         "the patch of " + pair_name(g, h) + " takes linear or hunt_crossley alone, expected one of them"});
  }

  void check_fallback(const RuleUse& use) {
    const auto [g, h] = find_pair(use, is_any);
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

  // Half spaces do not move, so only pairs of open meshes have no contact.
  void check_shapes(const RuleUse& use) {
    const auto [g, h] = find_pair(use, is_sheet);
    if (g < 0) return;
    problems_->push_back(
        {geometry_path(scene_, paths_[g].first, paths_[g].second) + ".shape",
         "the pair " + pair_name(g, h) +
             " meets and is not supported (two open surface meshes); expected a closed mesh, a "
             "convex or a primitive shape on one side, or contact.exclude"});
  }

  void check_materials(const RuleUse& use, const PairRule& rule) {
    const ContactSpec& contact = scene_.contact;
    if (facts_of(contact.normal).reads_hertz_stiffness && integrator_kind(scene_).reads_materials) {
      for (const int side : {use.geometries_a.front(), use.geometries_b.front()}) {
        const int m = model_.geometries[side].material;
        if (scene_.materials[m].hertz_stiffness || hertz_missing_.count(m) > 0) continue;
        const auto [g, h] = find_pair(use, is_any);
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
    const auto [g, h] = find_pair(use, is_any);
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
  const PairRules& rules_;
  Problems* problems_;
  std::vector<std::pair<int, int>> paths_;  // (body, index within it) of each geometry
  std::set<int> hertz_missing_;
  bool law_of_patches_reported_ = false;
};

// Whether two bodies meet by the entry (PairClasses::entries) and the rule of their classes satisfies the
// predicate.
template <typename Predicate>
bool meets_by(const PairRules& rules, const PairClasses& classes, std::size_t entry,
              const Predicate& predicate) {
  const EntrySides& sides = classes.entries[entry];
  const std::vector<int>&a = classes.sides[sides.a].classes, &b = classes.sides[sides.b].classes;
  return std::any_of(a.begin(), a.end(), [&](int c) {
    return std::any_of(b.begin(), b.end(), [&](int d) {
      if (classes.are_one_body(c, d)) return false;
      const PairRule& rule = rules.rule(c, d);
      return rule.collide && predicate(rule);
    });
  });
}

void note_pairs_without_effect(const Scene& scene, const PairRules& rules, const PairClasses& classes,
                               std::vector<std::string>* notes) {
  for (std::size_t i = 0; i < scene.contact.pairs.size(); ++i) {
    const std::string path = "contact.pairs." + std::to_string(i);
    const bool has_points = meets_by(rules, classes, i, [](const PairRule& rule) { return !rule.patch; });
    const bool has_patches =
        !has_points && meets_by(rules, classes, i, [](const PairRule& rule) { return rule.patch; });
    // An element whose sides never meet is a slip of its writer.
    if (!has_points && !has_patches) {
      notes->push_back(path +
                       " has no effect: nothing of a and b can meet (a body does not meet itself; "
                       "contact.exclude takes pairs out)");
    }
    // Patches take their stiffness from the pressure fields.
    if (has_patches && scene.contact.pairs[i].stiffness) {
      notes->push_back(
          path +
          ".stiffness has no effect: the pair meets on patches, whose stiffness is that of their "
          "pressure fields (materials.*.hydroelastic_modulus)");
    }
  }
}

/// The key that makes the stiffness of a rule 0: the last element of contact.pairs that says it, or a
/// material's.
std::string key_of_no_stiffness(const Scene& scene, const Model& model, const RuleUse& use,
                                int stiffness_entry) {
  if (stiffness_entry >= 0) return "contact.pairs." + std::to_string(stiffness_entry) + ".stiffness";
  const auto material = [&](int geometry) -> const MaterialSpec& {
    return scene.materials[model.geometries[geometry].material];
  };
  const MaterialSpec& first = material(use.geometries_a.front());
  const MaterialSpec& soft = first.stiffness == 0.0 ? first : material(use.geometries_b.front());
  return "materials." + soft.name + ".stiffness";
}

// Points without stiffness let bodies through, in silence: nothing presses, so nothing overlaps too much.
void note_no_stiffness(const Scene& scene, const Model& model, const PairRules& rules,
                       const PairClasses& classes, std::vector<std::string>* notes) {
  if (!integrator_kind(scene).solves_contact || !facts_of(scene.contact.normal).reads_stiffness) return;
  std::set<std::string> keys;
  for_each_rule(rules, classes, [&](const RuleUse& use) {
    const PairRule& rule = rules.rules[use.rule];
    if (rule.collide && !rule.patch && rule.stiffness == 0.0 && is_used(rules, classes, use))
      keys.insert(key_of_no_stiffness(scene, model, use, rules.stiffness_entry[use.rule]));
  });
  for (const std::string& key : keys)
    notes->push_back(key + " is 0: contact points of it exert no force, and bodies pass through each other");
}

/// SAP's gap between bodies that slide (eq 41) is worth a note from this many metres at 1 m/s on.
constexpr double kVisibleGlide = 0.01;

void note_gliding(const Scene& scene, const PairRules& rules, const PairClasses& classes,
                  std::vector<std::string>* notes) {
  if (!facts_of(scene.contact.model).glides_by_relaxation || !integrator_kind(scene).solves_contact) return;
  double gap = 0.0;  // m at 1 m/s
  for_each_rule(rules, classes, [&](const RuleUse& use) {
    const PairRule& rule = rules.rules[use.rule];
    const double gap_of_rule = rule.friction * (scene.time.step + rule.relaxation_time);
    if (rule.collide && gap_of_rule > gap && is_used(rules, classes, use)) gap = gap_of_rule;
  });
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

void check_pairs(const Scene& scene, const Model& model, const PairClasses& classes, const PairRules& rules,
                 Problems* problems, std::vector<std::string>* notes) {
  note_pairs_without_effect(scene, rules, classes, notes);
  note_no_stiffness(scene, model, rules, classes, notes);
  note_gliding(scene, rules, classes, notes);
  PairChecker checker(scene, model, rules, problems);
  for_each_rule(rules, classes, [&](const RuleUse& use) { checker.check(use); });
}

}  // namespace csim
