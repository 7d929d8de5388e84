// Coriolis and gyroscopic forces at the mean velocity of a step: energies that are kept, and the precession
// of a top.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>

#include "support/simulation.h"

namespace csim::testing_support {
namespace {

struct Range {
  double low = 0.0, high = 0.0;
};

/// Of the energy relative to that of the start, over the steps up to `end` (s).
Range energy_range(Simulation* s, double end) {
  const double start = s->frame.energy.total;
  Range range;
  const long num_steps = std::lround(end / s->scene.time.step);
  for (long n = 0; n < num_steps; ++n) {
    s->step();
    if (::testing::Test::HasFatalFailure()) return range;
    range.low = std::min(range.low, s->frame.energy.total / start - 1.0);
    range.high = std::max(range.high, s->frame.energy.total / start - 1.0);
  }
  return range;
}

std::string set(const std::string& key, double value) {
  std::ostringstream text;
  text.precision(17);
  text << key << "=" << value;
  return text.str();
}

const char* const kSpinningBody = R"(
csim: 1
gravity: [0, 0, 0]
time: {step: 1.0e-2, end: 10}
bodies:
  - {name: b, mass: 1, inertia: [1.0e-3, 2.0e-3, 2.8e-3], velocity: {linear: [1, 2, 3], angular: [3, 30, 9]}}
)";

// To rounding, whatever the step, the spin and the origin: at h w = 0.003, 0.3, 3, 30.
TEST(MeanVelocityTerms, AFreeBodyKeepsItsEnergy) {
  for (const double h : {1e-4, 1e-2, 0.1, 1.0}) {
    for (const char* com : {"[0, 0, 0]", "[0.1, -0.2, 0.05]"}) {
      Simulation s(kSpinningBody, {set("time.step", h), std::string("bodies.b.com=") + com});
      const Range range = energy_range(&s, 10.0);
      EXPECT_LT(range.high - range.low, 1e-12) << h << " " << com;
    }
  }
  // Turns that no single mean velocity describes.
  for (const char* angular : {"[30, 300, 90]", "[-700, 20, 600]", "[5, 0.1, 0.1]", "[40, 41, 42]"}) {
    Simulation s(kSpinningBody, {"time.step=1", std::string("bodies.b.velocity.angular=") + angular});
    const Range range = energy_range(&s, 40.0);
    EXPECT_LT(range.high - range.low, 1e-10) << angular;
  }
  // With the terms of the start the same spin has nine times its energy after a second, 1 J beside 7 J of
  // flight.
  Simulation explicit_terms(kSpinningBody, {"integrator.velocity_terms=start"});
  EXPECT_GT(energy_range(&explicit_terms, 1.0).high, 0.9);
}

// A body that is thrown tumbles on alike wherever its origin is.
TEST(MeanVelocityTerms, TheOriginOfABodyDoesNotMatter) {
  const char* const scene = R"(
csim: 1
time: {step: 1.0e-2, end: 1}
bodies: [{name: body, mass: 0.5, inertia: [1.0e-3, 2.0e-3, 2.5e-3], pose: {xyz: [0, 0, 0.3]}, velocity: {linear: [1, 0, 0], angular: [4, 9, -30]}}]
)";
  Simulation centred(scene);
  const Vector3 com(0.05, -0.1, 0.2);  // v = v_c - w x com
  Simulation offset(scene, {"bodies.body.com=[0.05, -0.1, 0.2]", "bodies.body.pose.xyz=[-0.05, 0.1, 0.1]",
                            "bodies.body.velocity.linear=[2.2, 2.3, 0.85]"});
  centred.step(100);
  offset.step(100);
  const Matrix3 R = offset.frame.quaternion[0].toRotationMatrix();
  EXPECT_LT((R - centred.frame.quaternion[0].toRotationMatrix()).norm(), 1e-12);
  EXPECT_LT((offset.position("body") + R * com - centred.position("body")).norm(), 1e-12);
  EXPECT_LT(
      (offset.velocity("body") + offset.angular_velocity("body").cross(R * com) - centred.velocity("body"))
          .norm(),
      1e-12);
}

