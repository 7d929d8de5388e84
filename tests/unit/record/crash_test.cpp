// Killed runs, full disks, folders without write permission.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "record/reader.h"
#include "record/recorder.h"
#include "synthetic_run.h"

namespace csim::test {
namespace {

/// A number that a child process and this one share.
class SharedCounter {
 public:
  SharedCounter()
      : value_(new (mmap(nullptr, sizeof(std::atomic<long>), PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_ANONYMOUS, -1, 0)) std::atomic<long>(0)) {}
  ~SharedCounter() { munmap(value_, sizeof(std::atomic<long>)); }
  std::atomic<long>& operator*() { return *value_; }

 private:
  std::atomic<long>* value_;
};

/// Runs `work` in a child process; its exit code is 0, or 1 when it threw.
template <typename Work>
pid_t start_child(Work&& work) {
  const pid_t child = fork();
  if (child == 0) {
    int code = 0;
    try {
      work();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      code = 1;
    }
    _exit(code);
  }
  return child;
}

/// What is left holds the run's numbers, and every dataset can be read to its end.
void expect_prefix_of_run(const ResultFile& result, const SyntheticRun& run) {
  for (const hdf5::ObjectInfo& dataset : result.file().objects()) {
    if (dataset.is_group || dataset.type == hdf5::Type::kText || dataset.shape.empty()) continue;
    EXPECT_NO_THROW(static_cast<void>(result.file().read_real(dataset.path, 0, dataset.shape[0])))
        << dataset.path;
  }
  const auto time = result.real("/stats/step/time"), cost = result.real("/stats/step/cost"),
             glide = result.real("/artefact/gliding_distance");
  for (long i = 0; i < result.rows().steps; ++i) {
    const StepStatistics step = run.step(i + 1);
    ASSERT_EQ(time[i], step.time);
    ASSERT_EQ(cost[i], step.cost);
    ASSERT_EQ(glide[i], step.gliding_distance);
  }
  const auto offset = result.integer("/contact/row_offset");
  const auto phi = result.real("/contact/phi"), q = result.real("/trajectory/q");
  for (long f = 0; f < result.rows().frames; ++f) {
    const Frame frame = run.frame(f);
    ASSERT_EQ(offset[f + 1] - offset[f], static_cast<long>(frame.contacts.size()));
    for (std::size_t i = 0; i < frame.contacts.size(); ++i)
      ASSERT_EQ(phi[offset[f] + static_cast<long>(i)], frame.contacts.phi[i]);
    for (Eigen::Index i = 0; i < frame.q.size(); ++i) ASSERT_EQ(q[f * frame.q.size() + i], frame.q[i]);
  }
}

TEST(RecorderCrash, KilledRunsOpenWithAllButTheRowsSinceTheLastFlush) {
  const SyntheticRun run;
  const std::string folder = fresh_folder("kill");
  const char* more = std::getenv("CSIM_TEST_KILLS");
  const int kills = more == nullptr ? 40 : std::atoi(more);
  std::mt19937 random(12345);
  // After some steps, so that slow machines are killed in the same places, and some time more, so that it is
  // not always after a row.
  std::uniform_int_distribution<long> steps_to_wait(-100, 2500);
  std::uniform_int_distribution<int> microseconds(0, 2000);
  std::string files;
  long most_steps = 0;
  for (int trial = 0; trial < kills; ++trial) {
    const std::string path = folder + "run_" + std::to_string(trial) + ".h5";
    SharedCounter recorded, checkpoint;  // checkpoint: steps at the last one, plus 1
    const pid_t child = start_child([&] {
      const auto recorder = run.create(path);
      recorder->record_frame(run.frame(0));
      recorder->write_checkpoint(run.state(0), run.memory(0));
      *checkpoint = 1;
      for (long n = 1;; ++n) {
        run.record_step(recorder.get(), n);
        *recorded = n;
        if (n % 500 != 0) continue;
        recorder->write_checkpoint(run.state(n), run.memory(n));
        *checkpoint = n + 1;
      }
    });
    const long wanted = steps_to_wait(random);
    while (*recorded < wanted) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::microseconds(microseconds(random)));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    const long steps = *recorded;
    if (!std::filesystem::exists(path + ".part")) {
      ASSERT_EQ(steps, 0);
      continue;
    }
    const ResultFile result(path + ".part");
    EXPECT_EQ(result.status(), RunStatus::kRunning);
    EXPECT_GE(result.rows().steps, steps - 64);
    EXPECT_GE(result.rows().frames, steps / SyntheticRun::kStepsPerFrame + 1 - 64);
    expect_prefix_of_run(result, run);
    const auto point = read_resume_point(path, run.model, run.text, run.options);
    ASSERT_EQ(point.has_value() || *checkpoint == 0, true);
    if (point) {
      EXPECT_GE(point->state.step, *checkpoint - 1);
      EXPECT_EQ(point->state.q, run.state(point->state.step).q);
      EXPECT_EQ(point->rows.steps, point->state.step);
      EXPECT_EQ(point->rows.frames, point->state.step / SyntheticRun::kStepsPerFrame + 1);
    }
    most_steps = std::max(most_steps, steps);
    files += " " + path + ".part";
    if (testing::Test::HasFailure()) break;
  }
  EXPECT_GT(most_steps, 1000);  // kills that come before anything is flushed would prove nothing
  // Another reader of another HDF5 version reads every byte of every dataset.
  EXPECT_EQ(run_python(R"(
import sys, h5py
for path in sys.argv[1:]:
    with h5py.File(path, 'r') as f:
        assert f.attrs['status'] == 'running', f.attrs['status']
        f.visititems(lambda name, d: d[()] if isinstance(d, h5py.Dataset) else None)
print('ok')
)",
                       files),
            "ok\n");
}

