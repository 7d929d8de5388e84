#include <algorithm>
#include <compare>
#include <iterator>

#include "model/build_stages.h"
#include "model/combine_materials.h"
#include "model/pair_classes.h"
#include "scene/integrator_kinds.h"

namespace csim {
namespace {

bool is_pressure_field(ContactKind kind) {
  return kind == ContactKind::kRigid || kind == ContactKind::kCompliant || kind == ContactKind::kPointOrRigid;
}

bool is_point(ContactKind kind) {
  return kind == ContactKind::kPoint || kind == ContactKind::kPointOrRigid;
}

// How two kinds meet: compliant with compliant or rigid as a patch, point with point as points, all others as
// points by fallback.
void choose_meeting(const Scene& scene, const GeneralClass& a, const GeneralClass& b, PairRule* rule) {
  const bool compliant_a = a.kind == ContactKind::kCompliant, compliant_b = b.kind == ContactKind::kCompliant;
  rule->collide = true;
  rule->patch = (compliant_a && is_pressure_field(b.kind)) || (compliant_b && is_pressure_field(a.kind));
  rule->fallback = !rule->patch && !(is_point(a.kind) && is_point(b.kind));
  if (rule->patch) {
    rule->dissipation =
        patch_dissipation(scene.materials[a.material], compliant_a, scene.materials[b.material], compliant_b);
  }
}

// An entry (PairClasses::entries) whose sides two classes have, in this order.
struct Meeting {
  int a = -1, b = -1;
  int entry = -1;

  auto operator<=>(const Meeting&) const = default;
};

// Of all entries that name a body or a geometry, pairs of classes; of the others pairs of general classes.
// Both orders of each pair, sorted.
std::vector<Meeting> find_meetings(const PairClasses& classes, bool of_named) {
  std::vector<Meeting> meetings;
  for (int i = 0; i < std::ssize(classes.entries); ++i) {
    const PairSide &a = classes.sides[classes.entries[i].a], &b = classes.sides[classes.entries[i].b];
    if ((a.is_named || b.is_named) != of_named) continue;
    for (const int c : of_named ? a.classes : a.general) {
      for (const int d : of_named ? b.classes : b.general) {
        meetings.push_back({c, d, i});
        meetings.push_back({d, c, i});
      }
    }
  }
  std::ranges::sort(meetings);
  meetings.erase(std::unique(meetings.begin(), meetings.end()), meetings.end());
  return meetings;
}

// Appends the entries of a pair of classes, ascending.
void append_entries(const std::vector<Meeting>& meetings, int a, int b, std::vector<int>* entries) {
  for (auto one = std::ranges::lower_bound(meetings, Meeting{a, b, -1});
       one != meetings.end() && one->a == a && one->b == b; ++one) {
    entries->push_back(one->entry);
  }
}

class RuleBuilder {
 public:
  RuleBuilder(const Scene& scene, const PairClasses& classes) : scene_(scene), classes_(classes) {}

  PairRules build() {
    const std::vector<Meeting> general = find_meetings(classes_, false),
                               named = find_meetings(classes_, true);
    const int n = static_cast<int>(classes_.general.size());
    rules_.general_class = classes_.general_class;
    rules_.num_general = n;
    std::vector<int> entries;
    for (int a = 0; a < n; ++a) {
      for (int b = 0; b < n; ++b) {
        entries.clear();
        append_entries(general, a, b, &entries);
        add_rule(a, b, entries);
      }
    }
    for (std::size_t i = 0; i < named.size(); ++i) {
      const auto [a, b, entry] = named[i];
      if (i > 0 && named[i - 1].a == a && named[i - 1].b == b) continue;
      const int general_a = classes_.general_class[a], general_b = classes_.general_class[b];
      entries.clear();
      append_entries(general, general_a, general_b, &entries);
      const auto num_general = std::ssize(entries);
      append_entries(named, a, b, &entries);
      std::inplace_merge(entries.begin(), entries.begin() + num_general, entries.end());
      rules_.named.push_back({{a, b}, static_cast<int>(rules_.rules.size())});
      add_rule(general_a, general_b, entries);
    }
    return std::move(rules_);
  }

 private:
  // The rule of two classes by their general ones and the entries whose sides they have, ascending: later
  // ones win key by key.
  void add_rule(int general_a, int general_b, const std::vector<int>& entries) {
    const GeneralClass &a = classes_.general[general_a], &b = classes_.general[general_b];
    PairRule rule = combine_materials(scene_.materials[a.material], scene_.materials[b.material]);
    int stiffness_entry = -1;
    choose_meeting(scene_, a, b, &rule);
    for (const int i : entries) {
      if (i >= std::ssize(scene_.contact.pairs)) {
        rule.collide = false;
        continue;
      }
      const PairSpec& pair = scene_.contact.pairs[i];
      rule.friction = pair.friction.value_or(rule.friction);
      rule.stiffness = pair.stiffness.value_or(rule.stiffness);
      rule.dissipation = pair.hunt_crossley_dissipation.value_or(rule.dissipation);
      rule.relaxation_time = pair.relaxation_time.value_or(rule.relaxation_time);
      if (pair.stiffness) stiffness_entry = i;
    }
    if (!rule.patch) set_reach(&rule);  // nothing acts on a patch before its pressure fields overlap
    rules_.rules.push_back(rule);
    rules_.stiffness_entry.push_back(stiffness_entry);
  }

  // When the law acts within the step (pair_table.h). The linear law's damper pulls the contact forward.
  void set_reach(PairRule* rule) const {
    const FrictionFacts& model = facts_of(scene_.contact.model);
    const NormalFacts& normal = facts_of(scene_.contact.normal);
    if (normal.reads_relaxation_time) rule->reach_tau = rule->relaxation_time;
    if (model.pulls_by_friction) rule->reach_friction = rule->friction;
    if (normal.reads_barrier) rule->reach_distance = scene_.contact.barrier_thickness;
  }

  const Scene& scene_;
  const PairClasses& classes_;
  PairRules rules_;
};

// The rule of every pair of classes in its place.
void fill_table(const PairRules& rules, PairTable* table) {
  const int n = static_cast<int>(rules.general_class.size());
  table->num_classes = n;
  table->rules.clear();
  table->rules.reserve(static_cast<std::size_t>(n) * n);
  for (const int a : rules.general_class)
    for (const int b : rules.general_class) table->rules.push_back(rules.rules[a * rules.num_general + b]);
  for (const NamedRule& one : rules.named)
    table->rules[static_cast<std::size_t>(one.classes.first) * n + one.classes.second] =
        rules.rules[one.rule];
}

}  // namespace

void build_pair_table(const Scene& scene, Model* model, Problems* problems, std::vector<std::string>* notes) {
  const PairClasses classes = classify_geometries(scene, model);
  const PairRules rules = RuleBuilder(scene, classes).build();
  fill_table(rules, &model->pairs);
  check_pairs(scene, *model, classes, rules, problems, notes);
}

}  // namespace csim