// Torque-free: the direction of the angular momentum is right to first order in the step.
TEST(MeanVelocityTerms, AngularMomentumConverges) {
  double error[2];
  for (const int k : {0, 1}) {
    Simulation s(kSpinningBody, {set("time.step", k == 0 ? 2e-3 : 1e-3)});
    const auto momentum = [&] {
      const Matrix3 R = s.frame.quaternion[0].toRotationMatrix();
      return Vector3(R *
                     Vector3(1e-3, 2e-3, 2.8e-3).cwiseProduct(R.transpose() * s.frame.angular_velocity[0]));
    };
    const Vector3 start = momentum();
    s.step(std::lround(1.0 / s.scene.time.step));
    error[k] = (momentum() - start).norm() / start.norm();
  }
  EXPECT_LT(error[0], 2e-2);
  EXPECT_NEAR(error[0] / error[1], 2.0, 0.1);
}

// Steady precession: with the inertias A across and C along about the pivot, the spin w_3 and the tilt b,
// (A cos b) W^2 - C w_3 W + m g l = 0 (here C w_3 with w_3 - W cos b folded in: w_3 is that in all).
constexpr double kPrecession = 3.0605;  // rad/s

/// Mean precession (rad/s) of the body's z axis over the time `end` (s).
double precession(Simulation* s, double end) {
  double turned = 0.0, last = 0.0;
  const long num_steps = std::lround(end / s->scene.time.step);
  for (long n = 0; n <= num_steps; ++n) {
    if (n > 0) s->step();
    const Vector3 axis = s->frame.quaternion.back() * Vector3::UnitZ();
    const double angle = std::atan2(axis.y(), axis.x());
    if (n > 0) turned += std::remainder(angle - last, 2.0 * std::numbers::pi);
    last = angle;
  }
  return turned / end;
}

// 0.5 kg, centre 0.1 m from the pivot, inertia about the pivot 7e-3 across and 1.2e-3 along.
const char* const kTop = R"(
csim: 1
time: {step: 1.0e-3, end: 2}
bodies:
  - {name: top, mass: 0.5, com: [0, 0, 0.1], inertia: [2.0e-3, 2.0e-3, 1.2e-3]}
joints:
  - {name: pivot, type: ball, parent: world, child: top, pose: {rpy: [0.4, 0, 0]}, velocity: [0, 1.191812, 150]}
)";

TEST(MeanVelocityTerms, ATopPrecesses) {
  const double tilt = 0.4, A = 7e-3, C = 1.2e-3, spin = 150.0, torque = 0.5 * 9.81 * 0.1;
  EXPECT_NEAR(A * std::cos(tilt) * kPrecession * kPrecession - C * spin * kPrecession + torque, 0.0, 1e-5);
  for (const auto& [h, tolerance] : {std::pair{5e-3, 0.05}, {1e-3, 0.01}, {1e-4, 1e-3}}) {
    Simulation s(kTop, {set("time.step", h)});
    const double start = s.frame.energy.total;
    EXPECT_NEAR(precession(&s, 1.0) / kPrecession, 1.0, tolerance) << h;
    EXPECT_NEAR(s.frame.energy.total / start, 1.0, 1e-4) << h;
  }
}

// The same top on a tip of 0.1 mm on a rough floor: the mean is that of the velocities before and after
// contact. With the free velocity in place of the latter it precesses at 8.2 rad/s at 5 ms.
TEST(MeanVelocityTerms, ATopOnAContactPrecesses) {
  const char* const scene = R"(
csim: 1
time: {step: 1.0e-3, end: 2}
materials: {m: {friction: 5, stiffness: 1.0e+7, hunt_crossley_dissipation: 0}}
bodies:
  - {name: floor, fixed: true, geometry: [{shape: half_space, material: m}]}
  - name: top
    mass: 0.5
    com: [0, 0, 0.1]
    inertia: [2.0e-3, 2.0e-3, 1.2e-3]
    pose: {xyz: [0, 0, 9.95e-5], rpy: [0.4, 0, 0]}
    velocity: {angular: [0, -57.315020, 138.623263]}
    geometry: [{shape: sphere, radius: 1.0e-4, material: m}]
)";
  // A hundred-thousandth of its momentum is more than all impulses of a step of 10 us.
  for (const auto& [h, tolerance] : {std::pair{5e-3, 0.05}, {1e-3, 0.01}, {1e-5, 0.01}}) {
    Simulation s(scene, {set("time.step", h)});
    const double start = s.frame.energy.kinetic;
    EXPECT_NEAR(precession(&s, 1.0) / kPrecession, 1.0, tolerance) << h;
    EXPECT_NEAR(s.frame.energy.kinetic / start, 1.0, 1e-3) << h;
  }
}

