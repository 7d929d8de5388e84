#include "contact/mesh/near_pairs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <set>

#include "contact/mesh/mesh_pair.h"
#include "contact/mesh/mesh_tolerances.h"
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

/// What is kept of a vertex bounds where it is while the list holds: how far it is away, whether it is
/// outside and how far at least, all that is near it, and how near that may be.
TEST(NearPairs, WhatSurroundsAVertexIsKnownToTheDrift) {
  const MeshSurface ring(std::make_shared<TriangleMesh>(testing::torus_mesh(0.1, 0.04, 32, 16)));
  Aabb box;
  box.add(Vector3(-0.02, -0.02, -0.02));
  box.add(Vector3(0.02, 0.02, 0.02));
  const double reach = 0.01;  // m
  const Vector3 vertex_B(0.005, -0.002, 0.01);
  const auto pose = [](double way) {
    return RigidTransform(
        Eigen::AngleAxisd(20.0 * way, Vector3(1.0, 0.3, 0.2).normalized()).toRotationMatrix(),
        Vector3(0.1 + way, 0.01, 0.05));
  };
  NearPairs near;
  static_cast<void>(near.look(ring.tree().bounds(), box, pose(0.0), reach, 0.02));
  ASSERT_EQ(near.look(ring.tree().bounds(), box, pose(1e-5), reach, 0.02), State::kIsDue);
  EXPECT_EQ(near.farthest(false, 7), kInfinity);
  static_cast<void>(near.renew());
  EXPECT_EQ(near.farthest(false, 7), kInfinity) << "of a list made anew";
  EXPECT_FALSE(near.is_outside(false, 7, 0.0)) << "likewise";
  int num_held = 0;
  for (const double way : {1e-5, 2e-4, -1e-4, 3e-4, 0.0}) {
    if (near.look(ring.tree().bounds(), box, pose(way), reach, 0.02) != State::kHolds) continue;
    ++num_held;
    const Vector3 p = pose(way) * vertex_B;
    const double distance = (ring.nearest(p, kInfinity).p - p).norm();
    EXPECT_GE(near.farthest(false, 7), distance);
    near.set_farthest(false, 7, distance);
    EXPECT_GE(near.farthest(false, 7), distance);
    EXPECT_LE(near.farthest(false, 7), distance + 2.0 * near.drift() + 1e-8) << "single precision";
    // Vertex 8 is known from the first pose alone; it comes nearer and goes away.
    if (num_held == 1) near.set_outside(false, 8, distance);
    EXPECT_FALSE(near.is_outside(false, 8, distance)) << way;
    EXPECT_TRUE(near.is_outside(false, 8, distance - 3.0 * near.drift() - 1e-8)) << way;
    EXPECT_FALSE(near.is_outside(false, 7, distance));
    near.set_outside(false, 7, distance);
    EXPECT_FALSE(near.is_outside(false, 7, distance));
    EXPECT_TRUE(near.is_outside(false, 7, distance - 2.0 * near.drift() - 1e-8)) << "single precision";
    const double within = std::max(reach, near.farthest(false, 7));
    const auto triangles = near.near_triangles(false, 7, ring, p, within);
    std::set<int> listed;
    for (std::size_t k = 0; k < triangles.size(); ++k) {
      const auto& [t, least] = triangles[k];
      listed.insert(t);
      EXPECT_LE(least - near.drift(), (ring.closest_on_triangle(t, p).p - p).norm());
      EXPECT_TRUE(k == 0 || triangles[k - 1].distance <= least);
    }
    EXPECT_EQ(listed.size(), triangles.size());
    for (int t = 0; t < 2 * 32 * 16; ++t)
      EXPECT_TRUE((ring.closest_on_triangle(t, p).p - p).norm() > within || listed.contains(t)) << t;
  }
  EXPECT_EQ(num_held, 5);
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
