#include "record/recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "record/hdf5_file.h"
#include "synthetic_run.h"

namespace csim::test {
namespace {

using hdf5::File;

/// Every row of every table of a file equals what the synthetic run recorded: frames 0 … frames - 1, steps 1
/// … steps.
void expect_rows(const File& file, const SyntheticRun& run, long frames, long steps) {
  ASSERT_EQ(file.info("/trajectory/time").shape.at(0), frames);
  ASSERT_EQ(file.info("/stats/step/time").shape.at(0), steps);
  const long bodies = static_cast<long>(run.model.bodies.size());
  const auto contact_offset = file.read_integer("/contact/row_offset", 0, frames + 1);
  ASSERT_EQ(file.info("/contact/phi").shape.at(0), contact_offset.back());
  for (long f = 0; f < frames; ++f) {
    const Frame frame = run.frame(f);
    ASSERT_EQ(file.read_real("/trajectory/time", f, 1).at(0), frame.time);
    const auto position = file.read_real("/trajectory/position", f, 1),
               quaternion = file.read_real("/trajectory/quaternion", f, 1);
    for (long b = 0; b < bodies; ++b) {
      ASSERT_EQ(position[3 * b + 1], frame.position[b].y());
      ASSERT_EQ(quaternion[4 * b], frame.quaternion[b].w());
      ASSERT_EQ(quaternion[4 * b + 1], frame.quaternion[b].x());
      ASSERT_EQ(quaternion[4 * b + 3], frame.quaternion[b].z());
    }
    ASSERT_EQ(file.read_real("/trajectory/q", f, 1), std::vector<double>(frame.q.begin(), frame.q.end()));
    ASSERT_EQ(file.read_real("/energy/balance_error", f, 1).at(0), frame.energy.balance_error);
    ASSERT_EQ(file.read_real("/joint/effort", f, 1),
              std::vector<double>(frame.joint_effort.begin(), frame.joint_effort.end()));
    const long count = contact_offset[f + 1] - contact_offset[f];
    ASSERT_EQ(count, static_cast<long>(frame.contacts.size()));
    ASSERT_EQ(file.read_real("/contact/phi", contact_offset[f], count), frame.contacts.phi);
    const auto force = file.read_real("/contact/force", contact_offset[f], count);
    const auto mode = file.read_integer("/contact/mode", contact_offset[f], count);
    for (long i = 0; i < count; ++i) {
      ASSERT_EQ(Vector3(force[3 * i], force[3 * i + 1], force[3 * i + 2]), frame.contacts.force[i]);
      ASSERT_EQ(mode[i], frame.contacts.mode[i]);
    }
  }
  const auto iteration_offset = file.read_integer("/stats/iteration/row_offset", 0, steps + 1);
  for (long n = 1; n <= steps; ++n) {
    const StepStatistics step = run.step(n);
    ASSERT_EQ(file.read_real("/stats/step/time", n - 1, 1).at(0), step.time);
    ASSERT_EQ(file.read_integer("/stats/step/factor_nonzeros", n - 1, 1).at(0), step.factor_nonzeros);
    ASSERT_EQ(file.read_real("/artefact/gliding_distance", n - 1, 1).at(0), step.gliding_distance);
    const long count = iteration_offset[n] - iteration_offset[n - 1];
    ASSERT_EQ(file.read_real("/stats/iteration/cost", iteration_offset[n - 1], count), step.iteration_cost);
  }
}

TEST(Recorder, EveryRowReadsBackAndTheFileTakesItsNameAtTheEnd) {
  const SyntheticRun run;
  const std::string path = fresh_folder("rows") + "run.h5";
  const auto recorder = run.create(path);
  EXPECT_TRUE(std::filesystem::exists(path + ".part"));
  run.record(recorder.get(), 0, 500);
  EXPECT_EQ(recorder->rows().frames, 167);
  EXPECT_EQ(recorder->rows().contacts, SyntheticRun::contacts_before(167));
  EXPECT_EQ(recorder->rows().iterations, SyntheticRun::iterations_before(500));
  recorder->finish(RunStatus::kComplete, 0, "done", run.state(500));
  EXPECT_FALSE(std::filesystem::exists(path + ".part"));

  const File file = File::open_read(path);
  EXPECT_EQ(file.text_attribute("/", "csim_schema").at(0), "csim-result/1");
  EXPECT_EQ(file.text_attribute("/", "status").at(0), "complete");
  EXPECT_EQ(file.text_attribute("/", "message").at(0), "done");
  EXPECT_EQ(file.integer_attribute("/", "exit_code"), 0);
  EXPECT_EQ(file.read_text("/scene/source"), run.text.source);
  EXPECT_EQ(file.read_texts("/bodies/name"),
            (std::vector<std::string>{"ground", "ball_0", "ball_1", "link", "hand"}));
  expect_rows(file, run, 167, 500);
}

TEST(Recorder, UnfinishedFileOpensWithStatusRunningWhileItIsWritten) {
  const SyntheticRun run;
  const std::string path = fresh_folder("running") + "run.h5";
  const auto recorder = run.create(path);
  run.record(recorder.get(), 0, 200);  // frames 0 … 66: one flush of frames after 64 rows, three of steps
  const File file = File::open_read(path + ".part");
  EXPECT_EQ(file.text_attribute("/", "status").at(0), "running");
  EXPECT_EQ(file.info("/trajectory/time").shape.at(0), 64);
  EXPECT_EQ(file.info("/contact/row_offset").shape.at(0), 65);
  EXPECT_EQ(file.info("/contact/phi").shape.at(0), SyntheticRun::contacts_before(64));
  EXPECT_EQ(file.info("/stats/step/time").shape.at(0), 192);
}

}  // namespace
}  // namespace csim::test
