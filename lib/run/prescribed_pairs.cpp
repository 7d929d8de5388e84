#include "run/prescribed_pairs.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "contact/search/broad_phase.h"
#include "geometry/bounds.h"
#include "model/kinematics.h"

namespace csim {
namespace {

constexpr int kTimes = 65;            // at which poses are looked at
constexpr std::size_t kMostTold = 5;  // pairs of bodies

using BodyIndices = std::pair<int, int>;

/// Whether the box of one shape reaches the other shape: its box, or the solid side of a half space.
bool reaches(const Aabb& box_a, const RigidTransform& X_WA, const Aabb& box_b, const RigidTransform& X_WB) {
  if (!box_a.bounded()) return box_b.bounded() && reaches(box_b, X_WB, box_a, X_WA);
  return transformed(X_WB.inverse() * X_WA, box_a).overlaps(box_b);
}

/// The box of a shape in the world, given that in its own frame; all of it for a half space.
Aabb world_box(const RigidTransform& X_WG, const Aabb& box_G) {
  if (box_G.bounded()) return transformed(X_WG, box_G);
  const double infinity = std::numeric_limits<double>::infinity();
  return {Vector3::Constant(-infinity), Vector3::Constant(infinity)};
}

/// Pairs of bodies without a tree, one of them prescribed, that would collide if one of them could move.
class PrescribedPairs {
 public:
  explicit PrescribedPairs(const Model& model) : model_(model), near_(groups(model)) {
    for (const Geometry& geometry : model.geometries) {
      const Body& body = model.bodies[geometry.body];
      boxes_.push_back(bounding_box(geometry.shape));
      may_meet_.push_back(geometry.pair_class >= 0 && body.tree < 0);
      prescribed_.push_back(may_meet_.back() && body.motion >= 0);
    }
    world_boxes_.resize(boxes_.size());
  }

  /// Adds those that reach each other at these poses, until there are more than are told.
  void find(const Kinematics& kinematics, std::vector<BodyIndices>* pairs) {
    const auto pose = [&](std::size_t g) {
      return kinematics.X_WB[model_.geometries[g].body] * model_.geometries[g].X_BG;
    };
    for (std::size_t g = 0; g < boxes_.size(); ++g)
      if (may_meet_[g]) world_boxes_[g] = world_box(pose(g), boxes_[g]);
    for (const auto& [g, k] : near_.find(world_boxes_, &prescribed_)) {
      const Geometry &a = model_.geometries[g], &b = model_.geometries[k];
      const BodyIndices pair(std::min(a.body, b.body), std::max(a.body, b.body));
      if (pairs->size() > kMostTold) return;
      if (model_.pairs.rule(a.pair_class, b.pair_class).collide && std::ranges::count(*pairs, pair) == 0 &&
          reaches(boxes_[g], pose(g), boxes_[k], pose(k)))
        pairs->push_back(pair);
    }
  }

 private:
  static std::vector<int> groups(const Model& model) {
    std::vector<int> of_geometry;
    for (const Geometry& geometry : model.geometries)
      of_geometry.push_back(model.bodies[geometry.body].weld_group);
    return of_geometry;
  }

  const Model& model_;
  BroadPhase near_;                        // of geometries
  std::vector<Aabb> boxes_, world_boxes_;  // [geometries], own axes; world, empty where nothing may meet it
  std::vector<char> may_meet_, prescribed_;
};

}  // namespace

std::vector<std::string> describe_prescribed_pairs(const Model& model, const State& start, double end) {
  std::vector<BodyIndices> pairs;
  Kinematics kinematics;
  if (std::none_of(model.bodies.begin(), model.bodies.end(),
                   [](const Body& body) { return body.motion >= 0 && body.tree < 0; }))
    return {};
  PrescribedPairs prescribed(model);
  for (int i = 0; i < kTimes && pairs.size() <= kMostTold; ++i) {
    const double t = start.time + (end - start.time) * i / (kTimes - 1);
    compute_kinematics(model, start.q, t, t, &kinematics);
    prescribed.find(kinematics, &pairs);
  }
  std::vector<std::string> texts;
  for (const auto& [a, b] : pairs) {
    if (texts.size() == kMostTold) break;
    texts.push_back(
        "bodies." + model.bodies[model.bodies[a].motion >= 0 ? a : b].name + ": '" + model.bodies[a].name +
        "' and '" + model.bodies[b].name +
        "' reach each other in this run, and neither gives way: between prescribed or fixed bodies "
        "there is no contact and no force; a joint with a stiff position actuator in place of "
        "motion gives one that can be measured");
  }
  return texts;
}

}  // namespace csim