// Three revolute joints about z, x, y with a rotor of 100 rad/s: the energy does not drift, at steps in which
// the rotor turns by 2 rad too.
TEST(MeanVelocityTerms, AGimbalKeepsItsEnergy) {
  const char* const scene = R"(
csim: 1
gravity: [0, 0, 0]
time: {step: 0.02, end: 10}
bodies:
  - {name: outer, mass: 0.2, inertia: [2.0e-3, 2.0e-3, 3.0e-3]}
  - {name: inner, mass: 0.2, inertia: [2.0e-3, 1.0e-3, 1.0e-3]}
  - {name: rotor, mass: 1, com: [0, 0, 0.02], inertia: [1.0e-3, 2.0e-3, 1.0e-3]}
joints:
  - {name: z, type: revolute, parent: world, child: outer, axis: [0, 0, 1], velocity: 1}
  - {name: x, type: revolute, parent: outer, child: inner, axis: [1, 0, 0], position: 0.4, velocity: 2}
  - {name: y, type: revolute, parent: inner, child: rotor, axis: [0, 1, 0], velocity: 100}
)";
  Simulation coarse(scene), fine(scene, {"time.step=1.0e-3"});
  const Range at_20_ms = energy_range(&coarse, 10.0), at_1_ms = energy_range(&fine, 10.0);
  EXPECT_GT(at_20_ms.low, -1e-3);
  EXPECT_LT(at_20_ms.high, 1e-3);
  EXPECT_GT(at_1_ms.low, -1e-4);
  EXPECT_LT(at_1_ms.high, 1e-4);
}

// Three links about x, y, z: what is left is the mass matrix of the start, which does not accumulate.
TEST(MeanVelocityTerms, LinksKeepTheirEnergy) {
  const char* const scene = R"(
csim: 1
gravity: [0, 0, 0]
time: {step: 1.0e-3, end: 10}
bodies:
  - {name: a, mass: 1, com: [0.15, 0.02, 0.01], inertia: [2.0e-3, 1.0e-2, 1.1e-2]}
  - {name: b, mass: 1, com: [0.15, 0.02, 0.01], inertia: [2.0e-3, 1.0e-2, 1.1e-2]}
  - {name: c, mass: 1, com: [0.15, 0.02, 0.01], inertia: [2.0e-3, 1.0e-2, 1.1e-2]}
joints:
  - {name: x, type: revolute, parent: world, child: a, axis: [1, 0, 0], position: 0.1, velocity: 8}
  - {name: y, type: revolute, parent: a, child: b, pose: {xyz: [0.3, 0.1, 0]}, axis: [0, 1, 0], position: 0.5, velocity: -10}
  - {name: z, type: revolute, parent: b, child: c, pose: {xyz: [0.3, 0.1, 0]}, axis: [0, 0, 1], position: -0.3, velocity: 15}
)";
  Simulation fine(scene), coarse(scene, {"time.step=0.01"});
  const Range at_1_ms = energy_range(&fine, 10.0), at_10_ms = energy_range(&coarse, 10.0);
  EXPECT_GT(at_1_ms.low, -0.05);
  EXPECT_LT(at_1_ms.high, 0.05);
  EXPECT_GT(at_10_ms.low, -0.6);
  EXPECT_LT(at_10_ms.high, 0.8);
}

// Bodies that spin fast while they hit gain nothing, at steps of 10 ms.
TEST(MeanVelocityTerms, FastSpinsGainNothingInImpacts) {
  const char* const box = R"(
csim: 1
gravity: [0, 0, 0]
time: {step: 0.01, end: 1}
materials: {m: {}}
bodies:
  - {name: wall, fixed: true, geometry: [{shape: half_space, material: m}]}
  - {name: body, density: 500, pose: {xyz: [0, 0, 0.5]}, velocity: {linear: [0, 0, -3], angular: [3, 100, 9]},
     geometry: [{shape: box, size: [0.1, 0.15, 0.2], material: m}]}
)";
  const std::string tetrahedron =
      "bodies.body.geometry=[{shape: convex, points: [[0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1], [-0.03, -0.03, "
      "-0.05]], material: m}]";
  Simulation box_run(box);
  Simulation thrown(box, {tetrahedron, "bodies.body.velocity.linear=[5, 0, -30]",
                          "bodies.body.velocity.angular=[20, 30, 10]"});
  for (Simulation* s : {&box_run, &thrown}) {
    const Range range = energy_range(s, 1.0);
    EXPECT_LT(range.high, 1e-9);
    EXPECT_LT(range.low, -0.05);  // it has hit
  }
}

}  // namespace
}  // namespace csim::testing_support
