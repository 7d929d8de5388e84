// Contacts of pairs that are apart at the start of a step, taken where they meet; seams.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "contact/find_contacts.h"
#include "contact/search/touch_query.h"
#include "unit/contact/contact_world.h"
#include "unit/contact/shape_oracle.h"
#include "unit/geometry/shapes_for_tests.h"

namespace csim {
namespace {

using test::Random;
using test::uniform;
using testing::World;

CollisionGeometry collision_geometry(const Shape& shape) {
  CollisionGeometry g;
  g.shape = shape;
  g.box_G = bounding_box(shape);
  g.ball_B = bounding_ball(shape);
  g.is_ball = std::holds_alternative<Sphere>(shape);
  if (const auto* mesh = std::get_if<Mesh>(&shape))
    g.surface = std::make_shared<const MeshSurface>(mesh->mesh);
  return g;
}

SweptGeometry swept(const CollisionGeometry& g, const RigidTransform& X, const Twist& V) {
  SweptGeometry s;
  s.start = place(g, 0, X, X * g.ball_B.center);
  s.pivot = X.p;
  s.V = V;
  return s;
}

/// b flies at a, or past it, on a way of one second.
SweptPair random_pair(const CollisionGeometry& a, const CollisionGeometry& b, double spin, Random* random) {
  const double size = a.ball_B.radius + b.ball_B.radius;
  const RigidTransform X_A(test::random_rotation(random),
                           uniform(random, -1.0, 1.0) * test::random_unit(random));
  const Vector3 from = X_A.p + uniform(random, 1.05, 2.0) * size * test::random_unit(random);
  const Vector3 aim = X_A.p + uniform(random, 0.0, 1.2) * size * test::random_unit(random);
  const RigidTransform X_B(test::random_rotation(random), from);
  Twist V_a, V_b;
  V_a.w = spin * test::random_unit(random);
  V_b.w = spin * test::random_unit(random);
  V_b.v = uniform(random, 0.5, 3.0) * (aim - from);
  return {swept(a, X_A, V_a), swept(b, X_B, V_b)};
}

// The separation of the shapes along many directions, which no code of ours has a part in, is positive before
// the touch; at the touch the two have a point in common, to the tolerance of the query.
TEST(Touch, IsTheFirst) {
  Random random(7);
  int num_touches = 0, num_passes = 0;
  for (const std::string& kind_a : test::bounded_kinds()) {
    for (const std::string& kind_b : test::bounded_kinds()) {
      for (int trial = 0; trial < 4; ++trial) {
        const CollisionGeometry a = collision_geometry(test::random_shape(kind_a, &random)),
                                b = collision_geometry(test::random_shape(kind_b, &random));
        const SweptPair pair = random_pair(a, b, trial % 2 == 0 ? 0.0 : trial == 1 ? 0.5 : 3.0, &random);
        const std::optional<double> t = find_touch(pair, 1.0, 0.0);
        const auto phi = [&](double time) {
          const PlacedGeometry p = pair.a.at(time), q = pair.b.at(time);
          Manifold manifold;
          query_pair(a.shape, p.X_WG, b.shape, q.X_WG, 1e3, &manifold);
          return test::deepest(manifold).phi;
        };
        const double end = t.value_or(1.0), size = std::min(a.ball_B.radius, b.ball_B.radius);
        for (int k = 0; k <= 50; ++k)
          ASSERT_GT(phi(end * k / 50), -1e-9 * size) << kind_a << ' ' << kind_b << ' ' << trial;
        if (t) {
          EXPECT_LT(phi(*t), 2e-9 * size) << kind_a << ' ' << kind_b << ' ' << trial;
        }
        t ? ++num_touches : ++num_passes;
      }
    }
  }
  EXPECT_GT(num_touches, 40);
  EXPECT_GT(num_passes, 25);
}

// Two spheres: |p + v t| = R in closed form.
TEST(Touch, OfSpheresIsTheRootOfTheirDistance) {
  const CollisionGeometry a = collision_geometry(Sphere{0.3}), b = collision_geometry(Sphere{0.2});
  for (const double offset : {0.0, 0.1, 0.4, 0.499, 0.49999, 0.50001, 0.501, 0.6}) {
    Twist V;
    V.v = Vector3(-4.0, 0.0, 0.0);
    V.w = Vector3(1.0, 2.0, 3.0);  // of a sphere about its centre: nothing
    const SweptPair pair{swept(a, RigidTransform(), {}),
                         swept(b, RigidTransform(Vector3(2.0, offset, 0.0)), V)};
    const std::optional<double> t = find_touch(pair, 1.0, 0.0);
    ASSERT_EQ(t.has_value(), offset < 0.5) << offset;
    if (t) {
      EXPECT_NEAR(*t, (2.0 - std::sqrt(0.25 - offset * offset)) / 4.0, 1e-7) << offset;
    }
  }
}

// A surface of triangles touches when the box of which it is the surface does.
TEST(Touch, OfSurfacesIsThatOfTheirBox) {
  Random random(8);
  int num_touches = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const Box box{{uniform(&random, 0.1, 0.3), uniform(&random, 0.1, 0.3), uniform(&random, 0.1, 0.3)}};
    const auto mesh = std::make_shared<const TriangleMesh>(testing::box_mesh(box.size));
    const CollisionGeometry a = collision_geometry(box), surface = collision_geometry(Mesh{mesh}),
                            b = collision_geometry(test::random_shape("capsule", &random));
    const SweptPair pair = random_pair(a, b, trial % 2 == 0 ? 0.0 : 0.5, &random);
    const auto with = [&](const SweptGeometry& g, const CollisionGeometry& geometry) {
      return swept(geometry, g.start.X_WG, g.V);
    };
    const std::optional<double> t = find_touch(pair, 1.0, 0.0);
    for (const SweptPair& other :
         {SweptPair{with(pair.a, surface), pair.b}, SweptPair{pair.b, with(pair.a, surface)}}) {
      const std::optional<double> of_surface = find_touch(other, 1.0, 0.0);
      ASSERT_EQ(of_surface.has_value(), t.has_value()) << trial;
      if (t) {
        EXPECT_NEAR(*of_surface, *t, 1e-6) << trial;
      }
    }
    num_touches += t ? 1 : 0;
  }
  EXPECT_GT(num_touches, 15);
}

// Of two surfaces, of whose triangles few are followed, the touch is that of their boxes, however they turn.
TEST(Touch, OfTwoSurfacesIsThatOfTheirBoxes) {
  Random random(11);
  int num_touches = 0, num_passes = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const auto random_box = [&] {
      return Box{{uniform(&random, 0.1, 0.3), uniform(&random, 0.1, 0.3), uniform(&random, 0.1, 0.3)}};
    };
    const Box box_a = random_box(), box_b = random_box();
    const auto surface_of = [](const Box& box) {
      return collision_geometry(Mesh{std::make_shared<const TriangleMesh>(testing::box_mesh(box.size))});
    };
    const CollisionGeometry a = collision_geometry(box_a), b = collision_geometry(box_b),
                            surface_a = surface_of(box_a), surface_b = surface_of(box_b);
    const SweptPair pair = random_pair(a, b, trial % 3 == 0 ? 0.0 : trial % 3 == 1 ? 0.5 : 3.0, &random);
    const SweptPair surfaces{swept(surface_a, pair.a.start.X_WG, pair.a.V),
                             swept(surface_b, pair.b.start.X_WG, pair.b.V)};
    const std::optional<double> t = find_touch(pair, 1.0, 0.0), of_surfaces = find_touch(surfaces, 1.0, 0.0);
    ASSERT_EQ(of_surfaces.has_value(), t.has_value()) << trial;
    if (t) {
      EXPECT_NEAR(*of_surfaces, *t, 1e-6) << trial;
    }
    t ? ++num_touches : ++num_passes;
  }
  EXPECT_GT(num_touches, 100);
  EXPECT_GT(num_passes, 30);
}

