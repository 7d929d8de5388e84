// A step is a value: attempts change nothing, and give the same bits whenever they are made.
#include "support/simulation.h"

namespace csim::testing_support {
namespace {

/// Balls of 1 kg in a column above a floor, the lowest about to touch, thrown downwards and sideways.
std::string column_of_balls(const std::string& more = "") {
  std::string text = R"(
csim: 1
time: {step: 5.0e-3, end: 1}
materials: {m: {stiffness: 1.0e5, friction: 0.4}}
bodies:
  - {name: floor, fixed: true, geometry: [{shape: half_space, material: m}]}
)";
  for (int i = 0; i < 6; ++i) {
    text += "  - {name: b" + std::to_string(i) + ", mass: 1, inertia: solid, pose: {xyz: [" +
            std::to_string(0.01 * i) + ", 0, " + std::to_string(0.11 + 0.21 * i) +
            "]}, velocity: {linear: [0.5, 0, -2]}, geometry: [{shape: sphere, radius: 0.1, material: m}]}\n";
  }
  return text + more;
}

void expect_same(const State& a, const State& b) {
  EXPECT_EQ(a.step, b.step);
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(a.v, b.v);
  for (const auto account : kEnergyAccounts) EXPECT_EQ(a.energy.*account, b.energy.*account);
  EXPECT_EQ(a.tree_gain, b.tree_gain);
  EXPECT_EQ(a.tree_dissipated, b.tree_dissipated);
  ASSERT_EQ(a.pair_energies.size(), b.pair_energies.size());
  for (std::size_t i = 0; i < a.pair_energies.size(); ++i) {
    EXPECT_EQ(a.pair_energies[i].stored, b.pair_energies[i].stored);
    EXPECT_EQ(a.pair_energies[i].gained, b.pair_energies[i].gained);
    EXPECT_EQ(a.pair_energies[i].left, b.pair_energies[i].left);
  }
  EXPECT_EQ(a.tree_steps, b.tree_steps);
}

void expect_same(const SolverMemory& a, const SolverMemory& b) {
  EXPECT_EQ(a.v_before, b.v_before);
  EXPECT_EQ(a.history, b.history);
}

void expect_same(const StepOutcome& a, const StepOutcome& b) {
  EXPECT_EQ(a.ok, b.ok);
  EXPECT_EQ(a.message, b.message);
  expect_same(a.state, b.state);
  expect_same(a.memory, b.memory);
  EXPECT_EQ(a.statistics.time, b.statistics.time);
  EXPECT_EQ(a.statistics.iterations, b.statistics.iterations);
  EXPECT_EQ(a.statistics.residual, b.statistics.residual);
  EXPECT_EQ(a.statistics.status, b.statistics.status);
  EXPECT_EQ(a.statistics.momentum_residual, b.statistics.momentum_residual);
  EXPECT_EQ(a.statistics.iteration_cost, b.statistics.iteration_cost);
  ASSERT_EQ(a.events.size(), b.events.size());
  for (std::size_t i = 0; i < a.events.size(); ++i) {
    EXPECT_EQ(a.events[i].kind, b.events[i].kind);
    EXPECT_EQ(a.events[i].subject_a, b.events[i].subject_a);
    EXPECT_EQ(a.events[i].value, b.events[i].value);
  }
}

class Attempt : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(Attempt, ChangesNothingAndRepeatsToTheBit) {
  Simulation s(column_of_balls(), GetParam());
  const double limit = std::numeric_limits<double>::infinity();
  long contacts = 0, divided = 0;
  for (int n = 0; n < 30; ++n) {
    const State before = s.state;
    const SolverMemory memory = s.stepper->memory();
    const StepOutcome first = s.stepper->attempt(s.state, n % 2 == 0 ? limit : s.state.time + 0.005);
    expect_same(s.state, before);
    expect_same(s.stepper->memory(), memory);
    // What is attempted in between leaves no trace: the step from where this one ends.
    static_cast<void>(s.stepper->attempt(first.state, first.state.time + 0.003));
    const StepOutcome second = s.stepper->attempt(s.state, n % 2 == 0 ? limit : s.state.time + 0.005);
    expect_same(first, second);
    // Nor does a stepper know more than state and memory.
    const auto fresh = make_stepper(s.model, s.scene, 2);
    fresh->set_memory(memory);
    expect_same(first, fresh->attempt(s.state, n % 2 == 0 ? limit : s.state.time + 0.005));
    // Taking the step is taking that value.
    const StepOutcome& taken = s.stepper->step(&s.state, n % 2 == 0 ? limit : s.state.time + 0.005);
    ASSERT_TRUE(taken.ok) << taken.message;
    expect_same(s.state, first.state);
    expect_same(s.stepper->memory(), first.memory);
    contacts += first.statistics.num_contacts;
    divided += first.statistics.status == StepStatus::kShorterStep ? 1 : 0;
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(contacts, 10);
  const bool divides = std::find(GetParam().begin(), GetParam().end(),
                                 "solver.on_nonconvergence=shorter_step") != GetParam().end();
  EXPECT_EQ(divided > 0, divides);
}

INSTANTIATE_TEST_SUITE_P(
    Steppers, Attempt,
    testing::Values(std::vector<std::string>{"contact.model=lagged"},
                    std::vector<std::string>{"contact.model=sap", "output.iterations=true"},
                    std::vector<std::string>{"contact.model=similar"},
                    std::vector<std::string>{"contact.model=tamsi"},
                    std::vector<std::string>{"contact.model=lagged", "solver.max_iterations=6",
                                             "solver.on_nonconvergence=shorter_step"},
                    std::vector<std::string>{"integrator.type=continuous"},
                    std::vector<std::string>{"integrator.type=error_controlled", "contact.model=coulomb"},
                    std::vector<std::string>{"integrator.type=error_controlled", "contact.model=sap"}));

// A failed attempt names what went wrong; state and memory stay those before it, and so does the next
// attempt.
TEST(AttemptFailure, LeavesStateAndMemory) {
  Simulation s(column_of_balls(),
               {"solver.max_iterations=1", "solver.tolerance=1e-12", "solver.method=newton"});
  bool ok = true;
  for (int n = 0; n < 80 && ok; ++n) {
    const State before = s.state;
    const SolverMemory memory = s.stepper->memory();
    const StepOutcome& outcome = s.stepper->step(&s.state);
    ok = outcome.ok;
    if (ok) continue;
    EXPECT_NE(outcome.message.find("the solver did not converge"), std::string::npos) << outcome.message;
    expect_same(s.state, before);
    expect_same(s.stepper->memory(), memory);
  }
  EXPECT_FALSE(ok);
}

// What cannot be evaluated has no residual. It is not 0: that is a step without an error. Nor has it
// converged, with a method that looks at the residual alone (sap starts so).
TEST(AttemptFailure, HasTheResidualNaN) {
  for (const auto& [type, model] :
       {std::pair{"discrete", "lagged"}, {"discrete", "sap"}, {"error_controlled", "lagged"}}) {
    Simulation s(column_of_balls(), {std::string("integrator.type=") + type,
                                     std::string("contact.model=") + model, "gravity=[0, 0, -1.0e+200]"});
    const StepOutcome& outcome = s.stepper->attempt(s.state, 1.0);
    EXPECT_FALSE(outcome.ok) << type;
    EXPECT_NE(outcome.message.find("cost or gradient is not finite"), std::string::npos) << outcome.message;
    EXPECT_GT(outcome.statistics.num_contacts, 0) << type;
    EXPECT_TRUE(std::isnan(outcome.statistics.residual)) << type << " " << outcome.statistics.residual;
  }
}

// Asked to stop an attempt ends without a trace at the next solve or query, wherever it is; the next one has
// the bits of an uninterrupted run.
TEST(AttemptInterrupted, LeavesStateMemoryAndTheNextAttempt) {
  for (const char* type : {"discrete", "error_controlled"}) {
    const std::vector<std::string> options{std::string("integrator.type=") + type, "contact.model=coulomb",
                                           "guards.energy_gain=none"};
    Simulation s(column_of_balls(), options), whole(column_of_balls(), options);
    long interrupted = 0;
    for (int n = 0; n < 20; ++n) {
      const double limit = s.state.time + 0.005;
      const State before = s.state;
      const SolverMemory memory = s.stepper->memory();
      for (long polls = 0;; ++polls) {  // one later every time
        long left = polls;
        s.stepper->stop_when([&] { return left-- <= 0; });
        const StepOutcome& outcome = s.stepper->attempt(s.state, limit);
        if (outcome.ok) break;
        ASSERT_EQ(outcome.refusal.kind, RefusalKind::kInterrupted) << outcome.message;
        ++interrupted;
        expect_same(s.state, before);
        expect_same(s.stepper->memory(), memory);
      }
      s.stepper->stop_when([] { return false; });
      expect_same(s.stepper->step(&s.state, limit), whole.stepper->step(&whole.state, limit));
      expect_same(s.state, whole.state);
      if (testing::Test::HasFailure()) return;
    }
    EXPECT_GT(interrupted, 40);
  }
}

// A step in parts: what it took is the sum of all attempts, and it is told.
TEST(AttemptDivision, IsAnEvent) {
  Simulation s(column_of_balls(), {"contact.model=lagged", "solver.max_iterations=6",
                                   "solver.on_nonconvergence=shorter_step", "output.iterations=true"});
  long divided = 0;
  for (int n = 0; n < 80; ++n) {
    const StepOutcome& outcome = s.stepper->step(&s.state);
    ASSERT_TRUE(outcome.ok) << outcome.message;
    EXPECT_EQ(
        outcome.statistics.iteration_cost.size() >= static_cast<std::size_t>(outcome.statistics.iterations),
        true);
    const auto event = std::find_if(outcome.events.begin(), outcome.events.end(),
                                    [](const Event& e) { return e.kind == EventKind::kDividedStep; });
    EXPECT_EQ(event != outcome.events.end(), outcome.statistics.status == StepStatus::kShorterStep);
    if (event == outcome.events.end()) continue;
    ++divided;
    EXPECT_GE(event->value, 2.0);
    EXPECT_LE(event->value, 64.0);
    EXPECT_GT(outcome.statistics.iterations, 6);  // the attempt that failed counts
    EXPECT_EQ(outcome.state.time, static_cast<double>(outcome.state.step) * 5e-3);
  }
  EXPECT_GT(divided, 0);
}

}  // namespace
}  // namespace csim::testing_support
