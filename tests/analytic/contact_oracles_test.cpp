// Closed-form motions of one body on a plane, over every contact law and linear solver. Castro et al.
// 2023, Irrotational Contact Fields, sections III to VI, worked out.
#include <algorithm>
#include <cmath>
#include <sstream>

#include "analytic/laws_and_solvers.h"
#include "support/simulation.h"

namespace csim::testing_support {
namespace {

constexpr double kGravity = 9.81;

class ContactOracle : public LawAndSolverTest {};

// A cube of side 0.1 m and mass 1 kg on the plane z = 0; gravity tilts instead of the plane, in the ratio
// tan(theta) = 0.3.
constexpr double kTan = 0.3;
constexpr double kFriction = 0.5;
std::string cube_on_incline(double tan_theta, double velocity) {
  const double c = 1.0 / std::sqrt(1.0 + tan_theta * tan_theta), s = tan_theta * c;
  std::ostringstream text;
  text.precision(17);
  text << "csim: 1\n"
       << "gravity: [" << kGravity * s << ", 0, " << -kGravity * c << "]\n"
       << "time: {step: 1.0e-3, end: 1}\n"
       << "materials:\n"
       << "  m: {friction: 0.5, stiffness: 2.0e5, hunt_crossley_dissipation: 20, relaxation_time: 0.01}\n"
       << "bodies:\n"
       << "  - {name: ground, fixed: true, geometry: [{shape: half_space, material: m}]}\n"
       << "  - name: cube\n"
       << "    mass: 1\n"
       << "    inertia: solid\n"
       << "    pose: {xyz: [0, 0, " << 0.05 - kGravity * c / (4.0 * 1e5) << "]}\n"
       << "    velocity: {linear: [" << velocity << ", 0, 0]}\n"
       << "    geometry: [{shape: box, size: [0.1, 0.1, 0.1], material: m}]\n"
       << "solver: {tolerance: 1.0e-11}\n";
  return text.str();
}

// 1: z_n = z0 - g dt^2 n(n+1)/2, v_n = -g n dt, to rounding.
TEST_P(ContactOracle, FreeFall) {
  Simulation s = simulate(R"(
csim: 1
time: {step: 1.0e-3, end: 1}
bodies:
  - {name: ball, mass: 2, inertia: [0.1, 0.1, 0.1], pose: {xyz: [0, 0, 10]}}
)");
  s.step(1000);
  EXPECT_NEAR(s.position("ball").z(), 10.0 - kGravity * 1e-6 * 1000.0 * 1001.0 / 2.0, 1e-13 * 10.0);
  EXPECT_NEAR(s.velocity("ball").z(), -kGravity, 1e-13 * kGravity);
}

// 2: a ball at rest: depth m g/k, force m g. k is that of two equal materials in series.
TEST_P(ContactOracle, Rest) {
  Simulation s = simulate(R"(
csim: 1
time: {step: 1.0e-3, end: 2}
materials:
  m: {friction: 0.5, stiffness: 2.0e5, hunt_crossley_dissipation: 20, relaxation_time: 0.01}
bodies:
  - {name: ground, fixed: true, geometry: [{shape: half_space, material: m}]}
  - name: ball
    mass: 1
    inertia: solid
    pose: {xyz: [0, 0, 0.05]}
    geometry: [{shape: sphere, radius: 0.05, material: m}]
solver: {tolerance: 1.0e-12}
)");
  s.step(3000);
  // Hunt & Crossley damps a body at rest by d m g: after 3 s the oscillation is far below rounding.
  EXPECT_NEAR(s.position("ball").z(), 0.05 - kGravity / 1e5, 1e-10 * kGravity / 1e5 + 1e-16);
  EXPECT_NEAR(s.normal_force(), kGravity, 1e-10 * kGravity);
}

// 3, 4: the creep of a stuck box. Lagged and Similar: v = v_s q/sqrt(1 - q^2), q = tan(theta)/mu. SAP: v =
// sigma w F dt, F the tangential force of a corner; regularised laws: the first with eps_s = max(v_s, mu
// sigma w gamma_n0).
TEST_P(ContactOracle, CreepInStiction) {
  Simulation s = simulate(cube_on_incline(kTan, 0.0));
  s.step(2000);
  const double h = 1e-3, sigma = 1e-3, v_s = 1e-4;
  const double cos_theta = 1.0 / std::sqrt(1.0 + kTan * kTan), sin_theta = kTan * cos_theta;
  // w of a corner at r: W = I/m + [r]x^T I^-1 [r]x with [r]x^T [r]x = |r|^2 - r r^T and the inertia m s^2/6.
  // The front corners stand deeper than the back ones, so each has its own.
  const double inertia = 0.01 / 6.0;
  double w = 0.0, sum_inverse_w = 0.0;
  ASSERT_EQ(s.stepper->contacts().points.size(), 4u);
  for (const PointContact& contact : s.stepper->contacts().points) {
    const Vector3 r = 0.5 * (contact.p_a + contact.p_b) - s.position("cube");
    const Matrix3 W =
        Matrix3::Identity() + (r.squaredNorm() * Matrix3::Identity() - r * r.transpose()) / inertia;
    w = W.norm() / 3.0;
    sum_inverse_w += 1.0 / w;
  }
  double expected = 0.0;
  if (GetParam().is("sap")) {
    expected = sigma * kGravity * sin_theta * h / sum_inverse_w;
  } else if (GetParam().is("tamsi")) {
    // x (2 - x) |v|/|v|_s = q with x = |v|_s/v_s: by bisection.
    double low = 0.0, high = v_s;
    for (int k = 0; k < 100; ++k) {
      expected = 0.5 * (low + high);
      const double S = std::hypot(expected, 0.01 * v_s), x = S / v_s;
      (x * (2.0 - x) * expected / S < kTan / kFriction ? low : high) = expected;
    }
  } else {
    double eps = v_s;
    if (GetParam().is("lagged_regularised") || GetParam().is("similar_regularised") ||
        GetParam().is("lagged_linear")) {
      eps = std::max(v_s, kFriction * sigma * w * kGravity * cos_theta * h / 4.0);
    }
    const double q = kTan / kFriction;
    expected = eps * q / std::sqrt(1.0 - q * q);
  }
  // The load differs by up to tan(theta) between the front and the back corners, which changes w by the depth
  // alone: 1e-6.
  EXPECT_NEAR(s.velocity("cube").x(), expected, 1e-6 * expected);
  EXPECT_NEAR(s.velocity("cube").y(), 0.0, 1e-6 * expected);
}

// 5: tan(theta) > mu: a = g (sin - mu cos). Lagged to the friction's regularisation; SAP and Similar to the
// first-order rise of the body.
TEST_P(ContactOracle, SlideDownAnIncline) {
  const double tan_theta = 0.8;
  Simulation s = simulate(cube_on_incline(tan_theta, 0.2));
  s.step(1000);
  const double c = 1.0 / std::sqrt(1.0 + tan_theta * tan_theta);
  const double a = kGravity * (tan_theta - kFriction) * c;
  const double tolerance = GetParam().is("lagged") ? 1e-5 : 1e-2;
  EXPECT_NEAR(s.velocity("cube").x() - 0.2, a, tolerance * a);
}

const std::string kBelt = R"(
csim: 1
time: {step: 1.0e-3, end: 1}
materials:
  m: {friction: 0.5, stiffness: 2.0e5, hunt_crossley_dissipation: 20, relaxation_time: 0.01}
bodies:
  - {name: belt, surface_velocity: [0.5, 0, 0], geometry: [{shape: half_space, material: m}]}
)";

// 6: the gap of gliding on a belt at constant slip u, height free.
TEST_P(ContactOracle, GlidingGap) {
  const double u = 0.5, k = 1e5, d = 20.0, h = 1e-3, tau = 0.02, sigma = 1e-3;
  Simulation s = simulate(kBelt + R"(  - name: ball
    mass: 1
    inertia: solid
    geometry: [{shape: sphere, radius: 0.05, material: m}]
joints:
  - {name: guide, type: prismatic, parent: world, child: ball, pose: {xyz: [0, 0, 0.05]}, axis: [0, 0, 1]}
solver: {tolerance: 1.0e-12}
)");
  s.step(3000);
  const double phi = s.position("ball").z() - 0.05;
  double expected = -kGravity / k;
  if (GetParam().is("similar")) {
    // The friction's soft norm |u|_s = sqrt(u^2 + eps^2) - eps; eq 44's eps stays below v_s here.
    const double eps = 1e-4, soft = std::sqrt(u * u + eps * eps) - eps;
    expected = kFriction * h * soft - kGravity / (k * (1.0 + kFriction * d * soft));
  } else if (GetParam().is("sap")) {
    // The ball cannot turn or slide: w of a prismatic joint is that of n n^T/m.
    const double w = 1.0 / 3.0, R_t = sigma * w, R_n = 1.0 / (h * k * (h + tau));
    const double mu_til2 = kFriction * kFriction * R_t / R_n;
    expected = kFriction * (h + tau) * u - (1.0 + mu_til2) * kGravity / k;
  }
  EXPECT_NEAR(phi, expected, 1e-12);
}

// A belt's velocity along the contact's normal moves no material: it is left out.
TEST_P(ContactOracle, SurfaceVelocityAlongTheNormalIsLeftOut) {
  const std::string scene =
      kBelt +
      R"(  - {name: ball, mass: 1, inertia: solid, pose: {xyz: [0, 0, 0.06]}, geometry: [{shape: sphere, radius: 0.05, material: m}]}
)";
  Simulation flat = simulate(scene),
             slanting = simulate(scene, {"bodies.belt.surface_velocity=[0.5, 0, 0.7]"});
  flat.step(200);
  slanting.step(200);
  EXPECT_GT(flat.normal_force(), 5.0);
  EXPECT_TRUE(flat.state.v == slanting.state.v);
  EXPECT_TRUE(flat.state.q == slanting.state.q);
}

// 15: Coulomb's cone and dissipation: |f_t| <= mu f_n (Lagged: of the force before), f_t . v_t <= 0, at every
// contact of a tumbling box.
TEST_P(ContactOracle, CoulombConeAndDissipation) {
  Simulation s = simulate(cube_on_incline(kTan, 1.5), {"bodies.cube.velocity.angular=[3, -2, 5]"});
  const bool lagged = GetParam().is("lagged");
  for (int n = 0; n < 300; ++n) {
    s.step();
    const ContactRows& c = s.frame.contacts;
    for (std::size_t i = 0; i < c.size(); ++i) {
      const Vector3 f_t = c.force[i] - c.normal_force[i] * c.normal[i];
      EXPECT_GE(c.normal_force[i], 0.0);
      EXPECT_LE(f_t.dot(c.slip_velocity[i]), 1e-12);
      if (!lagged) {
        EXPECT_LE(f_t.norm(), kFriction * c.normal_force[i] * (1.0 + 1e-12) + 1e-12);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, ContactOracle, testing::ValuesIn(laws_and_solvers()), parameter_name);

}  // namespace
}  // namespace csim::testing_support
