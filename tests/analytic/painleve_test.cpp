// The rod that slides with its lower end leading (Painleve): how the contact force moves its own contact
// point. With theta the angle to the ground, r = (l cos theta, -(l sin theta + r_0)) from the middle to the
// contact point and friction mu f_n against the slip,
//
//   v_n' = A f_n - g + l w^2 sin theta,   A = 1/m + r_x (r_x + mu r_z)/I
//
// so that a rod in steady sliding contact has f_n = (g - l w^2 sin theta)/A, and none where A < 0: the
// paradox, possible from mu = 4/3 on for a thin uniform rod (Castro et al. 2023, Irrotational Contact Fields,
// section IX-C).
#include <cmath>
#include <numbers>
#include <sstream>

#include "analytic/laws_and_solvers.h"
#include "support/simulation.h"

namespace csim::testing_support {
namespace {

constexpr double kMass = 0.3, kHalf = 0.25, kInertia = kMass * kHalf * kHalf / 3.0;
constexpr double kStep = 1e-8, kStiffness = 1e7, kDepth = 1e-6, kSpin = 0.7, kGravity = 9.81;

double radians(double degrees) {
  return degrees * std::numbers::pi / 180.0;
}

/// A of the formula above for a rod with round ends of the given radius.
double contact_mass_inverse(double theta, double mu, double radius) {
  const double r_x = kHalf * std::cos(theta), r_z = -(kHalf * std::sin(theta) + radius);
  return 1.0 / kMass + r_x * (r_x + mu * r_z) / kInertia;
}

/// The rod in overlap by kDepth, sliding with 3 m/s and turning, with its leading end theta below the middle.
std::string rod(double theta, double mu, double radius) {
  std::ostringstream text;
  text.precision(17);
  text << "csim: 1\ntime: {step: " << kStep << ", end: 1}\n"
       << "materials:\n"
       << "  soft: {friction: " << mu << ", stiffness: " << kStiffness
       << ", hunt_crossley_dissipation: 0, relaxation_time: 0}\n"
       << "  rigid: {friction: " << mu << ", stiffness: rigid, relaxation_time: 0}\n"
       << "bodies:\n"
       << "  - {name: ground, fixed: true, geometry: [{shape: half_space, material: soft}]}\n"
       << "  - name: rod\n    mass: " << kMass << "\n"
       << "    inertia: [1.0e-4, " << kInertia << ", " << kInertia << "]\n"
       << "    geometry:\n"
       << "      - {shape: sphere, radius: " << radius << ", material: rigid, pose: {xyz: [" << kHalf
       << ", 0, 0]}}\n"
       << "joints:\n"
       << "  - {name: plane, type: planar, parent: world, child: rod, pose: {rpy_deg: [90, 0, 0]}, position: "
          "[0, "
       << kHalf * std::sin(theta) + radius - kDepth << ", " << -theta
       << "], velocity: [3, "
       // The contact point at rest along the normal: z' + r_x w = 0.
       << -kHalf * std::cos(theta) * kSpin << ", " << kSpin << "]}\n"
       << "contact: {regularise_stiction: false}\nsolver: {tolerance: 1.0e-13}\n";
  return text.str();
}

/// (v_n' + g - l w^2 sin theta)/f_n from one step.
double measured(const LawAndSolver& parameter, double theta, double mu, double radius) {
  Simulation s(rod(theta, mu, radius), parameter.overrides);
  s.step();
  const auto normal_velocity = [&](double angle) {
    return s.state.v[1] + kHalf * std::cos(angle) * s.state.v[2];
  };
  // v_n of the same material point at the start's geometry, as the scheme has it: l w^2 sin theta is then no
  // part of the change.
  const double acceleration = normal_velocity(theta) / kStep;
  return (acceleration + kGravity) / s.normal_force();
}

class Painleve : public testing::TestWithParam<LawAndSolver> {};

TEST_P(Painleve, ContactForceMovesItsContactPointByA) {
  for (const double mu : {0.8, 2.0, 2.3}) {
    for (const double radius : {0.005, 1e-4}) {
      for (double degrees = 10.0; degrees < 85.0; degrees += 7.5) {
        const double theta = radians(degrees), A = contact_mass_inverse(theta, mu, radius);
        // The velocities of one step of 1e-8 s, 1e-7 m/s, round to 1e-9 of themselves beside 3 m/s; the depth
        // of 1e-6 m to 1e-10 of itself beside 0.25 m; Lagged's friction is that of the start, Similar's and
        // SAP's force that of the end.
        EXPECT_NEAR(measured(GetParam(), theta, mu, radius), A, 1e-5 * (1.0 / kMass + std::abs(A)))
            << "mu = " << mu << ", " << degrees << " degrees, radius " << radius;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Painleve, testing::ValuesIn(laws_and_solvers()), parameter_name);

// The region of the paradox: 32.6 to 80.9 degrees at mu = 2.3, 37.4 to 79.2 at mu = 2, none below 4/3. Ends
// of 1e-6 m for a thin rod.
TEST(PainleveRegion, IsWhereTheForceDrawsTheRodIn) {
  LawAndSolver lagged;
  lagged.overrides = {"contact.model=lagged"};
  for (const auto& [mu, low, high] : {std::tuple{2.3, 32.6, 80.9}, std::tuple{2.0, 37.4, 79.2}}) {
    for (const double inside : {low + 0.1, high - 0.1}) {
      EXPECT_LT(measured(lagged, radians(inside), mu, 1e-6), 0.0) << "mu = " << mu << ", " << inside;
    }
    for (const double outside : {low - 0.1, high + 0.1}) {
      EXPECT_GT(measured(lagged, radians(outside), mu, 1e-6), 0.0) << "mu = " << mu << ", " << outside;
    }
  }
  const double at_two = std::atan(2.0);  // where the least friction of the paradox is
  EXPECT_LT(measured(lagged, at_two, 4.0 / 3.0 + 0.01, 1e-6), 0.0);
  EXPECT_GT(measured(lagged, at_two, 4.0 / 3.0 - 0.01, 1e-6), 0.0);
}

}  // namespace
}  // namespace csim::testing_support
