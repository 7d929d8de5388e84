#include "contact/collision_body.h"

#include <algorithm>
#include <cmath>

namespace csim {

namespace {

/// Below this number of geometries looking at each is as fast as a tree.
constexpr std::size_t kTreeFrom = 12;

/// Squared distance of a ball's centre (world) from the box of g.
double squared_distance(const CollisionGeometry& g, const Vector3& center_W) {
  return g.box_G.squared_distance(g.X_WG.inverse_times(center_W));
}

}  // namespace

void CollisionBody::set_geometries(std::vector<CollisionGeometry> geometries) {
  geometries_ = std::move(geometries);
  bool bounded = true;
  for (const CollisionGeometry& g : geometries_) {
    boxes_.push_back(g.box_G.bounded() ? transformed(g.X_BG, g.box_G) : everything());
    box_.add(boxes_.back());
    bounded = bounded && g.box_G.bounded();
    radius_ = std::max(radius_, g.ball_B.center.norm() + g.ball_B.radius);
  }
  if (bounded && geometries_.size() >= kTreeFrom) tree_.build(boxes_);
}

void CollisionBody::collect(const Aabb& box_B, std::vector<int>* near) const {
  near->clear();
  if (tree_.empty()) {
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      if (boxes_[i].overlaps(box_B)) near->push_back(static_cast<int>(i));
    }
    return;
  }
  tree_.query(box_B, [&](int i) { near->push_back(i); });
  std::sort(near->begin(), near->end());
}

bool may_touch(const CollisionGeometry& a, const CollisionGeometry& b, double distance) {
  const auto within = [](double squared_gap, double reach) {
    return reach >= 0.0 && squared_gap <= reach * reach;
  };
  const double r_a = a.ball_B.radius, r_b = b.ball_B.radius;
  if (!within((b.center_W - a.center_W).squaredNorm(), r_a + r_b + distance)) return false;
  if (!a.is_ball && std::isfinite(r_b) && !within(squared_distance(a, b.center_W), r_b + distance))
    return false;
  return b.is_ball || !std::isfinite(r_a) || within(squared_distance(b, a.center_W), r_a + distance);
}

}  // namespace csim
