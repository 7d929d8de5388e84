#include "step/discrete/refused_trees.h"

#include <algorithm>

#include "step/discrete/step_constants.h"

namespace csim {
namespace {

bool add_island(const PreparedStep& prepared, int body, TreeSet* trees) {
  const int tree = prepared.model.bodies[static_cast<std::size_t>(body)].tree;
  if (tree < 0 || contains(*trees, tree)) return false;
  (*trees)[static_cast<std::size_t>(tree)] = 1;
  const std::vector<int>& islands = prepared.data.tree_island;
  const int island = islands[static_cast<std::size_t>(tree)];
  for (std::size_t t = 0; island >= 0 && t < trees->size(); ++t)
    if (islands[t] == island) (*trees)[t] = 1;
  return true;
}

/// Of the pairs without a body of these trees the one that holds most for nothing, the first of several; null
/// where they hold no more than `allowed` (J) together.
const PairOverlap* most_outside(const Model& model, const TreeSet& trees, const OverlapGains& gains,
                                double allowed) {
  const PairOverlap* most = nullptr;
  double sum = 0.0;
  for (const PairOverlap& gain : gains) {
    if (has_either(trees, model, gain.body_a, gain.body_b)) continue;
    sum += gain.energy;
    if (most == nullptr || gain.energy > most->energy) most = &gain;
  }
  return sum > allowed ? most : nullptr;
}

}  // namespace

bool add_islands(const PreparedStep& prepared, int body_a, int body_b, TreeSet* trees) {
  const bool adds_a = add_island(prepared, body_a, trees);
  return add_island(prepared, body_b, trees) || adds_a;
}

bool add_islands(const PreparedStep& prepared, const std::vector<std::pair<int, int>>& pairs,
                 TreeSet* trees) {
  bool adds = false;
  for (const auto& [a, b] : pairs) adds = add_islands(prepared, a, b, trees) || adds;
  return adds;
}

void find_refused_trees(const PreparedStep& prepared, const StepOutcome& outcome, double gain_limit,
                        TreeSet* trees) {
  trees->assign(prepared.model.trees.size(), 0);
  add_islands(prepared, outcome.refused_pairs, trees);
  while (const PairOverlap* most =
             most_outside(prepared.model, *trees, outcome.gains, kShareOfRest * gain_limit))
    add_islands(prepared, most->body_a, most->body_b, trees);
}

double gain_outside(const Model& model, const TreeSet& trees, const OverlapGains& gains) {
  double sum = 0.0;
  for (const PairOverlap& gain : gains)
    if (!has_either(trees, model, gain.body_a, gain.body_b)) sum += gain.energy;
  return sum;
}

bool concerns(const Model& model, const TreeSet& trees, const Event& event) {
  const auto is_in = [&](int subject) {
    if (subject < 0) return false;
    const auto i = static_cast<std::size_t>(subject);
    if (has_bodies(event.kind)) return contains(trees, model.bodies[i].tree);
    return has_geometries(event.kind) &&
           contains(trees, model.bodies[static_cast<std::size_t>(model.geometries[i].body)].tree);
  };
  return is_in(event.subject_a) || is_in(event.subject_b);
}

}  // namespace csim
