// Sliding bodies, every contact law and linear solver: distance at which a law begins to act, a sphere that
// begins to roll, stopping distance of a block, stiffness during slip, and the time at which a sliding rod
// jams. Castro et al. 2023, Irrotational Contact Fields, sections VII and IX, worked out.
#include <cmath>
#include <numbers>
#include <sstream>

#include "analytic/laws_and_solvers.h"
#include "support/simulation.h"

namespace csim::testing_support {
namespace {

constexpr double kGravity = 9.81;
constexpr double kPi = std::numbers::pi;

class SlidingOracle : public LawAndSolverTest {};

/// A rigid ball of 1 kg and radius 0.05 m over compliant ground: the contact point is the ball's lowest, so
/// the lever arm is the radius whatever the depth.
struct BallScene {
  double step = 1e-3, gravity = kGravity, friction = 0.5, stiffness = 1e5, dissipation = 20.0, tau = 0.02;
  double gap = 0.0, v_x = 0.0, v_z = 0.0;

  [[nodiscard]] std::string text() const {
    std::ostringstream text;
    text.precision(17);
    text << "csim: 1\ngravity: [0, 0, " << -gravity << "]\n"
         << "time: {step: " << step << ", end: 1}\n"
         << "materials:\n"
         << "  soft: {friction: " << friction << ", stiffness: " << stiffness
         << ", hunt_crossley_dissipation: " << dissipation << ", relaxation_time: " << tau << "}\n"
         << "  rigid: {friction: " << friction << ", stiffness: rigid, relaxation_time: 0}\n"
         << "bodies:\n"
         << "  - {name: ground, fixed: true, geometry: [{shape: half_space, material: soft}]}\n"
         << "  - name: ball\n    mass: 1\n    inertia: solid\n"
         << "    pose: {xyz: [0, 0, " << 0.05 + gap << "]}\n"
         << "    velocity: {linear: [" << v_x << ", 0, " << v_z << "]}\n"
         << "    geometry: [{shape: sphere, radius: 0.05, material: rigid}]\n"
         << "solver: {tolerance: 1.0e-12}\n";
    return text.str();
  }
};

// 2, near-rigid: SAP replaces a stiffness that the step cannot resolve by its floor R_n = beta^2 w/(4 pi^2)
// (Castro et al. 2022, Sec. V): depth R_n m g dt (dt + tau) at rest. w of the ball: |diag(7/2, 7/2, 1)|_F/(3
// m).
TEST(NearRigid, DepthOfRest) {
  BallScene scene;
  scene.stiffness = 1e12;
  const double beta = 0.7, h = scene.step;
  const double w = std::sqrt(2.0 * 3.5 * 3.5 + 1.0) / 3.0, R_n = beta * beta * w / (4.0 * kPi * kPi);
  Simulation s(scene.text(), {"contact.model=sap", "contact.near_rigid=0.7"});
  s.step(2000);
  const double depth = R_n * kGravity * h * (h + scene.tau);
  EXPECT_NEAR(0.05 - s.position("ball").z(), depth, 1e-10 * depth + 1e-16);  // z itself rounds to 1e-17
}

// 9: backward Euler takes the factor 1/(1 + w0^2 dt^2) of the energy in every step of an elastic contact.
TEST_P(SlidingOracle, ElasticContactLosesAKnownShareOfItsEnergyInEachStep) {
  BallScene scene;
  scene.gravity = scene.friction = scene.dissipation = scene.tau = 0.0;
  scene.gap = -1e-3;
  for (const double w0h : {0.01, 0.3, 3.0}) {
    scene.step = w0h / std::sqrt(scene.stiffness);
    Simulation s = simulate(scene.text());
    double energy = s.frame.energy.kinetic + s.frame.energy.elastic;
    // Every step turns the phase by atan(w0 dt); after a quarter of a turn the ball leaves.
    for (int n = 0; n < 3 && (n + 1) * std::atan(w0h) < 0.5 * kPi; ++n) {
      s.step();
      const double next = s.frame.energy.kinetic + s.frame.energy.elastic;
      // 1e-12: the depth of 1e-3 m in a height of 0.05 m rounds to 1e-14 of itself.
      EXPECT_NEAR(next, energy / (1.0 + w0h * w0h), 1e-12 * energy) << "w0 dt = " << w0h << ", step " << n;
      energy = next;
    }
  }
}

// 13: a contact acts first from phi0 = (dt + tau)(-v_n + mu |v_t|) on (SAP), dt (-v_n + mu |v_t|_s)
// (Similar), dt (-v_n) (Lagged; with linear damping (dt + tau)(-v_n)).
TEST_P(SlidingOracle, EarliestAction) {
  const double h = 1e-3, v_n = -0.4, v_t = 0.7, mu = 0.5, tau = 0.02;
  const double eps = 1e-4, soft = std::sqrt(v_t * v_t + eps * eps) - eps;
  double reach = h * -v_n;
  if (is("sap")) reach = (h + tau) * (-v_n + mu * v_t);
  if (is("similar")) reach = h * (-v_n + mu * soft);
  if (is("lagged_linear")) reach = (h + tau) * -v_n;
  // The pair is offered by the law's own reach (margin: auto) and always: it acts in the same steps.
  for (const char* const margin : {"auto", "1.0"}) {
    for (const double factor :
         {1.0 - 1e-9, 1.0 + 1e-9}) {  // the height of 0.05 m rounds to 1e-14 of the reach
      BallScene scene;
      scene.gravity = 0.0;
      scene.gap = factor * reach;
      scene.v_x = v_t;
      scene.v_z = v_n;
      Simulation s = simulate(scene.text() + "contact: {margin: " + margin + "}\n");
      s.step();
      EXPECT_EQ(s.normal_force() > 0.0, factor < 1.0) << margin << " " << factor << " " << s.normal_force();
      EXPECT_EQ(s.velocity("ball").z() > v_n, factor < 1.0) << margin << " " << factor;
    }
  }
}

// 11, 12: a sphere set down sliding rolls after 2 v0/(7 mu g), with 5/7 of its speed. Angular momentum about
// the contact line, m R v_x - I w_y (w_y < 0 ... here + I w_y with w_y > 0 for rolling along x), stays in
// every step.
TEST_P(SlidingOracle, SlidingBecomesRolling) {
  BallScene scene;
  scene.friction = 0.2;
  scene.v_x = 1.0;
  // At the gap of its steady slip, so that no kick starts the motion (eq 41).
  if (is("sap")) scene.gap = 0.2 * (scene.step + scene.tau) * scene.v_x;
  if (is("similar")) scene.gap = 0.2 * scene.step * scene.v_x;
  if (is("lagged")) scene.gap = -kGravity / scene.stiffness;
  Simulation s = simulate(scene.text());
  const double inertia = 0.4 * 0.05 * 0.05, expected = 2.0 * scene.v_x / (7.0 * 0.2 * kGravity);
  double rolls_at = 0.0;
  for (int n = 1; n <= 400; ++n) {
    s.step();
    const double v = s.velocity("ball").x(), w = s.angular_velocity("ball").y();
    EXPECT_NEAR(0.05 * v + inertia * w, 0.05 * scene.v_x, 1e-14 * n);  // rounding of n steps
    if (rolls_at == 0.0 && v - 0.05 * w < 1e-3) rolls_at = n * scene.step;
  }
  // Under SAP and Similar the gap shrinks with the slip: the ball sinks with mu (dt + tau) 7/2 mu g while it
  // slides, and the impulse that this takes off the normal force is missing to friction.
  const double sinking = is("sap") ? scene.step + scene.tau : is("similar") ? scene.step : 0.0;
  EXPECT_NEAR(rolls_at, expected + 3.5 * 0.2 * 0.2 * sinking, scene.step);
  EXPECT_NEAR(s.velocity("ball").x(), 5.0 / 7.0, 1e-9);
  EXPECT_NEAR(0.05 * s.angular_velocity("ball").y(), 5.0 / 7.0, 1e-9);
}

// 23: on a belt at the slip u, a body that moves up and down alone oscillates with (k/m)^(1/2)/2 pi = 503.29
// Hz; under Similar with (k (1 + mu d u)/m)^(1/2)/2 pi = 776.43 Hz (section VII-B).
TEST_P(SlidingOracle, SlipStiffensSimilar) {
  const double mu = 2.3, d = 0.2, u = 3.0, k = 1e7, h = 1e-6, eps = 1e-4;
  const double soft = std::sqrt(u * u + eps * eps) - eps, stiffening = 1.0 + mu * d * soft;
  double rest = -kGravity / k;
  if (is("similar")) rest = mu * h * soft - kGravity / (k * stiffening);
  if (is("sap")) rest = mu * h * u - kGravity / k;
  std::ostringstream text;
  text.precision(17);
  // A quarter of the depth of rest, so that the contact stays closed.
  text << "csim: 1\ntime: {step: " << h << ", end: 1}\n"
       << "materials:\n"
       << "  soft: {friction: 2.3, stiffness: 1.0e7, hunt_crossley_dissipation: 0.2, relaxation_time: 0}\n"
       << "  rigid: {friction: 2.3, stiffness: rigid, relaxation_time: 0}\n"
       << "bodies:\n"
       << "  - {name: belt, surface_velocity: [3, 0, 0], geometry: [{shape: half_space, material: soft}]}\n"
       << "  - {name: ball, mass: 1, inertia: solid, geometry: [{shape: sphere, radius: 0.05, material: "
          "rigid}]}\n"
       << "joints:\n"
       << "  - {name: guide, type: prismatic, parent: world, child: ball, axis: [0, 0, 1], position: "
       << 0.05 + rest + 0.25e-6 << "}\n"
       << "solver: {tolerance: 1.0e-12}\n";
  Simulation s = simulate(text.str());
  std::vector<double> crossings;
  double before = s.state.q[0] - (0.05 + rest);
  for (int n = 1; n <= 9000; ++n) {
    ASSERT_TRUE(s.stepper->step(&s.state).ok);
    const double now = s.state.q[0] - (0.05 + rest);
    if (before < 0.0 && now >= 0.0) crossings.push_back((n - now / (now - before)) * h);
    before = now;
  }
  ASSERT_GE(crossings.size(), 4u);
  const double frequency = static_cast<double>(crossings.size() - 1) / (crossings.back() - crossings.front());
  // Numerical damping lowers it by (w dt)^2/3 < 1e-5, that of the law by (d m g)^2/(8 k m) < 1e-6; SAP's k/(1
  // + mu^2 R_t/R_n) is 2e-8 softer.
  const double expected = std::sqrt(is("similar") ? k * stiffening : k) / (2.0 * kPi);
  EXPECT_NEAR(expected, is("similar") ? 776.43 : 503.29, 0.005);
  EXPECT_NEAR(frequency, expected, 1e-5 * expected);
}

// 24: a block slides v0^2/(2 mu g) far; at every step sum f_t . v_t <= 0.
TEST_P(SlidingOracle, BlockStopsWhereFrictionHasTakenItsEnergy) {
  const double mu = 0.5, v0 = 1.0, h = 5e-4;
  std::ostringstream text;
  text.precision(17);
  text << "csim: 1\ntime: {step: " << h << ", end: 1}\n"
       << "materials:\n"
       << "  m: {friction: 0.5, stiffness: 2.0e5, hunt_crossley_dissipation: 20, relaxation_time: 0.001}\n"
       << "bodies:\n"
       << "  - {name: ground, fixed: true, geometry: [{shape: half_space, material: m}]}\n"
       << "  - name: block\n    mass: 1\n    inertia: solid\n"
       << "    pose: {xyz: [0, 0, " << 0.02 - kGravity / 4e5 << "]}\n"
       << "    velocity: {linear: [1, 0, 0]}\n"
       << "    geometry: [{shape: box, size: [0.2, 0.2, 0.04], material: m}]\n"
       << "solver: {tolerance: 1.0e-11}\n";
  Simulation s = simulate(text.str());
  for (int n = 0; n < 600; ++n) {
    s.step();
    double power = 0.0;
    for (std::size_t i = 0; i < s.frame.contacts.size(); ++i) {
      const ContactRows& c = s.frame.contacts;
      power += (c.force[i] - c.normal_force[i] * c.normal[i]).dot(c.slip_velocity[i]);
    }
    EXPECT_LE(power, 1e-12);
  }
  const double distance = v0 * v0 / (2.0 * mu * kGravity);
  // Symplectic Euler's sum stops v0 dt/2 short. Rising to the gap of SAP and Similar and sinking again takes
  // as much from the friction as it gives, x'' = -mu (g + z''); what is left are products of small times: of
  // the step, of SAP's tau of 2 ms.
  EXPECT_NEAR(s.position("block").x(), distance - 0.5 * v0 * h, is("sap") ? 2e-5 : 2e-6);
  EXPECT_LT(s.velocity("block").norm(), 1e-5);  // creep of a block that nothing pushes: none
}

INSTANTIATE_TEST_SUITE_P(All, SlidingOracle, testing::ValuesIn(laws_and_solvers()), parameter_name);

}  // namespace
}  // namespace csim::testing_support
