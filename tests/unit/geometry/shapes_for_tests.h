// Meshes and bodies that several geometry and contact tests use.
#pragma once

#include <cmath>
#include <memory>
#include <numbers>
#include <random>
#include <vector>

#include "core/rigid_transform.h"
#include "geometry/load_shape.h"
#include "geometry/shape.h"

namespace csim::testing {

inline Vector3 random_vector(std::mt19937* rng, double extent) {
  std::uniform_real_distribution<double> uniform(-extent, extent);
  const double x = uniform(*rng), y = uniform(*rng), z = uniform(*rng);
  return {x, y, z};
}

inline RigidTransform random_pose(std::mt19937* rng, double extent) {
  std::normal_distribution<double> normal;
  const double w = normal(*rng), x = normal(*rng), y = normal(*rng), z = normal(*rng);
  return {Quaternion(w, x, y, z).normalized(), random_vector(rng, extent)};
}

/// The surface of a box as twelve triangles.
inline TriangleMesh box_mesh(const Vector3& size) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i) {
    mesh.vertices.emplace_back(0.5 * size.x() * (i & 1 ? 1 : -1), 0.5 * size.y() * (i & 2 ? 1 : -1),
                               0.5 * size.z() * (i & 4 ? 1 : -1));
  }
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  mesh.closed = true;
  return mesh;
}

inline Mesh make_mesh(TriangleMesh mesh) {
  return {std::make_shared<const TriangleMesh>(std::move(mesh))};
}

inline Convex make_convex(const std::vector<Vector3>& points) {
  return {std::make_shared<const ConvexPolytope>(convex_hull(points).value.value())};
}

}  // namespace csim::testing
