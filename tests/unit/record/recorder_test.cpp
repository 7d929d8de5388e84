#include "record/recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "record/hdf5/hdf5_file.h"
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
  const auto patch_offset = file.read_integer("/patch/row_offset", 0, frames + 1);
  ASSERT_EQ(file.info("/patch/area").shape.at(0), patch_offset.back());
  const auto face_offset = file.read_integer("/patch/face_offset", 0, patch_offset.back() + 1);
  ASSERT_EQ(file.info("/patch/face/area").shape.at(0), face_offset.back());
  const auto vertex_offset = file.read_integer("/patch/polygon/vertex_offset", 0, face_offset.back() + 1);
  ASSERT_EQ(file.info("/patch/polygon/pressure").shape.at(0), vertex_offset.back());
  for (long f = 0; f < frames; ++f) {
    const PatchRows rows = run.frame(f).patches;
    const long first = patch_offset[f], count = patch_offset[f + 1] - first;
    ASSERT_EQ(count, static_cast<long>(rows.size()));
    ASSERT_EQ(file.read_real("/patch/max_pressure", first, count), rows.max_pressure);
    const long face = face_offset[first], num_faces = face_offset[first + count] - face;
    ASSERT_EQ(file.read_real("/patch/face/pressure", face, num_faces), rows.face_pressure);
    const long corner = vertex_offset[face], num_corners = vertex_offset[face + num_faces] - corner;
    ASSERT_EQ(file.read_real("/patch/polygon/pressure", corner, num_corners), rows.vertex_pressure);
    for (long p = 0; p < count; ++p) ASSERT_EQ(face_offset[first + p + 1] - face_offset[first + p], p + 1);
  }
  const auto pair_offset = file.read_integer("/pair/row_offset", 0, frames + 1);
  ASSERT_EQ(file.info("/pair/body_a").shape.at(0), pair_offset.back());
  for (long f = 1; f < frames; ++f) {
    PairSums sums;
    for (long n = 3 * f - 2; n <= 3 * f; ++n) sums.add(SyntheticRun::pairs(n));
    const long first = pair_offset[f], count = pair_offset[f + 1] - first;
    ASSERT_EQ(count, static_cast<long>(sums.sums.size()));
    const auto a = file.read_integer("/pair/body_a", first, count),
               b = file.read_integer("/pair/body_b", first, count);
    const auto impulse = file.read_real("/pair/impulse", first, count);
    for (long i = 0; i < count; ++i) {
      ASSERT_EQ(std::pair(a[i], b[i]),
                std::pair(std::int64_t{sums.sums[i].body_a}, std::int64_t{sums.sums[i].body_b}));
      ASSERT_EQ(Vector3(impulse[3 * i], impulse[3 * i + 1], impulse[3 * i + 2]), sums.sums[i].impulse);
    }
  }
  const auto event_time = file.read_real("/event/time", 0, SyntheticRun::events_before(steps));
  const auto kinds = file.read_texts("/event/kind"), subjects = file.read_texts("/event/subject_a"),
             others = file.read_texts("/event/subject_b");
  std::size_t e = 0;
  for (long n = 1; n <= steps; ++n) {
    for (const Event& event : SyntheticRun::events(n)) {
      ASSERT_EQ(event_time[e], run.step(n).time);
      ASSERT_EQ(file.read_real("/event/value", static_cast<long>(e), 1).at(0), event.value);
      ASSERT_EQ(kinds.at(e), to_string(event.kind));
      ASSERT_EQ(subjects.at(e), subject_name(run.model, event.kind, event.subject_a));
      ASSERT_EQ(others.at(e), subject_name(run.model, event.kind, event.subject_b));
      ++e;
    }
  }
  ASSERT_EQ(e, kinds.size());
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
  recorder->finish(RunStatus::kComplete, 0, "done", run.state(500), run.memory(500));
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

TEST(Recorder, FlushInBetweenLeavesOnlyItsOwnChunkUncompressed) {
  const SyntheticRun run;
  const std::string path = fresh_folder("phase") + "run.h5";
  const auto recorder = run.create(path);
  run.record(recorder.get(), 0, 100);
  recorder->flush();
  run.record(recorder.get(), 100, 640);
  recorder->finish(RunStatus::kComplete, 0, "", run.state(640), run.memory(640));
  const File file = File::open_read(path);
  const hdf5::GrowingDataset time = file.open_growing("/stats/step/time");
  for (long chunk = 0; chunk < 10; ++chunk) {
    EXPECT_EQ(time.read_chunk(64 * chunk).filter_mask, chunk == 1 ? hdf5::GrowingDataset::kPlain : 0u)
        << chunk;
  }
}

TEST(Recorder, TheLastRowsAreCompressedToo) {
  const SyntheticRun run;
  const std::string path = fresh_folder("last") + "run.h5";
  const auto recorder = run.create(path);
  run.record(recorder.get(), 0, 100);
  recorder->finish(RunStatus::kComplete, 0, "", run.state(100), run.memory(100));
  const File file = File::open_read(path);
  EXPECT_EQ(file.open_growing("/stats/step/time").read_chunk(64).filter_mask, 0u);
  expect_rows(file, run, 34, 100);
}

