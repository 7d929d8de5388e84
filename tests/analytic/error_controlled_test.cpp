// Steps of the discrete scheme as long as their error allows (integrator.type: error_controlled) against the
// scheme with the same steps, closed forms, and the acceleration level.
#include <array>
#include <cmath>
#include <fstream>
#include <sstream>

#include "support/simulation.h"
#include "support/source_folder.h"

namespace csim::testing_support {
namespace {

constexpr double kGravity = 9.81;

std::string key(const std::string& path, double value) {
  std::ostringstream text;
  text.precision(17);
  text << path << "=" << value;
  return text.str();
}

/// Steps to exactly the time t.
void run_until(Simulation* s, double t) {
  while (s->state.time < t) {
    const StepOutcome& outcome = s->stepper->step(&s->state, t);
    ASSERT_TRUE(outcome.ok) << outcome.message;
  }
  s->step(0);  // the frame
}

std::string with_accuracy(double accuracy) {
  return key("integrator.accuracy", accuracy);
}

const std::string kErrorControlled = "integrator.type=error_controlled";

// A ball that lands sliding and ends rolling (Castro et al. 2023, section IX-B): h = 0.1 m, 2 m/s.
const char* const kBall = R"(
csim: 1
time: {step: 1.0e-3, end: 1}
materials: {m: {friction: 0.2, stiffness: 2.0e+7, hunt_crossley_dissipation: 100, relaxation_time: 1.0e-3}}
bodies:
  - {name: g, fixed: true, geometry: [{shape: half_space, material: m}]}
  - {name: b, density: 7850, pose: {xyz: [0, 0, 0.15]}, velocity: {linear: [2, 0, 0]},
     geometry: [{shape: sphere, radius: 0.05, material: m}]}
)";

// A rod on a hinge at its end, from 60 degrees.
const char* const kPendulum = R"(
csim: 1
time: {step: 1.0e-3, end: 2}
bodies: [{name: rod, mass: 1, com: [0, 0, -0.5], inertia: [0.08333333333333333, 0.08333333333333333, 1.0e-3]}]
joints: [{name: hinge, type: revolute, parent: world, child: rod, axis: [0, 1, 0], position: 1.0471975511965976}]
)";

// With an accuracy that no step misses and a longest step h, every step is two steps of the scheme of h/2: to
// rounding without contact, to the solver's tolerance with the contacts of the longer query.
TEST(ErrorControlled, KeepsTheTwoHalves) {
  struct Case {
    const char *text, *model;
    double tolerance;
  };
  for (const auto& [text, model, tolerance] :
       {Case{kPendulum, "lagged", 1e-13}, Case{kBall, "lagged", 1e-9}, Case{kBall, "coulomb", 1e-9},
        Case{kBall, "sap", 1e-9}, Case{kBall, "similar", 1e-9}}) {
    const std::vector<std::string> same{std::string("contact.model=") + model, "solver.tolerance=1e-12",
                                        key("time.step", 1e-3)};
    Simulation halves(text, same);
    std::vector<std::string> controlled = same;
    controlled.insert(controlled.end(), {kErrorControlled, with_accuracy(1e12), "time.step=2.0e-3",
                                         "integrator.max_step=2.0e-3"});
    Simulation s(text, controlled);
    for (int n = 0; n < 150; ++n) {
      halves.step(2);
      s.step();
      ASSERT_LT((s.state.q - halves.state.q).cwiseAbs().maxCoeff(), tolerance) << model << n;
      ASSERT_LT((s.state.v - halves.state.v).cwiseAbs().maxCoeff(), 1e3 * tolerance) << model << n;
    }
    EXPECT_NEAR(s.frame.energy.balance_error, halves.frame.energy.balance_error,
                1e2 * tolerance * std::abs(halves.frame.energy.total));
  }
}