// A box turns beside the side of another, its corners a micrometre away from it at the nearest: so near for
// so long that gap over closing speed makes hundreds of advances.
TEST(Touch, OfWhatTurnsPastItIsNone) {
  const CollisionGeometry box = collision_geometry(Box{{0.2, 0.2, 0.2}});
  Twist turning;
  turning.w = Vector3(0, 0, 1);
  for (const double gap : {1e-3, 1e-6, -1e-4}) {
    const RigidTransform X(Vector3(0.1 + 0.1 * std::sqrt(2.0) + gap, 0, 0));
    const SweptPair pair{swept(box, {}, {}), swept(box, X, turning)};
    EXPECT_EQ(find_touch(pair, 1.5, 0.0).has_value(), gap < 0.0) << gap;
  }
}

/// A rod from -x to x, 2 m long, that turns about z, and a point beside it.
class RodAndPoint {
 public:
  RodAndPoint(double w, const Vector3& point) : w_(w), point_(point) {}

  std::optional<Gap> gap(double t, double /*bound*/) {
    ++num_gaps;
    along_ = Vector3(std::cos(w_ * t), std::sin(w_ * t), 0.0);
    const Vector3 way = point_ - std::clamp(point_.dot(along_), -1.0, 1.0) * along_;
    return Gap{way.norm(), way.normalized()};
  }
  Vector3 arm_a(const Vector3& direction) const { return std::copysign(1.0, direction.dot(along_)) * along_; }
  Vector3 arm_b(const Vector3& /*direction*/) const { return point_; }
  Vector3 between() const { return Vector3::Zero(); }
  double radii() const { return 0.0; }

  int num_gaps = 0;

 private:
  double w_;
  Vector3 point_, along_;
};

// The point of the rod that touches is slower than its ends, and the plane between the two turns with it: by
// a bound on the speeds alone a gap shrinks by half with each advance, 29 times.
TEST(Touch, IsFoundInFewAdvances) {
  const CollisionGeometry ball = collision_geometry(Sphere{1.0});
  for (const double w : {0.3, 3.0}) {
    Twist turning;
    turning.w = Vector3(0, 0, w);
    ClosingSpeed speed({swept(ball, {}, turning), swept(ball, {}, {})});
    speed.radius_a = 1.0;
    for (const double angle : {0.1, 0.5, 1.0}) {
      RodAndPoint pieces(w, 0.5 * Vector3(std::cos(angle), std::sin(angle), 0.0));
      const std::optional<double> t = first_touch(speed, 4.0 / w, 0.0, 1e-9, &pieces);
      ASSERT_TRUE(t) << w << ' ' << angle;
      EXPECT_LE(*t, angle / w);
      EXPECT_NEAR(*t, angle / w, 2e-9 / w) << angle;  // at half the speed of the ends, to the tolerance
      EXPECT_LE(pieces.num_gaps, 12) << w << ' ' << angle;
    }
  }
}

// However fast they turn, and whatever they look like.
TEST(Touch, OfWhatFliesPastBeyondItsBallIsNone) {
  Random random(12);
  for (int trial = 0; trial < 200; ++trial) {
    const CollisionGeometry a = collision_geometry(test::random_shape("box", &random)),
                            b = collision_geometry(test::random_shape("cylinder", &random));
    const Vector3 way = test::random_unit(&random), side = test::random_unit(&random).cross(way).normalized();
    const double apart = a.ball_B.radius + b.ball_B.radius + 1e-6;
    Twist V_a, V_b;
    V_a.w = 100.0 * test::random_unit(&random);
    V_b.w = 100.0 * test::random_unit(&random);
    V_b.v = 2.0 * apart * way;
    const SweptPair pair{swept(a, RigidTransform(test::random_rotation(&random), Vector3::Zero()), V_a),
                         swept(b, RigidTransform(test::random_rotation(&random), apart * (side - way)), V_b)};
    EXPECT_FALSE(balls_touch(pair, 1.0, 0.0)) << trial;
    EXPECT_FALSE(find_touch(pair, 1.0, 0.0)) << trial;
    EXPECT_TRUE(balls_touch(pair, 1.0, 0.01 * apart)) << trial;
  }
}

