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

// What is carried by something prescribed is pushed by its acceleration, as v* has it where nothing turns: an
// arm at rest in its joints on a cart that sets out, and one below a plate that begins to turn.
TEST(PreparedStep, AcceleratedRootsPush) {
  const std::string scene = R"(
csim: 1
time: {step: 5.0e-3, end: 1}
contact: {model: sap}
materials: {m: {stiffness: 1.0e6, friction: 1.0}}
bodies:
  - {name: cart, motion: {sine: {amplitude: [0.1, 0.2, -0.1], frequency: 2, phase: -1.5707963267948966}}}
  - {name: plate, motion: {times: [0, 1], xyz: [[3, 0, 0], [3, 0, 0]], rpy: [[0, 0, 0], [0.3, 0.4, 2]], interpolation: smooth}}
  - {name: post, mass: 1, inertia: [1, 1, 1]}
  - {name: upper, density: 1000, geometry: [{shape: capsule, radius: 0.03, length: 0.2, material: m}]}
  - {name: lower, density: 1000, geometry: [{shape: capsule, radius: 0.03, length: 0.2, material: m}]}
  - {name: arm, density: 1000, geometry: [{shape: capsule, radius: 0.03, length: 0.2, material: m}]}
joints:
  - {name: screws, type: weld, parent: cart, child: post, pose: {xyz: [0.3, 0, 0.2]}}
  - {name: hip, type: ball, parent: post, child: upper, position: [0.6, 0, 0.8, 0]}
  - {name: knee, type: revolute, parent: upper, child: lower, pose: {xyz: [0, 0, -0.14]}, axis: [1, 0, 0], position: 0.9}
  - {name: hinge, type: revolute, parent: plate, child: arm, pose: {xyz: [0.5, 0.2, 0], rpy: [0.4, 0, 0]}, axis: [1, 2, 0], position: 0.7}
)";
  SteppedOnce s(scene, {"integrator.velocity_terms=start"});
  const PreparedStep& p = s.prepared;
  ASSERT_TRUE(p.asks_for_pushes);
  SteppedOnce at_rest(scene,
                      {"integrator.velocity_terms=start", "bodies.cart.motion.sine.amplitude=[0, 0, 0]",
                       "bodies.plate.motion.rpy=[[0, 0, 0], [0, 0, 0]]"});
  for (const char* name : {"upper", "lower", "arm"}) {
    const int body = s.sim.body(name);
    const Twist pushed = change(p.twists_pushed, s, body), expected = change(p.twists_star, s, body);
    EXPECT_LT((pushed.v - expected.v).norm(), 1e-12) << name;
    EXPECT_LT((pushed.w - expected.w).norm(), 1e-12) << name;
    const Twist weight = change(at_rest.prepared.twists_star, at_rest, body);
    EXPECT_GT((pushed.w - weight.w).norm(), 1e-3) << name;
  }
}

// Where friction lifts nothing, and where there are no joints, nobody asks.
TEST(PreparedStep, AsksForPushesWhereFrictionLifts) {
  const std::string arm = links("[0, 0, 0]", "[0, 0, 0]", "0");
  EXPECT_TRUE(SteppedOnce(arm).prepared.asks_for_pushes);
  EXPECT_FALSE(SteppedOnce(arm, {"contact.model=lagged"}).prepared.asks_for_pushes);
  EXPECT_FALSE(SteppedOnce(arm.substr(0, arm.find("joints:"))).prepared.asks_for_pushes);
}

}  // namespace
}  // namespace csim::testing_support
