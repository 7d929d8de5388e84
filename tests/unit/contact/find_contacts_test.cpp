#include "contact/find_contacts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <tuple>

#include "contact/convex/narrow_phase.h"
#include "model/model.h"
#include "support/allocation_count.h"
#include "unit/contact/contact_world.h"
#include "unit/contact/meshes_for_tests.h"

namespace csim {
namespace {

using testing::random_pose;
using testing::random_vector;
using testing::World;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The contract's rule for one point, written out on its own.
bool contract_offers(const World& world, const PairRule& rule, const PointContact& c) {
  double reach = 0.0;
  for (const auto* V : {&world.V0, &world.V_star}) {
    const Vector3 v_a = (*V)[c.body_a].v + (*V)[c.body_a].w.cross(c.p_a - world.poses[c.body_a].p);
    const Vector3 v_b = (*V)[c.body_b].v + (*V)[c.body_b].w.cross(c.p_b - world.poses[c.body_b].p);
    const Vector3 v = v_b - v_a, belt = world.belt[c.body_b] - world.belt[c.body_a];
    const double v_n = v.dot(c.normal);
    const double v_t = ((v + belt) - (v + belt).dot(c.normal) * c.normal).norm();
    reach = std::max(
        reach, rule.reach_distance + (world.step + rule.reach_tau) * (-v_n + rule.reach_friction * v_t));
  }
  return c.phi < std::max(world.margin, world.slack + reach);
}

auto key(const PointContact& c) {
  return std::tuple(c.body_a, c.body_b, c.geometry_a, c.geometry_b, c.feature);
}

/// Every pair of geometries, no bounds: the twin of the finder.
std::vector<PointContact> brute_force(World& world) {
  std::vector<PointContact> result;
  const Model& model = world.model();
  for (std::size_t i = 0; i < model.geometries.size(); ++i) {
    for (std::size_t j = i + 1; j < model.geometries.size(); ++j) {
      const Geometry &a = model.geometries[i], &b = model.geometries[j];
      const Body &body_a = model.bodies[a.body], &body_b = model.bodies[b.body];
      if (a.pair_class < 0 || b.pair_class < 0 || a.body == b.body || body_a.weld_group == body_b.weld_group)
        continue;
      const PairRule& rule = model.pairs.rule(a.pair_class, b.pair_class);
      if (!rule.collide) continue;
      const auto& excluded = model.pairs.excluded_bodies;
      if (std::find(excluded.begin(), excluded.end(),
                    std::pair(std::min(a.body, b.body), std::max(a.body, b.body))) != excluded.end())
        continue;
      Manifold manifold;
      query_pair(a.shape, world.poses[a.body] * a.X_BG, b.shape, world.poses[b.body] * b.X_BG, kInfinity,
                 &manifold);
      for (const ManifoldPoint& p : manifold) {
        PointContact c;
        c.geometry_a = static_cast<int>(i);
        c.geometry_b = static_cast<int>(j);
        c.body_a = a.body;
        c.body_b = b.body;
        c.feature = p.feature;
        c.phi = p.phi;
        c.normal = p.normal;
        c.p_a = p.p_a;
        c.p_b = p.p_b;
        if (contract_offers(world, rule, c)) result.push_back(c);
      }
    }
  }
  std::sort(result.begin(), result.end(), [](const auto& x, const auto& y) { return key(x) < key(y); });
  return result;
}

void expect_sorted(const ContactSet& contacts) {
  for (std::size_t i = 1; i < contacts.points.size(); ++i)
    EXPECT_LT(key(contacts.points[i - 1]), key(contacts.points[i]));
}

/// Bodies of several spheres and boxes, a turning half space, a belt: all kinds of reach at once.
World random_world(int trial, std::mt19937* rng) {
  World world;
  world.set_classes(3);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  for (int a = 0; a < 3; ++a) {
    for (int b = a; b < 3; ++b) {
      PairRule rule{.collide = !(a == 1 && b == 2)};
      rule.reach_tau = 0.05 * uniform(*rng);
      rule.reach_friction = uniform(*rng);
      rule.reach_distance = trial % 2 ? 0.03 * uniform(*rng) : 0.0;
      world.rule(a, b) = world.rule(b, a) = rule;
    }
  }
  const int ground = world.add_body(false, RigidTransform(Vector3(0, 0, -1.0)));
  world.add(ground, HalfSpace{}, {}, 0);
  const int container = world.add_body(false, random_pose(rng, 0.2));
  for (int k = 0; k < 3; ++k) world.add(container, Box{Vector3(2.0, 2.0, 0.1)}, random_pose(rng, 0.5), 1);
  for (int b = 0; b < 20; ++b) {
    const int body = world.add_body(true, random_pose(rng, 1.0));
    const int num = b % 4 == 0 ? 20 : 1 + b % 3;
    for (int k = 0; k < num; ++k) {
      world.add(body, Sphere{0.02 + 0.05 * uniform(*rng)}, random_pose(rng, 0.15),
                static_cast<int>((*rng)() % 4) - 1);
    }
    if (b % 5 == 0) world.add(body, Box{Vector3(0.2, 0.3, 0.1)}, {}, 2);
    world.V0[body] = {random_vector(rng, 5.0), random_vector(rng, 1.0)};
    world.V_star[body] = {random_vector(rng, 5.0), random_vector(rng, 1.0)};
  }
  world.belt[container] = random_vector(rng, 1.0);
  if (trial % 3 == 0)
    world.V0[ground] = world.V_star[ground] = {random_vector(rng, 0.5), random_vector(rng, 0.5)};
  world.model().pairs.excluded_bodies = {{2, 5}, {3, 4}, {6, 7}};
  world.step = 0.01;
  world.margin = trial % 4 == 0 ? 0.02 : 0.0;
  world.slack = trial % 5 == 0 ? 0.01 : 0.0;
  return world;
}

TEST(ContactFinder, EqualsBruteForceInRandomScenes) {
  std::mt19937 rng(21);
  long total = 0;
  for (int trial = 0; trial < 40; ++trial) {
    World world = random_world(trial, &rng);
    const std::vector<PointContact> expected = brute_force(world);
    const ContactSet found = world.find();
    expect_sorted(found);
    ASSERT_EQ(found.points.size(), expected.size()) << trial;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(key(found.points[i]), key(expected[i]));
      EXPECT_EQ(found.points[i].phi, expected[i].phi);
      EXPECT_EQ(found.points[i].normal, expected[i].normal);
    }
    total += static_cast<long>(expected.size());
  }
  EXPECT_GT(total, 1000);
}

/// Every point whose gap closes at the velocities found is among the contacts or is added to them; all that
/// are added pass the rule there.
TEST(ContactFinder, LooksAgainLikeBruteForce) {
  std::mt19937 rng(24);
  long num_closing = 0, num_added = 0;
  for (int trial = 0; trial < 100; ++trial) {
    World world = random_world(trial, &rng);
    world.fall =
        1e3;  // the features of the start count, wherever they meet (foreseen_test.cpp has the others)
    ContactFinder finder(world.model());
    ContactSet contacts;
    finder.find(world.query(), &contacts);
    const auto is_in = [](const std::vector<PointContact>& points, const PointContact& c) {
      return std::any_of(points.begin(), points.end(), [&](const auto& x) { return key(x) == key(c); });
    };
    // Rounds of hits: some bodies go on as before, some are thrown back, some are faster than all before; in
    // a later round others are, so that what is seen already and what is not both count.
    for (int round = 0; round < 3; ++round) {
      World found = world;
      for (std::size_t b = 2; b < world.V0.size(); ++b) {
        if ((b + round) % 3 == 0) found.V0[b] = {random_vector(&rng, 5.0), random_vector(&rng, 3.0)};
        if ((b + round) % 3 == 1) found.V0[b] = {random_vector(&rng, 12.0), random_vector(&rng, 9.0)};
      }
      found.V_star = found.V0;
      World closing = found;
      closing.margin = closing.slack = 0.0;
      for (PairRule& rule : closing.model().pairs.rules) rule.reach_tau = rule.reach_friction = 0.0;

      const std::vector<PointContact> first = contacts.points;
      const std::vector<PointContact> offered = brute_force(found);
      std::vector<PointContact> expected;
      for (const PointContact& c : brute_force(closing)) {
        if (!is_in(first, c)) expected.push_back(c);
      }
      const long num = finder.look_again(world.query(), found.V0, contacts).count;
      EXPECT_EQ(num, static_cast<long>(expected.size())) << trial << ", " << round;
      if (num == 0 || round == 0) continue;  // not added: the next round finds them again
      finder.add_found(&contacts);
      expect_sorted(contacts);
      for (const PointContact& c : first) EXPECT_TRUE(is_in(contacts.points, c)) << trial;
      for (const PointContact& c : expected) EXPECT_TRUE(is_in(contacts.points, c)) << trial;
      for (const PointContact& c : contacts.points)
        EXPECT_TRUE(is_in(first, c) || is_in(expected, c) || is_in(offered, c)) << trial;
      EXPECT_EQ(finder.look_again(world.query(), found.V0, contacts).count, 0) << trial;
      num_closing += num;
      num_added += static_cast<long>(contacts.points.size() - first.size());
    }
  }
  EXPECT_GT(num_closing, 100);
  EXPECT_GT(num_added, num_closing);
}

/// What was added once is not found again, velocities that were foreseen bring nothing, and a body is looked
/// for beyond the bounds of the first query.
TEST(ContactFinder, LooksAgainOnlyForWhatIsNew) {
  World world;
  world.step = 0.01;
  for (int i = 0; i < 4; ++i) {
    world.add(world.add_body(true, RigidTransform(Vector3(0.2 * i, 0, 0))), Sphere{0.05});  // gaps of 0.1 m
  }
  world.V0[0].v = world.V_star[0].v = Vector3(9, 0, 0);
  ContactFinder finder(world.model());
  ContactSet contacts;
  finder.find(world.query(), &contacts);
  EXPECT_TRUE(contacts.points.empty());
  std::vector<Twist> V = world.V0;
  EXPECT_EQ(finder.look_again(world.query(), V, contacts).count, 0);
  V[2].v = Vector3(10.1, 0, 0);  // it was at rest
  EXPECT_EQ(finder.look_again(world.query(), V, contacts).count, 1);
  finder.add_found(&contacts);
  ASSERT_EQ(contacts.points.size(), 1u);
  EXPECT_EQ(contacts.points[0].body_a, 2);
  EXPECT_EQ(contacts.points[0].body_b, 3);
  EXPECT_EQ(finder.look_again(world.query(), V, contacts).count, 0);
  V[2].v = Vector3(9.9, 0, 0);
  contacts = ContactSet{};
  EXPECT_EQ(finder.look_again(world.query(), V, contacts).count, 0);
}

/// A falling ball is offered exactly when the step can bring it to the ground.
TEST(ContactFinder, ReachOfTheStep) {
  World world;
  world.add(world.add_body(false, {}), HalfSpace{});
  world.add(world.add_body(true, {}), Sphere{0.1});
  world.step = 0.01;
  const auto offered = [&](double gap) {
    world.poses[1].p.z() = 0.1 + gap;
    return !world.find().points.empty();
  };
  EXPECT_FALSE(offered(1e-9));  // at rest, no margin
  EXPECT_TRUE(offered(-1e-9));
  world.V_star[1].v.z() = -2.0;  // dt (-v_n) = 0.02
  EXPECT_TRUE(offered(0.0199));
  EXPECT_FALSE(offered(0.0201));
  world.V_star[1].v.z() = 0.0;
  world.V0[1].v.z() = -2.0;  // the larger of the two velocities counts
  EXPECT_TRUE(offered(0.0199));
  EXPECT_FALSE(offered(0.0201));
  world.slack = 0.001;
  EXPECT_TRUE(offered(0.0209));
  EXPECT_FALSE(offered(0.0211));
  world.margin = 0.03;
  EXPECT_TRUE(offered(0.0299));
  EXPECT_FALSE(offered(0.0301));
  world.margin = world.slack = 0.0;
  world.rule(0, 0).reach_tau = 0.02;  // SAP: (dt + tau)(-v_n + mu |v_t|)
  world.rule(0, 0).reach_friction = 0.5;
  world.V0[1].v.x() = 3.0;  // 0.03 (2 + 1.5)
  EXPECT_TRUE(offered(0.1049));
  EXPECT_FALSE(offered(0.1051));
  world.belt[0] = Vector3(3.0, 0.0, 7.0);  // a belt that runs along; its part along the normal does not count
  EXPECT_TRUE(offered(0.0599));
  EXPECT_FALSE(offered(0.0601));
  world.V0[1].v.z() = 4.0;  // separating: no reach below zero
  EXPECT_TRUE(offered(-1e-9));
  world.rule(0, 0).reach_distance =
      0.5;  // 0.5 + 0.03 (-4) = 0.38; at V* (0, 0, 0) with the belt 0.5 + 0.03 (0.5 * 3) = 0.545
  EXPECT_TRUE(offered(0.5449));
  EXPECT_FALSE(offered(0.5451));
}

TEST(ContactFinder, TurningHalfSpaceReachesFar) {
  // A flap 3 m away from its hinge: 3 m * 2 rad/s * 0.01 s = 0.06 m.
  World world;
  world.add(world.add_body(false, {}), HalfSpace{});
  world.add(world.add_body(true, RigidTransform(Vector3(3, 0, 0.1 + 0.059))), Sphere{0.1});
  world.step = 0.01;
  world.V0[0].w = world.V_star[0].w = Vector3(0, -2, 0);  // up at x > 0
  EXPECT_EQ(world.find().points.size(), 1u);
  world.poses[1].p.z() = 0.1 + 0.061;
  EXPECT_TRUE(world.find().points.empty());
}

TEST(ContactFinder, Filters) {
  World world;
  world.set_classes(2);
  world.rule(0, 1).collide = world.rule(1, 0).collide = false;
  for (int i = 0; i < 4; ++i) {
    const int body = world.add_body(true, {});
    world.add(body, Sphere{0.1}, RigidTransform(Vector3(0.01 * i, 0, 0)));
    world.add(body, Sphere{0.1}, RigidTransform(Vector3(0, 0.01 * i, 0.05)), i == 3 ? -1 : 1);
  }
  const auto body_pairs = [&] {
    std::vector<std::pair<int, int>> pairs;
    for (const PointContact& c : world.find().points) {
      EXPECT_EQ(c.geometry_a % 2, c.geometry_b % 2);  // classes 0 and 1 do not meet
      EXPECT_NE(c.geometry_b, 7);                     // contact: none
      pairs.emplace_back(c.body_a, c.body_b);
    }
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs;
  };
  using ::testing::ElementsAre;
  using ::testing::Pair;
  EXPECT_THAT(body_pairs(),
              ElementsAre(Pair(0, 1), Pair(0, 2), Pair(0, 3), Pair(1, 2), Pair(1, 3), Pair(2, 3)));
  world.model().pairs.excluded_bodies = {{0, 3}, {1, 2}};
  EXPECT_THAT(body_pairs(), ElementsAre(Pair(0, 1), Pair(0, 2), Pair(1, 3), Pair(2, 3)));
  world.model().bodies[1].weld_group = world.model().bodies[3].weld_group;
  EXPECT_THAT(body_pairs(), ElementsAre(Pair(0, 1), Pair(0, 2), Pair(2, 3)));
  world.model().bodies[0].tree = world.model().bodies[2].tree = -1;  // both prescribed: nothing could move
  EXPECT_THAT(body_pairs(), ElementsAre(Pair(0, 1), Pair(2, 3)));
}

/// A mesh may stand first or second: the same contacts, mirrored.
TEST(ContactFinder, MeshOrderMirrors) {
  const Mesh mesh = testing::make_mesh(testing::box_mesh(Vector3(1, 1, 1)));
  const RigidTransform X_box(Vector3(0.2, 0.3, 0.55 - 1e-4));
  std::vector<ContactSet> sets;
  for (const bool mesh_first : {true, false}) {
    World world;
    const int first = world.add_body(!mesh_first, mesh_first ? RigidTransform() : X_box);
    const int second = world.add_body(mesh_first, mesh_first ? X_box : RigidTransform());
    world.add(mesh_first ? first : second, mesh);
    world.add(mesh_first ? second : first, Box{Vector3(0.1, 0.1, 0.1)});
    if (!mesh_first) std::swap(world.model().geometries[0], world.model().geometries[1]);
    sets.push_back(world.find());
    expect_sorted(sets.back());
  }
  ASSERT_EQ(sets[0].points.size(), 4u);
  ASSERT_EQ(sets[1].points.size(), 4u);
  for (int i = 0; i < 4; ++i) {
    const PointContact &x = sets[0].points[i], &y = sets[1].points[i];
    EXPECT_EQ(x.normal, -y.normal);
    EXPECT_EQ(x.p_a, y.p_b);
    EXPECT_EQ(x.p_b, y.p_a);
    EXPECT_EQ(x.phi, y.phi);
    EXPECT_EQ(x.feature, y.feature);
  }
}

/// A finder that has seen other poses gives the same bits as a fresh one.
TEST(ContactFinder, WorkspaceLeavesNoTrace) {
  std::mt19937 rng(22);
  World world;
  world.margin = 0.05;
  for (int i = 0; i < 30; ++i) {
    const int body = world.add_body(true, random_pose(&rng, 0.4));
    world.add(body, Box{Vector3(0.1, 0.2, 0.1)});
    world.add(body, Sphere{0.05}, RigidTransform(Vector3(0.1, 0, 0)));
  }
  ContactFinder used(world.model());
  ContactSet contacts;
  for (int k = 0; k < 5; ++k) {
    for (RigidTransform& X : world.poses) X = random_pose(&rng, 0.4);
    used.find(world.query(), &contacts);
  }
  const ContactSet fresh = world.find();
  ASSERT_EQ(contacts.points.size(), fresh.points.size());
  ASSERT_GT(fresh.points.size(), 20u);
  for (std::size_t i = 0; i < fresh.points.size(); ++i) {
    EXPECT_EQ(key(contacts.points[i]), key(fresh.points[i]));
    EXPECT_EQ(contacts.points[i].p_a, fresh.points[i].p_a);
    EXPECT_EQ(contacts.points[i].phi, fresh.points[i].phi);
  }
}

/// Poses that were seen once need no memory the second time, meshes and velocities found included.
TEST(ContactFinder, SteadyStateAllocatesNothing) {
  std::mt19937 rng(23);
  World world;
  world.margin = 0.02;
  world.add(world.add_body(false, {}), testing::make_mesh(testing::random_terrain(16, 1.0, &rng)));
  const Mesh torus = testing::make_mesh(testing::torus_mesh(0.1, 0.04, 16, 8));
  for (int i = 0; i < 40; ++i) {
    const int body = world.add_body(true, random_pose(&rng, 0.4));
    world.add(body, torus);
    for (int k = 0; k < 20; ++k) world.add(body, Sphere{0.03}, RigidTransform(random_vector(&rng, 0.1)));
    world.add(body, Box{Vector3(0.1, 0.2, 0.1)});
    world.add(body, Cylinder{0.05, 0.2});
  }
  std::vector<Twist> V(world.V0.size());
  for (Twist& twist : V)
    twist.v = random_vector(&rng, 50.0);  // faster than at V0 and V_star: pairs are seen again
  ContactFinder finder(world.model());
  ContactSet contacts;
  const auto search = [&] {
    finder.find(world.query(), &contacts);
    return finder.look_again(world.query(), V, contacts).count;
  };
  const long num_closing = search();
  ASSERT_GT(contacts.points.size(), 100u);
  ASSERT_GT(num_closing, 10);
  const long before = test::num_allocations();
  EXPECT_EQ(search(), num_closing);
  EXPECT_EQ(test::num_allocations(), before);
}

// Queries with the same number may be of other times: what is prescribed is found where it is, whether it
// moves in the query (asked for) or stands still.
TEST(ContactFinder, TheNumberOfWhatSleepsSaysNothingOfWhatIsPrescribed) {
  World world;
  world.add(world.add_body(false, {}), HalfSpace{});
  world.add(world.add_body(true, RigidTransform(Vector3(2, 0, 0.0999))), Sphere{0.1});  // sleeps
  const int ball = world.add_body(true, RigidTransform(Vector3(0, 0, 0.0999)));
  const int mover = world.add_body(false, RigidTransform(Vector3(5, 0, 0.1)));
  world.add(ball, Sphere{0.1});
  world.add(mover, Sphere{0.1});
  ContactFinder finder(world.model());
  const auto expect_points = [&](double x, const std::vector<char>& asked, std::size_t num_points) {
    world.poses[mover].p.x() = x;
    ContactQuery query = world.query();
    query.asked = &asked;
    query.rest_number = 7;
    ContactSet contacts;
    finder.find(query, &contacts);
    EXPECT_EQ(contacts.points.size(), num_points) << x;
  };
  const std::vector<char> awake{0, 0, 1, 0}, moves{0, 0, 1, 1};
  expect_points(5.0, awake, 1);    // the ball on the floor
  expect_points(0.199, awake, 2);  // and the mover
  expect_points(5.0, awake, 1);
  expect_points(0.199, moves, 2);
  expect_points(5.0, moves, 1);
  expect_points(0.199, awake, 2);
}

TEST(ContactFinder, NonFinitePosesGiveNoContact) {
  World world;
  world.add(world.add_body(false, {}), HalfSpace{});
  world.add(world.add_body(true, RigidTransform(Vector3(0, 0, std::nan("")))), Sphere{0.1});
  world.add(world.add_body(true, RigidTransform(Vector3(0, 0, kInfinity))), Sphere{0.1});
  world.add(world.add_body(true, RigidTransform(Vector3(0, 0, 0.05))), Sphere{0.1});
  for (const PointContact& c : world.find().points) EXPECT_TRUE(std::isfinite(c.phi));
}

}  // namespace
}  // namespace csim
