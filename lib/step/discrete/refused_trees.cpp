#include "step/discrete/refused_trees.h"

#include <algorithm>

namespace csim {
namespace {

bool add_island(const PreparedStep& prepared, int body, TreeSet* trees) {
  const int tree = prepared.model.bodies[static_cast<std::size_t>(body)].tree;
  if (tree < 0 || contains(*trees, tree)) return false;
  (*trees)[static_cast<std::size_t>(tree)] = 1;
  const int number = prepared.data.tree_island[static_cast<std::size_t>(tree)];
  if (number < 0) return true;
  const ConvexProblem& problem = prepared.data.problem;
  const Island& island = problem.islands[static_cast<std::size_t>(number)];
  for (int t = island.tree_begin; t < island.tree_end; ++t)
    (*trees)[static_cast<std::size_t>(problem.trees[static_cast<std::size_t>(t)].model_tree)] = 1;
  return true;
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

void find_refused_pairs(const StepOutcome& outcome, std::vector<std::pair<int, int>>* pairs) {
  *pairs = outcome.met;
  pairs->insert(pairs->end(), outcome.refused_pairs.begin(), outcome.refused_pairs.end());
  const std::vector<IslandGain>& islands = outcome.island_gains;  // in the order of their first trees
  for (const PairGain& pair : outcome.gains) {
    const auto its =
        std::lower_bound(islands.begin(), islands.end(), pair.island,
                         [](const IslandGain& gain, int island) { return gain.island < island; });
    if (its != islands.end() && its->island == pair.island && its->is_refused())
      pairs->emplace_back(pair.body_a, pair.body_b);
  }
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
