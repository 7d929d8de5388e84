#include "run/prescribed_pairs.h"

#include <algorithm>
#include <utility>
#include <vector>

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

bool is_told(const std::vector<BodyIndices>& pairs, const BodyIndices& pair) {
  return std::find(pairs.begin(), pairs.end(), pair) != pairs.end();
}

/// Adds the pairs of bodies without a tree, one of them prescribed, that reach each other at these poses;
/// `boxes` [geometries], own axes.
void find_pairs(const Model& model, const std::vector<Aabb>& boxes, const Kinematics& kinematics,
                std::vector<BodyIndices>* pairs) {
  for (std::size_t g = 0; g < model.geometries.size(); ++g) {
    const Geometry& a = model.geometries[g];
    if (a.pair_class < 0 || model.bodies[a.body].motion < 0) continue;
    for (std::size_t k = 0; k < model.geometries.size(); ++k) {
      const Geometry& b = model.geometries[k];
      const Body &body_a = model.bodies[a.body], &body_b = model.bodies[b.body];
      const BodyIndices pair(std::min(a.body, b.body), std::max(a.body, b.body));
      const bool may_meet = b.pair_class >= 0 && body_b.tree < 0 && body_a.weld_group != body_b.weld_group &&
                            model.pairs.rule(a.pair_class, b.pair_class).collide;
      if (!may_meet || is_told(*pairs, pair)) continue;
      if (reaches(boxes[g], kinematics.X_WB[a.body] * a.X_BG, boxes[k], kinematics.X_WB[b.body] * b.X_BG))
        pairs->push_back(pair);
    }
  }
}

}  // namespace

std::vector<std::string> describe_prescribed_pairs(const Model& model, const State& start, double end) {
  std::vector<BodyIndices> pairs;
  Kinematics kinematics;
  if (std::none_of(model.bodies.begin(), model.bodies.end(),
                   [](const Body& body) { return body.motion >= 0 && body.tree < 0; }))
    return {};
  std::vector<Aabb> boxes;
  for (const Geometry& geometry : model.geometries) boxes.push_back(bounding_box(geometry.shape));
  for (int i = 0; i < kTimes && pairs.size() <= kMostTold; ++i) {
    const double t = start.time + (end - start.time) * i / (kTimes - 1);
    compute_kinematics(model, start.q, t, t, &kinematics);
    find_pairs(model, boxes, kinematics, &pairs);
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