// A falling body: the whole step and its halves differ by g h^2/4, whatever its velocity. No step may be
// longer than that allows; the rule aims at 0.9 of it and does not grow by less than a fifth.
TEST(ErrorControlled, StepsOfAFallFollowTheRule) {
  for (const double accuracy : {1e-2, 1e-4, 1e-6}) {
    Simulation s(
        "csim: 1\ntime: {step: 1.0e-5, end: 1}\nbodies: [{name: b, mass: 1, inertia: [1, 1, 1], "
        "velocity: {linear: [3, 0, 2], angular: [1, 0, 0]}}]\n",
        {kErrorControlled, with_accuracy(accuracy)});
    const double longest = 2.0 * std::sqrt(accuracy / kGravity);
    int num_rejected = 0;
    double h = 0.0;
    for (int n = 0; n < 30; ++n) {
      const double before = s.state.time;
      s.step();
      h = s.state.time - before;
      ASSERT_LE(h, longest * (1 + 1e-9));
      num_rejected += s.stepper->statistics().num_rejected;
    }
    EXPECT_GE(h, 0.75 * longest * (1 - 1e-9));
    EXPECT_LE(num_rejected, 1);
    EXPECT_EQ(s.state.step, 30);
  }
}

// Steps of the length accuracy^(1/2), errors of first order in it: a hundredth of the accuracy, a tenth of
// the error. The reference is the acceleration level.
TEST(ErrorControlled, ErrorFallsWithTheRootOfTheAccuracy) {
  const char* const thrown =
      "csim: 1\ntime: {step: 1.0e-3, end: 2}\nbodies: [{name: b, mass: 2, inertia: [0.02, 0.03, 0.045], "
      "velocity: {linear: [1, 0, 3], angular: [4, 7, -5]}}]\n";
  for (const char* text : {kPendulum, thrown}) {
    const std::array<double, 3> accuracies{1e-4, 1e-6, 1e-8};
    std::array<double, 3> errors{};
    for (const double end : {0.5, 0.8, 1.1, 1.4}) {  // the pendulum's error changes its sign
      Simulation exact(text, {"integrator.type=continuous", with_accuracy(1e-10)});
      run_until(&exact, end);
      for (int i = 0; i < 3; ++i) {
        Simulation s(text, {kErrorControlled, with_accuracy(accuracies[i])});
        run_until(&s, end);
        errors[i] = std::max(errors[i], (s.state.q - exact.state.q).cwiseAbs().maxCoeff());
      }
    }
    EXPECT_NEAR(errors[0] / errors[1], 10.0, 2.0) << text;
    EXPECT_NEAR(errors[1] / errors[2], 10.0, 1.0) << text;
    EXPECT_LT(errors[2], 10.0 * std::sqrt(accuracies[2])) << text;
  }
}

// The ball ends rolling with 5/7 of its speed but for the gap at which a long step, and SAP with its
// relaxation time, lets friction act: some mm, a lever longer by that. With coulomb the way follows the
// accuracy too; the reference is the acceleration level.
TEST(ErrorControlled, BallLandsAndRolls) {
  Simulation exact(kBall, {"integrator.type=continuous", with_accuracy(1e-7)});
  run_until(&exact, 0.5);
  for (const char* model : {"lagged", "coulomb", "sap", "similar"}) {
    for (const double accuracy : {1e-3, 1e-5}) {
      Simulation s(kBall, {kErrorControlled, with_accuracy(accuracy), std::string("contact.model=") + model});
      run_until(&s, 0.5);
      EXPECT_NEAR(s.velocity("b").x(), 10.0 / 7.0, 5e-3) << model << accuracy;
      EXPECT_NEAR(s.velocity("b").x() - 0.05 * s.angular_velocity("b").y(), 0.0, 1e-3) << model << accuracy;
      if (std::string(model) == "coulomb") {
        EXPECT_NEAR(s.position("b").x(), exact.position("b").x(), 2.0 * std::sqrt(1e-3 * accuracy));
      }
    }
  }
}

