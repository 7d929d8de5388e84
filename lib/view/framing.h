// Where to look from: the first view of the page and the view of a still are the same.
#pragma once

#include <vector>

#include "view/view_scene.h"

namespace csim {

/// A view of what moves. The world's z points up.
struct Framing {
  Vector3 lower, upper;   // m, world: the box to be seen
  Vector3 target;         // its middle, or what the scene's camera looks at
  Vector3 direction;      // unit, from the target to the camera
  double zoom = 1.0;      // 2: from half the distance
  double radius = 1.0;    // m, half the box's diagonal
  double grid = 0.1;      // m, spacing of grid lines: 1, 2 or 5 times a power of ten
  double largest_force;   // N: a force that is seldom exceeded; its arrow is 0.36 radii long
  double largest_moment;  // N m: the same for moments of patches
  /// m: lengths and widths of arrows go by it, so that they are the same on the picture at every zoom.
  [[nodiscard]] double arrow_radius() const { return radius / zoom; }

  std::vector<Vector3> points;  // m, world: samples of where bodies move within the box, for hides()
};

constexpr double kFieldOfView = 30.0;  // degrees, vertical

/// The box holds the moving bodies at nearly all times and the fixed surfaces that are not much larger than
/// that; of a body that goes far away while others stay, the first stretch of its way alone. The camera
/// stands above every half space. It looks from the same side as at the scene before it runs: the first frame
/// alone decides on that. What ViewScene::camera says goes first.
[[nodiscard]] Framing frame_scene(const ViewScene& scene);

/// Distance of the camera from the target: the least at which the box fits into a picture `aspect` times as
/// wide as high, over the zoom.
[[nodiscard]] double camera_distance(const Framing& framing, double aspect);

/// Whether a part hides what moves from a camera: a fifth of `points` lies behind it. X_WG: pose of its
/// frame.
[[nodiscard]] bool hides(const Surface& surface, const RigidTransform& X_WG, const Vector3& scale,
                         const Vector3& camera, const std::vector<Vector3>& points);

/// Axes of a camera at `direction` from its target: right, up, back; columns, in the world.
[[nodiscard]] Matrix3 camera_axes(const Vector3& direction);

/// 1, 2 or 5 times a power of ten, at most `length` (> 0).
[[nodiscard]] double round_length(double length);

}  // namespace csim
