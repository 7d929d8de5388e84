#include "contact/mesh/mesh_surface.h"

#include <gtest/gtest.h>

#include <random>

#include "unit/contact/mesh_points_for_tests.h"
#include "unit/contact/meshes_for_tests.h"

namespace csim {
namespace {

using testing::box_mesh;
using testing::make_surface;
using testing::random_vector;

/// `count` unit cubes around the z axis, each in a quadrant, with one edge in common whose vertices they
/// share.
TriangleMesh cubes_around_an_edge(const std::vector<int>& quadrants) {
  TriangleMesh all;
  all.closed = true;
  const TriangleMesh cube = box_mesh(Vector3::Ones());
  for (const int quadrant : quadrants) {
    const Vector3 center((quadrant == 0 || quadrant == 3) ? 0.5 : -0.5, quadrant < 2 ? 0.5 : -0.5, 0.0);
    std::vector<int> index;
    for (const Vector3& v : cube.vertices) {
      const Vector3 p = v + center;
      int found = -1;
      for (std::size_t i = 0; i < all.vertices.size(); ++i)
        if ((all.vertices[i] - p).norm() < 1e-12) found = static_cast<int>(i);
      if (found < 0) {
        found = static_cast<int>(all.vertices.size());
        all.vertices.push_back(p);
      }
      index.push_back(found);
    }
    for (const auto& t : cube.triangles) all.triangles.push_back({index[t[0]], index[t[1]], index[t[2]]});
  }
  return all;
}

/// Where two parts of a solid touch in an edge, this is a convex edge of each, with the triangles of that
/// part alone; the inside is that of the two.
TEST(MeshSurface, AnEdgeThatPartsShareIsOneOfEach) {
  const MeshSurface surface = make_surface(cubes_around_an_edge({0, 2}));
  int num_shared = 0;
  for (int t = 0; t < 24; ++t) {
    for (int i = 0; i < 3; ++i) {
      const SurfaceEdge& edge = surface.edge(surface.edge_of(t, i));
      ASSERT_GE(edge.triangle[1], 0);
      EXPECT_EQ(edge.triangle[0] / 12, edge.triangle[1] / 12);  // of one cube
      EXPECT_NE(edge.kind, EdgeKind::kBorder);
      const Vector3 p = surface.vertex(edge.vertex[0]), q = surface.vertex(edge.vertex[1]);
      if (p.head<2>().norm() > 1e-12 || q.head<2>().norm() > 1e-12) continue;
      EXPECT_EQ(edge.kind, EdgeKind::kConvex);
      ++num_shared;
    }
  }
  EXPECT_EQ(num_shared, 4);
  std::mt19937 rng(91);
  for (int k = 0; k < 3000; ++k) {
    const Vector3 p = k % 2 ? random_vector(&rng, 1.5) : random_vector(&rng, 0.01);
    const bool inside = std::abs(p.z()) < 0.5 && p.cwiseAbs().maxCoeff() < 1.0 && p.x() * p.y() > 0.0;
    EXPECT_EQ(surface.holds(p, 0.0), inside) << p.transpose();
  }
}

}  // namespace
}  // namespace csim