// --- the contacts of a step

ContactSet foreseen(const World& world) {
  ContactFinder finder(const_cast<World&>(world).model());
  ContactSet contacts;
  finder.find(world.query(), &contacts);
  finder.foresee(world.query(), &contacts);
  return contacts;
}

void set_velocity(World* world, int body, const Vector3& v) {
  world->V0[body].v = world->V_star[body].v = v;
}

/// A fixed box of 10 cm at the origin, and one that flies at x = -0.11 with its middle at the height z.
World bullet(double z, const Vector3& v) {
  World world;
  world.add(world.add_body(false, {}), Box{{0.1, 0.1, 0.1}});
  world.add(world.add_body(true, RigidTransform(Vector3(-0.11, 0.0, z))), Box{{0.1, 0.1, 0.1}});
  set_velocity(&world, 1, v);
  return world;
}

TEST(Foreseen, BoxesThatPassHaveNoContact) {
  for (const double gap : {1e-6, 1e-4, 1e-3, 1e-2})
    for (const double way : {0.011, 0.02, 0.1, 0.3})
      EXPECT_EQ(foreseen(bullet(0.1 + gap, {way / 1e-3, 0, 0})).size(), 0) << gap << ' ' << way;
}

// One millimetre of overlap of their faces: these meet, whatever corners are nearest at the start.
TEST(Foreseen, BoxesThatHitMeetWithTheirFaces) {
  for (const double way : {0.011, 0.02, 0.1, 0.3}) {
    const double drop = -0.2 * way;  // on the way down: the normal at the start is not that of the faces
    const double z = 0.099 - drop * 0.01 / way;
    const ContactSet contacts = foreseen(bullet(z, {way / 1e-3, 0, drop / 1e-3}));
    ASSERT_EQ(contacts.size(), 4) << way;
    for (const PointContact& c : contacts.points) {
      EXPECT_NEAR((c.normal - Vector3(-1, 0, 0)).norm(), 0.0, 1e-9);
      EXPECT_NEAR(c.phi, 0.01, 1e-9);
      EXPECT_NEAR((c.p_b - c.p_a - c.phi * c.normal).norm(), 0.0, 1e-12);
      // On the box that moves the place is where its own material meets the other.
      EXPECT_NEAR(std::abs(c.p_b.z() - z), 0.05, 0.0011)
          << "z of the bullet's lower edge, or a millimetre above";
      EXPECT_LT(c.p_b.z() - z, -0.048);
    }
  }
}

// What is met by the motion is met with the gap that closes when it is met, and arms that are right on the
// body that moves: a ball beside which a floor begins.
TEST(Foreseen, ABallMeetsAnEdgeWhereItTouchesIt) {
  World world;
  world.add(world.add_body(false, {}), Box{{0.2, 0.2, 0.2}});  // its edge at x = z = 0.1
  world.add(world.add_body(true, RigidTransform(Vector3(0.1 + 0.02, 0.0, 0.1 + 0.04))), Sphere{0.03});
  const Vector3 v(0.0, 0.0, -50.0);
  set_velocity(&world, 1, v);
  const ContactSet contacts = foreseen(world);
  ASSERT_EQ(contacts.size(), 1);
  const PointContact& c = contacts.points[0];
  const Vector3 n(2.0 / 3.0, 0.0, std::sqrt(5.0) / 3.0);  // centre 0.02 beside the edge, radius 0.03
  EXPECT_NEAR((c.normal - n).norm(), 0.0, 1e-6);
  const double t = (0.04 - 0.03 * n.z()) / 50.0;
  EXPECT_NEAR(c.phi + t * n.dot(v), 0.0, 1e-9);
  const Vector3 arm = 0.5 * (c.p_a + c.p_b) - world.poses[1].p;
  EXPECT_NEAR((arm + 0.03 * n).norm(), 0.0, 1e-8);
}

// What lies near and does not move keeps what `find` has offered, sideways or not.
TEST(Foreseen, WhatRestsKeepsItsContacts) {
  World world = bullet(0.1 + 1e-6, {0, 0, -0.0098});
  world.poses[1].p.x() = 0.0999999;
  world.slack = world.fall = 1.96e-5;
  world.V0[1].v.setZero();
  EXPECT_GT(world.find().size(), 0);
  EXPECT_EQ(foreseen(world).size(), world.find().size());
}

// SAP lifts what slides before it touches: over a floor on which it is pressed or which it is about to meet,
// not beside one that it passes.
TEST(Foreseen, FrictionLiftsOnlyWhatWouldMeet) {
  const auto slide = [](const Vector3& v0, const Vector3& v_star) {
    World world;
    world.rule(0, 0).reach_tau = 1e-3;
    world.rule(0, 0).reach_friction = 0.5;
    world.add(world.add_body(false, {}), Box{{4, 4, 0.2}});
    world.add(world.add_body(true, RigidTransform(Vector3(0, 0, 0.1 + 0.01 + 1e-3))), Sphere{0.01});
    world.V0[1].v = v0;
    world.V_star[1].v = v_star;
    return foreseen(world).size();
  };
  EXPECT_EQ(slide({5, 0, 0}, {5, 0, 0}), 0);
  EXPECT_EQ(slide({5, 0, 0}, {5, 0, -0.01}), 1);
  EXPECT_EQ(slide({5, 0, -0.1}, {5, 0, -0.1}), 1);
  EXPECT_EQ(slide({5, 0, -0.001}, {5, 0, -0.001}), 0);  // beyond the floor's end
}