// A box that lands tilted and slides, by points and by patches: it stops where the acceleration level has it.
TEST(ErrorControlled, LandingBox) {
  const std::string text = R"(
csim: 1
time: {step: 1.0e-3, end: 1.5}
materials: {w: {friction: 0.5, stiffness: 1.0e+6, hunt_crossley_dissipation: 50, hydroelastic_modulus: 1.0e+7}}
contact: {model: coulomb}
bodies:
  - {name: g, fixed: true, geometry: [{shape: half_space, material: w}]}
  - {name: b, density: 500, pose: {xyz: [0, 0, 0.0840857], rpy_deg: [0, 20, 0]}, velocity: {linear: [1, 0, 0]},
     geometry: [{shape: box, size: [0.1, 0.1, 0.1], material: w}]}
)";
  for (const auto& [accuracy, tolerance] : {std::pair{1e-3, 0.03}, {1e-5, 0.005}}) {
    Simulation s(text, {kErrorControlled, with_accuracy(accuracy)});
    run_until(&s, 1.5);
    EXPECT_NEAR(s.position("b").x() / 0.1745, 1.0, tolerance) << accuracy;
    EXPECT_LT(s.velocity("b").norm(), 1e-3);
  }
}

// The rod that jams while it slides (Castro et al. 2023, section IX-C): where the acceleration level has it
// after the jump, with coulomb to 1 mm in 33 steps.
TEST(ErrorControlled, JammingRod) {
  const std::string text = R"(
csim: 1
time: {step: 1.0e-5, end: 1}
materials:
  ground: {friction: 2.3, stiffness: 1.0e+7, hunt_crossley_dissipation: 0, relaxation_time: 0}
  steel: {friction: 2.3, stiffness: rigid, relaxation_time: 0}
contact: {model: coulomb, friction_tolerance: 1.0e-4}
bodies:
  - {name: g, fixed: true, geometry: [{shape: half_space, material: ground}]}
  - {name: b, mass: 0.3083, inertia: [3.85375e-6, 6.4229166666666667e-3, 6.4229166666666667e-3],
     pose: {xyz: [0, 0, 0.1275], rpy_deg: [0, 30, 0]}, velocity: {linear: [3, 0, 0]},
     geometry: [{shape: capsule, radius: 0.005, length: 0.49, material: steel, pose: {rpy_deg: [0, 90, 0]}}]}
)";
  Simulation exact(text, {"integrator.type=continuous", with_accuracy(1e-6)});
  run_until(&exact, 0.05);
  for (const auto& [accuracy, tolerance] : {std::pair{1e-4, 1e-3}, {1e-7, 4e-4}}) {
    Simulation s(text, {kErrorControlled, with_accuracy(accuracy)});
    run_until(&s, 0.05);
    EXPECT_NEAR((s.position("b") - exact.position("b")).norm(), 0.0, tolerance) << accuracy;
    EXPECT_LT(s.state.step, accuracy > 1e-5 ? 60 : 2000);
  }
}

// A pendulum that falls against a stop stays at it, and steps are long again: the stop is passed by less than
// the accuracy.
TEST(ErrorControlled, JointLimit) {
  for (const double accuracy : {1e-3, 1e-5}) {
    Simulation s(kPendulum, {kErrorControlled, with_accuracy(accuracy), "joints.0.limits=[-0.2, 2]",
                             "joints.0.damping=0.5", "integrator.max_step=0.02"});
    double lowest = 1.0, shortest = 1.0, last = 0.0;
    int num_rejected = 0;
    while (s.state.time < 2.0) {
      const double before = s.state.time;
      s.step();
      last = s.state.time - before;
      shortest = std::min(shortest, last);
      lowest = std::min(lowest, s.state.q[0]);
      num_rejected += s.stepper->statistics().num_rejected;
    }
    EXPECT_GE(lowest, -0.2 - accuracy);
    EXPECT_LE(lowest, -0.2 + accuracy);
    EXPECT_GT(num_rejected, 0);
    EXPECT_GT(s.frame.energy.dissipated, 0.0);
  }
}

