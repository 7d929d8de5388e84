// Meshes with FCL's trees: the same triangles as by looking at each, the same contacts as with our tree.
#include <gtest/gtest.h>

#include <algorithm>

#include "contact/mesh/mesh_contacts.h"
#include "contact/mesh/mesh_pair.h"
#include "unit/contact/fcl_engine.h"
#include "unit/contact/mesh_points_for_tests.h"
#include "unit/contact/meshes_for_tests.h"

namespace csim {
namespace {

using testing::ball_mesh;
using testing::box_mesh;
using testing::make_convex;
using testing::random_pose;
using testing::random_terrain;
using testing::random_vector;
using testing::subdivided;

using EngineTriangles = test::WithFcl;

std::vector<std::shared_ptr<const TriangleMesh>> meshes() {
  std::mt19937 rng(81);
  const auto hills = [](double x, double y) { return 0.1 * std::sin(4.0 * x) * std::cos(3.0 * y); };
  return {std::make_shared<const TriangleMesh>(random_terrain(16, 0.6, &rng, hills)),
          std::make_shared<const TriangleMesh>(ball_mesh(0.3, 3)),
          std::make_shared<const TriangleMesh>(subdivided(box_mesh(Vector3(0.5, 0.4, 0.3)), 2)),
          std::make_shared<const TriangleMesh>(testing::ring_mesh(12, 0.15, 0.3, 0.1))};
}

void expect_same_bits(const std::vector<ManifoldPoint>& x, const std::vector<ManifoldPoint>& y) {
  ASSERT_EQ(x.size(), y.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(x[i].feature, y[i].feature);
    EXPECT_EQ(x[i].p_a, y[i].p_a);
    EXPECT_EQ(x[i].normal, y[i].normal);
    EXPECT_EQ(x[i].phi, y[i].phi);
  }
}

// None is missing of those with a corner inside, none is there twice.
TEST_F(EngineTriangles, NearABox) {
  std::mt19937 rng(82);
  for (const auto& mesh : meshes()) {
    const auto search = engine_->make_triangle_search(*mesh);
    std::vector<int> found;
    int corners = 0, all = 0;
    for (int trial = 0; trial < 200; ++trial) {
      const RigidTransform X_MO = random_pose(&rng, 0.3);
      Aabb box;
      box.add(random_vector(&rng, 0.2));
      box.add(random_vector(&rng, 0.2));
      search->find_near(X_MO, box, &found);
      std::sort(found.begin(), found.end());
      EXPECT_EQ(std::adjacent_find(found.begin(), found.end()), found.end());
      for (int t = 0; t < static_cast<int>(mesh->triangles.size()); ++t) {
        const auto& corner = mesh->triangles[t];
        const bool inside = std::any_of(corner.begin(), corner.end(), [&](int v) {
          return box.squared_distance(X_MO.inverse_times(mesh->vertices[v])) == 0.0;
        });
        if (!inside) continue;
        ++corners;
        EXPECT_TRUE(std::binary_search(found.begin(), found.end(), t)) << trial;
      }
      all += static_cast<int>(found.size());
    }
    EXPECT_GT(corners, 100);
    EXPECT_LT(all, 200 * static_cast<int>(mesh->triangles.size()) / 2);  // it is a search
  }
}

TEST_F(EngineTriangles, OfTwoMeshes) {
  std::mt19937 rng(83);
  constexpr double kDistance = 0.05;
  const auto all = meshes();
  for (std::size_t m = 0; m < all.size(); ++m) {
    const TriangleMesh &a = *all[m], &b = *all[(m + 1) % all.size()];
    const auto search_a = engine_->make_triangle_search(a), search_b = engine_->make_triangle_search(b);
    std::vector<std::array<int, 2>> found;
    int near = 0;
    for (int trial = 0; trial < 20; ++trial) {
      const RigidTransform X_AB = random_pose(&rng, 0.3);
      search_a->find_pairs(*search_b, X_AB, kDistance, &found);
      std::sort(found.begin(), found.end());
      EXPECT_EQ(std::adjacent_find(found.begin(), found.end()), found.end());
      // Corners that are near each other, the distance of which bounds that of their triangles.
      for (int i = 0; i < static_cast<int>(a.triangles.size()); ++i) {
        for (int j = 0; j < static_cast<int>(b.triangles.size()); ++j) {
          const bool meet = std::any_of(a.triangles[i].begin(), a.triangles[i].end(), [&](int v) {
            return std::any_of(b.triangles[j].begin(), b.triangles[j].end(), [&](int w) {
              return (X_AB * b.vertices[w] - a.vertices[v]).norm() < kDistance;
            });
          });
          if (!meet) continue;
          ++near;
          EXPECT_TRUE(std::binary_search(found.begin(), found.end(), std::array<int, 2>{i, j})) << trial;
        }
      }
    }
    EXPECT_GT(near, 20) << m;
  }
}

TEST_F(EngineTriangles, GiveTheContactsOfOurTree) {
  std::mt19937 rng(84);
  const std::vector<Shape> shapes{Sphere{0.1},
                                  Box{Vector3(0.2, 0.1, 0.15)},
                                  Capsule{0.05, 0.2},
                                  Cylinder{0.08, 0.2},
                                  Ellipsoid{Vector3(0.1, 0.06, 0.08)},
                                  make_convex({{0.1, 0, 0}, {-0.1, 0.1, 0}, {-0.1, -0.1, 0}, {0, 0, 0.15}}),
                                  HalfSpace{}};
  const auto all = meshes();
  int contacts = 0;
  for (std::size_t m = 0; m < all.size(); ++m) {
    const MeshSurface ours(all[m]), theirs(all[m], engine_->make_triangle_search(*all[m]));
    MeshQuery query;
    std::vector<ManifoldPoint> expected, found;
    for (const Shape& shape : shapes) {
      for (int trial = 0; trial < 15; ++trial) {
        const RigidTransform X_WM = random_pose(&rng, 0.1);
        RigidTransform X_WS = random_pose(&rng, 0.3);
        // To an overlap of 1 mm. (Of a deep one our wider boxes may find one more of many points.)
        for (int k = 0; k < 4; ++k) {
          query.find(ours, X_WM, shape, X_WS, 0.02, &expected);
          const auto deepest = std::min_element(expected.begin(), expected.end(),
                                                [](const auto& x, const auto& y) { return x.phi < y.phi; });
          if (deepest != expected.end()) X_WS.p -= (deepest->phi + 1e-3) * deepest->normal;
        }
        query.find(ours, X_WM, shape, X_WS, 0.02, &expected);
        query.find(theirs, X_WM, shape, X_WS, 0.02, &found);
        expect_same_bits(found, expected);
        contacts += static_cast<int>(found.size());
      }
    }
    const auto& other = all[(m + 1) % all.size()];
    const MeshSurface our_other(other), their_other(other, engine_->make_triangle_search(*other));
    MeshPairQuery pair_query;
    for (int trial = 0; trial < 40; ++trial) {
      const RigidTransform X_WA = random_pose(&rng, 0.1), X_WB = random_pose(&rng, 0.3);
      pair_query.find(ours, X_WA, our_other, X_WB, 0.005, &expected);
      pair_query.find(theirs, X_WA, their_other, X_WB, 0.005, &found);
      expect_same_bits(found, expected);
      contacts += static_cast<int>(found.size());
    }
  }
  EXPECT_GT(contacts, 1000);
}

}  // namespace
}  // namespace csim
