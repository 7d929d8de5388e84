// Pairs of a query that workers share out: the same contacts in the same order, and what is told of them.
#include <gtest/gtest.h>

#include <random>

#include "contact/find_contacts.h"
#include "core/workers.h"
#include "unit/contact/contact_world.h"
#include "unit/contact/meshes_for_tests.h"

namespace csim {
namespace {

using testing::random_pose;
using testing::random_vector;
using testing::World;

/// Bodies of many shapes, some of them surfaces, fly through each other over a terrain, as fast as they are
/// large.
World swarm(std::mt19937* rng) {
  World world;
  world.step = 0.01;
  world.margin = 0.01;
  world.slack = 0.002;
  world.fall = 1e-3;
  world.rule(0, 0).reach_friction = 0.3;
  world.rule(0, 0).fallback = true;
  world.add(world.add_body(false, {}), testing::make_mesh(testing::random_terrain(6, 1.0, rng)));
  const Mesh torus = testing::make_mesh(testing::torus_mesh(0.1, 0.04, 8, 6));
  for (int i = 0; i < 60; ++i) {
    const int body = world.add_body(true, random_pose(rng, 0.6));
    if (i % 12 == 0) world.add(body, torus);
    world.add(body, Sphere{0.03}, RigidTransform(random_vector(rng, 0.1)));
    world.add(body, Box{Vector3(0.1, 0.2, 0.1)}, random_pose(rng, 0.1));
    world.add(body, Cylinder{0.05, 0.2}, random_pose(rng, 0.1));
    world.V0[body] = {random_vector(rng, 10.0), random_vector(rng, 5.0)};
    world.V_star[body] = {random_vector(rng, 10.0), random_vector(rng, 5.0)};
  }
  return world;
}

void expect_equal(const PairCount& x, const PairCount& y) {
  EXPECT_EQ(x.count, y.count);
  EXPECT_EQ(x.geometry_a, y.geometry_a);
  EXPECT_EQ(x.geometry_b, y.geometry_b);
}

void expect_equal(const ContactSet& x, const ContactSet& y) {
  ASSERT_EQ(x.points.size(), y.points.size());
  for (std::size_t i = 0; i < x.points.size(); ++i) {
    const PointContact &a = x.points[i], &b = y.points[i];
    EXPECT_EQ(a.geometry_a, b.geometry_a);
    EXPECT_EQ(a.geometry_b, b.geometry_b);
    EXPECT_EQ(a.feature, b.feature);
    EXPECT_EQ(a.phi, b.phi);
    EXPECT_EQ(a.normal, b.normal);
    EXPECT_EQ(a.p_a, b.p_a);
    EXPECT_EQ(a.p_b, b.p_b);
  }
  EXPECT_EQ(x.unheld, y.unheld);
  expect_equal(x.degenerate, y.degenerate);
  expect_equal(x.fallback, y.fallback);
}

/// The queries of a step, with velocities that a solution may have found.
struct Queries {
  ContactSet found, foreseen, added;
  PairCount closing;
  Passages passages;
};
Queries query(const World& world, const std::vector<Twist>& V, ContactFinder* finder) {
  Queries result;
  ContactSet contacts;
  finder->find(world.query(), &contacts);
  result.found = contacts;
  finder->foresee(world.query(), &contacts);
  result.foreseen = contacts;
  result.closing = finder->look_again(world.query(), V, contacts);
  if (result.closing.count > 0) finder->add_found(&contacts);
  result.added = contacts;
  std::vector<RigidTransform> end = world.poses;
  for (std::size_t b = 0; b < end.size(); ++b) end[b].p += world.step * V[b].v;
  result.passages = finder->find_passages(world.query(), V, end, contacts);
  return result;
}

TEST(SharedPairs, AreFoundInTheirOrder) {
  std::mt19937 rng(5);
  World world = swarm(&rng);
  Workers two(2), three(3), eight(8);
  ContactFinder alone(world.model());
  std::vector<ContactFinder> shared;
  for (Workers* workers : {&two, &three, &eight}) shared.emplace_back(world.model(), workers);
  long num_closing = 0, num_passages = 0;
  for (int k = 0; k < 4; ++k) {  // what is kept of near surfaces is used from the third query on
    std::vector<Twist> V = world.V_star;
    for (std::size_t b = 1; b < V.size(); ++b) {
      if (b % 2 == 0) V[b] = {random_vector(&rng, 20.0), random_vector(&rng, 20.0)};
      world.poses[b].p += 1e-5 * world.V0[b].v;
    }
    const Queries one = query(world, V, &alone);
    ASSERT_GT(one.found.points.size(), 300u);
    EXPECT_NE(one.foreseen.points.size(), one.found.points.size());
    num_closing += one.closing.count;
    num_passages += one.passages.pairs.count;
    for (ContactFinder& finder : shared) {
      const Queries other = query(world, V, &finder);
      expect_equal(other.found, one.found);
      expect_equal(other.foreseen, one.foreseen);
      expect_equal(other.added, one.added);
      expect_equal(other.closing, one.closing);
      expect_equal(other.passages.pairs, one.passages.pairs);
      EXPECT_EQ(other.passages.too_long, one.passages.too_long);
    }
  }
  EXPECT_GT(num_closing, 20);
  EXPECT_GT(num_passages, 20);
}

}  // namespace
}  // namespace csim
