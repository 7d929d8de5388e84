#include "problem/quasistatic_islands.h"

#include <algorithm>
#include <numeric>

#include "problem/components.h"

namespace csim {
namespace {

template <typename T>
void append(const std::vector<T>& from, int begin, int end, std::vector<T>* to) {
  to->insert(to->end(), from.begin() + begin, from.begin() + end);
}

void clear(const QuasistaticProblem& like, double least_weight, QuasistaticIsland* island) {
  QuasistaticProblem& p = island->problem;
  p.h = like.h;
  p.barrier = like.barrier;
  p.has_coulomb_friction = like.has_coulomb_friction;
  p.executes_commands = like.executes_commands;
  p.least_weight = least_weight;
  for (auto* column : {&p.size, &p.begin, &p.block_begin, &island->trees, &island->groups}) column->clear();
  p.begin.push_back(0);
  p.is_passive.clear();
  for (auto* column : {&p.Q, &p.choice, &p.metric, &p.b, &p.jacobians, &p.e, &p.compliance}) column->clear();
  p.groups.clear();
  p.sides.clear();
  p.rays.clear();
  p.holds.clear();
}

}  // namespace

void QuasistaticIslands::append_tree(const QuasistaticProblem& problem, int t, QuasistaticIsland* island) {
  QuasistaticProblem& p = island->problem;
  place_[t] = p.num_trees();
  island->trees.push_back(t);
  p.size.push_back(problem.size[t]);
  p.block_begin.push_back(static_cast<int>(p.Q.size()));
  const int begin = problem.block_begin[t], end = begin + problem.size[t] * problem.size[t];
  append(problem.Q, begin, end, &p.Q);
  append(problem.choice, begin, end, &p.choice);
  append(problem.metric, begin, end, &p.metric);
  append(problem.b, problem.begin[t], problem.begin[t] + problem.size[t], &p.b);
  append(problem.is_passive, problem.begin[t], problem.begin[t] + problem.size[t], &p.is_passive);
  p.begin.push_back(p.nv());
}

void QuasistaticIslands::append_group(const QuasistaticProblem& problem, int i, QuasistaticIsland* island) {
  QuasistaticProblem& p = island->problem;
  island->groups.push_back(i);
  QuasistaticGroup group = problem.groups[i];
  group.side_begin = static_cast<int>(p.sides.size());
  for_each_tree(problem, problem.groups[i], [&](int tree, int jacobian) {
    p.sides.push_back({place_[tree], static_cast<int>(p.jacobians.size())});
    append(problem.jacobians, jacobian, jacobian + 3 * problem.size[tree], &p.jacobians);
  });
  group.side_end = static_cast<int>(p.sides.size());
  const int begin = group.row_begin, end = group.row_end;
  group.row_begin = p.num_rows();
  append(problem.rays, begin, end, &p.rays);
  append(problem.e, begin, end, &p.e);
  append(problem.compliance, begin, end, &p.compliance);
  if (!problem.holds.empty()) append(problem.holds, begin, end, &p.holds);
  group.row_end = p.num_rows();
  p.groups.push_back(group);
}

void QuasistaticIslands::split(const QuasistaticProblem& problem) {
  const int num_trees = problem.num_trees();
  parent_.resize(num_trees);
  std::iota(parent_.begin(), parent_.end(), 0);
  place_.assign(num_trees, -1);  // -1: no group
  for (const QuasistaticGroup& group : problem.groups) {
    const int first = first_tree(problem, group);
    for_each_tree(problem, group, [&](int tree, int /*jacobian*/) {
      place_[tree] = 0;
      join_components(first, tree, &parent_);
    });
  }
  const auto first_free = static_cast<int>(std::find(place_.begin(), place_.end(), -1) - place_.begin());
  const double weight = largest_weight(problem);
  count_ = 0;
  island_.resize(num_trees);
  for (int t = 0; t < num_trees; ++t) {
    if (place_[t] < 0) parent_[t] = first_free;
    const int root = find_root(&parent_, t);
    if (root == t) {
      island_[t] = count_++;
      if (count_ > static_cast<int>(islands_.size())) islands_.emplace_back();
      clear(problem, weight, &islands_[island_[t]]);
    }
    island_[t] = island_[root];
    append_tree(problem, t, &islands_[island_[t]]);
  }
  for (std::size_t i = 0; i < problem.groups.size(); ++i) {
    const int tree = first_tree(problem, problem.groups[i]);
    append_group(problem, static_cast<int>(i), &islands_[tree >= 0 ? island_[tree] : 0]);
  }
}

void QuasistaticIslands::put_back(const QuasistaticProblem& problem, int island, const std::vector<double>& v,
                                  const std::vector<double>& z, std::vector<double>* whole_v,
                                  std::vector<double>* whole_z) const {
  const auto& [part, trees, groups] = islands_[island];
  for (std::size_t k = 0; k < trees.size(); ++k)
    std::copy_n(v.begin() + part.begin[k], part.size[k], whole_v->begin() + problem.begin[trees[k]]);
  for (std::size_t k = 0; k < groups.size(); ++k)
    std::copy(z.begin() + part.groups[k].row_begin, z.begin() + part.groups[k].row_end,
              whole_z->begin() + problem.groups[groups[k]].row_begin);
}

}  // namespace csim
