// Small scenes to look at.
#pragma once

#include "view/view_scene.h"

namespace csim {

inline RigidTransform at(double x, double y, double z) {
  return RigidTransform(Vector3(x, y, z));
}

/// A ball of radius 0.1 that moves from (0, 0, 0.1) to (1, 0, 0.1) in eleven frames above a half space.
inline ViewScene rolling_ball() {
  ViewScene scene;
  scene.name = "ball";
  scene.bodies = {{"ground", false}, {"ball", true}};
  scene.bodies[1].free = true;
  scene.surfaces = {sphere_surface(32), box_surface()};
  scene.parts = {{"ball/shell", 1, 0, {}, Vector3::Constant(0.1)}};
  scene.planes = {{"ground/plane", 0, {}}};
  for (int f = 0; f <= 10; ++f) scene.frames.push_back({0.1 * f, {{}, at(0.1 * f, 0, 0.1)}, {}});
  return scene;
}

/// Adds a fixed box.
inline void add_box(ViewScene* scene, const Vector3& middle, const Vector3& size) {
  scene->parts.push_back({"ground/box", 0, 1, RigidTransform(middle), size});
}

}  // namespace csim
