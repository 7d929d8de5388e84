// The rasteriser against closed forms and ray casting.
#include "view/raster.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <tuple>

#include "view/framing.h"

namespace csim {
namespace {

RasterCamera camera_at(const Vector3& position, const Vector3& back, int width, int height) {
  return {camera_axes(back.normalized()), position, 1.2 * height, 0.0, width, height};
}

long covered(const RasterLayer& layer) {
  return std::count_if(layer.item.begin(), layer.item.end(), [](int item) { return item >= 0; });
}

TEST(RasterTest, SilhouetteOfASphere) {
  // A sphere of radius R at distance d is seen as a disc of radius focal R / sqrt(d^2 - R^2).
  const Surface sphere = sphere_surface(256);
  const double R = 0.3, d = 2.0;
  const RasterCamera camera = camera_at({0, -d, 0}, {0, -1, 0}, 640, 480);
  const RasterLayer layer = rasterise({{&sphere, {}, Vector3::Constant(R)}}, camera);
  const double radius = camera.focal * R / std::sqrt(d * d - R * R);
  // Samples along the rim fall on either side: of 560 of them by chance a few dozen; the polygon lacks 1e-4.
  EXPECT_NEAR(static_cast<double>(covered(layer)), std::numbers::pi * radius * radius, 60.0);
  // The nearest point of the sphere stands in the middle, d - R away.
  EXPECT_NEAR(*std::max_element(layer.nearness.begin(), layer.nearness.end()), 1.0 / (d - R), 1e-4);
}

TEST(RasterTest, ParallelViewOfABox) {
  const Surface box = box_surface();
  RasterCamera light{camera_axes(Vector3::UnitY()), {0, 0, 0}, 0.0, 100.0, 200, 200};
  const RasterLayer layer = rasterise({{&box, RigidTransform(Vector3(0, 3, 0)), {0.8, 0.2, 0.4}}}, light);
  EXPECT_EQ(covered(layer), 80 * 40);
  // Its face towards the light lies at y = 3.1.
  EXPECT_NEAR(layer.nearness[100 * 200 + 100], 3.1, 1e-6);
}

TEST(RasterTest, TheNearerOfTwoIsSeenWhateverTheirOrder) {
  const Surface box = box_surface();
  const RasterItem near{&box, RigidTransform(Vector3(0, -0.5, 0)), {0.2, 0.1, 0.2}};
  const RasterItem far{&box, RigidTransform(Vector3(0, 0.5, 0)), {0.8, 0.1, 0.8}};
  const RasterCamera camera = camera_at({0, -2, 0}, {0, -1, 0}, 101, 101);
  const RasterLayer a = rasterise({near, far}, camera), b = rasterise({far, near}, camera);
  const std::size_t middle = 50 * 101 + 50, beside = 50 * 101 + 64;
  EXPECT_EQ(a.item[middle], 0);
  EXPECT_EQ(b.item[middle], 1);
  EXPECT_EQ(a.item[beside], 1);
  EXPECT_EQ(b.item[beside], 0);
  EXPECT_NEAR(a.nearness[middle], 1.0 / 1.45, 1e-6);
  EXPECT_NEAR(a.nearness[beside], 1.0 / 2.45, 1e-6);
}

TEST(RasterTest, OfFacesInOnePlaneTheFirstIsSeenEverywhere) {
  // Boxes of other sizes and turns whose tops lie in one plane, which stands askew in the world. One leans by
  // 2e-7, as bodies at rest do by the tolerance of a solver: at 0.3 m that is 6e-8 m, at a distance of 2 m.
  const Surface box = box_surface();
  const RigidTransform X_WT(Quaternion(Eigen::AngleAxisd(0.7, Vector3(0.3, 0.5, 0.8).normalized())),
                            Vector3(0.1, 0.2, 0.3));
  const auto under_the_plane = [&](double turn, double lean, const Vector3& size) {
    const RigidTransform X_TB(Quaternion(Eigen::AngleAxisd(turn, Vector3::UnitZ())),
                              Vector3(0, 0, -0.5 * size.z()));
    const RigidTransform leaning(Quaternion(Eigen::AngleAxisd(lean, Vector3::UnitX())), Vector3::Zero());
    return RasterItem{&box, X_WT * leaning * X_TB, size};
  };
  const RasterItem one = under_the_plane(0.3, 0.0, {0.61, 0.37, 0.13}),
                   other = under_the_plane(1.1, 2e-7, {0.53, 0.47, 0.29});
  const Vector3 up = X_WT.R.col(2), back = (up + Vector3(0.2, -0.6, 0.1)).normalized();
  const RasterCamera camera = camera_at(X_WT.p + 2.0 * back, back, 400, 300);
  // Where both tops are seen alone, and nothing else.
  const auto tops = [&](const RasterItem& item) {
    const RasterLayer layer = rasterise({item}, camera);
    std::vector<char> seen;
    for (std::size_t s = 0; s < layer.item.size(); ++s)
      seen.push_back(layer.covered(s) &&
                     item.surface->normals[item.surface->triangles[layer.triangle[s]][0]].z() == 1.0);
    return seen;
  };
  const std::vector<char> top_of_one = tops(one), top_of_other = tops(other);
  for (const auto& items : {std::vector{one, other}, std::vector{other, one}}) {
    const RasterLayer layer = rasterise(items, camera);
    int shared = 0;
    for (std::size_t s = 0; s < layer.item.size(); ++s) {
      if (!top_of_one[s] || !top_of_other[s]) continue;
      ++shared;
      ASSERT_EQ(layer.item[s], 0) << s;
    }
    EXPECT_GT(shared, 3000);
  }
}

TEST(RasterTest, AFloorThatReachesBehindTheCamera) {
  const Surface box = box_surface();
  const RasterItem floor{&box, RigidTransform(Vector3(0, 0, -0.5)), {40, 40, 1}};
  const RasterCamera camera = camera_at({1, -2, 1.5}, {0.3, -1, 0.4}, 160, 120);
  const RasterLayer layer = rasterise({floor}, camera);
  for (int j = 0; j < camera.height; ++j) {
    for (int i = 0; i < camera.width; ++i) {
      const Vector3 ray = camera.ray(i, j);
      const Vector3 foot = camera.position - camera.position.z() / ray.z() * ray;
      const bool meets = ray.z() < 0.0 && foot.head<2>().cwiseAbs().maxCoeff() < 19.9;
      if (!meets) continue;
      const auto sample = static_cast<std::size_t>(j) * camera.width + i;
      ASSERT_TRUE(layer.covered(sample)) << i << " " << j;
      // Distance along the view: the ray's own unit.
      ASSERT_NEAR(layer.nearness[sample] * (-camera.position.z() / ray.z()), 1.0, 1e-5);
    }
  }
}

TEST(RasterTest, AsRaysShotOneByOne) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<Surface> triangles(40);
  std::vector<RasterItem> items;
  for (Surface& triangle : triangles) {
    for (int k = 0; k < 3; ++k) {
      triangle.vertices.emplace_back(uniform(random), uniform(random), uniform(random));
      triangle.normals.push_back(Vector3::UnitZ());
    }
    triangle.triangles = {{0, 1, 2}};
    items.push_back({&triangle, {}, Vector3::Ones()});
  }
  const RasterCamera camera = camera_at({0.4, -0.7, 0.5}, {0.4, -1, 0.5}, 120, 90);
  const RasterLayer layer = rasterise(items, camera);
  int compared = 0;
  for (int j = 0; j < camera.height; ++j) {
    for (int i = 0; i < camera.width; ++i) {
      const Vector3 ray = camera.ray(i, j);
      double nearest = INFINITY;
      int item = -1;
      bool at_an_edge = false;
      for (std::size_t k = 0; k < items.size(); ++k) {
        // position + t ray = A + s u + r v.
        const auto& [A, B, C] =
            std::tie(triangles[k].vertices[0], triangles[k].vertices[1], triangles[k].vertices[2]);
        Matrix3 M;
        M << ray, A - B, A - C;
        const Vector3 x = M.partialPivLu().solve(A - camera.position);
        const double inside = std::min({x[1], x[2], 1.0 - x[1] - x[2]});
        if (x[0] <= 0.0) continue;
        at_an_edge = at_an_edge || std::abs(inside) < 1e-7;
        if (inside >= 0.0 && x[0] < nearest) {
          nearest = x[0];
          item = static_cast<int>(k);
        }
      }
      if (at_an_edge) continue;
      ++compared;
      ASSERT_EQ(layer.item[static_cast<std::size_t>(j) * camera.width + i], item) << i << " " << j;
    }
  }
  EXPECT_GT(compared, 10000);
  // A band of rows is a part of the whole.
  const RasterLayer band = rasterise(items, camera, {17, 40});
  const auto first = layer.item.begin() + 17 * camera.width, last = layer.item.begin() + 40 * camera.width;
  EXPECT_EQ(band.item, std::vector<int>(first, last));
}

TEST(RasterTest, ProjectionUndoesTheRay) {
  const RasterCamera camera = camera_at({1, 2, 3}, {1, 1, 1}, 64, 48);
  const Vector3 place = camera.project(camera.position + 2.5 * camera.ray(11, 40));
  EXPECT_NEAR(place.x(), 11.0, 1e-10);
  EXPECT_NEAR(place.y(), 40.0, 1e-10);
  EXPECT_NEAR(place.z(), 1.0 / 2.5, 1e-12);
}

}  // namespace
}  // namespace csim
