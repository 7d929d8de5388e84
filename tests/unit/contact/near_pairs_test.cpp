#include "contact/mesh/near_pairs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "contact/mesh/mesh_pair.h"
#include "unit/contact/meshes_for_tests.h"

namespace csim {
namespace {

using State = NearPairs::State;

Aabb unit_box() {
  Aabb box;
  box.add(Vector3(-1.0, -1.0, -1.0));
  box.add(Vector3(1.0, 1.0, 1.0));
  return box;
}

RigidTransform at(double x, double angle = 0.0) {
  return {Eigen::AngleAxisd(angle, Vector3::UnitZ()).toRotationMatrix(), Vector3(x, 0.0, 0.0)};
}

/// A list is made at the second pose, if it is near the first, and holds until something has moved by what it
/// reaches farther.
TEST(NearPairs, AListLastsAsLongAsNothingHasMovedByItsSlack) {
  NearPairs near;
  const Aabb box = unit_box();
  const double reach = 0.1;
  EXPECT_EQ(near.look(box, box, at(3.0), reach, 1.0), State::kIsIdle);
  EXPECT_EQ(near.look(box, box, at(3.0), reach, 1.0), State::kIsIdle) << "the same pose tells nothing";
  EXPECT_EQ(near.look(box, box, at(2.99), reach, 1.0), State::kIsDue);
  EXPECT_DOUBLE_EQ(near.renew(), 2.0 * reach);
  EXPECT_EQ(near.look(box, box, at(2.99 + 0.0999), reach, 1.0), State::kHolds);
  EXPECT_EQ(near.look(box, box, at(2.99), 1.99 * reach, 1.0), State::kHolds);
  EXPECT_NE(near.look(box, box, at(2.99), 2.01 * reach, 1.0), State::kHolds);
  EXPECT_NE(near.look(box, box, at(2.99 + 0.1001), reach, 1.0), State::kHolds);
}

/// Turning by an angle moves the corners of b by its chord, and those of a, farther away, by more.
TEST(NearPairs, TurningMovesTheCornersOfBoth) {
  NearPairs near;
  const Aabb box = unit_box();
  static_cast<void>(near.look(box, box, at(3.0), 0.1, 1.0));
  static_cast<void>(near.look(box, box, at(3.0, 1e-3), 0.1, 1.0));
  const double of_a = std::hypot(4.0, 1.0);  // m, from the axis of the turn to a's far corners
  static_cast<void>(near.look(box, box, at(3.0), 0.1, 1.0));
  static_cast<void>(near.renew());
  EXPECT_EQ(near.look(box, box, at(3.0, 0.099 / of_a), 0.1, 1.0), State::kHolds);
  EXPECT_NE(near.look(box, box, at(3.0, 0.101 / of_a), 0.1, 1.0), State::kHolds);
}

TEST(NearPairs, BodiesThatComeFarInEveryStepHaveNone) {
  NearPairs near;
  for (int k = 0; k < 10; ++k)
    EXPECT_EQ(near.look(unit_box(), unit_box(), at(3.0 + 0.05 * k), 0.1, 1.0), State::kIsIdle);
}

/// A ball on a ring, slowly and then fast: the contacts have the bits of a query that keeps nothing.
TEST(NearPairs, ChangesNoContact) {
  const MeshSurface ring(std::make_shared<TriangleMesh>(testing::torus_mesh(0.1, 0.04, 32, 16))),
      ball(std::make_shared<TriangleMesh>(testing::ball_mesh(0.05, 3)));
  MeshPairQuery query;
  NearPairs near;
  std::vector<ManifoldPoint> kept, anew;
  std::size_t num_points = 0;
  int num_lists = 0;
  for (int k = 0; k < 300; ++k) {
    const double way = 2e-5 * k + (k > 200 ? 2e-3 * (k - 200) : 0.0);  // m
    const RigidTransform X_WB(
        Eigen::AngleAxisd(10.0 * way, Vector3(1.0, 2.0, 0.5).normalized()).toRotationMatrix(),
        Vector3(0.1, way, 0.0899 + 1e-3 * std::sin(300.0 * way)));
    const double reach = 1e-3 * (1 + k % 3);
    const std::size_t list_before = near.pairs.size();
    const bool chose = query.find(ring, RigidTransform(), ball, X_WB, reach, &kept, &near);
    EXPECT_EQ(query.find(ring, RigidTransform(), ball, X_WB, reach, &anew), chose) << k;
    num_lists += near.pairs.size() != list_before;
    ASSERT_EQ(kept.size(), anew.size()) << k;
    num_points += kept.size();
    for (std::size_t i = 0; i < kept.size(); ++i) {
      EXPECT_EQ(kept[i].feature, anew[i].feature) << k;
      EXPECT_EQ(kept[i].phi, anew[i].phi) << k;
      EXPECT_EQ(kept[i].normal, anew[i].normal) << k;
      EXPECT_EQ(kept[i].p_a, anew[i].p_a) << k;
      EXPECT_EQ(kept[i].p_b, anew[i].p_b) << k;
    }
  }
  EXPECT_GT(num_points, 300u);
  EXPECT_GT(num_lists, 2) << "lists were made anew";
  EXPECT_LT(num_lists, 100) << "lists were kept";
}

}  // namespace
}  // namespace csim