/// Forbids this process to make files larger than `bytes`: a write beyond fails as on a full disk.
void limit_file_size(rlim_t bytes) {
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit = {bytes, RLIM_INFINITY};
  setrlimit(RLIMIT_FSIZE, &limit);
}

TEST(RecorderCrash, FullDiskIsReportedAndTheFileKeepsWhatWasFlushed) {
  const SyntheticRun run;
  for (const rlim_t limit : {1300000u, 1500000u, 1777777u, 2000000u}) {
    const std::string path = fresh_folder("full") + "run.h5";
    SharedCounter recorded;
    const pid_t child = start_child([&] {
      const auto recorder = run.create(path);
      recorder->record_frame(run.frame(0));
      recorder->write_checkpoint(run.state(0), run.memory(0));
      limit_file_size(limit);
      std::string message;
      for (long n = 1; message.empty() && n < 1000000; ++n) {
        try {
          run.record_step(recorder.get(), n);
          *recorded = n;
        } catch (const IoError& error) {
          message = error.what();
        }
      }
      if (message.find("File too large") == std::string::npos)
        throw std::runtime_error("unclear: " + message);
      recorder->finish(RunStatus::kFailed, 4, message, run.state(*recorded), run.memory(*recorded));
    });
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    const ResultFile result(path);
    EXPECT_EQ(result.status(), RunStatus::kFailed);
    EXPECT_EQ(result.exit_code(), 4);
    EXPECT_NE(result.message().find(path + ".part: "), std::string::npos) << result.message();
    EXPECT_NE(result.message().find("File too large"), std::string::npos) << result.message();
    EXPECT_GE(result.rows().steps, *recorded - 64);
    expect_prefix_of_run(result, run);
    // A resume goes on from the last checkpoint.
    EXPECT_EQ(read_resume_point(path, run.model, run.text, run.options)->state.step, 0);
  }
}

TEST(RecorderCrash, FolderThatTakesNoFileIsReported) {
  const SyntheticRun run;
  const std::string folder = fresh_folder("unwritable");
  for (const std::string& path : {folder + "missing/run.h5", std::string("/proc/run.h5")}) {
    try {
      run.create(path);
      FAIL() << path;
    } catch (const IoError& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find(path), std::string::npos) << message;
      EXPECT_TRUE(message.find("No such file or directory") != std::string::npos ||
                  message.find("no such folder") != std::string::npos)
          << message;
    }
  }
}

TEST(RecorderCrash, FilesThatAreNoResultsAreRefused) {
  const std::string folder = fresh_folder("refused");
  EXPECT_THROW(ResultFile(folder + "none.h5"), InvalidResultError);
  EXPECT_THROW(ResultFile{folder}, InvalidResultError);
  std::ofstream(folder + "empty.h5").flush();
  EXPECT_THROW(ResultFile(folder + "empty.h5"), InvalidResultError);
  std::ofstream(folder + "text.h5") << "not HDF5";
  EXPECT_THROW(ResultFile(folder + "text.h5"), InvalidResultError);
  hdf5::File::create(folder + "other.h5").close();
  EXPECT_THROW(ResultFile(folder + "other.h5"), InvalidResultError);
}

}  // namespace
}  // namespace csim::test