TEST(Recorder, ChunksOfZerosAreNotStored) {
  const SyntheticRun run;
  const std::string path = fresh_folder("zeros") + "run.h5";
  const auto recorder = run.create(path);
  run.record(recorder.get(), 0, 100);
  recorder->flush();
  run.record(recorder.get(), 100, 200);
  recorder->finish(RunStatus::kComplete, 0, "", run.state(200), run.memory(200));
  const File file = File::open_read(path);
  const hdf5::GrowingDataset patches = file.open_growing("/stats/step/num_patches");
  for (const long row : {0, 64, 128, 192}) EXPECT_TRUE(patches.read_chunk(row).bytes.empty()) << row;
  EXPECT_FALSE(file.open_growing("/stats/step/time").read_chunk(0).bytes.empty());
  EXPECT_EQ(file.read_integer("/stats/step/num_patches", 0, 200), std::vector<std::int64_t>(200, 0));
}

TEST(Recorder, ExistingOutputIsRefusedUnlessForced) {
  SyntheticRun run;
  const std::string path = fresh_folder("exists") + "run.h5";
  const auto first = run.create(path);
  EXPECT_THROW(run.create(path), OutputExistsError);  // its .part
  first->finish(RunStatus::kFailed, 3, "no convergence", run.state(0), run.memory(0));
  EXPECT_THROW(run.create(path), OutputExistsError);
  EXPECT_EQ(File::open_read(path).text_attribute("/", "status").at(0), "failed");
  run.options.force = true;
  const auto second = run.create(path);
  EXPECT_TRUE(std::filesystem::exists(path));  // the old result stays until the new one is complete
  second->finish(RunStatus::kComplete, 0, "", run.state(0), run.memory(0));
  EXPECT_EQ(File::open_read(path).text_attribute("/", "status").at(0), "complete");
  // Nothing else is left in the folder.
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(std::filesystem::path(path).parent_path()), {}),
            1);
}

TEST(Recorder, ZeroStepsZeroBodiesAndSwitchedOffGroups) {
  SyntheticRun run(0, false);
  run.model = {};
  run.scene.bodies.clear();
  run.scene.forces.clear();
  run.options.contacts = run.options.iterations = false;
  run.options.patches = PatchOutput::kNone;
  const std::string path = fresh_folder("empty") + "run.h5";
  const auto recorder = run.create(path);
  recorder->record_frame(run.frame(0));  // end: 0 has the initial row alone
  recorder->finish(RunStatus::kComplete, 0, "", run.state(0), run.memory(0));
  const File file = File::open_read(path);
  EXPECT_EQ(file.info("/trajectory/position").shape, (std::vector<long>{1, 0, 3}));
  EXPECT_EQ(file.info("/trajectory/q").shape, (std::vector<long>{1, 0}));
  EXPECT_EQ(file.info("/bodies/name").shape, (std::vector<long>{0}));
  EXPECT_EQ(file.info("/stats/step/time").shape, (std::vector<long>{0}));
  for (const char* group : {"/contact", "/patch", "/stats/iteration"})
    EXPECT_FALSE(file.exists(group)) << group;
  for (const char* group : {"/joint", "/actuator", "/meshes", "/artefact", "/joints", "/geometries"})
    EXPECT_TRUE(file.exists(group)) << group;
}

TEST(Recorder, ManyBodiesHaveUnitsForEveryColumn) {
  const SyntheticRun run(3000, false);  // 21000 columns: their units do not fit into an object header
  const std::string path = fresh_folder("many") + "run.h5";
  const auto recorder = run.create(path);
  for (long f = 0; f < 3; ++f) recorder->record_frame(run.frame(f));
  recorder->finish(RunStatus::kComplete, 0, "", run.state(0), run.memory(0));
  const File file = File::open_read(path);
  const auto units = file.text_attribute("/trajectory/q", "units");
  ASSERT_EQ(units.size(), 21000u);
  EXPECT_EQ(units[20999], "m");
  EXPECT_EQ(file.read_real("/trajectory/q", 2, 1).back(), run.frame(2).q[20999]);
  EXPECT_EQ(run_python("import sys, h5py\nprint(len(h5py.File(sys.argv[1])['/trajectory/q'].attrs['units']))",
                       path),
            "21000\n");
}

TEST(Recorder, PythonReadsWhatWasWritten) {
  const SyntheticRun run;
  const std::string path = fresh_folder("python_reads") + "run.h5";
  const auto recorder = run.create(path);
  run.record(recorder.get(), 0, 300);
  recorder->finish(RunStatus::kComplete, 0, "fin \xC3\xA9", run.state(300), run.memory(300));
  const Frame frame = run.frame(77);
  char expected[200];
  std::snprintf(expected, sizeof(expected), "complete 0 fin \xC3\xA9 101 %.17g %.17g %.17g ball_1 rad m\n",
                frame.time, frame.position[2].z(), frame.contacts.force[4].x());
  EXPECT_EQ(run_python(R"(
import sys, h5py
f = h5py.File(sys.argv[1])
a = f['/contact/row_offset'][77]
print(f.attrs['status'], f.attrs['exit_code'], f.attrs['message'], len(f['/trajectory/time']), '%.17g' % f['/trajectory/time'][77],
      '%.17g' % f['/trajectory/position'][77, 2, 2], '%.17g' % f['/contact/force'][a + 4, 0], f['/bodies/name'][2].decode(),
      f['/trajectory/q'].attrs['units'][14], f['/trajectory/position'].attrs['units'])
)",
                       path),
            expected);
}

}  // namespace
}  // namespace csim::test
