// Steps that workers share out: the same bits, and the same things told, whatever the number of workers.
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <string>

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

class WorkersOfSteps : public testing::TestWithParam<Case> {};

TEST_P(WorkersOfSteps, ChangeNoBit) {
  const auto& [scene, overrides, start, num_steps] = GetParam();
  Simulation one(text_of(scene), overrides);
  while (one.state.time < start) ASSERT_TRUE(one.stepper->step(&one.state).ok);
  std::vector<std::unique_ptr<Simulation>> others;
  for (const int threads : {2, 3, 8}) {
    others.push_back(std::make_unique<Simulation>(text_of(scene), overrides, threads));
    others.back()->state = one.state;
    others.back()->stepper->set_memory(one.stepper->memory());
  }
  long most_contacts = 0;
  for (int n = 0; n < num_steps; ++n) {
    const StepOutcome expected = one.stepper->attempt(one.state, kNever);
    ASSERT_TRUE(expected.ok) << expected.message;
    one.step();
    most_contacts = std::max(most_contacts, expected.statistics.num_contacts);
    for (const auto& other : others) {
      const StepOutcome& outcome = other->stepper->attempt(other->state, kNever);
      expect_same_bits(outcome, one);
      expect_same_events(outcome.events, expected.events);
      EXPECT_EQ(outcome.statistics.num_contacts, expected.statistics.num_contacts);
      EXPECT_EQ(outcome.statistics.residual, expected.statistics.residual);
      EXPECT_EQ(outcome.statistics.cost, expected.statistics.cost);
      other->step();
      expect_same_frames(other->frame, one.frame);
    }
    if (HasFailure()) return;
  }
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
