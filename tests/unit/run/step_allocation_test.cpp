// Whole steps with everything on, from the contact query to the rows in the file, allocate nothing in
// steady state. Says where those that remain come from: the writing of a chunk by HDF5, and the flush of its
// metadata.
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "record/recorder.h"
#include "support/allocation_count.h"
#include "support/simulation.h"
#include "support/source_folder.h"

#ifdef CSIM_COUNTS_ALLOCATIONS

namespace csim {
namespace {

using test::num_allocations;
using testing_support::Simulation;

std::string text_of(const std::string& scene) {
  std::ifstream in(test::source_folder() + "/scenes/" + scene + "/scene.yaml");
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

long allocations_of(const auto& action) {
  const long before = num_allocations();
  action();
  return num_allocations() - before;
}

// Seven times with one stepper: the last time every pattern of contacts and islands has been seen, in the
// same order but by other steps than those just before, and by each of three buffers that take turns. Forty
// balls and cubes fall into a box: points. A spatula is grasped and slid under a pancake: patches between
// moving bodies, rigid and compliant, and points; force and place drives; every face in the rows of a frame,
// and every iteration among the statistics.
struct Case {
  const char* scene;
  const char* law;
  int num_steps;
};

class StepAllocation : public testing::TestWithParam<Case> {};

TEST_P(StepAllocation, StepsSeenBeforeAllocateNothing) {
  const auto& [scene, law, num_steps] = GetParam();
  Simulation simulation(
      text_of(scene), {std::string("contact.model=") + law, "output.patches=full", "output.iterations=true"});
  const State start = simulation.state;
  const SolverMemory memory = simulation.stepper->memory();
  Frame frame;
  const auto step = [&] {
    ASSERT_TRUE(simulation.stepper->step(&simulation.state).ok);
    simulation.stepper->fill_frame(simulation.state, true, &frame);
  };
  EXPECT_GT(allocations_of([&] {
              for (int i = 0; i < num_steps; ++i) step();
            }),
            0);  // the counter counts
  for (int run = 2; run <= 7; ++run) {
    simulation.state = start;
    simulation.stepper->set_memory(memory);
    for (int i = 0; i < num_steps && run < 7; ++i) step();
  }
  int num_changes = 0, num_iterations = 0;
  long count = 0;
  for (int i = 0; i < num_steps; ++i) {
    const int contacts = simulation.stepper->contacts().size();
    count += allocations_of(step);
    num_changes += simulation.stepper->contacts().size() != contacts ? 1 : 0;
    num_iterations += simulation.stepper->statistics().iterations;
  }
  EXPECT_EQ(count, 0);
  EXPECT_GT(num_changes, num_steps / 5);
  EXPECT_GT(num_iterations, num_steps);
}

INSTANTIATE_TEST_SUITE_P(Points, StepAllocation,
                         testing::Values(Case{"clutter", "lagged", 200}, Case{"clutter", "sap", 200},
                                         Case{"clutter", "similar", 200}));
INSTANTIATE_TEST_SUITE_P(Patches, StepAllocation,
                         testing::Values(Case{"pancake", "lagged", 560}, Case{"pancake", "sap", 560},
                                         Case{"pancake", "similar", 560}, Case{"pancake", "tamsi", 560}));

// Steps without momentum likewise: a grasp with contacts that come and go, and tries of the polish.
TEST(QuasistaticAllocation, StepsSeenBeforeAllocateNothing) {
  struct Run {
    const char *scene, *problem;
    int steps, contacts;  // at least so many a step
  };
  for (const auto& [scene, problem, steps, contacts] :
       {Run{"cube_stacking", "qp", 200, 40}, Run{"cube_stacking", "socp", 200, 40},
        Run{"cube_stacking", "near_rigid", 50, 40}, Run{"planar_grasp", "lcp", 35, 2}}) {
    Simulation simulation(text_of(scene), {std::string("integrator.problem=") + problem});
    const State start = simulation.state;
    Frame frame;
    const auto step = [&] {
      ASSERT_TRUE(simulation.stepper->step(&simulation.state).ok);
      simulation.stepper->fill_frame(simulation.state, true, &frame);
    };
    for (int i = 0; i < steps; ++i) step();
    simulation.state = start;
    long count = 0, num_contacts = 0;
    for (int i = 0; i < steps; ++i) {
      count += allocations_of(step);
      num_contacts += simulation.stepper->contacts().size();
    }
    EXPECT_EQ(count, 0) << problem;
    EXPECT_GT(num_contacts, contacts * steps);
  }
}

// Steps of variable length likewise, with point contacts and with patches.
class VariableStepAllocation : public testing::TestWithParam<const char*> {};

TEST_P(VariableStepAllocation, StepsSeenBeforeAllocateNothing) {
  for (const char* scene : {"bouncing_ball", "ball_plate"}) {
    Simulation simulation(text_of(scene),
                          {std::string("integrator.type=") + GetParam(), "integrator.max_step=2.0e-3"});
    const double begin = scene[1] == 'o' ? 0.31 : 0.0;  // shortly before it touches
    while (simulation.state.time < begin) simulation.step(1);
    constexpr int kSteps = 300;
    const State start = simulation.state;
    const SolverMemory memory = simulation.stepper->memory();
    for (int pass = 0; pass < 2; ++pass) {
      simulation.step(kSteps);
      simulation.state = start;
      simulation.stepper->set_memory(memory);
    }
    long count = 0;
    int num_in_contact = 0;
    for (int i = 0; i < kSteps; ++i) {
      count += allocations_of([&] { ASSERT_TRUE(simulation.stepper->step(&simulation.state).ok); });
      num_in_contact += simulation.stepper->contacts().size() > 0 ? 1 : 0;
    }
    EXPECT_EQ(count, 0) << scene;
    EXPECT_GT(num_in_contact, kSteps / 4) << scene;
  }
}

// Likewise where one island takes the step in parts, and refuses some.
TEST(DividedStepAllocation, PartsOfIslandsAllocateNothing) {
  Simulation simulation(R"(
csim: 1
time: {step: 1.0e-4, end: 1}
integrator: {type: error_controlled, accuracy: 1.0e-6}
materials: {m: {stiffness: 1.0e5, friction: 0.4, hunt_crossley_dissipation: 0}}
bodies:
  - {name: floor, fixed: true, geometry: [{shape: half_space, material: m}]}
  - {name: box, density: 1000, pose: {xyz: [1, 0, 0.05]}, geometry: [{shape: box, size: [0.1, 0.1, 0.1], material: m}]}
  - {name: ball, density: 1000, pose: {xyz: [0, 0, 0.15]}, geometry: [{shape: sphere, radius: 0.1, material: m}]}
)");
  const auto step_to = [&](double time) {
    long parts = 0;
    while (simulation.state.time < time) {
      const StepOutcome& outcome = simulation.stepper->step(&simulation.state, time);
      EXPECT_TRUE(outcome.ok);
      if (!outcome.ok) break;
      parts += outcome.statistics.num_parts;
    }
    return parts;
  };
  const State start = simulation.state;
  const SolverMemory memory = simulation.stepper->memory();
  const auto run = [&] {
    long parts = 0;
    for (int row = 1; row <= 25; ++row) parts += step_to(0.01 * row);
    return parts;
  };
  for (int pass = 0; pass < 2; ++pass) {
    EXPECT_GT(run(), 300);
    simulation.state = start;
    simulation.stepper->set_memory(memory);
  }
  EXPECT_EQ(allocations_of([&] { run(); }), 0);
}

// The acceleration level with rigid constraints: a crank, a coupler and a rocker.
TEST(TiesAllocation, StepsAllocateNothing) {
  Simulation simulation(text_of("four_bar"), {"integrator={type: continuous}"});
  const auto run = [&](long n) {
    for (long i = 0; i < n; ++i) ASSERT_TRUE(simulation.stepper->step(&simulation.state).ok);
  };
  run(20);
  EXPECT_EQ(allocations_of([&] { run(100); }), 0);
}

INSTANTIATE_TEST_SUITE_P(Kinds, VariableStepAllocation, testing::Values("continuous", "error_controlled"));

TEST(RecordAllocation, RowsAllocateOnlyWhereHdf5WritesAChunk) {
  Simulation simulation(text_of("clutter"), {"time.end=10"});
  simulation.step(300);
  const std::string path =
      (std::filesystem::temp_directory_path() / ("csim_allocation_" + std::to_string(::getpid()) + ".h5"))
          .string();
  RecorderOptions options;
  options.force = true;
  Recorder recorder(path, simulation.scene, simulation.model, SceneText{}, Provenance{}, options);
  Frame frame;
  long plain_rows = 0, with_chunk = 0, num_with_chunk = 0;
  constexpr int kRows = 256, kRowsPerChunk = 64;
  for (int i = 0; i < kRows; ++i) {
    ASSERT_TRUE(simulation.stepper->step(&simulation.state).ok);
    const long count = allocations_of([&] {
      // One frame a step, without the contacts: their chunks fill whenever they do.
      simulation.stepper->fill_frame(simulation.state, false, &frame);
      recorder.record_frame(frame);
      recorder.record_step(simulation.stepper->statistics());
    });
    if (i < 2 * kRowsPerChunk) continue;  // memory grows to its size
    const bool writes = (i + 1) % kRowsPerChunk == 0 || (i + 2) % kRowsPerChunk == 0;
    (writes ? with_chunk : plain_rows) += count;
    num_with_chunk += writes ? 1 : 0;
  }
  EXPECT_EQ(plain_rows, 0);
  RecordProperty("allocations_of_hdf5_per_chunk_of_rows", std::to_string(2 * with_chunk / num_with_chunk));
  EXPECT_GT(with_chunk, 0);  // if HDF5 ever stops allocating, the exception can go
  recorder.finish(RunStatus::kComplete, 0, "", simulation.state, simulation.stepper->memory());
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace csim

#endif