// A soft ball dropped on a floor by pressure fields: its deepest place and its rebound are those of the
// scheme at a fiftieth of the step.
TEST(ErrorControlled, PressureField) {
  const std::string text = R"(
csim: 1
time: {step: 1.0e-3, end: 1}
materials: {m: {hydroelastic_modulus: 1.0e+5, hunt_crossley_dissipation: 1}}
bodies:
  - {name: g, fixed: true, geometry: [{shape: half_space, material: m, contact: rigid}]}
  - {name: b, mass: 0.5, inertia: solid, pose: {xyz: [0, 0, 0.1]},
     geometry: [{shape: sphere, radius: 0.05, material: m, contact: compliant, resolution: 0.03}]}
)";
  const auto lowest_and_end = [&](const std::vector<std::string>& overrides) {
    Simulation s(text, overrides);
    double lowest = 1.0;
    while (s.state.time < 0.2 - 1e-9) {
      EXPECT_TRUE(s.stepper->step(&s.state, 0.2).ok);
      lowest = std::min(lowest, s.state.q[6]);
    }
    return std::pair(lowest, s.state.q[6]);
  };
  const auto exact = lowest_and_end({"time.step=2.0e-5"});
  double last = 1.0;
  for (const double accuracy : {1e-3, 1e-5, 1e-7}) {
    const auto [lowest, end] = lowest_and_end({kErrorControlled, with_accuracy(accuracy)});
    const double error = std::max(std::abs(lowest - exact.first), std::abs(end - exact.second));
    EXPECT_LT(error, std::min(last, 1.0 * std::sqrt(accuracy)));
    last = error / 4.0;
  }
}

// Two bubbles press a spatula, which slips (scenes/spatula_slip_control): patches, joints and drives. A
// smaller error than that of steps of 1 ms with a third of them; 0.1 ms stands for the limit.
TEST(ErrorControlled, SlippingSpatula) {
  std::ifstream file(test::source_folder() + "/scenes/spatula_slip_control/scene.yaml");
  std::ostringstream text;
  text << file.rdbuf();
  const auto place = [&](std::vector<std::string> overrides, long* steps) {
    overrides.insert(overrides.end(), {"contact.model=coulomb", "output.period=0.5"});
    Simulation s(text.str(), overrides);
    run_until(&s, 1.0);
    *steps = s.state.step;
    return s.position("spatula");
  };
  long steps = 0, fixed_steps = 0;
  const Vector3 limit = place({"time.step=1.0e-4"}, &steps);
  const double fixed = (place({"time.step=1.0e-3"}, &fixed_steps) - limit).norm();
  const double controlled = (place({kErrorControlled, with_accuracy(1e-6)}, &steps) - limit).norm();
  EXPECT_LT(controlled, fixed);
  EXPECT_LT(controlled, 2e-4);
  EXPECT_LT(3 * steps, fixed_steps);
}

// A try in which pressure fields pass through each other is too long, though its halves agree with it.
TEST(ErrorControlled, APassageIsTooLong) {
  Simulation s(R"(
csim: 1
gravity: [0, 0, 0]
time: {step: 0.01, end: 1}
materials: {m: {hydroelastic_modulus: 1.0e+6, hunt_crossley_dissipation: 1}}
bodies:
  - {name: g, fixed: true, geometry: [{shape: box, size: [1, 1, 0.01], material: m, contact: rigid}]}
  - {name: b, mass: 0.01, inertia: solid, pose: {xyz: [0, 0, 0.2]}, velocity: {linear: [0, 0, -30]},
     geometry: [{shape: sphere, radius: 0.02, material: m, contact: compliant, resolution: 0.02}]}
)",
               {kErrorControlled});
  s.step();
  EXPECT_EQ(s.stepper->statistics().num_rejected, 1);
  EXPECT_NEAR(s.state.time, 1e-3, 1e-12);
  EXPECT_EQ(s.events[EventKind::kPassage].count, 0);
}

// What no step can hold ends the run, and is named.
TEST(ErrorControlled, FailsAtTheSmallestStep) {
  Simulation s(
      "csim: 1\ngravity: [0, 0, -1e+200]\ntime: {step: 1.0e-3, end: 1}\n"
      "bodies: [{name: b, mass: 1, inertia: [1, 1, 1]}]\n",
      {kErrorControlled});
  const State before = s.state;
  const StepOutcome& outcome = s.stepper->step(&s.state, 1.0);
  EXPECT_FALSE(outcome.ok);
  EXPECT_NE(outcome.message.find("step 1 at t = 0 s"), std::string::npos) << outcome.message;
  EXPECT_NE(outcome.message.find("the step fell below 9.77e-07 s"), std::string::npos) << outcome.message;
  EXPECT_EQ(s.state.q, before.q);
  EXPECT_EQ(outcome.statistics.num_rejected, 5);
}

