// Contacts as they are at the end of the step: what turns together stays together, what rolls gains nothing.
#include <cmath>
#include <sstream>

#include "support/simulation.h"

namespace csim::testing_support {
namespace {

/// A box 0.2 m off the axis on a free plate that lies on a table; all turn at 2 rad/s.
const char* const kStack = R"(
csim: 1
time: {step: 0.01, end: 5}
materials: {m: {friction: 1, stiffness: 2.0e6, hunt_crossley_dissipation: 50}}
contact: {stiction_tolerance: 1.0e-6, regularise_stiction: false}
solver: {tolerance: 1.0e-8}
bodies:
  - {name: table, motion: {angular_velocity: [0, 0, 2]}, geometry: [{shape: box, size: [1.2, 1.2, 0.2], material: m}]}
  - {name: plate, density: 1000, pose: {xyz: [0, 0, 0.11]}, velocity: {angular: [0, 0, 2]}, geometry: [{shape: box, size: [0.5, 0.5, 0.02], material: m}]}
  - {name: box, density: 1000, pose: {xyz: [0.2, 0, 0.145]}, velocity: {linear: [0, 0.4, 0], angular: [0, 0, 2]}, geometry: [{shape: box, size: [0.05, 0.05, 0.05], material: m}]}
)";

// With J of the start alone the radius grows by exp(h w^2 t/2), 21 mm in these 5 s. Nothing is solved twice
// for it.
TEST(ContactBias, AStackOnATurntableStays) {
  for (const char* const law : {"lagged", "coulomb", "similar", "sap", "tamsi"}) {
    Simulation s(kStack, {std::string("contact.model=") + law});
    s.step(500);
    EXPECT_NEAR(s.position("box").head<2>().norm(), 0.2, 1e-4) << law;
    EXPECT_NEAR(s.frame.energy.balance_error, 0.0, 1e-6 * s.frame.energy.turned_over) << law;
  }
  Simulation start(kStack, {"integrator.velocity_terms=start"});
  start.step(500);
  EXPECT_NEAR(start.position("box").head<2>().norm(), 0.2 * std::exp(0.01 * 4.0 * 5.0 / 2.0), 1e-3);
}

/// Euler's disc: a coin that wobbles on its edge, 20 degrees from lying.
const char* const kDisc = R"(
csim: 1
time: {step: 1.0e-3, end: 2}
materials: {m: {friction: 0.9}}
bodies:
  - {name: floor, fixed: true, geometry: [{shape: half_space, material: m}]}
  - {name: disk, density: 7800, pose: {xyz: [0, 0, 0.015560191], axis: [0, 1, 0], angle_deg: 20}, velocity: {angular: [-17.2125876, 0, 6.26486953]}, geometry: [{shape: cylinder, radius: 0.04, length: 0.004, material: m}]}
)";

// The contact point runs along the rim: with material points alone friction feeds it, +11 % in 2 s.
TEST(ContactBias, EulersDiscGainsNothing) {
  for (const char* const law : {"lagged", "coulomb", "sap"}) {
    Simulation s(kDisc, {std::string("contact.model=") + law});
    const double start = s.frame.energy.total;
    s.step(2000);
    EXPECT_LT(s.frame.energy.total, 1.0005 * start) << law;
    EXPECT_GT(s.frame.energy.total, 0.998 * start) << law;
  }
}

/// A pencil of 5.6 g that leans by 20 degrees and falls; its foot slides by 2.6 mm in the first 0.2 s.
const char* const kPencil = R"(
csim: 1
time: {step: 5.0e-3, end: 1}
materials: {m: {friction: 0.8, stiffness: 1.0e8, hunt_crossley_dissipation: 20}}
bodies:
  - {name: ground, fixed: true, geometry: [{shape: half_space, material: m}]}
  - {name: pencil, density: 600, pose: {xyz: [0.030781812899310184, 0, 0.08857233587073175], rpy_deg: [0, 20, 0]}, geometry: [{shape: capsule, radius: 0.004, length: 0.18, material: m}]}
)";

