// The velocities from which a step is solved.
#include "step/discrete/foretold_velocities.h"

#include "support/step_at_hand.h"

namespace csim::testing_support {
namespace {

/// An arm on two drives whose hand presses on the floor, beside a ball that lies there.
const char* const kArm = R"(
csim: 1
time: {step: 2.0e-3, end: 3}
contact: {model: coulomb}
materials: {m: {friction: 1.0}}
bodies:
  - {name: floor, fixed: true, geometry: [{shape: half_space, material: m}]}
  - {name: upper, mass: 3, com: [0.2, 0, 0], inertia: [1.0e-3, 0.04, 0.04]}
  - {name: lower, mass: 2, com: [0.2, 0, 0], inertia: [1.0e-3, 0.03, 0.03], geometry: [{shape: sphere, radius: 0.03, material: m, pose: {xyz: [0.4, 0, 0]}}]}
  - {name: ball, mass: 1, inertia: solid, pose: {xyz: [0, 1, 0.1]}, geometry: [{shape: sphere, radius: 0.1, material: m}]}
joints:
  - {name: shoulder, type: revolute, parent: world, child: upper, axis: [0, 1, 0], pose: {xyz: [0, 0, 0.5]}, position: 0.5}
  - {name: elbow, type: revolute, parent: upper, child: lower, axis: [0, 1, 0], pose: {xyz: [0.4, 0, 0]}, position: 0.45, damping: 2}
actuators:
  - {name: of_shoulder, joint: shoulder, type: position, stiffness: 100, damping: 10, command: 0.5}
  - {name: of_elbow, joint: elbow, type: position, stiffness: 100, damping: 10, command: 0.45}
)";

/// The guess of the step at hand after the velocities v1, v2, v3 of the steps before.
struct Guess {
  VectorX v;
  int num_foretold = 0;
};
Guess guess_after(SteppedOnce* s, const VectorX& v1, const VectorX& v2, const VectorX& v3) {
  s->memory.v_before = {v1, v2, v3, v3};
  foretell_velocities(s->prepared, s->memory, &s->solved);
  const std::vector<char>& trees = s->solved.is_foretold;
  return {s->solved.guess, static_cast<int>(std::count(trees.begin(), trees.end(), 1))};
}

// Velocities that are a polynomial of second degree in time go on exactly; free bodies do not.
TEST(ForetoldVelocities, GoOnEvenly) {
  SteppedOnce s(kArm);
  const int nv = s.sim.model.nv;
  const VectorX slope = VectorX::LinSpaced(nv, 0.1, 0.7), bend = VectorX::LinSpaced(nv, -0.02, 0.03);
  const VectorX now = VectorX::LinSpaced(nv, 1.0, 2.0);
  const auto at = [&](double t) -> VectorX { return now + t * slope + t * t * bend; };
  s.prepared.state.v = at(0.0);
  const Guess guess = guess_after(&s, at(-1.0), at(-2.0), at(-3.0));
  EXPECT_EQ(guess.num_foretold, 1);
  for (const Body& body : s.sim.model.bodies) {
    if (body.tree < 0) continue;
    const Tree& tree = s.sim.model.trees[body.tree];
    const double of_guess = guess.v[tree.v_begin];
    EXPECT_NEAR(of_guess, at(tree.single_free_body ? 0.0 : 1.0)[tree.v_begin], 1e-12) << body.name;
  }
}

// The same for the last step is the judge: it may miss by half of what that step changed.
TEST(ForetoldVelocities, StayWhereTheLastStepWasNotForetold) {
  SteppedOnce s(kArm);
  const VectorX v = VectorX::Constant(s.sim.model.nv, 1.0);
  const double change = 0.1;
  s.prepared.state.v = (1.0 + change) * v;
  for (const double part : {0.45, 0.55}) {
    // 3 (v1 - v2) + v3 is off by this part of the change.
    const Guess guess = guess_after(&s, v, v, (1.0 + (1.0 - part) * change) * v);
    EXPECT_EQ(guess.num_foretold, part < 0.5 ? 1 : 0) << part;
    if (guess.num_foretold == 0) {
      EXPECT_EQ(guess.v, s.prepared.state.v);
    }
  }
  s.prepared.state.v = (1.0 + 1e-15) * v;  // even, to rounding
  EXPECT_EQ(guess_after(&s, v, v, v).num_foretold, 1);
}

// What presses on its drives at rest is as it was: the bias of its contacts is foretold at its velocities,
// not at those of free motion, which bend the arm. (With these the four laws take 600 to 2400
// iterations here.)
TEST(ForetoldVelocities, AnArmThatPressesTakesFewIterations) {
  for (const char* law : {"coulomb", "lagged", "sap", "similar"}) {
    Simulation s(kArm, {std::string("contact.model=") + law});
    s.step(1200);
    long iterations = 0;
    for (int n = 0; n < 300; ++n) {
      const StepOutcome& outcome = s.stepper->step(&s.state);
      ASSERT_TRUE(outcome.ok) << outcome.message;
      iterations += outcome.statistics.iterations;
    }
    EXPECT_LE(iterations, 500) << law;
  }
}

// A part of a step follows steps of another length: nothing is foretold in it.
TEST(ForetoldVelocities, InWholeStepsAlone) {
  SteppedOnce s(kArm);
  const VectorX v = VectorX::Constant(s.sim.model.nv, 1.0);
  s.prepared.state.v = v;
  EXPECT_EQ(guess_after(&s, v, v, v).num_foretold, 1);
  StepStatistics unused;
  shorten(0.5 * s.sim.scene.time.step, &unused, &s.prepared);
  EXPECT_EQ(guess_after(&s, v, v, v).num_foretold, 0);
  EXPECT_EQ(s.solved.guess, v);
}

}  // namespace
}  // namespace csim::testing_support
