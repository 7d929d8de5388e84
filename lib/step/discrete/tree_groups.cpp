#include "step/discrete/tree_groups.h"

#include <numeric>

#include "problem/components.h"

namespace csim {
namespace {

void join_if_trees(int a, int b, std::vector<int>* groups) {
  if (a >= 0 && b >= 0) join_components(a, b, groups);
}

}  // namespace

std::vector<int> coupled_trees(const Model& model) {
  std::vector<int> groups(model.trees.size());
  std::iota(groups.begin(), groups.end(), 0);
  for (const CoordinateRow& row : model.rows)
    for (const CoordinateRow::Term& term : row.terms)
      join_if_trees(row.terms.front().coordinate.tree, term.coordinate.tree, &groups);
  const auto tree_of = [&](int body) {
    return body < 0 ? -1 : model.bodies[static_cast<std::size_t>(body)].tree;
  };
  const auto join_pair = [&](const BodyPair& pair) {
    join_if_trees(tree_of(pair.body_a), tree_of(pair.body_b), &groups);
  };
  for (const BodyPair& pair : model.body_pairs) join_pair(pair);
  for (const CartesianDrive& drive : model.cartesian_drives) join_pair(drive.pair);
  return groups;
}

void join_islands(const PreparedStep& step, std::vector<int>* groups) {
  const ConvexProblem& problem = step.data.problem;
  for (const Island& island : problem.islands)
    for (int t = island.tree_begin; t < island.tree_end; ++t)
      join_components(problem.trees[static_cast<std::size_t>(island.tree_begin)].model_tree,
                      problem.trees[static_cast<std::size_t>(t)].model_tree, groups);
}

void add_joined(std::vector<int>* groups, TreeSet* trees) {
  const auto root = [&](std::size_t t) {
    return static_cast<std::size_t>(find_root(groups, static_cast<int>(t)));
  };
  for (std::size_t t = 0; t < trees->size(); ++t)
    if ((*trees)[t] != 0) (*trees)[root(t)] = 1;
  for (std::size_t t = 0; t < trees->size(); ++t)
    if ((*trees)[root(t)] != 0) (*trees)[t] = 1;
}

}  // namespace csim
