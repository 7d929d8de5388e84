#include "geometry/bounds.h"

#include <gtest/gtest.h>

#include "unit/geometry/shapes_for_tests.h"

namespace csim {
namespace {

using testing::box_mesh;
using testing::make_convex;
using testing::make_mesh;

TEST(Bounds, BoxesTouchTheShapesAndBallsHoldTheBoxesOrRoundShapes) {
  const Vector3 size(0.2, 0.4, 0.6);
  const std::vector<std::pair<Shape, Vector3>> cases{{Sphere{0.3}, Vector3::Constant(0.3)},
                                                     {Box{size}, size / 2},
                                                     {Cylinder{0.2, 0.6}, Vector3(0.2, 0.2, 0.3)},
                                                     {Capsule{0.2, 0.6}, Vector3(0.2, 0.2, 0.5)},
                                                     {Ellipsoid{size / 2}, size / 2},
                                                     {make_mesh(box_mesh(size)), size / 2},
                                                     {make_convex(box_mesh(size).vertices), size / 2}};
  const std::vector<double> radii{0.3, size.norm() / 2, std::hypot(0.2, 0.3), 0.5,
                                  0.3, size.norm() / 2, size.norm() / 2};
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Aabb box = bounding_box(cases[i].first);
    EXPECT_EQ(box.upper, cases[i].second) << i;
    EXPECT_EQ(box.lower, -cases[i].second) << i;
    EXPECT_DOUBLE_EQ(bounding_ball(cases[i].first).radius, radii[i]) << i;
  }
  EXPECT_FALSE(bounding_box(HalfSpace{}).bounded());
  EXPECT_EQ(bounding_box(HalfSpace{}).upper.z(), 0.0);
}

TEST(Bounds, DistanceOfAPointFromABox) {
  Aabb box;
  box.add(Vector3(0, 0, 0));
  box.add(Vector3(1, 2, 3));
  EXPECT_EQ(box.squared_distance(Vector3(0.5, 1, 2.9)), 0.0);
  EXPECT_EQ(box.squared_distance(Vector3(4, 2, 7)), 25.0);
  // Against the half space below z = 0 only the height counts.
  EXPECT_EQ(bounding_box(HalfSpace{}).squared_distance(Vector3(1e6, -4, 2)), 4.0);
}

TEST(Bounds, TurnedBoxHoldsItsCornersTightly) {
  std::mt19937 rng(5);
  for (int trial = 0; trial < 100; ++trial) {
    const RigidTransform X = testing::random_pose(&rng, 2.0);
    const TriangleMesh mesh = box_mesh(Vector3(0.2, 0.4, 0.6));
    Aabb corners;
    for (const Vector3& v : mesh.vertices) corners.add(X * v);
    const Aabb box = transformed(X, bounding_box(make_mesh(mesh)));
    // Rounding of coordinates of 2 m.
    EXPECT_LT((box.lower - corners.lower).norm() + (box.upper - corners.upper).norm(), 1e-15 * 10);
  }
}

}  // namespace
}  // namespace csim
