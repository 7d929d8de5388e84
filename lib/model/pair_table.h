// Which geometries meet, and how two materials combine.
#pragma once

#include <utility>
#include <vector>

namespace csim {

/// What holds for a pair of geometries (a, b) in this order.
struct PairRule {
  bool collide = false;
  bool patch = false;     // meet by pressure fields, as the faces of a contact surface; else as points
  bool fallback = false;  // of points: for want of a patch
  double friction = 0.0;
  double stiffness = 0.0;        // N/m, the two in series; infinity: both rigid (SAP's near_rigid alone acts)
  double dissipation = 0.0;      // s/m, Hunt & Crossley
  double relaxation_time = 0.0;  // s
  double hertz_stiffness = 0.0;  // N/m^1.5, in series
  double weight_a = 0.5;  // contact point = weight_a p_a + (1 - weight_a) p_b, weight_a = k_a/(k_a + k_b)

  // When the law acts within the step: phi0 < reach_distance + (dt + reach_tau)(-v_n + reach_friction |v_t|),
  // by the facts of the laws (law/law_facts.h): tau of the linear normal law, mu of laws in which friction
  // loads the normal spring (SAP, Similar), the thickness of a barrier; else 0.
  double reach_tau = 0.0;  // s
  double reach_friction = 0.0;
  double reach_distance = 0.0;  // m
};

/// Rules between classes of geometries: those of one material and kind that are on the same sides of the same
/// entries of `pairs` and `exclude` share a class, so that the table stays small however many geometries
/// there are.
struct PairTable {
  int num_classes = 0;
  std::vector<PairRule> rules;  // [num_classes * num_classes], row-major: (class of a, class of b)
  /// Pairs of bodies that do not collide beyond those of one weld group: parent and child of a joint (sorted,
  /// a < b).
  std::vector<std::pair<int, int>> excluded_bodies;

  [[nodiscard]] const PairRule& rule(int class_a, int class_b) const {
    return rules[class_a * num_classes + class_b];
  }
};

}  // namespace csim
