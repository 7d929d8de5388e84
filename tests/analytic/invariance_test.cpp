// The motion does not depend on: a rotated world, an observer who moves, where the origins of bodies are, the
// order of bodies, neighbours that do not touch, the linear solver, threads.
#include <cmath>
#include <sstream>

#include "analytic/laws_and_solvers.h"
#include "support/simulation.h"

namespace csim::testing_support {
namespace {

/// "[x, y, z]" with all digits.
std::string vector(const Vector3& x) {
  std::ostringstream text;
  text.precision(17);
  text << "[" << x.x() << ", " << x.y() << ", " << x.z() << "]";
  return text.str();
}

/// A ball and a cube thrown together onto a ball at rest, away from any wall: gravity and every pose turned
/// by the rotation R about the origin and moved by `offset`. Isotropic inertias, so that diag(A) turns with
/// the scene.
std::string throw_together(const Quaternion& R, const Vector3& offset, const std::string& suffix = "") {
  std::ostringstream text;
  text.precision(17);
  const auto body = [&](const std::string& name, const Vector3& p, const Vector3& v, const Vector3& w,
                        const char* shape) {
    text << "  - name: " << name << suffix << "\n    mass: 1.2\n    inertia: solid\n"
         << "    pose: {xyz: " << vector(R * p + offset) << ", quaternion_wxyz: [" << R.w() << ", " << R.x()
         << ", " << R.y() << ", " << R.z() << "]}\n"
         << "    velocity: {linear: " << vector(R * v) << ", angular: " << vector(R * w) << "}\n"
         << "    geometry: [{" << shape << ", material: m}]\n";
  };
  body("anvil", {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, "shape: sphere, radius: 0.1");
  body("ball", {0.05, 0.02, 0.21}, {0.1, 0.2, -2}, {1, 5, -3}, "shape: sphere, radius: 0.1");
  body("cube", {-0.19, 0.03, 0.02}, {2, 0.1, 0}, {0.3, -0.2, 0.1}, "shape: box, size: [0.16, 0.16, 0.16]");
  return text.str();
}

const char* const kHead = R"(csim: 1
gravity: [0, 0, 0]
time: {step: 1.0e-3, end: 1}
materials:
  m: {friction: 0.6, stiffness: 2.0e5, hunt_crossley_dissipation: 5, relaxation_time: 0.002}
solver: {tolerance: 1.0e-12}
bodies:
)";

class Invariance : public testing::TestWithParam<LawAndSolver> {};

// 20: objectivity.
TEST_P(Invariance, ARotatedWorldMovesAlike) {
  const Quaternion R = Quaternion(0.3, -0.5, 0.7, 0.2).normalized();
  const Vector3 offset(0.4, -0.3, 0.2);
  Simulation a(kHead + throw_together(Quaternion::Identity(), Vector3::Zero()), GetParam().overrides);
  Simulation b(kHead + throw_together(R, offset), GetParam().overrides);
  double peak = 0.0;
  for (int n = 0; n < 100; ++n) {
    a.step();
    b.step();
    peak = std::max(peak, a.normal_force());
  }
  EXPECT_GT(peak, 100.0);
  for (const char* name : {"anvil", "ball", "cube"}) {
    // Rounding, magnified by 100 steps of stiff contact.
    EXPECT_LT((R * a.position(name) + offset - b.position(name)).norm(), 1e-10) << name;
    EXPECT_LT((R * a.velocity(name) - b.velocity(name)).norm(), 1e-9) << name;
    EXPECT_LT((R * a.angular_velocity(name) - b.angular_velocity(name)).norm(), 1e-8) << name;
  }
}

// 22: two groups that do not touch move as each would alone.
TEST_P(Invariance, IslandsTogetherEqualIslandsApart) {
  const Quaternion R = Quaternion(0.9, 0.1, -0.2, 0.3).normalized();
  Simulation first(kHead + throw_together(Quaternion::Identity(), Vector3::Zero()), GetParam().overrides);
  Simulation second(kHead + throw_together(R, Vector3(5, 0, 0), "_2"), GetParam().overrides);
  Simulation both(kHead + throw_together(Quaternion::Identity(), Vector3::Zero()) +
                      throw_together(R, Vector3(5, 0, 0), "_2"),
                  GetParam().overrides);
  for (int n = 0; n < 100; ++n) {
    first.step();
    second.step();
    both.step();
  }
  for (const char* name : {"anvil", "ball", "cube"}) {
    EXPECT_LT((first.position(name) - both.position(name)).norm(), 1e-12) << name;
    EXPECT_LT((second.position(std::string(name) + "_2") - both.position(std::string(name) + "_2")).norm(),
              1e-12)
        << name;
  }
}

// The same bits with 1 and 3 threads and for a repeated run.
TEST_P(Invariance, ThreadsDoNotChangeABit) {
  const std::string scene = kHead + throw_together(Quaternion::Identity(), Vector3::Zero()) +
                            throw_together(Quaternion::Identity(), Vector3(5, 0, 0), "_2") +
                            throw_together(Quaternion::Identity(), Vector3(0, 5, 0), "_3");
  Simulation one(scene, GetParam().overrides, 1), three(scene, GetParam().overrides, 3),
      again(scene, GetParam().overrides, 1);
  for (int n = 0; n < 100; ++n) {
    one.step();
    three.step();
    again.step();
  }
  EXPECT_TRUE(one.state.q == three.state.q);
  EXPECT_TRUE(one.state.v == three.state.v);
  EXPECT_TRUE(one.state.v == again.state.v);
}

// The order in which the scene lists its bodies only permutes the unknowns.
TEST_P(Invariance, OrderOfBodiesPermutesTheMotion) {
  const std::string text = throw_together(Quaternion::Identity(), Vector3::Zero());
  const std::size_t second = text.find("  - name: ball"), third = text.find("  - name: cube");
  const std::string permuted =
      text.substr(third) + text.substr(0, second) + text.substr(second, third - second);
  Simulation a(kHead + text, GetParam().overrides), b(kHead + permuted, GetParam().overrides);
  for (int n = 0; n < 100; ++n) {
    a.step();
    b.step();
  }
  for (const char* name : {"anvil", "ball", "cube"}) {
    EXPECT_LT((a.position(name) - b.position(name)).norm(), 1e-10) << name;
    EXPECT_LT((a.velocity(name) - b.velocity(name)).norm(), 1e-9) << name;
  }
}

/// An egg that is thrown onto a floor and spins, seen by one who moves with -V.
std::string egg_seen_from(const Vector3& V) {
  std::ostringstream text;
  text.precision(17);
  text << "csim: 1\ntime: {step: 5.0e-3, end: 1}\n"
       << "materials:\n  m: {friction: 0.3, stiffness: 1.0e6, hunt_crossley_dissipation: 1}\n"
       << "solver: {tolerance: 1.0e-12}\nbodies:\n"
       << "  - {name: floor, motion: {velocity: " << vector(V)
       << "}, geometry: [{shape: box, size: [8, 8, 1], pose: {xyz: [0, 0, -0.5]}, material: m}]}\n"
       << "  - {name: egg, density: 200, pose: {xyz: [0, 0, 0.15], rpy: [0.7, 0.4, 0.2]}, velocity: {linear: "
       << vector(V + Vector3(0.7, -1.8, -1.0)) << ", angular: [-4, 9, -3]}, "
       << "geometry: [{shape: ellipsoid, semi_axes: [0.03, 0.045, 0.11], material: m}]}\n";
  return text.str();
}

TEST(InvarianceOfFrames, AMovingObserverSeesTheSame) {
  const Vector3 V(5.0, -3.0, 2.0);
  const std::vector<std::string> law{"contact.model=coulomb"};
  Simulation at_rest(egg_seen_from(Vector3::Zero()), law), moving(egg_seen_from(V), law);
  double peak = 0.0;
  for (int n = 1; n <= 100; ++n) {
    at_rest.step();
    moving.step();
    peak = std::max(peak, at_rest.normal_force());
    EXPECT_LT((at_rest.position("egg") + n * 5e-3 * V - moving.position("egg")).norm(), 1e-10) << n;
  }
  EXPECT_GT(peak, 40.0);
}

/// Bodies with unequal inertias that hang on each other, in a world turned by R.
std::string tied_bodies(const Quaternion& R) {
  std::ostringstream text;
  text.precision(17);
  text << "csim: 1\ngravity: " << vector(R * Vector3(0, 0, -9.81)) << "\ntime: {step: 2.0e-3, end: 1}\n"
       << "solver: {tolerance: 1.0e-13}\nbodies:\n";
  const auto body = [&](const char* name, const Vector3& p, const Vector3& w) {
    text << "  - {name: " << name << ", mass: 1, inertia: [0.02, 0.3, 0.31], pose: {xyz: " << vector(R * p)
         << ", quaternion_wxyz: [" << R.w() << ", " << R.x() << ", " << R.y() << ", " << R.z()
         << "]}, velocity: {angular: " << vector(R * w) << "}}\n";
  };
  body("a", {1, 0, 0}, {1, 2, 3});
  body("b", {2.5, 0, 0}, {-3, 1, 2});
  body("c", {4, 0, 0}, {0, -2, 1});
  text << "constraints:\n"
       << "  - {name: hook, type: ball, a: a, b: world, point_a: [-1, 0, 0], point_b: [0, 0, 0]}\n"
       << "  - {name: rod, type: distance, a: a, b: b, point_a: [0.5, 0.1, 0], point_b: [-0.5, 0, 0.1], "
          "length: 0.5196152422706632}\n"
       << "  - {name: glue, type: weld, a: b, b: c, pose_a: {xyz: [1.5, 0, 0]}}\n";
  return text.str();
}

// Rigid constraints too are as soft as the step resolves, whatever the axes of the world.
TEST(InvarianceOfFrames, TiedBodiesMoveAlikeInATurnedWorld) {
  Simulation upright(tied_bodies(Quaternion::Identity()));
  for (const Quaternion& q : {Quaternion(0.3, -0.5, 0.7, 0.2), Quaternion(0.9, 0.1, 0.4, 0.3)}) {
    const Quaternion R = q.normalized();
    Simulation at_start(tied_bodies(Quaternion::Identity())), turned(tied_bodies(R));
    at_start.step(100);
    turned.step(100);
    for (const char* name : {"a", "b", "c"})
      EXPECT_LT((R * at_start.position(name) - turned.position(name)).norm(), 1e-9) << name;
    EXPECT_GT((at_start.position("c") - upright.position("c")).norm(), 0.1);
  }
}

/// Two balls that spin and hit each other, of bodies whose origins are `shift` and -2 `shift` (m, body axes)
/// away from their middles.
std::string spinning_balls(const Vector3& shift) {
  std::ostringstream text;
  text.precision(17);
  text << "csim: 1\ngravity: [0, 0, 0]\ntime: {step: 5.0e-3, end: 1}\n"
       << "materials:\n  m: {friction: 0.3, stiffness: 1.0e6, hunt_crossley_dissipation: 1}\n"
       << "solver: {tolerance: 1.0e-12}\nbodies:\n";
  const auto ball = [&](const char* name, const Vector3& middle, const Vector3& p, const Vector3& v,
                        const Vector3& w) {
    text << "  - {name: " << name << ", density: 200, pose: {xyz: " << vector(p - middle)
         << "}, velocity: {linear: " << vector(v - w.cross(middle)) << ", angular: " << vector(w)
         << "}, geometry: [{shape: sphere, radius: 0.06, material: m, pose: {xyz: " << vector(middle)
         << "}}]}\n";
  };
  ball("a", shift, {0, 0, 0}, {0.3, 0, 0}, {4, -9, 6});
  ball("b", -2.0 * shift, {0.15, 0.05, 0.02}, {-2, 0.2, 0.1}, {-7, 3, 10});
  return text.str();
}

// What spins turns about its centre of mass, on the way to a hit that is foreseen too.
TEST(InvarianceOfFrames, TheOriginOfABodyIsFree) {
  const Vector3 shift(0.05, -0.08, 0.06);
  const std::vector<std::string> law{"contact.model=lagged", "contact.regularise_stiction=false"};
  Simulation centered(spinning_balls(Vector3::Zero()), law), shifted(spinning_balls(shift), law);
  double peak = 0.0;
  for (int n = 0; n < 20; ++n) {
    centered.step();
    shifted.step();
    peak = std::max(peak, centered.normal_force());
  }
  EXPECT_GT(peak, 30.0);
  for (const auto& [name, middle] : {std::pair("a", shift), std::pair("b", Vector3(-2.0 * shift))}) {
    const Quaternion& turned = shifted.frame.quaternion[shifted.body(name)];
    EXPECT_LT((centered.position(name) - shifted.position(name) - turned * middle).norm(), 1e-8) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Invariance, testing::ValuesIn(laws_and_solvers()), parameter_name);

}  // namespace
}  // namespace csim::testing_support
