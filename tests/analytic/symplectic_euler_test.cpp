// The scheme without contact: v1 = v0 + dt a(q0), q1 = q0 + dt v1 with the forces of gravity, and backward
// Euler in the springs of joints.
#include <cmath>
#include <sstream>

#include "support/simulation.h"

namespace csim::testing_support {
namespace {

// A pendulum that swings by little, w = (g/l)^(1/2) with w dt = 0.2828 (22 steps a period): symplectic Euler
// keeps H = (v^2 + w^2 q^2 - dt w^2 q v)/2 to all digits, and the energy goes between H/(1 + w dt/2) and H/(1
// - w dt/2), a band of 28 % (Castro et al. 2022, SAP, gives it for its cylinder on a spring).
TEST(SymplecticEuler, EnergyStaysInItsBand) {
  const double h = 0.02, omega = std::sqrt(200.0), length = 9.81 / 200.0;
  std::ostringstream text;
  text.precision(17);
  text << "csim: 1\ntime: {step: 0.02, end: 1}\n"
       << "bodies:\n"
       << "  - {name: bob, mass: 1, com: [0, 0, " << -length << "], inertia: [1.0e-9, 1.0e-9, 1.0e-9]}\n"
       << "joints:\n"
       << "  - {name: hinge, type: revolute, parent: world, child: bob, axis: [0, 1, 0], position: 1.0e-4}\n";
  Simulation s(text.str());
  // The bob's own inertia of 1e-9 beside m l^2 = 2.4e-3 lowers w^2 by 4e-7.
  const double w2 = 9.81 * length / (length * length + 1e-9);
  const auto energy = [&] { return 0.5 * (s.state.v[0] * s.state.v[0] + w2 * s.state.q[0] * s.state.q[0]); };
  const auto kept = [&] { return energy() - 0.5 * h * w2 * s.state.q[0] * s.state.v[0]; };
  const double start = kept();
  double low = energy(), high = energy(), worst = 0.0;
  for (int n = 0; n < 20000; ++n) {
    ASSERT_TRUE(s.stepper->step(&s.state).ok);
    low = std::min(low, energy());
    high = std::max(high, energy());
    worst = std::max(worst, std::abs(kept() / start - 1.0));
  }
  EXPECT_LT(worst, 1e-8);  // the swing of 1e-4 rad is not quite linear: q^2/6 of the force
  // Within the phases that 20000 steps visit.
  EXPECT_NEAR(high / start, 1.0 / (1.0 - 0.5 * omega * h), 1e-5);
  EXPECT_NEAR(low / start, 1.0 / (1.0 + 0.5 * omega * h), 1e-5);
  EXPECT_NEAR(high / start - low / start, 0.2886, 1e-4);
}

// A mass on a joint's spring taken at the end of the step: backward Euler takes 1/(1 + w^2 dt^2) of the
// energy in every step.
TEST(SymplecticEuler, JointSpringsAreImplicit) {
  const char* const scene = R"(
csim: 1
gravity: [0, 0, 0]
time: {step: 0.02, end: 1}
bodies:
  - {name: mass, mass: 0.5, inertia: [1, 1, 1]}
joints:
  - {name: x, type: prismatic, parent: world, child: mass, axis: [1, 0, 0], position: 0.1, stiffness: 100}
)";
  Simulation s(scene, {"integrator.velocity_terms=start"});
  double energy = 0.5 * 100.0 * 0.01;
  for (int n = 0; n < 100; ++n) {
    s.step();
    const double next = 0.5 * 0.5 * s.state.v[0] * s.state.v[0] + 0.5 * 100.0 * s.state.q[0] * s.state.q[0];
    EXPECT_NEAR(next, energy / 1.08, 1e-14 * energy);
    EXPECT_NEAR(s.frame.energy.total, next, 1e-15);
    energy = next;
  }
}

std::string spinning_brick(double step, const Vector3& w, const char* inertia = "[0.001, 0.002, 0.0025]") {
  std::ostringstream text;
  text.precision(17);
  text << "csim: 1\ngravity: [0, 0, 0]\ntime: {step: " << step << ", end: 1}\n"
       << "bodies: [{name: brick, mass: 1, inertia: " << inertia << ", velocity: {angular: [" << w.x() << ", "
       << w.y() << ", " << w.z() << "]}}]\n";
  return text.str();
}

// A brick that tumbles about its middle axis, with velocity_terms: start: gyroscopic moments of the start of
// a step add energy, of the first order in the step.
TEST(SymplecticEuler, TumblingGainsEnergyInProportionToTheStep) {
  double gain[2];
  for (const int k : {0, 1}) {
    const double step = k == 0 ? 4e-4 : 2e-4;
    Simulation s(spinning_brick(step, {0.1, 20.0, 0.1}), {"integrator.velocity_terms=start"});
    const double start = s.frame.energy.kinetic;
    s.step(std::lround(2.0 / step));
    gain[k] = s.frame.energy.kinetic / start - 1.0;
    EXPECT_EQ(s.events[EventKind::kFastSpin].count, 0);
  }
  EXPECT_GT(gain[1], 1e-3);
  EXPECT_NEAR(gain[0] / gain[1], 2.0, 0.05);
}

// Counted from h |w x I w|/|I w| = 0.3 on; |w x I w| = a^2 (I_yy - I_xx) for w = (a, a, 0).
TEST(SymplecticEuler, FastSpinsAreCounted) {
  const double h = 0.01;
  for (const double turn : {0.299, 0.301}) {
    const double a = turn * std::sqrt(5.0) / h;
    Simulation s(spinning_brick(h, {a, a, 0.0}));
    s.step();
    const EventTotal& spins = s.events[EventKind::kFastSpin];
    EXPECT_EQ(spins.count, turn > 0.3 ? 1 : 0) << turn;
    if (turn > 0.3) {
      EXPECT_EQ(spins.first.subject_a, 0);
      EXPECT_EQ(spins.first_time, h);
      EXPECT_NEAR(spins.value, turn, 1e-12);
    }
  }
  // No gyroscopic moment: a ball, and a brick about its axis.
  Simulation ball(spinning_brick(h, {1000.0, 200.0, 0.0}, "[0.001, 0.001, 0.001]"));
  Simulation axis(spinning_brick(h, {1000.0, 0.0, 0.0}));
  ball.step();
  axis.step();
  EXPECT_EQ(ball.events[EventKind::kFastSpin].count + axis.events[EventKind::kFastSpin].count, 0);
}

// A drive that follows a ramp against a load of 5 N lags by 5 N over its stiffness, whatever the step,
// resolved or not, with a limit of its effort or without.
TEST(SymplecticEuler, ADriveLagsByItsLoad) {
  for (const char* const step : {"0.05", "0.01", "0.002"}) {
    for (const char* const limit : {"", ", effort_limit: 100"}) {
      Simulation s(R"(
csim: 1
gravity: [0, 0, 0]
time: {step: )" + std::string(step) +
                   R"(, end: 2}
bodies: [{name: cart, mass: 1, inertia: [1, 1, 1]}]
joints: [{name: x, type: prismatic, parent: world, child: cart, axis: [1, 0, 0], velocity: 0.2}]
forces: [{name: load, body: cart, force: [-5, 0, 0]}]
actuators:
  - {name: drive, joint: x, type: position, stiffness: 2000, damping: 90, feed_forward_velocity: true, command: {times: [0, 10], values: [0, 2]})" +
                   limit + "}\n");
      s.step(static_cast<int>(std::lround(2.0 / s.scene.time.step)));
      EXPECT_NEAR(0.2 * s.state.time - s.state.q[0], 5.0 / 2000.0, 1e-6) << step << limit;
    }
  }
}

// What such a spin ends in is not its cause: the failing step has its event too.
TEST(SymplecticEuler, AFailedStepTellsItsFastSpin) {
  Simulation s(spinning_brick(0.01, {200.0, 200.0, 1.0}), {"integrator.velocity_terms=start"});
  EventTotals events;
  bool ok = true;
  while (ok && s.state.time < 1.0) {
    const StepOutcome& outcome = s.stepper->step(&s.state);
    for (const Event& event : outcome.events) events.add(event, outcome.statistics.time);
    ok = outcome.ok;
  }
  ASSERT_FALSE(ok);
  EXPECT_EQ(events[EventKind::kFastSpin].count, s.state.step + 1);
  EXPECT_EQ(events[EventKind::kFastSpin].first_time, 0.01);

  // Nothing of it where no body spins so.
  Simulation still(spinning_brick(0.01, {0.0, 0.0, 1.0}),
                   {"bodies.brick.velocity.linear=[1.0e+150, 0, 0]", "gravity=[1.0e+160, 0, 0]"});
  const StepOutcome& outcome = still.stepper->step(&still.state);
  ASSERT_FALSE(outcome.ok);
  for (const Event& event : outcome.events) EXPECT_NE(event.kind, EventKind::kFastSpin);
}

}  // namespace
}  // namespace csim::testing_support
