#include "contact/search/collision_body.h"

#include <algorithm>
#include <cmath>

namespace csim {

namespace {

/// Below this number of geometries looking at each is as fast as a tree.
constexpr std::size_t kTreeFrom = 12;

/// Squared distance of a ball's centre (world) from the box of g.
double squared_distance(const PlacedGeometry& g, const Vector3& center_W) {
  return g.geometry->box_G.squared_distance(g.X_WG.inverse_times(center_W));
}

bool same(const Sphere& a, const Sphere& b) {
  return a.radius == b.radius;
}
bool same(const Box& a, const Box& b) {
  return a.size == b.size;
}
bool same(const Cylinder& a, const Cylinder& b) {
  return a.radius == b.radius && a.length == b.length;
}
bool same(const Capsule& a, const Capsule& b) {
  return a.radius == b.radius && a.length == b.length;
}
bool same(const Ellipsoid& a, const Ellipsoid& b) {
  return a.semi_axes == b.semi_axes;
}
bool same(const HalfSpace&, const HalfSpace&) {
  return true;
}
bool same(const Convex& a, const Convex& b) {
  return a.polytope == b.polytope;
}
bool same(const Mesh& a, const Mesh& b) {
  return a.mesh == b.mesh;
}

bool same(const Shape& a, const Shape& b) {
  return a.index() == b.index() &&
         std::visit([&](const auto& x) { return same(x, std::get<std::decay_t<decltype(x)>>(b)); }, a);
}

/// The same prepared mesh, or half spaces with the same constants.
bool same(const std::optional<PatchGeometry>& a, const std::optional<PatchGeometry>& b) {
  if (!a || !b) return !a && !b;
  if (a->index() != b->index()) return false;
  if (const auto* half_space = std::get_if<CompliantHalfSpace>(&*a)) {
    const auto& other = std::get<CompliantHalfSpace>(*b);
    return half_space->slope == other.slope && half_space->margin == other.margin;
  }
  if (const auto* field = std::get_if<std::shared_ptr<const PreparedField>>(&*a))
    return *field == std::get<std::shared_ptr<const PreparedField>>(*b);
  if (const auto* surface = std::get_if<std::shared_ptr<const PreparedSurface>>(&*a))
    return *surface == std::get<std::shared_ptr<const PreparedSurface>>(*b);
  return true;
}

}  // namespace

CollisionShapes::CollisionShapes(std::vector<CollisionGeometry> geometries)
    : geometries_(std::move(geometries)) {
  bool bounded = true;
  for (const CollisionGeometry& g : geometries_) {
    boxes_.push_back(g.box_G.bounded() ? transformed(g.X_BG, g.box_G) : everything());
    box_.add(boxes_.back());
    bounded = bounded && g.box_G.bounded();
    radius_ = std::max(radius_, g.ball_B.center.norm() + g.ball_B.radius);
  }
  const Vector3 middle = bounded ? Vector3(box_.center()) : Vector3::Zero();
  for (const CollisionGeometry& g : geometries_)
    half_width_ = std::max(half_width_, (g.ball_B.center - middle).norm() + g.ball_B.radius);
  if (bounded && geometries_.size() >= kTreeFrom) tree_.build(boxes_);
}

bool CollisionShapes::equals(const std::vector<CollisionGeometry>& geometries) const {
  return std::equal(geometries_.begin(), geometries_.end(), geometries.begin(), geometries.end(),
                    [](const CollisionGeometry& a, const CollisionGeometry& b) {
                      return a.pair_class == b.pair_class && a.X_BG.p == b.X_BG.p && a.X_BG.R == b.X_BG.R &&
                             same(a.shape, b.shape) && same(a.patch, b.patch);
                    });
}

void CollisionShapes::collect(const Aabb& box_B, std::vector<int>* near) const {
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

bool may_touch(const PlacedGeometry& a, const PlacedGeometry& b, double distance) {
  const auto within = [](double squared_gap, double reach) {
    return reach >= 0.0 && squared_gap <= reach * reach;
  };
  const double r_a = a.geometry->ball_B.radius, r_b = b.geometry->ball_B.radius;
  if (!a.geometry->is_ball && std::isfinite(r_b) &&
      !within(squared_distance(a, b.center_W), r_b + distance)) {
    return false;
  }
  return b.geometry->is_ball || !std::isfinite(r_a) ||
         within(squared_distance(b, a.center_W), r_a + distance);
}

}  // namespace csim
