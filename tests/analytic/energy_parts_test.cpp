// The parts of /energy, each against a closed form, and their sum against the balance, under every stepper.
#include <cmath>
#include <sstream>

#include "step/account/energy_gain.h"
#include "support/simulation.h"

namespace csim::testing_support {
namespace {

constexpr double kGravity = 9.81;

double scheme(const EnergyRow& e) {
  return e.scheme_gravity + e.scheme_mass_matrix + e.scheme_springs - e.joint_spring_loss;
}

/// The columns are what they say: sums of their parts, and the balance.
void expect_sums(const EnergyRow& e) {
  EXPECT_DOUBLE_EQ(e.dissipated_normal, e.normal_damping + e.normal_spring_loss - e.normal_overlap_gain);
  EXPECT_DOUBLE_EQ(e.dissipated, e.dissipated_normal + e.dissipated_friction + e.dissipated_joints);
  EXPECT_DOUBLE_EQ(e.work, e.work_actuators + e.work_prescribed);
  EXPECT_DOUBLE_EQ(e.total, e.kinetic + e.potential + e.elastic);
  EXPECT_NEAR(e.balance_error, e.total + e.dissipated - e.work - scheme(e) - e.at_start,
              1e-13 * (std::abs(e.total) + std::abs(e.at_start) + e.turned_over));
}

// Symplectic Euler falls by h v1 with the velocity of the step's end: m g^2 h t/2 further than its energy
// allows. Nothing else happens.
TEST(EnergyParts, FreeFallIsTheErrorOfGravity) {
  const double m = 2.0, h = 1e-2;
  Simulation s(
      "csim: 1\ntime: {step: 0.01, end: 1}\nbodies: [{name: stone, mass: 2, inertia: [0.1, 0.2, 0.25], com: "
      "[0.1, 0, 0.05], velocity: {linear: [1, 0, 3], angular: [3, -2, 4]}}]\n");
  s.step(100);
  const EnergyRow& e = s.frame.energy;
  expect_sums(e);
  EXPECT_NEAR(e.scheme_gravity, -0.5 * m * kGravity * kGravity * h * 1.0, 1e-10);
  EXPECT_NEAR(e.scheme_mass_matrix, 0.0, 1e-12);
  EXPECT_NEAR(e.balance_error, 0.0, 1e-11);
  EXPECT_EQ(e.dissipated, 0.0);
  EXPECT_EQ(e.work, 0.0);
}

// Explicit gyroscopic moments feed a tumbling body: all that it gains is in scheme_mass_matrix, and it is
// energy from nothing of that body. With the mean velocity there is none.
TEST(EnergyParts, ATumblingBodyGainsByExplicitGyroscopicMoments) {
  const std::string text =
      "csim: 1\ngravity: [0, 0, 0]\ntime: {step: 0.01, end: 1}\nbodies:\n"
      "  - {name: still, mass: 1, inertia: [1, 1, 1]}\n"
      "  - {name: box, mass: 1, inertia: [0.02, 0.05, 0.06], velocity: {angular: [3, 20, 1]}}\n";
  Simulation fed(text, {"integrator.velocity_terms=start"});
  const double start = fed.frame.energy.total;
  fed.step(40);
  expect_sums(fed.frame.energy);
  const double gained = fed.frame.energy.total - start;
  EXPECT_GT(gained, 0.02 * start);
  EXPECT_NEAR(fed.frame.energy.scheme_mass_matrix, gained, 1e-10 * start);
  EXPECT_NEAR(fed.frame.energy.balance_error, 0.0, 1e-10 * start);
  const EnergyGain gain = energy_from_nothing(fed.model, fed.state);
  EXPECT_NEAR(gain.amount, gained, 1e-10 * start);
  EXPECT_EQ(gain_subjects(fed.model, gain), "'box'");
  EXPECT_EQ(energy_from_nothing(fed.model, fed.state, 1.01 * gained).amount, 0.0);
  EXPECT_EQ(energy_from_nothing(fed.model, fed.state, 0.99 * gained).amount, gain.amount);
  EXPECT_NEAR(unresolved_energy(fed.model, 1.0), 0.5 * 2.0 * 0.1 * 0.1, 1e-15);  // nothing has a weight
  EXPECT_GT(fed.events[EventKind::kEnergyGain].count, 0);
  EXPECT_EQ(fed.events[EventKind::kEnergyGain].first.subject_a, fed.body("box"));

  Simulation kept(text);
  kept.step(40);
  EXPECT_NEAR(kept.frame.energy.scheme_mass_matrix, 0.0, 1e-12 * start);
  EXPECT_EQ(energy_from_nothing(kept.model, kept.state).amount, 0.0);
  EXPECT_EQ(kept.events[EventKind::kEnergyGain].count, 0);
}

// Steps of constant length tell every gain, however small beside the weight of the bodies.
TEST(EnergyParts, ConstantStepsHaveNothingUnresolved) {
  Simulation s(R"(
csim: 1
time: {step: 0.01, end: 1}
integrator: {type: discrete, velocity_terms: start}
bodies:
  - {name: anchor, mass: 1000, inertia: [1, 1, 1]}
  - {name: box, mass: 1, inertia: [0.02, 0.05, 0.06]}
joints:
  - {name: axle, type: revolute, parent: world, child: anchor}
  - {name: pivot, type: ball, parent: world, child: box, velocity: [3, 20, 1]}
)");
  s.step(40);
  const EnergyGain gain = energy_from_nothing(s.model, s.state);
  EXPECT_GT(gain.fraction, 0.01);
  EXPECT_LT(gain.amount, unresolved_energy(s.model, 1e-3));
  EXPECT_GT(s.events[EventKind::kEnergyGain].count, 0);
}

std::string block(double speed, double belt) {
  std::ostringstream text;
  text.precision(17);
  text << "csim: 1\ntime: {step: 1.0e-3, end: 1}\n"
       << "materials: {m: {friction: 0.5, stiffness: 1.0e6, hunt_crossley_dissipation: 20}, r: {friction: "
          "0.5, "
          "stiffness: rigid}}\n"
       << "bodies:\n  - {name: belt, surface_velocity: [" << belt
       << ", 0, 0], geometry: [{shape: half_space, material: r}]}\n"
       << "  - {name: guide, mass: 0, inertia: [0, 0, 0]}\n"
       << "  - {name: block, mass: 2, inertia: [1, 1, 1], geometry: [{shape: sphere, radius: 0.05, material: "
          "m}]}\n"
       << "joints:\n  - {name: x, type: prismatic, parent: world, child: guide, axis: [1, 0, 0], velocity: "
       << speed << "}\n"
       << "  - {name: z, type: prismatic, parent: guide, child: block, axis: [0, 0, 1], position: "
       << 0.05 - 2 * kGravity / 1e6 << "}\nsolver: {tolerance: 1.0e-12}\n";
  return text.str();
}

// A block slides to a stop: friction takes m g mu times the way, all of its kinetic energy.
TEST(EnergyParts, ASlidingBlockGivesItsEnergyToFriction) {
  for (const char* model : {"lagged", "similar", "sap", "coulomb", "tamsi"}) {
    Simulation s(block(1.0, 0.0), {std::string("contact.model=") + model});
    const double kinetic = s.frame.energy.kinetic;
    ASSERT_NEAR(kinetic, 1.0, 1e-12);
    s.step(100);
    const EnergyRow& e = s.frame.energy;
    expect_sums(e);
    // mu m g d with the way at mean velocities, v0 t - mu g t^2/2; Similar and SAP lift it by the gap.
    const double way = 0.1 - 0.5 * 0.5 * kGravity * 0.01;
    EXPECT_NEAR(e.dissipated_friction, 0.5 * 2 * kGravity * way, 5e-3) << model;
    s.step(300);
    EXPECT_NEAR(s.frame.energy.dissipated_friction, kinetic, 1e-3) << model;
    EXPECT_NEAR(s.frame.energy.dissipated_normal, 0.0, 1e-3) << model;
    EXPECT_NEAR(s.frame.energy.balance_error, 0.0, 1e-9) << model;
  }
}

// A belt takes a block along: it works mu m g times its way until the block has its speed; half of that is
// friction's, half the block's.
TEST(EnergyParts, ABeltWorksAgainstFriction) {
  Simulation s(block(0.0, 2.0));
  s.step(1000);
  const EnergyRow& e = s.frame.energy;
  expect_sums(e);
  EXPECT_NEAR(e.kinetic, 0.5 * 2 * 4, 1e-3);
  EXPECT_NEAR(e.work_prescribed, 2 * 4, 1e-2);
  EXPECT_NEAR(e.dissipated_friction, 0.5 * 2 * 4, 1e-2);
  EXPECT_EQ(e.work_actuators, 0.0);
  EXPECT_NEAR(e.balance_error, 0.0, 1e-9);
}

// A body at a place on a lift: the lift's work is the weight's, and the energy of getting under way.
TEST(EnergyParts, ALiftDoesTheWorkOfItsLoad) {
  Simulation s(
      "csim: 1\ntime: {step: 1.0e-3, end: 2}\n"
      "materials: {m: {stiffness: 1.0e5}}\nbodies:\n"
      "  - {name: lift, motion: {times: [0, 1], xyz: [[0, 0, 0], [0, 0, 1]], interpolation: cubic}, "
      "geometry: "
      "[{shape: half_space, material: m}]}\n"
      "  - {name: load, mass: 3, inertia: solid, pose: {xyz: [0, 0, 0.1]}, geometry: [{shape: box, size: "
      "[0.2, "
      "0.2, 0.2], material: m}]}\n",
      {"solver.tolerance=1e-11"});
  s.step(1500);
  const EnergyRow& e = s.frame.energy;
  expect_sums(e);
  EXPECT_NEAR(e.work_prescribed, 3 * kGravity, 0.03);  // with what landing in its depth takes
  EXPECT_NEAR(e.balance_error, 0.0, 1e-8);
}

// A ball falls and comes to rest: what it had is dissipated along the normal, at any step and damping, in
// impacts of one step and of many.
TEST(EnergyParts, ABallThatComesToRestHasLostItsEnergyAlongTheNormal) {
  for (const char* const step : {"1e-2", "1e-3", "1e-4"}) {
    Simulation s(
        "csim: 1\ntime: {step: 1.0e-3, end: 1}\n"
        "materials: {m: {friction: 0, stiffness: 1.0e5, hunt_crossley_dissipation: 2}}\nbodies:\n"
        "  - {name: ground, fixed: true, geometry: [{shape: half_space, material: m}]}\n"
        "  - {name: ball, mass: 0.5, inertia: solid, pose: {xyz: [0, 0, 0.25]}, geometry: [{shape: sphere, "
        "radius: 0.05, material: m}]}\n",
        {std::string("time.step=") + step, "solver.tolerance=1e-10"});
    const int num_steps = static_cast<int>(std::lround(3.0 / s.scene.time.step));
    double least = 0.0;
    for (int n = 0; n < num_steps; ++n) {
      s.step();
      least = std::min(least, s.frame.energy.scheme_gravity);
      ASSERT_NEAR(s.frame.energy.balance_error, 0.0, 1e-9) << step << " " << n;
    }
    const EnergyRow& e = s.frame.energy;
    expect_sums(e);
    EXPECT_NEAR(e.dissipated_normal, 0.5 * kGravity * 0.2, 2e-3 * (1 + 100 * s.scene.time.step)) << step;
    EXPECT_EQ(e.dissipated_friction, 0.0);
    // Gravity's h/2 (v1 - v0): gone with the fall, back with the rest.
    EXPECT_NEAR(e.scheme_gravity, 0.0, 1e-4) << step;
    EXPECT_LT(least, -0.1 * kGravity * s.scene.time.step * 0.5) << step;
  }
}

// At the deepest place the elastic energy is what the fall set free, of a contact without damping at a fine
// step.
TEST(EnergyParts, ACompressedContactStoresTheEnergyOfTheFall) {
  Simulation s(
      "csim: 1\ngravity: [0, 0, 0]\ntime: {step: 1.0e-6, end: 1}\n"
      "materials: {m: {friction: 0, stiffness: 1.0e5, hunt_crossley_dissipation: 0}}\nbodies:\n"
      "  - {name: ground, fixed: true, geometry: [{shape: half_space, material: m}]}\n"
      "  - {name: ball, mass: 0.5, inertia: solid, pose: {xyz: [0, 0, 0.05]}, velocity: {linear: [0, 0, "
      "-2]}, "
      "geometry: [{shape: sphere, radius: 0.05, material: m}]}\n");
  double most = 0.0;
  for (int n = 0; n < 12000; ++n) {
    s.step();
    most = std::max(most, s.frame.energy.elastic);
  }
  EXPECT_NEAR(most, 1.0, 1e-3);
  EXPECT_NEAR(s.frame.energy.elastic, 0.0, 1e-12);
  EXPECT_NEAR(s.frame.energy.balance_error, 0.0, 1e-9);
}

// A ball against flat ground, at steps in which the spring loses much: the loss and the damping of each step
// from its heights and velocities alone. The impulse h f1 (1 - d v1), with the force f1 of the end's depth,
// works at the mean velocity; its damping h f1 d v1 takes energy at v1; the loss is what the spring had
// besides.
TEST(EnergyParts, LossOfTheImplicitSpringAndDamping) {
  const double m = 0.5, k = 1e5, radius = 0.05, h = 1e-3;
  struct Case {
    const char* normal;
    double d, power, coefficient;  // f = coefficient x^power
  };
  for (const Case& c : {Case{"hunt_crossley", 0.0, 1.0, k}, Case{"hunt_crossley", 0.7, 1.0, k},
                        Case{"hertz", 0.7, 1.5, 1e7}}) {
    std::ostringstream text;
    text.precision(17);
    text << "csim: 1\ntime: {step: " << h << ", end: 1}\nmaterials:\n"
         << "  r: {friction: 0, stiffness: rigid, hertz_stiffness: 2.8284271247461903e7}\n"
         << "  m: {friction: 0, stiffness: " << k
         << ", hertz_stiffness: 2.8284271247461903e7, hunt_crossley_dissipation: " << c.d << "}\n"
         << "bodies:\n  - {name: ground, fixed: true, geometry: [{shape: half_space, material: r}]}\n"
         << "  - {name: ball, mass: " << m
         << ", inertia: solid, pose: {xyz: [0, 0, 0.055]}, velocity: {linear: "
         << "[0, 0, -2]}, geometry: [{shape: sphere, radius: " << radius << ", material: m}]}\n"
         << "solver: {tolerance: 1.0e-12}\ncontact: {normal: " << c.normal << "}\n";
    Simulation s(text.str());
    double loss = 0.0, damping = 0.0;
    const auto depth = [&] { return std::max(radius - s.position("ball").z(), 0.0); };
    const auto force = [&](double x) { return c.coefficient * std::pow(x, c.power); };
    const auto energy = [&](double x) { return c.coefficient * std::pow(x, c.power + 1) / (c.power + 1); };
    for (int n = 0; n < 100; ++n) {
      const double x0 = depth(), v0 = s.velocity("ball").z();
      s.step();
      const double x1 = depth(), v1 = s.velocity("ball").z();
      const double damped = 1.0 - std::max(1.0 - c.d * v1, 0.0), impulse = h * force(x1) * (1.0 - damped);
      loss += 0.5 * impulse * (v1 - v0) + energy(x0) - energy(x1) - h * force(x1) * v1;
      damping += h * force(x1) * damped * v1;
      const EnergyRow& e = s.frame.energy;
      ASSERT_NEAR(e.normal_spring_loss, loss, 1e-9) << c.normal << " step " << n;
      ASSERT_NEAR(e.normal_damping, damping, 1e-9) << c.normal << " step " << n;
      ASSERT_NEAR(e.normal_overlap_gain, 0.0, 1e-12) << c.normal << " step " << n;  // the ground is flat
    }
    EXPECT_GT(loss, 0.1) << c.normal;
    EXPECT_EQ(damping > 0.01, c.d > 0.0) << c.normal;
    expect_sums(s.frame.energy);
  }
}

// A ball on an arm turns about a pivot: without the bias of contacts its gap to the ground is not linear in
// the angle. What a step finds beyond what the one before has left, from the angles alone.
TEST(EnergyParts, OverlapsThatTurnGain) {
  const double k = 2e4, arm = 0.3, radius = 0.05, height = 0.2, h = 4e-3;
  Simulation s(
      "csim: 1\ntime: {step: 4.0e-3, end: 1}\nmaterials:\n  r: {friction: 0, stiffness: rigid}\n"
      "  m: {friction: 0, stiffness: 2.0e4, hunt_crossley_dissipation: 0.2}\nbodies:\n"
      "  - {name: ground, fixed: true, geometry: [{shape: half_space, material: r}]}\n"
      "  - {name: arm, mass: 0.5, inertia: [0.01, 0.01, 0.01], com: [0.3, 0, 0], geometry: [{shape: sphere, "
      "radius: 0.05, pose: {xyz: [0.3, 0, 0]}, material: m}]}\n"
      "joints:\n  - {name: pivot, type: revolute, parent: world, child: arm, axis: [0, 1, 0], pose: {xyz: "
      "[0, "
      "0, 0.2]}, velocity: 10}\nsolver: {tolerance: 1.0e-12}\n",
      {"integrator.velocity_terms=start"});
  // About y the ball goes down: its centre is at height - arm sin q.
  const auto overlap = [&](double z) { return std::max(radius - z, 0.0); };
  double gain = 0.0, foreseen = 0.0, largest = 0.0;
  for (int n = 0; n < 200; ++n) {
    const double q0 = s.state.q[0], z0 = height - arm * std::sin(q0);
    gain += 0.5 * k * (overlap(z0) * overlap(z0) - foreseen * foreseen);
    s.step();
    foreseen = overlap(z0 - h * arm * std::cos(q0) * s.state.v[0]);
    ASSERT_NEAR(s.frame.energy.normal_overlap_gain, gain, 1e-10) << "step " << n;
    ASSERT_NEAR(s.frame.energy.balance_error, 0.0, 1e-9) << "step " << n;
    largest = std::max(largest, std::abs(gain));
  }
  EXPECT_GT(largest, 1e-2);
  expect_sums(s.frame.energy);
}

/// A cart on a rail with an actuator.
std::string cart(const std::string& joint, const std::string& actuator) {
  return "csim: 1\ngravity: [0, 0, 0]\ntime: {step: 1.0e-3, end: 1}\nbodies: [{name: cart, mass: 2, inertia: "
         "[1, 1, 1]}]\njoints: [{name: rail, type: prismatic, parent: world, child: cart, axis: [1, 0, 0]" +
         joint + "}]\n" + actuator;
}

// Damping takes all of a cart's energy; an effort gives it F times the way.
TEST(EnergyParts, JointsAndActuators) {
  Simulation damped(cart(", velocity: 3, damping: 20", ""));
  damped.step(3000);
  expect_sums(damped.frame.energy);
  EXPECT_NEAR(damped.frame.energy.dissipated_joints, 0.5 * 2 * 9, 1e-9);
  EXPECT_NEAR(damped.frame.energy.balance_error, 0.0, 1e-12);

  Simulation driven(cart("", "actuators: [{name: motor, joint: rail, type: effort, command: 4}]\n"));
  driven.step(1000);
  const EnergyRow& e = driven.frame.energy;
  expect_sums(e);
  EXPECT_NEAR(e.work_actuators, 4 * 0.5 * 2 * 1, 1e-9);  // F a t^2/2
  EXPECT_NEAR(e.kinetic, e.work_actuators, 1e-12);

  // A servo with a limit and one without; friction and a stop in the joint.
  for (const char* const limit : {"", ", effort_limit: 5"}) {
    Simulation servo(
        cart(", friction: 0.5, limits: [-1, 0.6]",
             "actuators: [{name: motor, joint: rail, type: position, stiffness: 50, damping: 5, command: 1" +
                 std::string(limit) + "}]\n"),
        {"solver.tolerance=1e-12"});
    servo.step(1000);
    expect_sums(servo.frame.energy);
    EXPECT_GT(servo.frame.energy.work_actuators, 1.0);
    EXPECT_GT(servo.frame.energy.dissipated_joints, 0.5 * 0.5 * 0.6);
    EXPECT_NEAR(servo.frame.energy.balance_error, 0.0, 1e-9) << limit;
  }
}

// A chain on a base that swings and turns, with a spring and a body that scrapes: every part at work, and the
// balance closes at a coarse step.
TEST(EnergyParts, AChainOnAMovingBaseBalances) {
  for (const char* const motion : {"{velocity: [0.3, -0.2, 0.1], angular_velocity: [0.7, -1.0, 2.5]}",
                                   "{sine: {amplitude: [0.1, 0.05, -0.2], frequency: 1.5, phase: 0.3}}"}) {
    Simulation s(
        "csim: 1\ntime: {step: 4.0e-3, end: 1}\n"
        "materials: {m: {friction: 0.4, stiffness: 1.0e4, hunt_crossley_dissipation: 1}}\nbodies:\n"
        "  - {name: floor, fixed: true, pose: {xyz: [0, 0, -0.6]}, geometry: [{shape: half_space, material: "
        "m}]}\n"
        "  - {name: base, motion: " +
            std::string(motion) +
            "}\n"
            "  - {name: rider, mass: 1.4, com: [0.05, -0.1, 0.2], inertia: [0.02, 0.03, 0.035]}\n"
            "  - {name: tip, mass: 0.5, com: [0.1, 0, 0.2], inertia: [0.01, 0.01, 0.01], geometry: [{shape: "
            "sphere, radius: 0.9, material: m}]}\n"
            "joints:\n"
            "  - {name: a, type: universal, parent: base, child: rider, pose: {xyz: [0.2, -0.1, 0.1]}, "
            "velocity: [1, "
            "-2]}\n"
            "  - {name: b, type: prismatic, parent: rider, child: tip, stiffness: 300, armature: 0.4, "
            "damping: 0.2}\n",
        {"solver.tolerance=1e-12"});
    for (int n = 0; n < 250; ++n) {
      s.step();
      expect_sums(s.frame.energy);
    }
    const EnergyRow& e = s.frame.energy;
    EXPECT_GT(std::abs(e.work_prescribed), 0.3);
    EXPECT_GT(e.dissipated_friction, 0.01);
    EXPECT_GT(std::abs(e.normal_overlap_gain), 1e-6);  // of the sphere, which the chain turns
    EXPECT_NEAR(e.balance_error, 0.0, 1e-8 * e.turned_over) << motion;
  }
}

// Error-controlled and continuous steps hold the same accounts.
TEST(EnergyParts, OtherSteppers) {
  const std::string ball =
      "csim: 1\ntime: {step: 1.0e-3, end: 1}\n"
      "materials: {m: {friction: 0.5, stiffness: 1.0e4, hunt_crossley_dissipation: 1}}\nbodies:\n"
      "  - {name: belt, surface_velocity: [1, 0, 0], geometry: [{shape: half_space, material: m}]}\n"
      "  - {name: ball, mass: 0.5, inertia: solid, pose: {xyz: [0, 0, 0.1]}, geometry: [{shape: sphere, "
      "radius: "
      "0.05, material: m}]}\n";
  for (const char* const type : {"discrete", "error_controlled", "continuous"}) {
    Simulation s(ball, {std::string("integrator={type: ") + type + "}"});
    while (s.state.time < 0.5) s.step();
    const EnergyRow& e = s.frame.energy;
    expect_sums(e);
    EXPECT_GT(e.dissipated_normal, 0.02) << type;
    EXPECT_GT(e.dissipated_friction, 0.01) << type;
    EXPECT_NEAR(e.balance_error, 0.0, 0.01 * e.turned_over) << type;
    // The belt's force on the ball over the belt's way: what friction took and gave.
    EXPECT_NEAR(e.work_prescribed,
                e.dissipated_friction + 0.5 * 0.7 * std::pow(s.velocity("ball").x(), 2) + 0.0 * e.kinetic,
                0.5 * e.work_prescribed)
        << type;
  }
}

}  // namespace
}  // namespace csim::testing_support
