#include "unit/contact/fcl_broad_phase.h"

#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/narrowphase/collision_object.h>

#include <algorithm>

namespace csim::testing {

namespace {

/// An object whose box is given instead of computed from a shape.
class BoxObject : public fcl::CollisionObjectd {
 public:
  explicit BoxObject(const std::shared_ptr<fcl::CollisionGeometryd>& geometry)
      : fcl::CollisionObjectd(geometry) {}
  void set(const Aabb& box) { aabb = fcl::AABBd(box.lower, box.upper); }
  int index = 0;
};

}  // namespace

struct FclBroadPhase::Implementation {
  std::vector<std::unique_ptr<BoxObject>> objects;
  fcl::DynamicAABBTreeCollisionManagerd manager;
  std::vector<std::pair<int, int>> pairs;
};

FclBroadPhase::FclBroadPhase() : implementation_(std::make_unique<Implementation>()) {}
FclBroadPhase::~FclBroadPhase() = default;

const std::vector<std::pair<int, int>>& FclBroadPhase::find(const std::vector<Aabb>& boxes) {
  Implementation& self = *implementation_;
  if (self.objects.size() != boxes.size()) {
    self.manager.clear();
    self.objects.clear();
    const auto geometry = std::make_shared<fcl::Boxd>(1.0, 1.0, 1.0);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      self.objects.push_back(std::make_unique<BoxObject>(geometry));
      self.objects[i]->index = static_cast<int>(i);
      self.objects[i]->set(boxes[i]);
      self.manager.registerObject(self.objects[i].get());
    }
    self.manager.setup();
  } else {
    for (std::size_t i = 0; i < boxes.size(); ++i) self.objects[i]->set(boxes[i]);
    self.manager.update();
  }
  self.pairs.clear();
  self.manager.collide(&self.pairs, [](fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* data) {
    const int i = static_cast<BoxObject*>(a)->index, j = static_cast<BoxObject*>(b)->index;
    static_cast<std::vector<std::pair<int, int>>*>(data)->emplace_back(std::min(i, j), std::max(i, j));
    return false;
  });
  std::sort(self.pairs.begin(), self.pairs.end());
  return self.pairs;
}

}  // namespace csim::testing
