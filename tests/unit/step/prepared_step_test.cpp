// What a step knows before its velocities are found.
#include "step/discrete/prepared_step.h"

#include "support/step_at_hand.h"

namespace csim::testing_support {
namespace {

/// Two links that swing on a support, or fly, with these velocities of their joints, and a ball beside.
std::string links(const std::string& gravity, const std::string& first, const std::string& second) {
  return "csim: 1\ngravity: " + gravity + R"(
time: {step: 5.0e-3, end: 1}
contact: {model: sap}
materials: {m: {stiffness: 1.0e6, friction: 1.0}}
bodies:
  - {name: upper, density: 1000, geometry: [{shape: capsule, radius: 0.03, length: 0.2, material: m}]}
  - {name: lower, density: 1000, geometry: [{shape: capsule, radius: 0.03, length: 0.2, material: m}]}
  - {name: ball, mass: 1, inertia: solid, pose: {xyz: [2, 0, 0]}, velocity: {angular: [3, 2, 1]}, geometry: [{shape: sphere, radius: 0.05, material: m}]}
joints:
  - {name: hip, type: ball, parent: world, child: upper, position: [0.6, 0, 0.8, 0], damping: 0.1, velocity: )" +
         first + R"(}
  - {name: knee, type: revolute, parent: upper, child: lower, pose: {xyz: [0, 0, -0.14]}, axis: [1, 0, 0], position: 0.9, velocity: )" +
         second + "}\n";
}

Twist change(const std::vector<Twist>& after, const SteppedOnce& s, int body) {
  const Twist& before = s.prepared.twists0[body];
  return {after[body].w - before.w, after[body].v - before.v};
}

// Coriolis forces push nothing: what pushes links that turn is what pushes them at rest, and their damping.
TEST(PreparedStep, VelocitiesPushNothing) {
  const std::string gravity = "[1, 2, -9.81]";
  SteppedOnce turning(links(gravity, "[7, -9, 4]", "-12"));
  SteppedOnce at_rest(links(gravity, "[0, 0, 0]", "0"), {"integrator.velocity_terms=start"});
  ASSERT_TRUE(turning.prepared.asks_for_pushes);
  // What damps: the same velocities without weight and springs, with the velocity terms left out by hand.
  const PreparedStep& p = turning.prepared;
  VectorX damped = VectorX::Zero(p.model.nv);
  for (int i = 0; i < 4; ++i) damped[i] = -p.h * implicit_gain(p.model, p.free_motion, p.h, i) * p.state.v[i];
  solve_trees(p.model, p.free_motion.A, p.free_motion.factor, &damped);
  std::vector<Twist> damping, none;
  compute_twists(p.model, p.kinematics, damped, &damping);
  for (const char* name : {"upper", "lower"}) {
    const int body = turning.sim.body(name);
    const Twist pushed = change(p.twists_pushed, turning, body);
    const Twist expected = change(at_rest.prepared.twists_star, at_rest, body);
    EXPECT_LT((pushed.v - expected.v - damping[body].v).norm(), 1e-12) << name;
    EXPECT_LT((pushed.w - expected.w - damping[body].w).norm(), 1e-12) << name;
    EXPECT_GT((change(p.twists_star, turning, body).w - pushed.w).norm(), 0.1) << name;
  }
  const int ball = turning.sim.body("ball");
  EXPECT_EQ(p.twists_pushed[ball].w, p.twists_star[ball].w);
  EXPECT_EQ(p.twists_pushed[ball].v, p.twists_star[ball].v);
}

// Where friction lifts nothing, and where there are no joints, nobody asks.
TEST(PreparedStep, AsksForPushesWhereFrictionLifts) {
  EXPECT_FALSE(
      SteppedOnce(links("[0, 0, 0]", "[0, 0, 0]", "0"), {"contact.model=lagged"}).prepared.asks_for_pushes);
}

}  // namespace
}  // namespace csim::testing_support