// A law that looks further ahead than the step: boxes that face each other at its end, but not where they
// would meet, pass.
TEST(Foreseen, WhatIsMetAfterTheStepIsLookedForToo) {
  for (const double drop : {0.0, 150.0}) {
    World world = bullet(0.05, {0, 0, drop});
    world.rule(0, 0).reach_tau = 10e-3;
    world.V0[1].v.x() = world.V_star[1].v.x() = 2.0;  // 2 mm of the 10 mm in the step, the rest in 4 more
    EXPECT_EQ(foreseen(world).size(), drop > 0.0 ? 0 : 4) << drop;
  }
}

/// Two shapes that fly at each other and turn by up to `turn` (rad) in a step, of a law that looks ahead by
/// as much again.
World tumbling(double turn, Random* random) {
  World world;
  world.rule(0, 0).reach_tau = world.step;
  const Shape a = test::random_shape("box", random), b = test::random_shape("cylinder", random);
  const double size = bounding_ball(a).radius + bounding_ball(b).radius;
  for (const Shape& shape : {a, b})
    world.add(world.add_body(true, RigidTransform(test::random_rotation(random), Vector3::Zero())), shape);
  const Vector3 from = uniform(random, 0.8, 1.2) * size * test::random_unit(random);
  world.poses[1].p = from;
  for (int i = 0; i < 2; ++i)
    world.V0[i].w = world.V_star[i].w = uniform(random, 0.0, turn) / world.step * test::random_unit(random);
  set_velocity(&world, 1, -uniform(random, 0.0, 1.0) * from / world.step);
  return world;
}

// The velocity at the start of a point that comes to the touch by turning need not close its gap: carried
// back along it the contact would hold the energy of an overlap that is not there.
TEST(Foreseen, WhatIsApartIsNoOverlap) {
  Random random(13);
  int num_contacts = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const World world = tumbling(2.0, &random);
    const ContactSet found = world.find();
    if (std::any_of(found.points.begin(), found.points.end(), [](const auto& c) { return c.phi < 0.0; }))
      continue;
    for (const PointContact& c : foreseen(world).points) {
      EXPECT_GE(c.phi, 0.0) << trial;
      ++num_contacts;
    }
  }
  EXPECT_GT(num_contacts, 100);
}

// What faces another at the end of its look ahead has not met it if it turned there beyond it.
TEST(Foreseen, WhatTurnsMeetsOnlyWhatItTouches) {
  Random random(14);
  int num_passes = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    const World world = tumbling(1.0, &random);
    const Model& model = const_cast<World&>(world).model();
    const auto side = [&](int i) {
      CollisionGeometry g = collision_geometry(model.geometries[i].shape);
      return std::pair(std::make_shared<CollisionGeometry>(g), i);
    };
    const auto [a, i] = side(0);
    const auto [b, j] = side(1);
    const SweptPair pair{swept(*a, world.poses[i], world.V_star[i]),
                         swept(*b, world.poses[j], world.V_star[j])};
    if (find_touch(pair, 2.0 * world.step, 0.0)) continue;
    EXPECT_EQ(foreseen(world).size(), 0) << trial;
    if (world.find().size() > 0) ++num_passes;
  }
  EXPECT_GT(num_passes, 20);
}

// A sphere that presses on a box leads it off the way along which it would pass: the contacts of the start
// stay.
TEST(Foreseen, APairWithAThirdBodyKeepsItsContacts) {
  World world = bullet(0.1 + 1e-4, {100, 0, 0});
  const auto meets_target = [](const ContactSet& contacts) {
    return std::any_of(contacts.points.begin(), contacts.points.end(),
                       [](const PointContact& c) { return c.body_a == 0 && c.body_b == 1; });
  };
  EXPECT_FALSE(meets_target(foreseen(world)));
  world.add(world.add_body(false, RigidTransform(Vector3(-0.11, 0.0, 0.2))), Sphere{0.05});
  EXPECT_TRUE(meets_target(foreseen(world)));
}

/// The surface of two cubes of 10 cm at these poses.
Mesh two_cubes(const RigidTransform& X_1, const RigidTransform& X_2) {
  TriangleMesh mesh;
  mesh.closed = true;
  for (const RigidTransform& X : {X_1, X_2}) {
    const TriangleMesh cube = testing::box_mesh({0.1, 0.1, 0.1});
    const int first = static_cast<int>(mesh.vertices.size());
    for (const Vector3& p : cube.vertices) mesh.vertices.push_back(X * p);
    for (const auto& t : cube.triangles) mesh.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  }
  return testing::make_mesh(std::move(mesh));
}

// Two cubes of one surface come at two of another, each past the edges that are nearest at the start: one
// meets a side after half the step, the other a top after 0.6 of it. What is met first is foreseen; once it
// is held, the other is found at the velocities that are left.
TEST(Foreseen, SurfacesMeetAtASecondPlaceOnceTheFirstIsHeld) {
  const Vector3 first(0.11, 0.0, -0.105), second(1.105, 0.0, -0.112);
  World world;
  world.add(world.add_body(false, {}), two_cubes(RigidTransform(first), RigidTransform(second)));
  world.add(world.add_body(true, {}), two_cubes({}, RigidTransform(Vector3(1, 0, 0))));
  set_velocity(&world, 1, {20, 0, -20});
  ContactFinder finder(world.model());
  ContactSet contacts;
  finder.find(world.query(), &contacts);
  finder.foresee(world.query(), &contacts);
  ASSERT_EQ(contacts.size(), 4);
  for (const PointContact& c : contacts.points) {
    EXPECT_NEAR((c.normal - Vector3(-1, 0, 0)).norm(), 0.0, 1e-9);
    EXPECT_NEAR(c.phi, 0.01, 1e-9);
  }
  std::vector<Twist> V = world.V_star;
  V[1].v.x() = 0.01 / world.step;  // what the side leaves
  EXPECT_GT(finder.look_again(world.query(), V, contacts).count, 0);
  finder.add_found(&contacts);
  ASSERT_EQ(contacts.size(), 8);
  EXPECT_EQ(std::count_if(contacts.points.begin(), contacts.points.end(),
                          [](const PointContact& c) {
                            return (c.normal - Vector3(0, 0, 1)).norm() < 1e-9 &&
                                   std::abs(c.phi - 0.012) < 1e-9;
                          }),
            4);
}

