#include "step/discrete/island_gains.h"

#include <algorithm>
#include <numeric>

#include "problem/components.h"
#include "step/discrete/step_constants.h"
#include "step/discrete/tree_groups.h"

namespace csim {
namespace {

using Sums = IslandGainWork::Sums;

int tree_of(const Model& model, int body) {
  return model.bodies[static_cast<std::size_t>(body)].tree;
}

void join_all(const PreparedStep& attempted, const PairOverlaps& overlaps, IslandGainWork* w) {
  const Model& model = attempted.model;
  w->groups.resize(model.trees.size());
  std::iota(w->groups.begin(), w->groups.end(), 0);
  join_islands(attempted, &w->groups);
  for (const PairOverlap& row : overlaps) {
    const int a = tree_of(model, row.body_a), b = tree_of(model, row.body_b);
    if (a >= 0 && b >= 0) join_components(a, b, &w->groups);
  }
}

/// The first tree of the island of two bodies, one of which has a tree.
int island_of(const Model& model, int body_a, int body_b, std::vector<int>* groups) {
  return find_root(groups, std::max(tree_of(model, body_a), tree_of(model, body_b)));
}

void add_gains(const Model& model, PairGains* gains, IslandGainWork* w) {
  w->sums.assign(model.trees.size(), {});
  for (PairGain& row : *gains) {
    row.island = island_of(model, row.body_a, row.body_b, &w->groups);
    Sums& sums = w->sums[static_cast<std::size_t>(row.island)];
    sums.gain.energy += row.energy;
    if (row.energy <= sums.most) continue;
    sums.most = row.energy;
    sums.gain.body_a = row.body_a;
    sums.gain.body_b = row.body_b;
  }
}

void add_overlaps(const Model& model, const PairOverlaps& overlaps, IslandGainWork* w) {
  for (const PairOverlap& row : overlaps) {
    Sums& sums = w->sums[static_cast<std::size_t>(island_of(model, row.body_a, row.body_b, &w->groups))];
    sums.held += row.energy;
    for (const int body : {row.body_a, row.body_b})
      if (tree_of(model, body) < 0 && sums.support == IslandGainWork::kNone) sums.support = body;
  }
}

/// visit(bodies of a tree, its number, sums of its island), for all trees of islands that hold something.
template <typename Visit>
void for_each_tree_that_gains(const Model& model, IslandGainWork* w, Visit&& visit) {
  for (std::size_t t = 0; t < model.trees.size(); ++t) {
    Sums& sums = w->sums[static_cast<std::size_t>(find_root(&w->groups, static_cast<int>(t)))];
    if (sums.gain.energy > 0.0) visit(bodies_of(model, model.trees[t]), static_cast<Eigen::Index>(t), &sums);
  }
}

/// The offset of the body's centre of mass from its origin, world axes.
Vector3 com_of(const PreparedStep& end, int body) {
  return end.kinematics.X_WB[body].R * end.model.bodies[body].mass.com;
}

void add_trees(const PreparedStep& end, const VectorX& gained, IslandGainWork* w) {
  const Model& model = end.model;
  for_each_tree_that_gains(model, w, [&](std::span<const int> bodies, Eigen::Index tree, Sums* sums) {
    sums->dissipated += end.state.tree_dissipated[tree];
    sums->gained = std::max(sums->gained, gained[tree]);
    const Joint& root = model.bodies[bodies.front()].joint;
    if (root.type != JointType::kFree && sums->support == IslandGainWork::kNone) sums->support = root.parent;
    for (const int b : bodies) {
      sums->mass += model.bodies[b].mass.mass;
      sums->momentum += model.bodies[b].mass.mass * end.twists0[b].at(com_of(end, b));
    }
  });
}

/// The twist of its support, or of its centre of mass, at the origin of the body.
Twist seen_from(const PreparedStep& end, const Sums& island, int body) {
  if (island.support >= 0)
    return shift_twist(end.twists0[island.support],
                       end.kinematics.X_WB[body].p - end.kinematics.X_WB[island.support].p);
  if (island.support == IslandGainWork::kWorld || !(island.mass > 0.0)) return {};
  return {Vector3::Zero(), island.momentum / island.mass};
}

void add_motion(const PreparedStep& end, IslandGainWork* w) {
  for_each_tree_that_gains(end.model, w, [&](std::span<const int> bodies, Eigen::Index, Sums* sums) {
    for (const int b : bodies) {
      const Twist &V = end.twists0[b], from = seen_from(end, *sums, b);
      const Twist relative{V.w - from.w, V.v - from.v};
      const MassProperties& mass = end.model.bodies[b].mass;
      const Vector3 w_B = end.kinematics.X_WB[b].R.transpose() * relative.w;
      sums->kinetic +=
          0.5 * mass.mass * relative.at(com_of(end, b)).squaredNorm() + 0.5 * w_B.dot(mass.inertia * w_B);
    }
  });
}

}  // namespace

void judge_islands(const PreparedStep& attempted, const PreparedStep& end, const PairOverlaps& overlaps,
                   PairGains* gains, std::vector<IslandGain>* islands, std::vector<int>* of_trees,
                   VectorX* gained, IslandGainWork* work) {
  islands->clear();
  of_trees->clear();
  if (gains->empty()) return;
  of_trees->assign(end.model.trees.size(), -1);
  join_all(attempted, overlaps, work);
  add_gains(end.model, gains, work);
  add_overlaps(end.model, overlaps, work);
  add_trees(end, *gained, work);
  add_motion(end, work);
  for (std::size_t t = 0; t < work->sums.size(); ++t) {
    Sums& sums = work->sums[t];
    IslandGain& gain = sums.gain;
    if (!(gain.energy > 0.0)) continue;
    gain.island = static_cast<int>(t);
    gain.gained = sums.gained;
    gain.allowed = kGainOfMotion * (sums.kinetic + sums.held - gain.energy) +
                   kGainOfDissipated * std::max(sums.dissipated, 0.0);
    sums.index = static_cast<int>(islands->size());
    islands->push_back(gain);
  }
  for_each_tree_that_gains(end.model, work, [&](std::span<const int>, Eigen::Index tree, const Sums* sums) {
    (*of_trees)[static_cast<std::size_t>(tree)] = sums->index;
    (*gained)[tree] += sums->gain.part();
  });
}

}  // namespace csim