// time.step is the first step tried and no measure of the others: another stepper, with 100 times of it,
// makes of every later state the same step, to the bit. The edges of the box turn into the ground, whose
// contacts are so stiff that what their overlaps may give depends on the length of the step.
TEST(ErrorControlled, LaterStepsDoNotDependOnTheFirst) {
  const std::string text = R"(
csim: 1
time: {step: 1.0e-3, end: 0.5}
materials: {m: {friction: 0.5, stiffness: 1.0e+12, hunt_crossley_dissipation: 0}}
bodies:
  - {name: g, fixed: true, geometry: [{shape: half_space, material: m}]}
  - {name: b, mass: 0.01, inertia: solid, pose: {xyz: [0, 0, 0.12], rpy_deg: [10, 25, 0]},
     velocity: {linear: [1, 0, -2], angular: [40, 60, 10]}, geometry: [{shape: box, size: [0.1, 0.06, 0.03], material: m}]}
)";
  Simulation s(text, {kErrorControlled, "time.step=1.0e-5"}), other(text, {kErrorControlled});
  int num_rejected = 0;
  ASSERT_TRUE(s.stepper->step(&s.state, 0.5).ok);
  while (s.state.time < 0.5) {
    other.stepper->set_memory(s.stepper->memory());
    const StepOutcome& a = s.stepper->attempt(s.state, 0.5);
    const StepOutcome& b = other.stepper->attempt(s.state, 0.5);
    ASSERT_TRUE(a.ok && b.ok) << a.message << b.message;
    ASSERT_EQ(a.state.time, b.state.time) << s.state.step;
    ASSERT_EQ(a.state.q, b.state.q) << s.state.step;
    num_rejected += a.statistics.num_rejected;
    s.stepper->take(&s.state);
  }
  EXPECT_GT(num_rejected, 0);
}

// A solver that does not converge is not helped by steps without bound: in these hardly anything moves, so
// that one iteration solves them and the run would creep on. Every law fails soon, and no step is shorter
// than the two tenths of the last try; the ball lands after some 0.14 s, in 20 steps.
TEST(ErrorControlled, ASolverThatCannotConvergeFailsSoon) {
  for (const char* model : {"lagged", "sap", "similar", "tamsi"}) {
    for (const char* policy : {"fail", "shorter_step"}) {
      Simulation s(kBall, {kErrorControlled, std::string("contact.model=") + model, "solver.max_iterations=1",
                           "solver.tolerance=1e-12", std::string("solver.on_nonconvergence=") + policy});
      double shortest = 1.0;
      bool ok = true;
      while (ok && s.state.step < 2000 && s.state.time < 0.5) {
        const double before = s.state.time;
        const StepOutcome& outcome = s.stepper->step(&s.state, 0.5);
        ok = outcome.ok;
        if (ok) {
          shortest = std::min(shortest, s.state.time - before);
          continue;
        }
        EXPECT_NE(outcome.message.find("the solver did not converge"), std::string::npos) << outcome.message;
        EXPECT_NE(outcome.message.find("the step fell below 9.77e-07 s"), std::string::npos)
            << outcome.message;
      }
      EXPECT_FALSE(ok) << model << " " << policy << " " << s.state.time;
      EXPECT_GT(shortest, 1e-3 / 1024 / 10 / 2) << model;
    }
    Simulation accepts(kBall,
                       {kErrorControlled, std::string("contact.model=") + model, "solver.max_iterations=1",
                        "solver.tolerance=1e-12", "solver.on_nonconvergence=accept"});
    run_until(&accepts, 0.2);
    EXPECT_LT(accepts.state.step, 500) << model;
  }
}

}  // namespace
}  // namespace csim::testing_support