/// A floor with a ramp that rises by 0.4 from x = 0 on.
TriangleMesh floor_with_ramp() {
  TriangleMesh mesh;
  mesh.closed = true;
  for (const double y : {-0.3, 0.3}) {
    for (const auto& [x, z] : {std::pair(-0.3, -0.1), {0.3, -0.1}, {0.3, 0.12}, {0.0, 0.0}, {-0.3, 0.0}})
      mesh.vertices.emplace_back(x, y, z);
  }
  for (const auto& [i, j, k] : {std::array{1, 2, 3}, {1, 3, 4}, {1, 4, 0}}) {
    mesh.triangles.push_back({i, j, k});
    mesh.triangles.push_back({k + 5, j + 5, i + 5});
  }
  for (int i = 0; i < 5; ++i) {
    const int j = (i + 1) % 5;
    mesh.triangles.push_back({j, i, i + 5});
    mesh.triangles.push_back({j, i + 5, j + 5});
  }
  return mesh;
}

// A block comes down before a ramp, is held by the floor, and slides on under the ramp within the step: there
// was nothing over the ramp before, and its plane has no point near the block.
TEST(Foreseen, WhatSlidesOnFromAHitMeetsTheNextFacet) {
  World world;
  world.step = 2e-3;
  world.slack = world.fall = 8e-5;
  world.add_body(false, {});
  world.add(0, testing::make_mesh(floor_with_ramp()));
  world.add_body(true,
                 RigidTransform(Vector3(-0.051, 0.0, 0.051)));  // 1 mm above the floor and before the ramp
  world.add(1, testing::make_mesh(testing::box_mesh(Vector3(0.1, 0.1, 0.1))));
  set_velocity(&world, 1, {1, 0, -1});
  ContactFinder finder(world.model());
  ContactSet contacts;
  finder.find(world.query(), &contacts);
  finder.foresee(world.query(), &contacts);
  for (const PointContact& c : contacts.points) EXPECT_NEAR((c.normal - Vector3::UnitZ()).norm(), 0.0, 1e-9);
  std::vector<Twist> V = world.V_star;
  V[1].v.z() = -0.5;  // what the floor leaves
  EXPECT_GT(finder.look_again(world.query(), V, contacts).count, 0);
  const std::size_t before = contacts.points.size();
  finder.add_found(&contacts);
  ASSERT_EQ(contacts.points.size(), before + 2);
  const Vector3 ramp = Vector3(-0.4, 0.0, 1.0).normalized();
  int num_found = 0;
  for (const PointContact& c : contacts.points) {
    if ((c.normal - ramp).norm() > 1e-9) continue;
    ++num_found;
    // 1 mm beyond the foot of the ramp, on the floor's height.
    EXPECT_NEAR(c.phi + world.step * c.normal.dot(V[1].v), 1e-3 * ramp.x(), 1e-9);
  }
  EXPECT_EQ(num_found, 2);
  EXPECT_EQ(finder.look_again(world.query(), V, contacts).count, 0);
  // Where it stops before the ramp there is nothing.
  V[1].v.x() = 0.4;
  contacts.points.resize(before);
  EXPECT_EQ(finder.look_again(world.query(), V, contacts).count, 0);
}

// Edges of two surfaces come at each other at two places, of which one is tilted, and slide. Where they still
// cross at the end of the step they meet, at both places in one step; beyond the end of an edge they pass.
TEST(Foreseen, EdgesThatSlideMeetWhereTheyStillCross) {
  const auto turn = [](double angle, const Vector3& axis) {
    return Matrix3(Eigen::AngleAxisd(angle, axis).toRotationMatrix());
  };
  const Vector3 x = Vector3::UnitX(), y = Vector3::UnitY(), z = Vector3::UnitZ(), beside(0, 1, 0);
  const Matrix3 tilt = turn(0.2, x), below = turn(std::numbers::pi / 4, x),
                above = turn(std::numbers::pi / 4, y);
  const double height = 0.1 * std::sqrt(2.0);  // of an edge over an edge that touches it
  for (const double start : {0.02, 0.045}) {   // m along the lower edges, which end at 0.05
    const auto over = [&](double gap) { return Vector3(start, 0, height + gap); };
    World world;
    world.add(world.add_body(false, {}), two_cubes(RigidTransform(below, Vector3::Zero()),
                                                   RigidTransform(Matrix3(tilt * below), beside)));
    world.add(world.add_body(true, {}),
              two_cubes(RigidTransform(above, over(1e-3)),
                        RigidTransform(Matrix3(tilt * above), beside + tilt * over(1.5e-3))));
    set_velocity(&world, 1, {20, 0, -2});
    const ContactSet contacts = foreseen(world);
    ASSERT_EQ(contacts.size(), start < 0.03 ? 2 : 0);
    for (const PointContact& c : contacts.points) {
      const bool is_first = c.p_a.y() < 0.5;
      EXPECT_NEAR((c.normal - (is_first ? z : Vector3(tilt * z))).norm(), 0.0, 1e-9);
      EXPECT_NEAR(c.phi, is_first ? 1e-3 : 1.5e-3, 1e-9);
    }
  }
}

