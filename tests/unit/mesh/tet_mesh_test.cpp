#include "mesh/tet_mesh.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace csim {
namespace {

using ::testing::ElementsAre;

/// Two tets on either side of the triangle 0 1 2.
TetMesh bipyramid() {
  TetMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -2}};
  mesh.tets = {{0, 1, 2, 3}, {0, 2, 1, 4}};
  return mesh;
}

TEST(TetMesh, VolumesFollowTheOrientation) {
  const TetMesh mesh = bipyramid();
  EXPECT_DOUBLE_EQ(tet_volume(mesh, 0), 1.0 / 6.0);
  EXPECT_DOUBLE_EQ(tet_volume(mesh, 1), 2.0 / 6.0);
  EXPECT_DOUBLE_EQ(volume(mesh), 0.5);
  TetMesh turned = mesh;
  std::swap(turned.tets[0][0], turned.tets[0][1]);
  EXPECT_DOUBLE_EQ(tet_volume(turned, 0), -1.0 / 6.0);
}

TEST(TetMesh, FacesLookOutward) {
  const TetMesh mesh = bipyramid();
  for (int tet = 0; tet < 2; ++tet) {
    for (int face = 0; face < 4; ++face) {
      const auto [a, b, c] = tet_face(mesh, tet, face).vertices;
      const Vector3 normal = (mesh.vertices[b] - mesh.vertices[a]).cross(mesh.vertices[c] - mesh.vertices[a]);
      EXPECT_LT(normal.dot(mesh.vertices[mesh.tets[tet][face]] - mesh.vertices[a]), 0.0);
    }
  }
}

TEST(TetMesh, Boundary) {
  const TetMesh mesh = bipyramid();
  EXPECT_TRUE(crowded_tets(mesh).empty());
  const auto boundary = boundary_faces(mesh);
  ASSERT_EQ(boundary.size(), 6u);
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(boundary[i].tet, i / 3);
    EXPECT_EQ(boundary[i].face, i % 3);
  }
  EXPECT_THAT(boundary_vertices(mesh), ElementsAre(true, true, true, true, true));
}

TEST(TetMesh, BoundarySurfaceLeavesInnerVerticesOut) {
  // A tet split at its centre, which stands in the middle of the list.
  TetMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0.25, 0.25, 0.25}, {0, 1, 0}, {0, 0, 1}};
  mesh.tets = {{2, 1, 3, 4}, {0, 2, 3, 4}, {0, 1, 2, 4}, {0, 1, 3, 2}};
  const TriangleMesh surface = boundary_surface(mesh);
  EXPECT_EQ(surface.vertices.size(), 4u);
  EXPECT_EQ(surface.triangles.size(), 4u);
  EXPECT_TRUE(surface.closed);
  // The divergence theorem gives the volume back: outward, and the right vertices.
  double six_volumes = 0.0;
  for (const auto& [a, b, c] : surface.triangles) {
    six_volumes += surface.vertices[a].dot(surface.vertices[b].cross(surface.vertices[c]));
  }
  EXPECT_NEAR(six_volumes, 1.0, 1e-15);
  EXPECT_THAT(boundary_vertices(mesh), ElementsAre(true, true, false, true, true));
}

TEST(TetMesh, ASurfaceWhosePartsTouchInAnEdgeIsClosed) {
  TetMesh mesh = bipyramid();
  mesh.vertices.push_back({0, -1, 1});  // a third tet that shares only the edge 0 1
  mesh.vertices.push_back({0, -1, -1});
  mesh.tets.push_back({0, 1, 5, 6});
  ASSERT_GT(tet_volume(mesh, 2), 0.0);
  EXPECT_TRUE(boundary_surface(mesh).closed);
}

}  // namespace
}  // namespace csim
