// An interrupted or killed run that is resumed leaves the same file as an uninterrupted run.
#include <gtest/gtest.h>

#include <filesystem>

#include "record/reader.h"
#include "record/recorder.h"
#include "synthetic_run.h"

namespace csim::test {
namespace {

/// Every dataset but the timings is the same to the bit (NaN included), with the same shape, and no group is
/// missing.
void expect_same_bits(const std::string& path_a, const std::string& path_b) {
  const hdf5::File a = hdf5::File::open_read(path_a), b = hdf5::File::open_read(path_b);
  const auto objects = a.objects();
  std::vector<std::string> names_a, names_b;
  for (const auto& object : objects) names_a.push_back(object.path);
  for (const auto& object : b.objects()) names_b.push_back(object.path);
  std::erase_if(names_b, [](const std::string& name) { return name.starts_with("/provenance/"); });
  EXPECT_EQ(names_a, names_b);
  for (const auto& object : objects) {
    if (object.is_group || is_timing(object.path)) continue;
    EXPECT_EQ(object.shape, b.info(object.path).shape) << object.path;
    if (object.type == hdf5::Type::kText) {
      EXPECT_EQ(a.read_texts(object.path), b.read_texts(object.path)) << object.path;
      continue;
    }
    std::size_t bytes = hdf5::size_of(object.type);
    for (const long n : object.shape) bytes *= static_cast<std::size_t>(n);
    std::vector<char> bytes_a(bytes), bytes_b(bytes);
    a.read_rows(object.path, 0, object.shape.empty() ? 1 : object.shape[0], bytes_a.data());
    b.read_rows(object.path, 0, object.shape.empty() ? 1 : object.shape[0], bytes_b.data());
    EXPECT_EQ(bytes_a, bytes_b) << object.path;
  }
}

/// The totals of the events of the steps 1 .. last.
void expect_events_until(const EventTotals& totals, const SyntheticRun& run, long last) {
  EventTotals expected;
  for (long n = 1; n <= last; ++n)
    for (const Event& event : SyntheticRun::events(n)) expected.add(event, run.step(n).time);
  for (const EventKind kind :
       {EventKind::kFastSpin, EventKind::kPassage, EventKind::kInexactStep, EventKind::kDividedStep}) {
    EXPECT_EQ(totals[kind].count, expected[kind].count);
    EXPECT_EQ(totals[kind].first_time, expected[kind].first_time);
    EXPECT_EQ(totals[kind].first.subject_a, expected[kind].first.subject_a);
    EXPECT_EQ(totals[kind].first.subject_b, expected[kind].first.subject_b);
    EXPECT_EQ(totals[kind].value, expected[kind].value);
  }
}

class Resume : public testing::Test {
 protected:
  static constexpr long kEnd = 1000;

  std::string uninterrupted() {
    const std::string path = folder_ + "whole.h5";
    const auto recorder = run_.create(path);
    recorder->write_checkpoint(run_.state(0), run_.memory(0));
    run_.record(recorder.get(), 0, kEnd);
    recorder->finish(RunStatus::kComplete, 0, "done", run_.state(kEnd), run_.memory(kEnd));
    return path;
  }

  std::unique_ptr<Recorder> go_on(const std::string& path, const ResumePoint& point) {
    return std::make_unique<Recorder>(path, run_.scene, run_.model, run_.text, run_.provenance, run_.options,
                                      point);
  }

  /// Resumes the output from its last checkpoint to the end.
  void resume_to_end(const std::string& path, long expected_step) {
    const auto point = read_resume_point(path, run_.model, run_.text, run_.options);
    ASSERT_TRUE(point.has_value());
    ASSERT_EQ(point->state.step, expected_step);
    EXPECT_EQ(point->state.v, run_.state(expected_step).v);
    EXPECT_EQ(point->memory.v_before, run_.memory(expected_step).v_before);
    EXPECT_EQ(point->memory.history, run_.memory(expected_step).history);
    expect_events_until(point->events, run_, expected_step);
    const auto recorder = go_on(path, *point);
    for (long n = expected_step + 1; n <= kEnd; ++n) run_.record_step(recorder.get(), n);
    expect_events_until(recorder->events(), run_, kEnd);
    recorder->finish(RunStatus::kComplete, 0, "done", run_.state(kEnd), run_.memory(kEnd));
  }