// Two bodies that fall alike are pushed together by nothing, whatever the rounding of their velocities.
TEST(Foreseen, RoundingDoesNotPush) {
  World world;
  world.rule(0, 0).reach_friction = 0.5;
  for (int i = 0; i < 2; ++i) world.add(world.add_body(true, {}), Sphere{0.01});
  world.poses[1].p.z() = 0.0201;
  const Vector3 v(3.0 / 7.0, 0.0, 1.0 / 3.0);
  world.V0[0].v = v;
  world.V0[1].v = v + Vector3(20.0, 0.0, 0.1);
  for (int i = 0; i < 2; ++i) world.V_star[i].v = world.V0[i].v - Vector3(0, 0, 0.0981);
  world.V_star[1].v.z() -= 1e-16;
  EXPECT_EQ(foreseen(world).size(), 0);
}

// Gyroscopic torques turn the points of what spins; they push it nowhere. Links of a tree may be pushed so.
TEST(Foreseen, WhatSpinsIsPushedByNothing) {
  const auto slide = [](bool is_free) {
    World world;
    world.rule(0, 0).reach_friction = 0.5;
    world.add(world.add_body(false, {}), Box{{4, 4, 0.2}});
    const int body = world.add_body(true, RigidTransform(Vector3(-0.05, 0, 0.1 + 0.01 + 1e-3)));
    world.add(body, Sphere{0.01}, RigidTransform(Vector3(0.05, 0, 0)));
    if (is_free) world.model().free_bodies.push_back({.body = body, .mass = {}});
    set_velocity(&world, body, {5, 0, 0});
    world.V_star[body].w.y() = 1.0;  // the ball comes down by 0.05 mm in the step
    ContactQuery query = world.query();
    query.turns_about_centers = true;
    ContactFinder finder(world.model());
    ContactSet contacts;
    finder.find(query, &contacts);
    finder.foresee(query, &contacts);
    return contacts.size();
  };
  EXPECT_EQ(slide(true), 0);
  EXPECT_EQ(slide(false), 1);
}

// A surface that turns far meets what it touches, not what its velocities of the start point at: the lowest
// corner of a cube on a long arm comes down, and swings past 1.8 mm above the floor.
TEST(Foreseen, ASurfaceThatTurnsFarMeetsOnlyWhatItTouches) {
  const auto spin = [](double height) {
    World world;
    world.step = 0.01;
    world.rule(0, 0).reach_tau = 0.02;
    world.add(world.add_body(false, {}), Box{{4, 4, 0.2}});
    const Shape cube = Mesh{std::make_shared<const TriangleMesh>(testing::box_mesh({0.1, 0.1, 0.1}))};
    world.add(world.add_body(true, RigidTransform(Vector3(0, 0, 0.1 + height))), cube,
              RigidTransform(Vector3(0, 0, -1.0)));
    world.V0[1].w.y() = world.V_star[1].w.y() = 30.0;
    return foreseen(world).size();
  };
  const double lowest = std::hypot(1.05, 0.05);
  EXPECT_EQ(spin(lowest + 0.0018), 0);
  EXPECT_GT(spin(lowest - 0.0005), 0);
}

// Of surfaces, which have no way out on the other side to be told by, the poses on the way tell: a cube of
// triangles that turns a little flies through another, or past it.
TEST(Passages, OfSurfacesAreSeenOnTheWay) {
  const Mesh cube{std::make_shared<const TriangleMesh>(testing::box_mesh({0.1, 0.1, 0.1}))};
  for (const bool other_is_surface : {true, false}) {
    for (const double offset : {0.0, 0.03, 0.12}) {
      World world;
      world.add(world.add_body(false, {}), other_is_surface ? Shape(cube) : Shape(Box{{0.1, 0.1, 0.1}}));
      world.add(world.add_body(true, RigidTransform(Vector3(-0.2, offset, 0.01))), cube);
      set_velocity(&world, 1, {400, 0, 0});
      world.V0[1].w = world.V_star[1].w = Vector3(0, 0, 10.0);  // 0.01 rad
      ContactFinder finder(world.model());
      ContactSet contacts;
      finder.find(world.query(), &contacts);
      std::vector<RigidTransform> X_end = world.poses;
      X_end[1] = RigidTransform(Eigen::AngleAxisd(0.01, Vector3::UnitZ()).toRotationMatrix(),
                                Vector3(0.2, offset, 0.01));
      const Passages found = finder.find_passages(world.query(), world.V0, X_end, contacts);
      EXPECT_EQ(found.pairs.count, offset < 0.1 ? 1 : 0) << other_is_surface << ' ' << offset;
      EXPECT_EQ(found.too_long.size(), offset < 0.1 ? 1u : 0u) << other_is_surface << ' ' << offset;
    }
  }
}

/// The passages of a cube of 2 cm that falls from z = start to z = end (m) and turns by `angle` (rad) about
/// its way, at the plate in the plane z = 0.
Passages fall(const Shape& plate, double start, double end, double angle) {
  World world;
  const Mesh cube{std::make_shared<const TriangleMesh>(testing::box_mesh({0.02, 0.02, 0.02}))};
  world.add(world.add_body(false, {}), plate);
  world.add(world.add_body(true, RigidTransform(Vector3(0.013, 0.017, start))), cube);
  set_velocity(&world, 1, {0, 0, (end - start) / world.step});
  world.V0[1].w = world.V_star[1].w = Vector3(0, 0, angle / world.step);
  ContactFinder finder(world.model());
  ContactSet contacts;
  finder.find(world.query(), &contacts);
  std::vector<RigidTransform> X_end = world.poses;
  X_end[1] = RigidTransform(Eigen::AngleAxisd(angle, Vector3::UnitZ()).toRotationMatrix(),
                            Vector3(0.013, 0.017, end));
  return finder.find_passages(world.query(), world.V0, X_end, contacts);
}

