// Volumes of the surfaces against closed forms; normals against the triangles they belong to.
#include "view/surface.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace csim {
namespace {

constexpr double kPi = std::numbers::pi;

/// Divergence theorem: a sixth of the sum of the triangles' triple products; positive when they face
/// outwards.
double volume(const Surface& surface) {
  double sum = 0.0;
  for (const auto& [a, b, c] : surface.triangles) {
    sum += surface.vertices[a].dot(surface.vertices[b].cross(surface.vertices[c]));
  }
  return sum / 6.0;
}

/// Every normal is unit and within 60 degrees of every triangle that uses it.
void expect_normals_fit(const Surface& surface) {
  ASSERT_EQ(surface.vertices.size(), surface.normals.size());
  for (const Vector3& n : surface.normals) EXPECT_NEAR(n.norm(), 1.0, 1e-12);
  for (const auto& t : surface.triangles) {
    const Vector3& a = surface.vertices[t[0]];
    const Vector3 face = (surface.vertices[t[1]] - a).cross(surface.vertices[t[2]] - a);
    EXPECT_GT(face.norm(), 0.0);
    for (const int v : t) EXPECT_GT(surface.normals[v].dot(face), 0.5 * face.norm());
  }
}

TEST(SurfaceTest, VolumesAreThoseOfTheShapes) {
  // An inscribed polygon of 128 corners has an area of sin(x)/x, x = 2 pi / 128, of its circle: 4e-4 less;
  // the meridian of the sphere takes as much again, twice.
  EXPECT_NEAR(volume(box_surface()), 1.0, 1e-15);
  EXPECT_NEAR(volume(sphere_surface(128)) / (4.0 / 3.0 * kPi), 1.0, 1.3e-3);
  EXPECT_NEAR(volume(cylinder_surface(128)) / kPi, 1.0, 4.1e-4);
  EXPECT_NEAR(volume(capsule_surface(3.0, 128)) / (kPi * (3.0 + 4.0 / 3.0)), 1.0, 1.3e-3);
  EXPECT_NEAR(volume(cone_surface(128)) / (kPi / 3.0), 1.0, 4.1e-4);
}

TEST(SurfaceTest, NormalsFitTheTriangles) {
  for (const Surface& surface : {box_surface(), sphere_surface(48), cylinder_surface(48),
                                 capsule_surface(2.0, 48), cone_surface(48)}) {
    expect_normals_fit(surface);
  }
}

TEST(SurfaceTest, FlatFacesMeetAtAnEdge) {
  // A cube with shared corners: every corner is three vertices, one a face, whose normals are the faces'.
  const std::vector<Vector3> vertices{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},
                                      {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
  const std::vector<std::array<int, 3>> triangles{{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6},
                                                  {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                                  {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  const Surface cube = creased_surface(vertices, triangles);
  EXPECT_EQ(cube.vertices.size(), 24U);
  EXPECT_NEAR(volume(cube), 1.0, 1e-15);
  for (const Vector3& n : cube.normals) EXPECT_EQ(n.cwiseAbs().maxCoeff(), 1.0);
}

TEST(SurfaceTest, SmoothFacesShareTheirNormals) {
  // A sphere given as a mesh is shaded along its radii: its faces meet at 7.5 degrees.
  const Surface sphere = sphere_surface(48);
  const Surface again = creased_surface(sphere.vertices, sphere.triangles);
  expect_normals_fit(again);
  for (std::size_t v = 0; v < again.vertices.size(); ++v) {
    // At the seam a vertex knows the faces of one side alone: half a facet's turn.
    EXPECT_GT(again.normals[v].dot(again.vertices[v]), std::cos(7.5 * kPi / 180.0));
  }
}

TEST(SurfaceTest, FacesWithoutAreaAreLeftOut) {
  const Surface surface =
      creased_surface({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 1, 3}});
  EXPECT_EQ(surface.triangles.size(), 1U);
}

TEST(SurfaceTest, RadiusIsOfTheScaledShape) {
  EXPECT_NEAR(radius_of(box_surface(), {2, 3, 6}), 3.5, 1e-12);
  EXPECT_NEAR(radius_of(sphere_surface(48), {1, 2, 0.5}), 2.0, 1e-12);
}

}  // namespace
}  // namespace csim
