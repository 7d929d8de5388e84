// Triangles to samples of a picture: which triangle is seen where, and how far away. Of our own: Debian's
// software renderer (OSMesa) loads LLVM, and cairo has no depth buffer.
#pragma once

#include <cmath>
#include <vector>

#include "core/rigid_transform.h"
#include "view/surface.h"

namespace csim {

/// A surface somewhere.
struct RasterItem {
  const Surface* surface;
  RigidTransform X_WG;
  Vector3 scale;  // as in Surface

  [[nodiscard]] Vector3 vertex(int v) const { return X_WG * surface->vertices[v].cwiseProduct(scale).eval(); }
};

/// A camera, or with `focal` = 0 a parallel projection (a light's view).
struct RasterCamera {
  Matrix3 axes;      // right, up, back; columns, in the world
  Vector3 position;  // m, world; parallel: the middle of the picture
  double focal;      // samples: width of a metre at one metre's distance
  double scale;      // parallel: samples per metre
  int width, height;

  /// Ray through the middle of sample (i, j), from position; its part along -back is 1. Perspective only.
  [[nodiscard]] Vector3 ray(int i, int j) const;
  /// Sample coordinates and nearness of a world point.
  [[nodiscard]] Vector3 project(const Vector3& p_W) const;
};

/// Rows of a picture, first to last - 1.
struct RowBand {
  int first, last;
};

/// The samples of a band of rows, row by row. Nearness: 1/distance along the view for a camera, minus the
/// distance for a parallel projection.
struct RasterLayer {
  static constexpr float kEmpty = -3.0e38F;
  std::vector<float> nearness;
  std::vector<int> item, triangle;  // -1: nothing

  [[nodiscard]] bool covered(std::size_t sample) const { return item[sample] >= 0; }
};

/// Whether what has nearness `a` is seen before what has `b`. Faces in one plane differ by round-off and by
/// what a solver leaves of the poses of bodies at rest, which would choose between them sample by sample:
/// neither is in front.
[[nodiscard]] inline bool is_in_front(float a, float b) {
  constexpr float kOnePlane = 2e-6F;  // of the distance; a float has 6e-8
  return a > b + kOnePlane * std::abs(b);
}

/// Draws the items in the rows of the band; of two at one sample the nearer stays, and the first where
/// neither is in front. A sample belongs to a triangle when its middle does.
[[nodiscard]] RasterLayer rasterise(const std::vector<RasterItem>& items, const RasterCamera& camera,
                                    RowBand band);

/// The same in all rows.
[[nodiscard]] inline RasterLayer rasterise(const std::vector<RasterItem>& items, const RasterCamera& camera) {
  return rasterise(items, camera, {0, camera.height});
}

}  // namespace csim
