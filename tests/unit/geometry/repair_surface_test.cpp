#include "geometry/repair_surface.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "geometry/mass_properties.h"
#include "geometry/surface_lists.h"
#include "geometry/triangle_sides.h"
#include "unit/geometry/shapes_for_tests.h"

namespace csim {
namespace {

using testing::box_mesh;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

SurfaceData data_of(const TriangleMesh& mesh) {
  SurfaceData surface;
  surface.vertices = mesh.vertices;
  surface.triangles = mesh.triangles;
  surface.place.resize(mesh.triangles.size(), 1);
  surface.place_word = "line";
  return surface;
}

double volume_of(const SurfaceData& surface) {
  TriangleMesh mesh;
  mesh.vertices = surface.vertices;
  mesh.triangles = surface.triangles;
  mesh.closed = is_closed(mesh.triangles);
  return volume(Mesh{std::make_shared<TriangleMesh>(mesh)});
}

const Vector3 kSize(0.1, 0.2, 0.3);
const double kVolume = 0.006;

TEST(RepairSurface, ASoundOneStays) {
  SurfaceData surface = data_of(box_mesh(kSize));
  EXPECT_THAT(repair_surface(1e-7, &surface), IsEmpty());
  EXPECT_EQ(surface.triangles, box_mesh(kSize).triangles);
}

TEST(RepairSurface, VerticesOfAPlaceAreMergedAndUnusedOnesLeftOut) {
  SurfaceData surface = data_of(box_mesh(kSize));
  const SurfaceData whole = surface;
  surface.vertices.clear();
  for (auto& triangle : surface.triangles) {
    for (int& v : triangle) {
      surface.vertices.push_back(whole.vertices[v] +
                                 Vector3(1e-9, -1e-9, 1e-9) * (surface.vertices.size() % 3));
      v = static_cast<int>(surface.vertices.size()) - 1;
    }
  }
  surface.vertices.emplace_back(5, 5, 5);
  EXPECT_THAT(repair_surface(1e-7, &surface),
              ElementsAre("left out 1 vertex that no triangle uses", HasSubstr("merged 28 vertices")));
  EXPECT_EQ(surface.vertices.size(), 8u);
  EXPECT_NEAR(volume_of(surface), kVolume, 1e-9);
}

TEST(RepairSurface, CopiesOfTrianglesGo) {
  SurfaceData surface = data_of(box_mesh(kSize));
  surface.triangles.push_back(surface.triangles[3]);  // the same again
  surface.triangles.push_back({0, 1, 6});             // two that face each other
  surface.triangles.push_back({1, 0, 6});
  surface.place.resize(15, 1);
  EXPECT_THAT(repair_surface(1e-7, &surface), ElementsAre("left out 3 triangles that covered others"));
  EXPECT_NEAR(volume_of(surface), kVolume, 1e-15);
}

/// One face of the box is cut finely, its neighbours are not.
TEST(RepairSurface, VerticesOnOpenEdgesAreStitched) {
  SurfaceData surface = data_of(box_mesh(kSize));
  // The top, vertices 4, 5, 7, 6, as a fan around its centre with the quarter points of one side.
  surface.triangles.erase(surface.triangles.begin() + 2, surface.triangles.begin() + 4);
  const Vector3 p = surface.vertices[4], q = surface.vertices[5];
  const int first = static_cast<int>(surface.vertices.size());
  for (const double s : {0.25, 0.5, 0.75}) surface.vertices.push_back(p + s * (q - p) + Vector3(0, 1e-9, 0));
  surface.vertices.emplace_back(0, 0, 0.15);
  const int loop[] = {4, first, first + 1, first + 2, 5, 7, 6};
  for (int i = 0; i < 7; ++i) surface.triangles.push_back({loop[i], loop[(i + 1) % 7], first + 3});
  surface.place.assign(surface.triangles.size(), 1);
  EXPECT_FALSE(is_closed(surface.triangles));
  EXPECT_THAT(repair_surface(1e-7, &surface), ElementsAre(HasSubstr("cut triangles at 3 vertices")));
  EXPECT_TRUE(is_closed(surface.triangles));
  EXPECT_NEAR(volume_of(surface), kVolume, 1e-9);
}

TEST(RepairSurface, TrianglesAndComponentsAreTurnedOutwards) {
  std::mt19937 rng(5);
  SurfaceData surface = data_of(box_mesh(kSize));
  for (const Vector3& v : box_mesh(kSize).vertices) surface.vertices.push_back(v + Vector3(1, 0, 0));
  for (const auto& t : box_mesh(kSize).triangles) surface.triangles.push_back({t[1] + 8, t[0] + 8, t[2] + 8});
  std::swap(surface.triangles[4][0], surface.triangles[4][1]);
  std::swap(surface.triangles[7][0], surface.triangles[7][1]);
  surface.place.assign(24, 1);
  EXPECT_THAT(repair_surface(1e-7, &surface), ElementsAre("turned 2 triangles to run like their neighbours",
                                                          "turned 1 closed component of 2 outwards"));
  EXPECT_NEAR(volume_of(surface), 2 * kVolume, 1e-15);
}

/// A shell within another that faces inwards is the wall of a cavity.
TEST(RepairSurface, ACavityStays) {
  SurfaceData surface = data_of(box_mesh(kSize));
  for (const Vector3& v : box_mesh(0.5 * kSize).vertices) surface.vertices.push_back(v);
  for (const auto& t : box_mesh(kSize).triangles) surface.triangles.push_back({t[1] + 8, t[0] + 8, t[2] + 8});
  surface.place.assign(24, 1);
  EXPECT_THAT(repair_surface(1e-7, &surface), ElementsAre("kept 1 cavity, whose triangles face inwards"));
  EXPECT_NEAR(volume_of(surface), kVolume * 7 / 8, 1e-15);
}

/// A strip with one side only stays as it is, and is told.
TEST(RepairSurface, AMoebiusStripCannotBeOriented) {
  SurfaceData surface;
  for (int i = 0; i < 5; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / 5;
    for (const double s : {-0.1, 0.1}) {
      const double r = 1.0 + s * std::cos(0.5 * angle);
      surface.vertices.emplace_back(r * std::cos(angle), r * std::sin(angle), s * std::sin(0.5 * angle));
    }
  }
  for (int i = 0; i < 5; ++i) {
    const int a = 2 * i, b = 2 * i + 1, c = i == 4 ? 1 : 2 * i + 2, d = i == 4 ? 0 : 2 * i + 3;
    surface.triangles.push_back({a, c, b});
    surface.triangles.push_back({b, c, d});
  }
  surface.place.assign(10, 1);
  EXPECT_THAT(repair_surface(1e-7, &surface), ElementsAre(HasSubstr("with one side only")));
}

}  // namespace
}  // namespace csim