std::vector<Shape> thin_plates() {
  const auto mesh = [](TriangleMesh m) { return Mesh{std::make_shared<const TriangleMesh>(std::move(m))}; };
  TriangleMesh sheet;
  sheet.vertices = {{-0.5, -0.5, 0}, {0.5, -0.5, 0}, {0.5, 0.5, 0}, {-0.5, 0.5, 0}};
  sheet.triangles = {{0, 1, 2}, {0, 2, 3}};
  return {mesh(testing::box_mesh({1, 1, 0.002})), mesh(std::move(sheet)), Box{{1, 1, 0.002}}};
}

// Wherever on a way of ten times its size a body meets a plate, apart from it at the start, half way and at
// the end.
TEST(Passages, AreSeenAtAnyPlaceOfTheWay) {
  for (const Shape& plate : thin_plates())
    for (const double angle : {0.01, 3.0, 20.0})
      for (double share = 0.1; share < 0.95; share += 0.1)
        EXPECT_EQ(fall(plate, 0.2 * share, 0.2 * share - 0.2, angle).pairs.count, 1)
            << plate.index() << ' ' << angle << ' ' << share;
}

// One that begins deep in the plate, as its contacts are too soft for its speed, is told, but no shorter step
// holds it.
TEST(Passages, OfWhatIsTooSoftAreTold) {
  for (const Shape& plate : thin_plates()) {
    const Passages found = fall(plate, 0.007, -0.1, 0.01);
    EXPECT_EQ(found.pairs.count, 1) << plate.index();
    EXPECT_TRUE(found.too_long.empty()) << plate.index();
  }
}

// One that sinks into a thick plate over many steps is told in that in which its way out becomes the one on
// the other side: the plate's middle is at z = 0.
TEST(Passages, OfWhatGivesWayOverSeveralStepsAreTold) {
  const Mesh mesh{std::make_shared<const TriangleMesh>(testing::box_mesh({1, 1, 0.1}))};
  for (const Shape& plate : {Shape(mesh), Shape(Box{{1, 1, 0.1}})}) {
    for (const double angle : {0.0, 0.01}) {
      const Passages found = fall(plate, 0.002, -0.002, angle);
      EXPECT_EQ(found.pairs.count, 1) << plate.index() << ' ' << angle;
      EXPECT_TRUE(found.too_long.empty()) << plate.index() << ' ' << angle;
      EXPECT_EQ(fall(plate, 0.03, 0.002, angle).pairs.count, 0) << plate.index() << ' ' << angle;
      EXPECT_EQ(fall(plate, -0.002, -0.03, angle).pairs.count, 0) << plate.index() << ' ' << angle;
      EXPECT_EQ(fall(plate, -0.002, 0.002, angle).pairs.count, 1) << plate.index() << ' ' << angle;
    }
  }
}

// In a slot that is too narrow a body has two ways out, each the deepest in its turn: it has not passed.
TEST(Passages, BetweenTheWallsOfASlotThereAreNone) {
  TriangleMesh walls = testing::box_mesh({0.1, 1, 1});
  const auto num_vertices = static_cast<int>(walls.vertices.size());
  const TriangleMesh other = walls;
  for (Vector3& vertex : walls.vertices) vertex.x() -= 0.054;  // 8 mm between the walls
  for (const Vector3& vertex : other.vertices) walls.vertices.push_back(vertex + Vector3(0.054, 0, 0));
  for (const auto& t : other.triangles)
    walls.triangles.push_back({t[0] + num_vertices, t[1] + num_vertices, t[2] + num_vertices});
  for (const double way : {-0.003, -0.001, 0.001, 0.003}) {
    World world;
    world.add(world.add_body(false, {}), Mesh{std::make_shared<const TriangleMesh>(walls)});
    world.add(world.add_body(true, RigidTransform(Vector3(-way, 0, 0))), Sphere{0.01});
    set_velocity(&world, 1, {2 * way / world.step, 0, 0});
    ContactFinder finder(world.model());
    ContactSet contacts;
    finder.find(world.query(), &contacts);
    ASSERT_GE(contacts.points.size(), 2u) << way;
    std::vector<RigidTransform> X_end = world.poses;
    X_end[1].p.x() = way;
    EXPECT_EQ(finder.find_passages(world.query(), world.V0, X_end, contacts).pairs.count, 0) << way;
  }
}

// What ends, or begins, in an overlap that is the deepest of its way has not passed.
TEST(Passages, AreDeeperThanTheEndsOfTheWay) {
  for (const Shape& plate : thin_plates()) {
    for (const double deep : {0.0095, 0.007, 0.003}) {
      EXPECT_EQ(fall(plate, 0.2, deep, 0.01).pairs.count, 0) << plate.index() << ' ' << deep;
      EXPECT_EQ(fall(plate, deep, 0.2, 0.01).pairs.count, 0) << plate.index() << ' ' << deep;
    }
  }
}

// --- seams

/// A box of 10 x 6 x 4 cm, `depth` deep in the floor box that ends at x = 0, its front at x = front; a second
/// floor box beyond, `higher` than the first.
World seam(double front, double depth, double higher, double speed) {
  World world;
  world.add(world.add_body(false, RigidTransform(Vector3(-2, 0, -0.5))), Box{{4, 4, 1}});
  world.add(world.add_body(false, RigidTransform(Vector3(2, 0, -0.5 + higher))), Box{{4, 4, 1}});
  world.add(world.add_body(true, RigidTransform(Vector3(front - 0.05, 0, 0.02 - depth))),
            Box{{0.1, 0.06, 0.04}});
  set_velocity(&world, 2, {speed, 0, 0});
  world.V_star[2].v.z() = -9.81e-3;
  world.slack = world.fall = 2 * 9.81e-6;
  return world;
}