// The foot's gap at the end of each step is that which the step foresees. Where it is not, its depth is none,
// and with it the bound of Lagged's friction: the foot slid by 59 mm. 78.28 mm: the centre's place of the
// continuous motion.
TEST(ContactBias, APencilThatFallsHasFriction) {
  for (const char* const step : {"time.step=0.005", "time.step=0.002", "time.step=0.001"}) {
    Simulation s(kPencil, {step});
    s.step(std::lround(0.2 / s.scene.time.step));
    EXPECT_NEAR(s.position("pencil").x(), 0.07828, 0.25 * s.scene.time.step) << step;
  }
}

// A cylinder that stands, and one that slides, whose rim has the normal of its axis: v^2/(2 mu g).
TEST(ContactBias, AnUprightCylinderStandsAndSlides) {
  for (const char* const floor :
       {"{shape: half_space, material: m}",
        "{shape: box, size: [4, 4, 0.2], pose: {xyz: [0, 0, -0.1]}, material: m}"}) {
    for (const char* const speed : {"0", "0.5"}) {
      for (const char* const law : {"lagged", "similar", "sap", "tamsi"}) {
        Simulation s(std::string(R"(
csim: 1
time: {step: 2.0e-3, end: 1}
materials: {m: {friction: 0.5}}
bodies:
  - {name: floor, fixed: true, geometry: [)") +
                         floor + R"(]}
  - {name: can, density: 1000, pose: {xyz: [0, 0, 0.05]}, velocity: {linear: [)" +
                         speed +
                         R"(, 0, 0]}, geometry: [{shape: cylinder, radius: 0.04, length: 0.1, material: m}]}
)",
                     {std::string("contact.model=") + law});
        s.step(200);
        const double v = std::stod(speed);
        EXPECT_NEAR(s.position("can").x(), 0.5 * v * v / (0.5 * 9.81), 2e-3) << law << floor;
        EXPECT_NEAR(s.position("can").z(), 0.05, 1e-3) << law << floor;
      }
    }
  }
}

/// Two boxes and a cylinder that tumble onto the ground at up to 25 rad/s.
const char* const kTumble = R"(
csim: 1
time: {step: 5.0e-3, end: 1}
materials: {m: {friction: 0.5, stiffness: 1.0e6, hunt_crossley_dissipation: 20}}
bodies:
  - {name: floor, fixed: true, geometry: [{shape: half_space, material: m}]}
  - {name: a, density: 800, pose: {xyz: [0, 0, 0.4], rpy: [0.3, 0.5, 0.1]}, velocity: {linear: [1, 0.3, 0], angular: [10, 20, 5]}, geometry: [{shape: box, size: [0.1, 0.06, 0.08], material: m}]}
  - {name: b, density: 800, pose: {xyz: [0.5, 0.1, 0.6], rpy: [0.3, 0.9, 0.1]}, velocity: {linear: [-0.5, 0.3, 0], angular: [-10, 5, 15]}, geometry: [{shape: cylinder, radius: 0.04, length: 0.1, material: m}]}
)";

// What overlaps hold that the step before did not foresee: a small part of what it is
// with J alone.
TEST(ContactBias, OverlapsAreForeseen) {
  const auto gain = [&](const char* law, const char* terms) {
    Simulation s(kTumble,
                 {std::string("contact.model=") + law, std::string("integrator.velocity_terms=") + terms});
    s.step(200);
    return std::abs(s.frame.energy.normal_overlap_gain);
  };
  const double start = gain("lagged", "start");
  EXPECT_LT(gain("lagged", "mean"), 0.2 * start);
  EXPECT_LT(gain("coulomb", "mean"), 0.2 * start);
}

}  // namespace
}  // namespace csim::testing_support
