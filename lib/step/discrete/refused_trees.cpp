#include "step/discrete/refused_trees.h"

#include <algorithm>

#include "step/discrete/step_constants.h"

namespace csim {
namespace {

void add_island(const PreparedStep& prepared, int body, TreeSet* trees) {
  const int tree = prepared.model.bodies[static_cast<std::size_t>(body)].tree;
  if (tree < 0 || contains(*trees, tree)) return;
  (*trees)[static_cast<std::size_t>(tree)] = 1;
  const std::vector<int>& islands = prepared.data.tree_island;
  const int island = islands[static_cast<std::size_t>(tree)];
  if (island < 0) return;
  for (std::size_t t = 0; t < trees->size(); ++t)
    if (islands[t] == island) (*trees)[t] = 1;
}

}  // namespace

void add_islands(const PreparedStep& prepared, const std::vector<std::pair<int, int>>& pairs,
                 TreeSet* trees) {
  for (const auto& [a, b] : pairs)
    for (const int body : {a, b}) add_island(prepared, body, trees);
}

TreeSet refused_trees(const PreparedStep& prepared, const StepOutcome& outcome, double gain_limit) {
  const Model& model = prepared.model;
  TreeSet trees(model.trees.size(), 0);
  add_islands(prepared, outcome.refused_pairs, &trees);
  OverlapGains gains = outcome.gains;
  std::stable_sort(gains.begin(), gains.end(),
                   [](const PairOverlap& x, const PairOverlap& y) { return x.energy > y.energy; });
  for (const PairOverlap& gain : gains) {
    if (!(gain_outside(model, trees, gains) > kShareOfRest * gain_limit)) break;
    add_islands(prepared, {{gain.body_a, gain.body_b}}, &trees);
  }
  return trees;
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