// Normals that differ by less than 1e-3 rad hold together: 5e-7 of the cosine.
TEST(Seams, AreNotThere) {
  for (const double speed : {1e-3, 0.1, 2.0, 50.0}) {
    for (const double front : {-5e-4, -1e-6, -1e-12, 1e-12, 1e-7, 1e-6, 1e-4, 1e-2}) {
      for (const double depth : {-1e-9, 1e-9, 1e-6, 3e-4}) {
        for (const double higher : {0.0, 1e-6, -1e-6, -1e-4}) {
          const ContactSet contacts = foreseen(seam(front, depth, higher, speed));
          EXPECT_GE(contacts.size(), 4);
          for (const PointContact& c : contacts.points)
            EXPECT_NEAR(c.normal.z(), 1.0, 5.1e-7) << speed << ' ' << front << ' ' << depth << ' ' << higher;
        }
      }
    }
  }
}

TEST(Seams, AStepUpIsMet) {
  for (const double front : {-1e-3, -1e-6, 1e-6}) {
    const ContactSet contacts = foreseen(seam(front, 1e-6, 1e-3, 2.0));
    EXPECT_TRUE(std::any_of(contacts.points.begin(), contacts.points.end(), [](const PointContact& c) {
      return c.normal.x() < -0.99;
    })) << front;
  }
}

/// Makes the box that slides a mesh of a file in whose frame it lies turned by R.
void turn_into_mesh(World* world, const Matrix3& R) {
  TriangleMesh mesh = testing::box_mesh({0.1, 0.06, 0.04});
  for (Vector3& vertex : mesh.vertices) vertex = R * vertex;
  Geometry& sliding = world->model().geometries[2];
  sliding.shape = Mesh{std::make_shared<const TriangleMesh>(mesh)};
  sliding.X_BG.R = R.transpose();
}

bool is_level(const PointContact& c) {
  return std::abs(c.normal.z()) > 1.0 - 5.1e-7;
}

// How far a surface reaches down does not depend on how it lies in its file.
TEST(Seams, AreNotThereForSurfacesThatLieAskewInTheirFiles) {
  Random random(5);
  for (int k = 0; k < 20; ++k) {
    const Matrix3 R = k == 0 ? Matrix3(Matrix3::Identity()) : test::random_rotation(&random);
    for (const double speed : {0.1, 2.0, 50.0}) {
      for (const double front : {-5e-4, -1e-6, 1e-6, 1e-4, 1e-2}) {
        for (const double depth : {1e-9, 1e-6, 3e-4}) {
          World world = seam(front, depth, 0.0, speed);
          turn_into_mesh(&world, R);
          const ContactSet contacts = foreseen(world);
          EXPECT_GE(contacts.size(), 4) << k << ' ' << speed << ' ' << front << ' ' << depth;
          EXPECT_TRUE(std::all_of(contacts.points.begin(), contacts.points.end(), is_level))
              << k << ' ' << speed << ' ' << front << ' ' << depth;
        }
      }
    }
  }
}

// A surface that lies on a box and has a foot behind the end of it, whose slanted front the edge would meet
// by as much as the foot is deep: where it slides on, nothing is met; where it turns down, the edge is.
TEST(Seams, AFootComesOverTheEdgeUnlessItTurnsDown) {
  const double depth = 1e-6;
  TriangleMesh mesh = testing::box_mesh({0.04, 0.06, 0.02});
  for (Vector3& vertex : mesh.vertices) vertex += Vector3(0.03, 0, 0.01 - depth);
  TriangleMesh foot = testing::box_mesh({0.02, 0.06, 0.02});
  const Matrix3 R = Eigen::AngleAxisd(std::numbers::pi / 4, Vector3::UnitY()).toRotationMatrix();
  const auto num_vertices = static_cast<int>(mesh.vertices.size());
  for (const Vector3& vertex : foot.vertices)  // an edge below
    mesh.vertices.push_back(R * vertex + Vector3(-5e-5, 0, 0.01 * std::numbers::sqrt2 - depth));
  for (const auto& t : foot.triangles)
    mesh.triangles.push_back({t[0] + num_vertices, t[1] + num_vertices, t[2] + num_vertices});
  for (const double turning : {0.0, 10.0}) {
    World world = seam(0.0, 0.0, 0.0, 2.0);
    world.poses[0].p.z() -= 1.0;
    world.poses[2] = RigidTransform();
    world.model().geometries[2].shape = Mesh{std::make_shared<const TriangleMesh>(mesh)};
    world.V0[2].w = world.V_star[2].w = Vector3(0, -turning, 0);  // rear down
    const ContactSet contacts = foreseen(world);
    EXPECT_GE(std::count_if(contacts.points.begin(), contacts.points.end(), is_level), 2);
    EXPECT_EQ(!std::all_of(contacts.points.begin(), contacts.points.end(), is_level), turning > 0.0);
  }
}

// What carries a body holds it off nothing that is higher than itself by more than the unevenness of a floor,
// nor round, nor on its way up.
TEST(Seams, OnlyFlushFacesAreDropped) {
  const auto meets_front = [](const ContactSet& contacts) {
    return std::any_of(contacts.points.begin(), contacts.points.end(),
                       [](const PointContact& c) { return std::abs(c.normal.z()) < 0.999; });
  };
  EXPECT_FALSE(meets_front(foreseen(seam(-1e-3, 1e-6, 1e-6, 2.0))));
  EXPECT_TRUE(meets_front(foreseen(seam(-1e-3, 1e-6, 1e-5, 2.0))));
  World rising = seam(-1e-3, 1e-6, 0.0, 2.0);
  rising.V0[1].v.z() = rising.V_star[1].v.z() = 1.0;
  EXPECT_TRUE(meets_front(foreseen(rising)));
}

// A box that flies at the wall of another is not held off it by anything.
TEST(Seams, NothingIsHeldOffByWhatIsNotThere) {
  World world = seam(-1e-3, 1e-6, 1e-5, 2.0);
  world.poses[0].p.z() -= 1.0;
  EXPECT_GT(foreseen(world).size(), 0);
}

}  // namespace
}  // namespace csim