  SyntheticRun run_;
  std::string folder_ = fresh_folder("resume");
};

TEST_F(Resume, InterruptedRunEndsWithTheBitsOfOneThatWasNot) {
  const std::string whole = uninterrupted();
  for (const long stop : {1L, 64L, 192L, 193L, 500L, 999L}) {
    const std::string path = folder_ + "stop_" + std::to_string(stop) + ".h5";
    {
      const auto recorder = run_.create(path);
      run_.record(recorder.get(), 0, stop);
      recorder->finish(RunStatus::kInterrupted, 75, "SIGTERM", run_.state(stop), run_.memory(stop));
    }
    ASSERT_TRUE(std::filesystem::exists(path));
    resume_to_end(path, stop);
    EXPECT_FALSE(std::filesystem::exists(path + ".part"));
    expect_same_bits(whole, path);
    const ResultFile result(path);
    EXPECT_EQ(result.status(), RunStatus::kComplete);
    EXPECT_EQ(result.exit_code(), 0);
    EXPECT_TRUE(result.file().exists("/provenance/run_0"));
  }
}

// The checkpoint before the steps that the end cuts short stays; after a failure on these it is the state
// before the step that failed.
TEST_F(Resume, AFailureOnCutStepsKeepsTheStateBeforeIt) {
  for (const bool fails : {false, true}) {
    const std::string path = folder_ + (fails ? "fails.h5" : "ends.h5");
    const auto recorder = run_.create(path);
    run_.record(recorder.get(), 0, 100);
    recorder->write_last_checkpoint(run_.state(100), run_.memory(100));
    for (long n = 101; n <= 110; ++n) run_.record_step(recorder.get(), n);
    if (fails) recorder->reopen_checkpoints();
    recorder->finish(fails ? RunStatus::kFailed : RunStatus::kComplete, 0, "", run_.state(110),
                     run_.memory(110));
    const auto point = read_resume_point(path, run_.model, run_.text, run_.options);
    ASSERT_TRUE(point.has_value());
    EXPECT_EQ(point->state.step, fails ? 110 : 100);
  }
}

TEST_F(Resume, KilledRunGoesOnFromItsLastCheckpoint) {
  const std::string whole = uninterrupted();
  for (const long checkpoint : {0L, 100L, 384L}) {
    const std::string path = folder_ + "kill_" + std::to_string(checkpoint) + ".h5";
    {
      const auto recorder = run_.create(path);
      recorder->record_frame(run_.frame(0));
      for (long n = 1; n <= checkpoint; ++n) run_.record_step(recorder.get(), n);
      recorder->write_checkpoint(run_.state(checkpoint), run_.memory(checkpoint));
      for (long n = checkpoint + 1; n <= checkpoint + 333; ++n)
        run_.record_step(recorder.get(), n);  // written again later
    }                                         // not finished: NAME.h5.part stays
    resume_to_end(path, checkpoint);
    expect_same_bits(whole, path);
  }
}

TEST_F(Resume, TwiceResumedRunKeepsTheBitsAndEveryOrigin) {
  const std::string whole = uninterrupted(), path = folder_ + "twice.h5";
  {
    const auto recorder = run_.create(path);
    run_.record(recorder.get(), 0, 300);
    recorder->finish(RunStatus::kInterrupted, 75, "", run_.state(300), run_.memory(300));
  }
  {
    const auto point = read_resume_point(path + ".part", run_.model, run_.text, run_.options);
    const auto recorder = go_on(path, *point);
    EXPECT_FALSE(std::filesystem::exists(path));
    run_.record(recorder.get(), 300, 700);
    recorder->write_checkpoint(run_.state(700), run_.memory(700));
    run_.record(recorder.get(), 700, 777);
  }
  resume_to_end(path, 700);
  expect_same_bits(whole, path);
  EXPECT_TRUE(hdf5::File::open_read(path).exists("/provenance/run_1"));
}

TEST_F(Resume, ClosingRowOffTheGridCanBeTakenBack) {
  const std::string whole = uninterrupted(), path = folder_ + "longer.h5";
  {
    const auto recorder = run_.create(path);
    run_.record(recorder.get(), 0, 500);    // 500 is no multiple of 3: frames 0 … 166
    recorder->record_frame(run_.frame(9));  // the closing row of a run that was to end here
    recorder->finish(RunStatus::kComplete, 0, "", run_.state(500), run_.memory(500));
  }
  auto point = read_resume_point(path, run_.model, run_.text, run_.options);
  ASSERT_EQ(point->rows.frames, 168);
  point->keep_frames(167);
  const auto recorder = go_on(path, *point);
  run_.record(recorder.get(), 500, kEnd);
  recorder->finish(RunStatus::kComplete, 0, "done", run_.state(kEnd), run_.memory(kEnd));
  expect_same_bits(whole, path);
}

TEST_F(Resume, AnotherSceneOrOtherGroupsAreRefused) {
  const std::string path = folder_ + "refused.h5";
  {
    const auto recorder = run_.create(path);
    recorder->finish(RunStatus::kInterrupted, 75, "", run_.state(0), run_.memory(0));
  }
  SceneText other = run_.text;
  other.identity = std::string(64, '0');
  EXPECT_THROW(static_cast<void>(read_resume_point(path, run_.model, other, run_.options)),
               InvalidResultError);
  RecorderOptions options = run_.options;
  options.contacts = false;
  EXPECT_THROW(static_cast<void>(read_resume_point(path, run_.model, run_.text, options)),
               InvalidResultError);
  const SyntheticRun bigger(3);
  EXPECT_THROW(static_cast<void>(read_resume_point(path, bigger.model, run_.text, run_.options)),
               InvalidResultError);
  EXPECT_FALSE(read_resume_point(folder_ + "none.h5", run_.model, run_.text, run_.options).has_value());
}

TEST_F(Resume, OneRunAtATimeWritesAResult) {
  const std::string path = folder_ + "busy.h5";
  auto first = run_.create(path);
  run_.record(first.get(), 0, 100);
  first->write_checkpoint(run_.state(100), run_.memory(100));
  EXPECT_THROW(static_cast<void>(read_resume_point(path, run_.model, run_.text, run_.options)),
               OutputBusyError);
  RecorderOptions force = run_.options;
  force.force = true;
  EXPECT_THROW(Recorder(path, run_.scene, run_.model, run_.text, run_.provenance, force), OutputBusyError);
  first.reset();  // like a killed run: its .part is left and free
  {
    const auto point = read_resume_point(path, run_.model, run_.text, run_.options);
    ASSERT_TRUE(point.has_value());
    // Two that resume at the same time: the second is refused, before and after the first made its file.
    EXPECT_THROW(static_cast<void>(read_resume_point(path, run_.model, run_.text, run_.options)),
                 OutputBusyError);
    const auto second = go_on(path, *point);
    EXPECT_THROW(static_cast<void>(read_resume_point(path, run_.model, run_.text, run_.options)),
                 OutputBusyError);
  }
  EXPECT_TRUE(read_resume_point(path, run_.model, run_.text, run_.options).has_value());
}

}  // namespace
}  // namespace csim::test
