// Steps that workers share out: the same bits, and the same things told, whatever the number of workers.
#include <cmath>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "support/source_folder.h"
#include "unit/step/step_checks.h"

namespace csim::testing_support {
namespace {

struct Case {
  const char* scene;
  std::vector<std::string> overrides;
  double start;  // s, from which on
  int steps;
};

std::string text_of(const std::string& scene) {
  const std::string folder = test::source_folder() + "/scenes/" + scene + "/";
  std::ifstream in(folder + "scene.yaml");
  std::string text((std::istreambuf_iterator<char>(in)), {});
  const std::string file = "file: ";
  for (std::size_t at = text.find(file); at != std::string::npos; at = text.find(file, at + 1))
    text.insert(at + file.size(), folder);
  return text;
}

void expect_same_events(const std::vector<Event>& x, const std::vector<Event>& y) {
  ASSERT_EQ(x.size(), y.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(x[i].kind, y[i].kind);
    EXPECT_EQ(x[i].subject_a, y[i].subject_a);
    EXPECT_EQ(x[i].subject_b, y[i].subject_b);
    EXPECT_EQ(x[i].value, y[i].value);
  }
}

void expect_same_frames(const Frame& x, const Frame& y) {
  EXPECT_EQ(x.contacts.geometry_a, y.contacts.geometry_a);
  EXPECT_EQ(x.contacts.geometry_b, y.contacts.geometry_b);
  EXPECT_EQ(x.contacts.normal_force, y.contacts.normal_force);
  EXPECT_EQ(x.contacts.phi, y.contacts.phi);
}

constexpr double kNever = std::numeric_limits<double>::infinity();

/// Takes the steps of `one` again with other numbers of workers, and calls see(outcome) for each.
template <typename See>
void expect_same_steps(const std::string& text, const std::vector<std::string>& overrides,
                       std::initializer_list<int> threads, int num_steps, Simulation* one, const See& see) {
  std::vector<std::unique_ptr<Simulation>> others;
  for (const int size : threads) {
    others.push_back(std::make_unique<Simulation>(text, overrides, size));
    others.back()->state = one->state;
    others.back()->stepper->set_memory(one->stepper->memory());
  }
  for (int n = 0; n < num_steps && !testing::Test::HasFailure(); ++n) {
    const StepOutcome expected = one->stepper->attempt(one->state, kNever);
    ASSERT_TRUE(expected.ok) << expected.message;
    one->step();
    for (const auto& other : others) {
      const StepOutcome& outcome = other->stepper->attempt(other->state, kNever);
      expect_same_bits(outcome, *one);
      expect_same_events(outcome.events, expected.events);
      EXPECT_EQ(outcome.statistics.num_contacts, expected.statistics.num_contacts);
      EXPECT_EQ(outcome.statistics.residual, expected.statistics.residual);
      EXPECT_EQ(outcome.statistics.cost, expected.statistics.cost);
      other->step();
      expect_same_frames(other->frame, one->frame);
    }
    see(expected);
  }
}

class WorkersOfSteps : public testing::TestWithParam<Case> {};

TEST_P(WorkersOfSteps, ChangeNoBit) {
  const auto& [scene, overrides, start, num_steps] = GetParam();
  Simulation one(text_of(scene), overrides);
  while (one.state.time < start) ASSERT_TRUE(one.stepper->step(&one.state).ok);
  long most_contacts = 0;
  expect_same_steps(text_of(scene), overrides, {2, 3, 8}, num_steps, &one, [&](const StepOutcome& outcome) {
    most_contacts = std::max(most_contacts, outcome.statistics.num_contacts);
  });
  EXPECT_GT(most_contacts, 25);
}

// Bodies that land on each other, divided steps and all; pressure fields; trees with joints.
INSTANTIATE_TEST_SUITE_P(Scenes, WorkersOfSteps,
                         testing::Values(Case{"clutter", {"contact.model=lagged"}, 0.2, 40},
                                         Case{"clutter_boxes", {}, 0.3, 40},
                                         Case{"clutter_boxes", {"integrator.velocity_terms=start"}, 0.3, 20},
                                         Case{"pancake", {}, 0.0, 60}, Case{"iiwa_stacking", {}, 0.0, 20}),
                         [](const auto& case_of) {
                           std::string name =
                               std::string(case_of.param.scene) + std::to_string(case_of.index);
                           return name;
                         });

constexpr int kColumns = 100, kChains = 20;

/// Columns of two and of four boxes that fall on a floor and on each other, turning, and chains of two links
/// that swing above them.
std::string many_bodies() {
  std::ostringstream text;
  text << "csim: 1\ntime: {step: 1.0e-2, end: 1}\n"
          "materials: {m: {friction: 0.5, stiffness: 1.0e+6, hunt_crossley_dissipation: 5}}\n"
          "bodies:\n  - {name: floor, fixed: true, geometry: [{shape: half_space, material: m}]}\n";
  int number = 0;
  for (int column = 0; column < kColumns; ++column) {
    for (int level = 0; level < 2 + 2 * (column % 2); ++level, ++number) {
      const double yaw = 0.7 * number, roll = 0.03 * std::sin(number);
      text << "  - {name: box" << number << ", density: 500, pose: {xyz: [" << 0.3 * (column % 10) << ", "
           << 0.3 * (column / 10) << ", " << 0.055 + 0.11 * level << "], rpy: [" << roll << ", 0, " << yaw
           << "]}, velocity: {angular: [" << std::sin(2 * number) << ", " << std::cos(3 * number) << ", "
           << 2 * std::sin(5 * number)
           << "]}, geometry: [{shape: box, size: [0.1, 0.1, 0.1], material: m}]}\n";
    }
  }
  const char* inertia = "mass: 1, com: [0.1, 0, 0], inertia: [0.01, 0.02, 0.03]";
  for (int k = 0; k < kChains; ++k)
    text << "  - {name: upper" << k << ", " << inertia << "}\n  - {name: lower" << k << ", " << inertia
         << "}\n";
  text << "joints:\n";
  for (int k = 0; k < kChains; ++k)
    text << "  - {name: shoulder" << k << ", type: revolute, parent: world, child: upper" << k
         << ", axis: [0, 1, 0], pose: {xyz: [0, 0, 2]}, position: " << 0.1 * k << ", velocity: 3}\n"
         << "  - {name: elbow" << k << ", type: revolute, parent: upper" << k << ", child: lower" << k
         << ", axis: [0, 0, 1], pose: {xyz: [0.2, 0, 0]}, position: " << 0.2 * k << ", velocity: -2}\n";
  return text.str();
}

int num_pairs(const Simulation& s) {
  std::set<std::pair<int, int>> pairs;
  const ContactRows& contacts = s.frame.contacts;
  for (std::size_t i = 0; i < contacts.size(); ++i)
    pairs.insert({contacts.geometry_a[i], contacts.geometry_b[i]});
  return static_cast<int>(pairs.size());
}

// Enough of each for its loops to be divided, which they are from twice their least share on: free bodies,
// trees, those with joints, the bodies of the contact search, and in steps with contact its points, the pairs
// of bodies in contact, and islands.
TEST(WorkersOfSteps, ChangeNoBitOfManyBodies) {
  Simulation one(many_bodies());
  EXPECT_GE(one.model.free_bodies.size(), 200u);
  EXPECT_GE(one.model.trees.size(), 200u);
  EXPECT_GE(one.model.articulated_trees.size(), 8u);
  EXPECT_GE(one.model.bodies.size(), 200u);
  int num_steps_with_all = 0;
  expect_same_steps(many_bodies(), {}, {2, 3}, 30, &one, [&](const StepOutcome& outcome) {
    const StepStatistics& statistics = outcome.statistics;
    if (statistics.num_contacts >= 200 && num_pairs(one) >= 100 && statistics.num_islands >= 60)
      ++num_steps_with_all;
  });
  EXPECT_GE(num_steps_with_all, 10);
}

// Who cannot take a step is told alike: the first by order, not by time.
TEST(WorkersOfSteps, TellTheSameRefusal) {
  std::string first;
  for (const int threads : {1, 2, 3, 8}) {
    Simulation s(text_of("clutter_boxes"), {"solver.max_iterations=3"}, threads);
    std::string message;
    for (int n = 0; n < 100 && message.empty(); ++n) message = s.stepper->step(&s.state).message;
    EXPECT_NE(message.find("did not converge"), std::string::npos) << message;
    if (threads == 1) first = message;
    EXPECT_EQ(message, first) << threads;
  }
}

}  // namespace
}  // namespace csim::testing_support
