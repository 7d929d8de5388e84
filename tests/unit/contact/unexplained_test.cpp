// Overlaps that are deeper than the start of a step and the motion in it explain.
#include "contact/search/unexplained.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "unit/contact/contact_world.h"
#include "unit/contact/shape_oracle.h"

namespace csim {
namespace {

using test::Random;
using test::uniform;
using testing::World;

PointContact contact(int geometry_a, int geometry_b, double depth) {
  PointContact c;
  c.geometry_a = c.body_a = geometry_a;
  c.geometry_b = c.body_b = geometry_b;
  c.phi = -depth;
  c.normal = Vector3::UnitZ();
  return c;
}

/// A table, and two balls of 0.1 and 0.2 m on it, of which the smaller one turns about a point 1 m off.
class Unexplained : public ::testing::Test {
 protected:
  Unexplained() {
    world.add(world.add_body(false, {}), HalfSpace{});
    world.add(world.add_body(true, RigidTransform(Vector3(-1, 0, 0.1))), Sphere{0.1},
              RigidTransform(Vector3(1, 0, 0)));
    world.add(world.add_body(true, RigidTransform(Vector3(5, 0, 0.2))), Sphere{0.2});
    end = world.poses;
  }
  std::vector<UnexplainedDepth> find(const std::vector<PointContact>& before,
                                     const std::vector<PointContact>& after) {
    ContactSet first, last;
    first.points = before;
    last.points = after;
    return ContactFinder(world.model()).find_unexplained(first, world.poses, last, end);
  }

  World world;
  std::vector<RigidTransform> end;
};

// A quarter of the smaller one's diameter: 0.05 m of the first ball, 0.1 m of the second.
TEST_F(Unexplained, IsADepthThatCameFromNowhere) {
  EXPECT_TRUE(find({}, {contact(0, 1, 0.0499), contact(0, 2, 0.0999)}).empty());
  const auto found =
      find({}, {contact(0, 1, 0.02), contact(0, 1, 0.0501), contact(0, 2, 0.0999), contact(1, 2, 0.3)});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(std::pair(found[0].geometry_a, found[0].geometry_b), std::pair(0, 1));
  EXPECT_EQ(found[0].depth, 0.0501);
  EXPECT_EQ(std::pair(found[1].geometry_a, found[1].geometry_b), std::pair(1, 2));
  EXPECT_EQ(found[1].depth, 0.3);
}

// A soft ball that is pressed far, a step that begins deep.
TEST_F(Unexplained, IsNotWhatWasThere) {
  EXPECT_TRUE(find({contact(0, 1, 0.01), contact(0, 1, 0.1)}, {contact(0, 1, 0.149)}).empty());
  EXPECT_EQ(find({contact(0, 1, 0.01), contact(0, 1, 0.1)}, {contact(0, 1, 0.151)}).size(), 1U);
  EXPECT_EQ(find({contact(0, 2, 0.1)}, {contact(0, 1, 0.149)}).size(), 1U);   // of another pair
  EXPECT_EQ(find({contact(0, 1, -0.1)}, {contact(0, 1, 0.051)}).size(), 1U);  // a gap explains nothing
}

TEST_F(Unexplained, IsNotTheWayOfTheStep) {
  end[1].p.z() -= 0.03;
  EXPECT_TRUE(find({}, {contact(0, 1, 0.079)}).empty());
  EXPECT_EQ(find({}, {contact(0, 1, 0.081)}).size(), 1U);
  end[1] = world.poses[1];
  end[1].R = Eigen::AngleAxisd(0.03, Vector3::UnitY()).toRotationMatrix();  // by 2 sin(0.015) (1 + 0.1) m
  EXPECT_TRUE(find({}, {contact(0, 1, 0.0829)}).empty());
  EXPECT_EQ(find({}, {contact(0, 1, 0.0831)}).size(), 1U);
}

// Points of the smaller ball, seen from the other body, move by no more; some by as much where the ball turns
// about its middle, or flies.
TEST(LargestMotion, BoundsThatOfAllPoints) {
  Random random(3);
  for (int trial = 0; trial < 200; ++trial) {
    CollisionGeometry large, small;
    large.ball_B.radius = 1.0;
    small.ball_B.radius = uniform(&random, 0.1, 0.9);
    const auto pose = [&](double size) {
      return RigidTransform(test::random_rotation(&random), size * test::random_unit(&random));
    };
    const RigidTransform X_A0 = pose(1.0), X_A1 = pose(1.0), X_B0 = pose(1.0);
    RigidTransform X_B1 = pose(1.0);
    const bool turns_alone = trial % 2 == 0;
    if (turns_alone) X_B1.p = X_A1 * X_A0.inverse_times(X_B0.p);
    const auto placed = [](const CollisionGeometry& g, const RigidTransform& X) {
      return place(g, 0, X, X.p);
    };
    const double bound =
        largest_motion(placed(large, X_A0), placed(small, X_B0), placed(large, X_A1), placed(small, X_B1));
    EXPECT_NEAR(
        bound,
        largest_motion(placed(small, X_B0), placed(large, X_A0), placed(small, X_B1), placed(large, X_A1)),
        1e-12);
    double largest = 0.0;
    for (int k = 0; k < 2000; ++k) {
      const Vector3 p = small.ball_B.radius * test::random_unit(&random);
      largest = std::max(largest, (X_A1.inverse_times(X_B1 * p) - X_A0.inverse_times(X_B0 * p)).norm());
    }
    EXPECT_LE(largest, bound + 1e-12);
    if (turns_alone) {
      EXPECT_GT(largest, 0.98 * bound);  // of 2000 directions one is nearly at right angles to the axis
    }
  }
}

}  // namespace
}  // namespace csim
