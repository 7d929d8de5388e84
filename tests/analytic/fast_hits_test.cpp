// Bodies that in a step travel up to twice their size: what their contacts, linear in the velocities and made
// at the start of the step, do not foresee divides the step.
#include <gmock/gmock.h>

#include <cmath>
#include <numbers>
#include <random>
#include <sstream>

#include "contact/find_contacts.h"
#include "support/simulation.h"

namespace csim {
namespace {

using testing_support::Simulation;

double energy(const Simulation& s) {
  return s.frame.energy.total;
}

// A step from above a thin wall to poses on both sides of its middle: the way out is on the other side where
// the ellipsoid's centre is.
TEST(Passages, OfAnEllipsoidThatTurns) {
  const Simulation s(R"(
csim: 1
gravity: [0, 0, 0]
time: {step: 1.0e-3, end: 1}
materials: {m: {}}
bodies:
  - {name: wall, fixed: true, geometry: [{shape: box, size: [1, 1, 0.001], material: m}]}
  - {name: egg, mass: 1, inertia: solid, pose: {xyz: [0, 0, 0.02]}, geometry: [{shape: ellipsoid, semi_axes: [0.04, 0.03, 0.015], material: m}]}
)");
  ContactFinder finder(s.model);
  ContactSet contacts;
  std::vector<RigidTransform> X(2), X_end(2);
  X[1].p = Vector3(0, 0, 0.02);
  X_end[1].R = Eigen::AngleAxisd(0.3, Vector3::UnitY()).toRotationMatrix();
  const auto passages = [&](double z, double turn, double v) {
    X_end[1].p = Vector3(0, 0, z);
    std::vector<Twist> V(2);
    V[1].w = Vector3(0, turn / 1e-3, 0);
    V[1].v = Vector3(0, 0, v);
    const std::vector<Vector3> belts(2, Vector3::Zero());
    ContactQuery query;
    query.X_WB = &X;
    query.V0 = query.V_star = &V;
    query.surface_velocity = &belts;
    query.step = 1e-3;
    finder.find(query, &contacts);
    return finder.find_passages(query, V, X_end, contacts);
  };
  for (const double z : {0.012, 0.002, 0.0002}) EXPECT_EQ(passages(z, 0.3, -20).pairs.count, 0) << z;
  for (const double z : {-0.0002, -0.002, -0.012, -0.06}) {
    const Passages found = passages(z, 0.3, -20);
    EXPECT_EQ(found.pairs.count, 1) << z;
    EXPECT_FALSE(found.too_long.empty()) << z;
    EXPECT_EQ(std::pair(found.pairs.geometry_a, found.pairs.geometry_b), std::pair(0, 1));
  }
  // A way that its contacts have seen: without a turn the look is for what they leave overlapping.
  EXPECT_EQ(passages(-0.002, 0.0, 0.0).pairs.count, 0);
  EXPECT_EQ(passages(-0.002, 0.0, -22.0).pairs.count, 1);
}

// Shots at a wall of 1 mm, the ellipsoid's way of a step as long as itself.
TEST(FastHits, EllipsoidsStayBeforeAThinWall) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  int divided = 0;
  for (int shot = 0; shot < 40; ++shot) {
    std::ostringstream scene;
    scene << R"(
csim: 1
gravity: [0, 0, 0]
time: {step: 2.0e-3, end: 1}
materials: {m: {stiffness: 1.0e+7, friction: 0.3}}
bodies:
  - {name: wall, fixed: true, geometry: [{shape: box, size: [4, 4, 0.001], material: m}]}
  - name: egg
    density: 1000
    pose: {xyz: [0, 0, 0.06], quaternion_wxyz: [)";
    const Eigen::Quaterniond q(normal(random), normal(random), normal(random), normal(random));
    const Eigen::Quaterniond unit = q.normalized();
    scene << unit.w() << ", " << unit.x() << ", " << unit.y() << ", " << unit.z() << R"(]}
    velocity: {linear: [0, 0, -20]}
    geometry: [{shape: ellipsoid, semi_axes: [0.04, 0.015, 0.015], material: m}]
)";
    Simulation s(scene.str());
    const double before = energy(s);
    for (int step = 0; step < 10; ++step) {
      s.step();
      ASSERT_GT(s.position("egg").z(), 0.014) << shot << " in step " << step;
      ASSERT_LT(energy(s), 1.01 * before) << shot << " in step " << step;
    }
    EXPECT_EQ(s.events[EventKind::kPassage].count, 0) << shot;
    divided += s.events[EventKind::kDividedStep].count > 0 ? 1 : 0;
  }
  EXPECT_GT(divided, 5);  // the shots are such that steps have to be divided
}

std::string soft_ball(double height, double speed, double step) {
  std::ostringstream scene;
  scene << R"(
csim: 1
time: {step: )"
        << std::scientific << step << R"(, end: 10}
materials: {m: {hydroelastic_modulus: 1.0e+7, hunt_crossley_dissipation: 0, friction: 0}}
bodies:
  - {name: plate, fixed: true, geometry: [{shape: box, size: [1, 1, 0.02], pose: {xyz: [0, 0, -0.01]}, material: m, contact: rigid}]}
  - name: ball
    density: 1000
    pose: {xyz: [0, 0, )"
        << height + 0.05 << R"(]}
    velocity: {linear: [0, 0, )"
        << -speed << R"(]}
    geometry: [{shape: sphere, radius: 0.05, material: m, contact: compliant, resolution: 0.02}]
)";
  return scene.str();
}

struct Drop {
  double depth = 0.0;  // m, deepest at the end of a step
  double gain = 0.0;   // largest, of the energy of the impact
  long passages = 0;
};

Drop drop(double height, double speed, double step) {
  Simulation s(soft_ball(height, speed, step));
  const double impact = 0.5 * speed * speed + 9.81 * height, mass = s.model.bodies[1].mass.mass;
  const double before = energy(s);
  Drop result;
  const int steps =
      static_cast<int>((std::sqrt(speed * speed + 2 * 9.81 * height) - speed) / 9.81 / step + 0.05 / step);
  for (int k = 0; k < steps; ++k) {
    s.step();
    result.depth = std::max(result.depth, 0.05 - s.position("ball").z());
    result.gain = std::max(result.gain, (energy(s) - before) / (mass * impact));
  }
  result.passages = s.events[EventKind::kPassage].count;
  return result;
}

// A soft ball dropped by 2 m. The depth converges with the step; a long step must not take the way into the
// field for nothing.
TEST(FastHits, ASoftBallIsStoppedAtAnyStep) {
  const double converged = drop(2.0, 0.0, 2e-5).depth;
  EXPECT_GT(converged, 0.005);
  EXPECT_LT(converged, 0.02);
  for (const double step : {1e-2, 5e-3, 2e-3, 1e-3, 3e-4}) {
    const Drop found = drop(2.0, 0.0, step);
    EXPECT_LT(found.depth, 1.2 * converged) << step;
    EXPECT_LT(found.gain, 0.02) << step;
    EXPECT_EQ(found.passages, 0) << step;
  }
  EXPECT_NEAR(drop(2.0, 0.0, 1e-4).depth, converged, 0.2 * converged);
}

TEST(FastHits, ASoftBallDoesNotPassAPlate) {
  const Drop found = drop(0.2, 30.0, 1e-2);
  EXPECT_LT(found.depth, 0.05);
  EXPECT_LT(found.gain, 0.02);
  EXPECT_EQ(found.passages, 0);
}

}  // namespace
}  // namespace csim
