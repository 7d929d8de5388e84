// Classes of geometries that meet others by the same rules (pair_table.h), from what the scene writes.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "model/model.h"
#include "scene/scene.h"

namespace csim {

/// What all geometries of a general class have in common beside the groups and materials that entries name.
struct GeneralClass {
  int material = -1;
  ContactKind kind = ContactKind::kPoint;
};

/// The two sides of an entry of `contact.pairs` or `contact.exclude`, as places in PairClasses::sides.
struct EntrySides {
  int a = -1, b = -1;
};

/// A side that entries name, the same words once.
struct PairSide {
  bool is_named = false;     // by a body or a geometry
  std::vector<int> classes;  // that have it, ascending
  std::vector<int> general;  // not of one that is named: the general classes that have it, ascending
};

/// Classes and general classes are numbered by their first geometries; those of `contact: none` are in none.
struct PairClasses {
  std::vector<GeneralClass> general;
  std::vector<std::vector<int>> classes_of_general;     // ascending
  std::vector<std::vector<int>> geometries_of_general;  // ascending
  std::vector<int> general_class;                       // of each class
  std::vector<std::vector<int>> geometries;             // of each class, ascending
  std::vector<int> only_body;  // of each class: its weld group, where it has one alone; else -1
  std::vector<PairSide> sides;
  std::vector<EntrySides> entries;  // of contact.pairs, then of contact.exclude

  /// Whether two classes belong to one body alone, which does not meet itself.
  [[nodiscard]] bool are_one_body(int a, int b) const {
    return only_body[a] >= 0 && only_body[a] == only_body[b];
  }
};

/// The rule of two classes that an entry names by a body or a geometry.
struct NamedRule {
  std::pair<int, int> classes;  // of a, of b
  int rule = -1;                // place in PairRules::rules
};

/// The rules of all pairs of classes, each once: those of general classes, which hold unless an entry names
/// one of two classes, and those of the pairs of classes that it names. They grow with what is written.
struct PairRules {
  std::vector<PairRule> rules;  // [n * n] of the general classes, row-major; then those of `named`
  std::vector<int>
      stiffness_entry;           // of each the last element of contact.pairs that gives its stiffness, or -1
  std::vector<NamedRule> named;  // by their classes in ascending order, both orders of each pair
  std::vector<int> general_class;  // of each class, 0 to n - 1
  int num_general = 0;             // n

  /// The place in `rules` of the rule of two classes.
  [[nodiscard]] int index(int class_a, int class_b) const {
    const std::pair<int, int> classes(class_a, class_b);
    const auto found = std::lower_bound(
        named.begin(), named.end(), classes,
        [](const NamedRule& one, const std::pair<int, int>& wanted) { return one.classes < wanted; });
    if (found != named.end() && found->classes == classes) return found->rule;
    return general_class[class_a] * num_general + general_class[class_b];
  }

  [[nodiscard]] const PairRule& rule(int class_a, int class_b) const {
    return rules[index(class_a, class_b)];
  }
};

/// Sets Geometry::pair_class of all geometries. In time linear in the geometries and in the entries.
[[nodiscard]] PairClasses classify_geometries(const Scene& scene, Model* model);

/// Errors and notes of the pairs that meet.
void check_pairs(const Scene& scene, const Model& model, const PairClasses& classes, const PairRules& rules,
                 Problems* problems, std::vector<std::string>* notes);

}  // namespace csim
