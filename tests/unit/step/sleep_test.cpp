// Islands that rest fall asleep, cost nothing, and wake when anything touches them.
#include "step/discrete/sleep.h"
#include "far_bodies.h"

#include <algorithm>
#include <map>

#include "support/step_at_hand.h"

namespace csim::testing_support {
namespace {

constexpr double kWeight = 9.81;  // N, of a box

std::string box(const std::string& name, const Vector3& p, const std::string& more = "") {
  std::ostringstream text;
  text << "  - {name: " << name << ", mass: 1, inertia: solid, pose: {xyz: [" << p.x() << ", " << p.y()
       << ", " << p.z() << "]}, " << more
       << "geometry: [{shape: box, size: [0.1, 0.1, 0.1], material: m}]}\n";
  return text.str();
}

/// Two towers of two boxes, a box on a plate, and a ball that is on its way to the first tower.
std::string towers() {
  return R"(
csim: 1
time: {step: 2.0e-3, end: 4}
integrator: {type: discrete, sleep_speed: 1.0e-6, sleep_time: 0.1}
materials: {m: {stiffness: 1.0e5, friction: 0.5, hunt_crossley_dissipation: 20}}
bodies:
  - {name: floor, fixed: true, geometry: [{shape: half_space, material: m}]}
  - {name: plate, motion: {times: [0, 1.5, 2.5, 4], xyz: [[4, 0, 0.5], [4, 0, 0.5], [4, 0, 0.3], [4, 0, 0.3]]}, geometry: [{shape: box, size: [0.4, 0.4, 0.1], material: m}]}
)" + box("a0", {0, 0, 0.05}) +
         box("a1", {0.01, 0, 0.15}) + box("b0", {2, 0, 0.05}) + box("b1", {2.01, 0, 0.15}) +
         box("c", {4, 0, 0.6}) +
         "  - {name: ball, mass: 0.2, inertia: solid, pose: {xyz: [-3.2, 0, 0.1]}, velocity: {linear: [2, 0, "
         "0], angular: [0, 20, 0]}, geometry: [{shape: sphere, radius: 0.1, material: m}]}\n";
}

const std::vector<std::string> kNever{"integrator={type: discrete}"};

bool is_asleep(const Simulation& s, const std::string& body) {
  return s.state.rest.group[s.model.bodies[s.body(body)].tree] >= 0;
}

class Sleep : public testing::TestWithParam<const char*> {
 protected:
  std::vector<std::string> law_ = {std::string("contact.model=") + GetParam()};
};

// What sleeps is where it would be awake, and what wakes it finds it there: the ball hits the first tower at
// the same time and as hard, and the second one sleeps on.
TEST_P(Sleep, ChangesNothing) {
  std::vector<std::string> exact = law_;
  exact.insert(exact.end(), {"solver.tolerance=1.0e-10", "contact.friction_tolerance=1.0e-6"});
  std::vector<std::string> never = exact;
  never.push_back(kNever[0]);
  Simulation s(towers(), exact), awake(towers(), never);
  bool slept = false;
  double woken_at = 0.0;
  for (int n = 0; n < 1000 && woken_at == 0.0; ++n) {
    s.step();
    awake.step();
    if (slept && !is_asleep(s, "a0")) woken_at = s.state.time;
    slept = is_asleep(s, "a0");
    for (const char* body : {"a0", "a1", "b0", "b1", "c", "ball"})
      ASSERT_LT((s.position(body) - awake.position(body)).norm(), 1e-7) << body << " at " << s.state.time;
  }
  ASSERT_GT(woken_at, 1.0);
  EXPECT_TRUE(is_asleep(s, "b0"));
  EXPECT_TRUE(is_asleep(s, "b1"));
  EXPECT_FALSE(is_asleep(s, "a1"));
  EXPECT_GT(s.velocity("a0").x(), 1e-3);  // in the very step that wakes it
  s.step(50);
  awake.step(50);
  EXPECT_GT((s.position("a0") - Vector3(0, 0, 0.05)).norm(), 1e-3);
  EXPECT_LT((s.position("a0") - awake.position("a0")).norm(), 1e-6);
  EXPECT_LT((s.position("ball") - awake.position("ball")).norm(), 1e-6);
}

// Prescribed motion begins under a box that sleeps: it goes with it from the first step on.
TEST_P(Sleep, WakesWhenItsSupportMoves) {
  Simulation s(towers(), law_);
  s.step(749);
  ASSERT_TRUE(is_asleep(s, "c"));
  s.step(3);
  ASSERT_NEAR(s.state.time, 1.504, 1e-9);
  EXPECT_FALSE(is_asleep(s, "c"));
  EXPECT_LT(s.velocity("c").z(), -1e-3);
  s.step(248);
  EXPECT_NEAR(s.position("c").z(), 0.5, 2e-3);
  EXPECT_FALSE(is_asleep(s, "c"));  // on what moves nothing sleeps
  s.step(800);
  EXPECT_TRUE(is_asleep(s, "c"));
}

// Contacts of the sleeping carry their weight in the frame, and their impulses go on.
TEST_P(Sleep, KeepsItsForces) {
  Simulation s(towers(), law_);
  s.step(400);
  ASSERT_TRUE(is_asleep(s, "b0") && is_asleep(s, "b1") && is_asleep(s, "c"));
  ASSERT_FALSE(is_asleep(s, "ball"));
  std::map<std::string, double> held;  // N, by the lower body
  for (std::size_t i = 0; i < s.frame.contacts.size(); ++i)
    held[s.model.bodies[s.model.geometries[s.frame.contacts.geometry_b[i]].body].name] +=
        s.frame.contacts.force[i].z();
  EXPECT_NEAR(held["b0"], 2 * kWeight, 1e-3 * kWeight);
  EXPECT_NEAR(held["b1"], kWeight, 1e-3 * kWeight);
  EXPECT_NEAR(held["c"], kWeight, 1e-3 * kWeight);
  EXPECT_NEAR(held["ball"], 0.2 * 9.81, 0.3);
  const StepOutcome outcome = s.stepper->attempt(s.state, 1.0);
  std::map<std::string, double> impulse;
  for (const PairSum& pair : outcome.pairs) {
    EXPECT_DOUBLE_EQ(pair.contact_time, 2e-3);
    impulse[s.model.bodies[pair.body_b].name] += pair.impulse.z();
  }
  EXPECT_NEAR(impulse["b0"], 2e-3 * 2 * kWeight, 2e-6 * kWeight);
  EXPECT_NEAR(impulse["c"], 2e-3 * kWeight, 2e-6 * kWeight);
  EXPECT_EQ(outcome.statistics.num_asleep, 5);
  EXPECT_LE(outcome.statistics.num_contacts, 2);  // of the ball
}

// Each contact stands in the row once, in the row of the step in which its bodies fall asleep too.
TEST_P(Sleep, ShowsEachContactOnce) {
  Simulation s(towers(), law_);
  const auto weight = [&] {
    double sum = 0.0;
    for (std::size_t i = 0; i < s.frame.contacts.size(); ++i)
      if (s.model.bodies[s.model.geometries[s.frame.contacts.geometry_b[i]].body].name == "b0")
        sum += s.frame.contacts.force[i].z();
    return sum;
  };
  s.step(40);
  for (int n = 0; n < 260; ++n) {
    s.step();
    EXPECT_NEAR(weight(), 2 * kWeight, 1e-2 * kWeight) << s.state.time;
  }
  EXPECT_TRUE(is_asleep(s, "b0"));
}

/// A scene of one body on a slope (degrees), which sleeps below 1e-3 m/s.
std::string on_slope(const std::string& step, const std::string& angle, const std::string& body) {
  return "csim: 1\ntime: {step: " + step + R"(, end: 1}
integrator: {type: discrete, sleep_speed: 1.0e-3, sleep_time: 0.1}
materials: {m: {stiffness: 1.0e5, friction: 0.5, hunt_crossley_dissipation: 20}}
bodies:
  - {name: slope, fixed: true, pose: {axis: [0, 1, 0], angle_deg: )" +
         angle + "}, geometry: [{shape: half_space, material: m}]}\n  - " + body + "\n";
}

// Friction is a function of creep: what sleeps on a slope is held by what held it when it fell asleep.
TEST_P(Sleep, HoldsOnASlope) {
  for (const char* step : {"time.step=1.0e-2", "time.step=1.0e-3", "time.step=1.0e-4"}) {
    std::vector<std::string> options = law_;
    options.insert(options.end(), {step, "time.end=2", "solver.tolerance=1.0e-8"});
    Simulation s(
        on_slope(
            "1.0e-3", "20",
            R"({name: box, mass: 1, inertia: solid, pose: {xyz: [0.0171, 0, 0.04698], axis: [0, 1, 0], angle_deg: 20}, geometry: [{shape: box, size: [0.1, 0.1, 0.1], material: m}]})"),
        options);
    s.step(static_cast<long>(0.6 / s.scene.time.step));
    ASSERT_TRUE(is_asleep(s, "box")) << step;
    Vector3 force = Vector3::Zero();
    for (const Vector3& f : s.frame.contacts.force) force += f;
    EXPECT_LT((force - Vector3(0, 0, kWeight)).norm(), 2e-3 * kWeight) << step;
  }
}

const Event* find_event(const std::vector<Event>& events, EventKind kind) {
  const auto found =
      std::find_if(events.begin(), events.end(), [&](const Event& event) { return event.kind == kind; });
  return found == events.end() ? nullptr : &*found;
}

// What sleeps wakes where a prescribed body comes to it, though the whole step is not solved for others and
// they are waited for.
TEST(SleepBesideOthers, APusherWakesWhatSleeps) {
  Simulation s(std::string(R"(csim: 1
time: {step: 1.0e-2, end: 1}
materials: {m: {stiffness: 1.0e7, friction: 0.4, hunt_crossley_dissipation: 0.2, relaxation_time: 1.0e-4}}
contact: {model: lagged}
integrator: {sleep_speed: 1.0e-2, sleep_time: 0.1}
solver: {on_nonconvergence: shorter_step, max_iterations: 10}
bodies:
  - {name: floor, fixed: true, geometry: [{shape: half_space, material: m}]}
  - {name: rest, density: 1000, pose: {xyz: [-5, 0, 0.05]}, geometry: [{shape: box, size: [0.1, 0.1, 0.1], material: m}]}
  - {name: pusher, motion: {times: [0, 0.6], xyz: [[-6, 0, 0.06], [-4.2, 0, 0.06]]}, geometry: [{shape: box, size: [0.1, 0.1, 0.1], material: m}]}
)") + landing_column("h", 20.0, 2.0) +
               landing_column("g", 40.0, 3.0) + landing_column("k", 60.0, 4.0));
  long unsolved = 0;
  for (int n = 0; n < 32; ++n) {
    const StepOutcome& outcome = s.stepper->step(&s.state);
    ASSERT_TRUE(outcome.ok) << outcome.message;
    if (n == 20) {
      EXPECT_TRUE(is_asleep(s, "rest"));
    }
    if (n > 20) unsolved += find_event(outcome.events, EventKind::kUnsolvedAttempt) != nullptr ? 1 : 0;
  }
  EXPECT_GT(unsolved, 0);
  EXPECT_FALSE(is_asleep(s, "rest"));
}

// A ball that rolls at a speed below sleep_speed, and above that at which what sticks creeps, is stopped; a
// box that creeps on a slope is not: it was at rest as the contact law has it.
TEST(SleepEvents, TellWhatIsStopped) {
  const auto run = [](const std::string& slope, const std::string& body) {
    Simulation s(on_slope("2.0e-3", slope, body));
    std::vector<Event> events;
    for (int n = 0; n < 300; ++n) {
      const StepOutcome& outcome = s.stepper->attempt(s.state, 1.0);
      for (const Event& event : outcome.events) events.push_back(event);
      s.stepper->take(&s.state);
    }
    return events;
  };
  const std::vector<Event> rolling = run(
      "0",
      "{name: ball, mass: 1, inertia: solid, pose: {xyz: [0, 0, 0.05]}, velocity: {linear: [5.0e-4, 0, 0], "
      "angular: [0, 1.0e-2, 0]}, geometry: [{shape: sphere, radius: 0.05, material: m}]}\n");
  const Event *asleep = find_event(rolling, EventKind::kFellAsleep),
              *stopped = find_event(rolling, EventKind::kStoppedBySleep);
  ASSERT_TRUE(asleep != nullptr && stopped != nullptr);
  EXPECT_EQ(stopped->subject_a, 1);
  EXPECT_NEAR(stopped->value, 5e-4, 1e-5);  // it has settled by less than a micrometre, and slid for it
  EXPECT_EQ(asleep->value, stopped->value);
  const std::vector<Event> creeping = run(
      "20",
      "{name: box, mass: 1, inertia: solid, pose: {xyz: [0.0171, 0, 0.04698], axis: [0, 1, 0], angle_deg: "
      "20}, geometry: [{shape: box, size: [0.1, 0.1, 0.1], material: m}]}\n");
  const Event* crept = find_event(creeping, EventKind::kFellAsleep);
  ASSERT_NE(crept, nullptr);
  EXPECT_GT(crept->value, 1e-5);  // 0.73 of what friction can hold: 0.73 stiction_tolerance
  EXPECT_EQ(find_event(creeping, EventKind::kStoppedBySleep), nullptr);
  EXPECT_EQ(find_event(creeping, EventKind::kWoke), nullptr);
}

// The two boxes of the tower that is hit, in one event; the other tower has none.
TEST(SleepEvents, TellWhoWakes) {
  Simulation s(towers());
  std::vector<Event> woke;
  for (int n = 0; n < 900; ++n) {
    for (const Event& event : s.stepper->attempt(s.state, 4.0).events)
      if (event.kind == EventKind::kWoke) woke.push_back(event);
    s.stepper->take(&s.state);
  }
  ASSERT_FALSE(woke.empty());
  const auto of = [&](const char* body) {
    return std::find_if(woke.begin(), woke.end(),
                        [&](const Event& event) { return event.subject_a == s.body(body); });
  };
  ASSERT_NE(of("a0"), woke.end());
  EXPECT_EQ(of("a0")->value, 2.0);
  EXPECT_EQ(of("b0"), woke.end());
  EXPECT_TRUE(is_warning(EventKind::kStoppedBySleep));
  EXPECT_FALSE(is_warning(EventKind::kFellAsleep) || is_warning(EventKind::kWoke));
}

// What is near one that sleeps and does not touch it stands in the row as it is now, whoever made the row.
TEST_P(Sleep, ShowsWhatPassesAsItIs) {
  std::vector<std::string> options = law_;
  // It rolls past the first tower, 40 mm beside it.
  options.insert(options.end(), {"contact.margin=0.1", "bodies.ball.pose.xyz=[-1.6, 0.19, 0.1]",
                                 "bodies.ball.velocity={linear: [1, 0, 0], angular: [0, 10, 0]}"});
  Simulation s(towers(), options);
  s.step(700);
  const int tower = s.body("a0"), ball = s.body("ball");
  int rows_of_both = 0;
  for (int n = 0; n < 100; ++n) {
    s.step();
    ASSERT_TRUE(is_asleep(s, "a0"));
    State again = s.state;
    const auto other = make_stepper(s.model, s.scene, 1);
    other->set_memory(s.stepper->memory());
    ASSERT_TRUE(other->step(&again).ok);
    s.step();
    Frame frame;
    other->fill_frame(again, true, &frame);
    EXPECT_EQ(frame.contacts.phi, s.frame.contacts.phi);
    EXPECT_EQ(frame.contacts.force, s.frame.contacts.force);
    for (std::size_t i = 0; i < frame.contacts.size(); ++i) {
      const int a = s.model.geometries[frame.contacts.geometry_a[i]].body,
                b = s.model.geometries[frame.contacts.geometry_b[i]].body;
      if (a == tower && b == ball) ++rows_of_both;
    }
  }
  EXPECT_GT(rows_of_both, 10);
}

TEST_P(Sleep, TheBalanceCloses) {
  std::vector<std::string> options = law_;
  options.push_back("solver.tolerance=1.0e-12");
  Simulation s(towers(), options);
  for (int n = 0; n < 900; ++n) {
    s.step();
    const EnergyAccounts& e = s.state.energy;
    ASSERT_NEAR(e.unexplained(), 0.0, 1e-9 * e.turned_over()) << n;
  }
}

// A stepper that has done nothing before makes the same of a state with sleepers, forces included.
TEST_P(Sleep, RepeatsToTheBit) {
  Simulation s(towers(), law_);
  for (int n = 0; n < 820; ++n) {
    const bool compares = n > 60 && (n < 80 || n > 770);
    if (!compares) {
      s.step();
      continue;
    }
    const auto fresh = make_stepper(s.model, s.scene, 2);
    fresh->set_memory(s.stepper->memory());
    State again = s.state;
    ASSERT_TRUE(fresh->step(&again).ok);
    s.step();
    EXPECT_EQ(again.q, s.state.q);
    EXPECT_EQ(again.v, s.state.v);
    EXPECT_EQ(again.rest.group, s.state.rest.group);
    EXPECT_EQ(again.rest.since, s.state.rest.since);
    EXPECT_EQ(again.rest.pairs, s.state.rest.pairs);
    for (const auto account : kEnergyAccounts) EXPECT_EQ(again.energy.*account, s.state.energy.*account);
    Frame frame;
    fresh->fill_frame(again, true, &frame);
    EXPECT_EQ(frame.contacts.force, s.frame.contacts.force);
    EXPECT_EQ(frame.contacts.geometry_a, s.frame.contacts.geometry_a);
    if (testing::Test::HasFailure()) return;
  }
}

/// To go behind towers(): a flap on the upper box of the first one, a tree of joints.
const char* const kFlap =
    R"(  - {name: flap, mass: 0.1, inertia: solid, geometry: [{shape: box, size: [0.02, 0.08, 0.08], material: m}]}
joints:
  - {name: hinge, type: revolute, parent: a1, child: flap, axis: [0, 0, 1], pose: {xyz: [0.07, 0, 0.02]}, damping: 0.001}
)";

// What a stepper keeps of the trees that sleep changes no bit: a run whose states have lost their number in
// each step, and one that a new stepper takes over in each third, go where the run goes that keeps it.
TEST_P(Sleep, KeepsWhatFollowsFromTheState) {
  std::vector<std::string> options = law_;
  options.insert(options.end(), {"bodies.ball.pose.xyz=[-0.6, 0, 0.1]", "integrator.sleep_speed=1.0e-3"});
  Simulation s(towers() + kFlap, options);
  State lost = s.state, fresh = s.state;
  SolverMemory memory = s.stepper->memory();
  const auto loser = make_stepper(s.model, s.scene, 1);
  loser->set_memory(memory);
  std::unique_ptr<Stepper> taker;
  int kept = 0, changed = 0;
  for (int n = 0; n < 1000; ++n) {
    const std::uint64_t before = s.state.rest_number;
    s.step();
    if (s.state.rest_number != before)
      ++changed;
    else if (before != 0)
      ++kept;
    lost.rest_number = 0;
    ASSERT_TRUE(loser->step(&lost).ok);
    if (n % 3 == 0) {
      if (taker) memory = taker->memory();
      memory.rest_number = fresh.rest_number = 0;
      taker = make_stepper(s.model, s.scene, 1);
      taker->set_memory(memory);
    }
    ASSERT_TRUE(taker->step(&fresh).ok);
    for (const State* other : {&lost, &fresh}) {
      ASSERT_EQ(other->q, s.state.q) << n;
      ASSERT_EQ(other->v, s.state.v) << n;
      ASSERT_EQ(other->tree_gain, s.state.tree_gain) << n;
      ASSERT_EQ(energy_left(other->pair_energies), energy_left(s.state.pair_energies)) << n;
      ASSERT_EQ(other->rest.group, s.state.rest.group) << n;
      ASSERT_EQ(other->rest.v, s.state.rest.v) << n;
      ASSERT_EQ(other->rest.since, s.state.rest.since) << n;
      ASSERT_EQ(other->rest.pairs, s.state.rest.pairs) << n;
      for (const auto account : kEnergyAccounts)
        ASSERT_EQ(other->energy.*account, s.state.energy.*account) << n;
    }
  }
  EXPECT_GT(kept, 500);
  EXPECT_GT(changed, 3);  // towers fall asleep, and one wakes
}

// A state that goes back to one before, of other trees asleep, is taken as it is.
TEST_P(Sleep, GoesBack) {
  Simulation s(towers(), law_);
  s.step(40);
  const State before = s.state;
  const SolverMemory memory = s.stepper->memory();
  s.step(1000);
  const State after = s.state;
  ASSERT_NE(before.rest.group, after.rest.group);
  s.state = before;
  s.stepper->set_memory(memory);
  s.step(1000);
  EXPECT_EQ(s.state.q, after.q);
  EXPECT_EQ(s.state.v, after.v);
  EXPECT_EQ(s.state.rest.group, after.rest.group);
  for (const auto account : kEnergyAccounts) EXPECT_EQ(s.state.energy.*account, after.energy.*account);
}

// A memory of another time is taken as it is, and what sleeps is forgotten in it: with the number of the
// state and without it, until the tower wakes that it remembers moving.
TEST_P(Sleep, TakesAMemoryOfAnotherTime) {
  Simulation s(towers(), law_);
  s.step(2);
  SolverMemory memory = s.stepper->memory();
  for (VectorX& v : memory.v_before) v.array() += 1e-3;
  s.step(698);
  ASSERT_TRUE(is_asleep(s, "a0"));
  const std::uint64_t number = s.state.rest_number;
  for (const std::uint64_t claimed : {std::uint64_t{0}, number}) {  // whatever it says of itself
    memory.rest_number = claimed;
    State numbered = s.state, lost = s.state;
    lost.rest_number = 0;
    const auto keeper = make_stepper(s.model, s.scene, 1), loser = make_stepper(s.model, s.scene, 1);
    keeper->set_memory(memory);
    loser->set_memory(memory);
    bool woke = false;
    for (int n = 0; n < 300; ++n) {
      ASSERT_TRUE(keeper->step(&numbered).ok);
      ASSERT_TRUE(loser->step(&lost).ok);
      lost.rest_number = 0;
      ASSERT_EQ(numbered.q, lost.q) << n;
      ASSERT_EQ(numbered.v, lost.v) << n;
      ASSERT_EQ(keeper->memory().v_before, loser->memory().v_before) << n;
      woke = woke || numbered.rest.group[s.model.bodies[s.body("a0")].tree] < 0;
    }
    EXPECT_TRUE(woke);
  }
}

// A run that starts has no number, whatever its state comes from.
TEST_P(Sleep, StartsWithoutANumber) {
  Simulation s(towers(), law_);
  s.step(300);
  ASSERT_NE(s.state.rest_number, 0u);
  ASSERT_EQ(s.stepper->memory().rest_number, s.state.rest_number);
  s.stepper->start(&s.state);
  EXPECT_EQ(s.state.rest_number, 0u);
  EXPECT_EQ(s.stepper->memory().rest_number, 0u);
}

INSTANTIATE_TEST_SUITE_P(Laws, Sleep, testing::Values("lagged", "coulomb", "sap"));

// Everything asleep: a step of nothing.
TEST(SleepOfAll, LeavesNothingToDo) {
  Simulation s(towers(), {"bodies.ball.velocity.linear=[0, 0, 0]", "bodies.ball.velocity.angular=[0, 0, 0]"});
  s.step(300);
  for (const int group : s.state.rest.group) EXPECT_GE(group, 0);
  const VectorX q = s.state.q;
  s.step(10);
  EXPECT_EQ(s.state.q, q);
  EXPECT_EQ(s.state.v.norm(), 0.0);
  EXPECT_EQ(s.stepper->statistics().num_contacts, 0);
  EXPECT_NEAR(s.normal_force(), (2 + 1 + 2 + 1 + 1 + 0.2) * kWeight, 1e-2);
}

// A step may begin at the state of a run in which nothing slept (csim replay --set
// integrator.sleep_speed=..).
TEST(SleepOfAll, BeginsWhereNothingSlept) {
  Simulation s(towers());
  s.state.rest = {};
  s.step();
  EXPECT_EQ(s.state.rest.group, std::vector<int>(s.model.trees.size(), -1));
  s.step(400);
  EXPECT_TRUE(is_asleep(s, "a0"));
  Simulation never(towers(), kNever);
  State state = s.state;
  ASSERT_TRUE(never.stepper->step(&state).ok);
  EXPECT_TRUE(state.rest.group.empty());
  EXPECT_GT(never.stepper->statistics().num_contacts, s.stepper->statistics().num_contacts);
}

TEST(SleepRule, SparesWhatIsDriven) {
  const Simulation s(R"(
csim: 1
time: {step: 2.0e-3, end: 1}
integrator: {type: discrete, sleep_speed: 1.0e-6}
bodies:
  - {name: free, mass: 1, inertia: [1, 1, 1]}
  - {name: driven, mass: 1, inertia: [1, 1, 1]}
  - {name: swings, mass: 1, inertia: [1, 1, 1]}
  - {name: tied, mass: 1, inertia: [1, 1, 1]}
  - {name: pushed, mass: 1, inertia: [1, 1, 1]}
  - {name: cart, motion: {velocity: [1, 0, 0]}}
  - {name: carried, mass: 1, inertia: [1, 1, 1]}
joints:
  - {name: j1, type: revolute, parent: world, child: driven}
  - {name: j2, type: revolute, parent: world, child: swings, limits: [-1, 1], friction: 0.1}
  - {name: j3, type: revolute, parent: cart, child: carried}
actuators: [{name: a, joint: j1, type: effort, command: 0}]
constraints: [{name: c, type: distance, a: tied, b: world, point_a: [0, 0, 0], point_b: [0, 0, 1], length: 1}]
forces: [{name: f, body: pushed, force: [1, 0, 0]}]
)");
  const SleepRule rule = make_sleep_rule(s.model, s.scene).value();
  EXPECT_EQ(rule.time, 0.5);
  const auto may = [&](const char* body) { return rule.may_sleep[s.model.bodies[s.body(body)].tree] != 0; };
  EXPECT_TRUE(may("free"));
  EXPECT_TRUE(may("swings"));
  for (const char* body : {"driven", "tied", "pushed", "carried"}) EXPECT_FALSE(may(body)) << body;
}

TEST(SleepRule, NoneWithoutItsKey) {
  const Simulation s(towers(), kNever);
  EXPECT_FALSE(make_sleep_rule(s.model, s.scene).has_value());
  EXPECT_TRUE(s.state.rest.group.empty());
}

// Who fell asleep together wakes together.
TEST(Wake, TakesTheGroup) {
  const Simulation s(towers());
  RestState rest;
  begin_rest(s.model, &rest);
  TreeSet awake;
  find_awake(rest, &awake);
  EXPECT_TRUE(awake.empty());
  rest.group = {0, 0, 2, 2, -1, -1};
  find_awake(rest, &awake);
  EXPECT_EQ(awake, TreeSet({0, 0, 0, 0, 1, 1}));
  const int floor = s.body("floor"), b1 = s.body("b1"), ball = s.body("ball");
  EXPECT_FALSE(wake(s.model, rest, {{floor, ball}}, &awake));
  EXPECT_TRUE(wake(s.model, rest, {{floor, ball}, {b1, ball}}, &awake));
  EXPECT_EQ(awake, TreeSet({0, 0, 1, 1, 1, 1}));
  EXPECT_FALSE(wake(s.model, rest, {{b1, ball}}, &awake));
}

}  // namespace
}  // namespace csim::testing_support
