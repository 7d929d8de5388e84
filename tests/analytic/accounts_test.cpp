// What a step reports: energy accounts, modes of contacts, artefact measures. Every contact law and linear
// solver.
#include <algorithm>
#include <cmath>
#include <sstream>

#include "analytic/laws_and_solvers.h"
#include "support/simulation.h"

namespace csim::testing_support {
namespace {

constexpr double kGravity = 9.81, kMass = 1.2, kRadius = 0.05, kStep = 1e-3;
constexpr double kFriction = 0.6, kStiffness = 2e5, kTau = 0.004, kSigma = 1e-3, kTolerance = 1e-4;

/// A rigid ball on compliant ground that moves along x with the speed `belt` (m/s).
std::string ball_on_belt(double belt, double height, double v_z, const std::string& joints) {
  std::ostringstream text;
  text.precision(17);
  text << "csim: 1\ntime: {step: 1.0e-3, end: 1}\n"
       << "materials:\n"
       << "  soft: {friction: 0.6, stiffness: 2.0e5, hunt_crossley_dissipation: 3, relaxation_time: 0.004}\n"
       << "  rigid: {friction: 0.6, stiffness: rigid, relaxation_time: 0}\n"
       << "bodies:\n"
       << "  - {name: belt, surface_velocity: [" << belt
       << ", 0, 0], geometry: [{shape: half_space, material: soft}]}\n"
       << "  - name: ball\n    mass: 1.2\n    inertia: solid\n"
       << "    geometry: [{shape: sphere, radius: 0.05, material: rigid}]\n";
  if (joints.empty())
    text << "    pose: {xyz: [0, 0, " << height << "]}\n    velocity: {linear: [-0.4, 0.3, " << v_z
         << "], angular: [2, -7, 4]}\n";
  text << joints << "solver: {tolerance: 1.0e-12}\n";
  return text.str();
}

const char* const kGuide =
    "joints:\n  - {name: guide, type: prismatic, parent: world, child: ball, pose: {xyz: [0, 0, 0.05]}, "
    "axis: [0, 0, 1]}\n";

class Accounts : public LawAndSolverTest {};

// The impulses of a step change the kinetic energy by their work at the mean velocity, exactly. On a flat
// contact phi1 = phi0 + h v_n is exact too, so that the accounts balance in every step and under every law:
// the loss of backward Euler, |v1 - v0|_A^2/2, is part of them, and gravity's h/2 (v1 - v0) stands by itself.
TEST_P(Accounts, EveryStepBalances) {
  const double inertia = 0.4 * kMass * kRadius * kRadius, belt = 1.5;
  Simulation s = simulate(ball_on_belt(belt, kRadius + 0.01, -1.5, ""));
  const double start = s.frame.energy.total;
  double lost = 0.0, gravity = 0.0, work = 0.0, peak = 0.0, stored = 0.0;
  for (int n = 0; n < 400; ++n) {
    const Vector3 v0 = s.velocity("ball"), w0 = s.angular_velocity("ball");
    const double dissipated = s.frame.energy.dissipated_friction;
    s.step();
    gravity += 0.5 * kStep * kMass * kGravity * (s.velocity("ball").z() - v0.z());
    lost += 0.5 * kMass * (s.velocity("ball") - v0).squaredNorm() +
            0.5 * inertia * (s.angular_velocity("ball") - w0).squaredNorm();
    // Of the belt, whose force is the reaction's.
    for (const Vector3& force : s.frame.contacts.force) work += kStep * force.x() * belt;
    const EnergyRow& e = s.frame.energy;
    // A step's residual, |g|_A^-1 <= e_r |v|_A, does the work v . g <= 2 e_r E.
    ASSERT_NEAR(e.balance_error, 0.0, 2e-12 * start * (n + 1)) << "step " << n;
    ASSERT_NEAR(e.scheme_gravity, gravity, 1e-12) << "step " << n;
    ASSERT_NEAR(e.scheme_mass_matrix, 0.0, 1e-12) << "step " << n;
    ASSERT_NEAR(e.work, work, 1e-12) << "step " << n;  // rounding of the sum
    const double depth = std::max(kRadius - s.position("ball").z(), 0.0);
    ASSERT_NEAR(e.elastic, 0.5 * kStiffness * depth * depth, 1e-12) << "step " << n;
    // Friction takes energy where it slides; in stiction the mean velocity may give some back, of its
    // tolerance.
    if (is("lagged") || is("tamsi")) {
      ASSERT_GE(e.dissipated_friction, dissipated - 1e-5) << "step " << n;
    }
    peak = std::max(peak, s.normal_force());
    stored = std::max(stored, e.elastic);
  }
  EXPECT_GT(peak, 5.0 * kMass * kGravity);  // it landed,
  EXPECT_GT(stored, 1e-4 * start);
  EXPECT_GT(work, 0.1 * start);  // and slid
  // What backward Euler takes is a part of what was dissipated.
  EXPECT_GT(s.frame.energy.dissipated, lost - std::abs(gravity));
  EXPECT_GT(s.frame.energy.dissipated, 0.1 * start);
}

// On a guide, so that the slip is the belt's speed: at 0.99 times the tolerance that is written the contact
// sticks, at 1.01 it slides, and gliding is what eq 41 says. Castro et al. 2023, Irrotational Contact Fields,
// table I and eqs 41, 42, 44.
TEST_P(Accounts, ModeAndArtefacts) {
  const double w = 1.0 / (3.0 * kMass), load = kMass * kGravity * kStep;  // w of n n^T/m
  double tolerance = kTolerance;
  std::vector<std::string> overrides;
  if (is("sap")) tolerance = kFriction * kSigma * w * load;
  if (GetParam().name.find("regularised") != std::string::npos || is("lagged_linear")) {
    overrides = {"contact.sigma=0.1"};  // so that eq 44 exceeds v_s
    tolerance = kFriction * 0.1 * w * load;
    ASSERT_GT(tolerance, 1.5 * kTolerance);
  }
  const double largest = tolerance;
  for (const double factor : {0.99, 1.01, 1e4}) {
    tolerance = largest;
    const double u = factor * tolerance;
    Simulation s = simulate(ball_on_belt(u, 0.0, 0.0, kGuide), overrides);
    s.step(2000);
    ASSERT_EQ(s.frame.contacts.size(), 1u);
    const bool slides = factor > 1.0;
    if (is("similar_regularised")) {
      // eq 44 reads the force of the depth at the step's start, which the gap of Similar takes away.
      const double impulse0 = kStep * kStiffness * std::max(kRadius - s.position("ball").z(), 0.0);
      tolerance = std::max(kTolerance, kFriction * 0.1 * w * impulse0);
    }
    EXPECT_EQ(s.frame.contacts.mode[0], slides ? 2 : 1) << factor;
    EXPECT_NEAR(s.frame.contacts.slip_speed[0], u, 1e-12) << factor;
    EXPECT_NEAR(s.frame.contacts.slip_velocity[0].x(), -u, 1e-12) << factor;
    double gliding = 0.0;
    if (is("sap") && slides) gliding = kFriction * (kStep + kTau) * u;
    if (is("similar")) gliding = kFriction * kStep * (std::hypot(u, tolerance) - tolerance);
    const StepStatistics& statistics = s.stepper->statistics();
    EXPECT_NEAR(statistics.gliding_distance, gliding, 1e-9 * gliding) << factor;
    EXPECT_NEAR(statistics.stiction_tolerance, tolerance, 1e-9 * tolerance) << factor;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Accounts, testing::ValuesIn(laws_and_solvers()), parameter_name);

// The spring that SAP's near-rigid floor leaves: half of force times depth at rest.
TEST(Accounts, ElasticEnergyOfTheNearRigidFloor) {
  Simulation s(ball_on_belt(0.0, 0.0, 0.0, kGuide),
               {"contact.model=sap", "contact.near_rigid=0.7", "materials.soft.stiffness=1e12"});
  s.step(3000);
  const double depth = kRadius - s.position("ball").z();
  EXPECT_GT(depth, 1e-8);
  EXPECT_NEAR(s.frame.energy.elastic, 0.5 * kMass * kGravity * depth, 1e-8 * depth);
}

// Springs, dampers and armature of a joint: with the mean velocity v the damper takes h D v1 . v, and the
// implicit spring loses h K x1 v - K (x1^2 - x0^2)/2, which the scheme has in accounts of its own; together
// with the energy they balance.
TEST(Accounts, EnergyOfASpringAndADamper) {
  const double damping = 1.7, stiffness = 250.0, h = 2e-3;
  Simulation s(R"(
csim: 1
gravity: [0, 0, 0]
time: {step: 2.0e-3, end: 1}
bodies:
  - {name: cart, mass: 0.8, inertia: [1, 1, 1]}
joints:
  - {name: rail, type: prismatic, parent: world, child: cart, position: 0.1, velocity: -0.7, damping: 1.7, stiffness: 250, rest_position: 0.03, armature: 0.3}
)",
               {"integrator.velocity_terms=start"});
  double dissipated = 0.0;
  for (int n = 0; n < 300; ++n) {
    const double v0 = s.state.v[0], x0 = s.state.q[0] - 0.03;
    s.step();
    const double v1 = s.state.v[0], v = 0.5 * (v0 + v1), stretch = s.state.q[0] - 0.03;
    dissipated +=
        h * damping * v1 * v + h * stiffness * stretch * v - 0.5 * stiffness * (stretch * stretch - x0 * x0);
    ASSERT_NEAR(s.frame.energy.balance_error, 0.0, 1e-13);
    const EnergyRow& e = s.frame.energy;
    ASSERT_NEAR(e.dissipated_joints + e.joint_spring_loss - e.scheme_springs, dissipated, 1e-13);
    ASSERT_NEAR(s.frame.energy.elastic, 0.5 * stiffness * stretch * stretch, 1e-14);
  }
  EXPECT_GT(dissipated, 0.4);
}

}  // namespace
}  // namespace csim::testing_support
