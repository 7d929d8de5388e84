// A run as a library: what a study calls.
#include "run/run.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "record/errors.h"
#include "record/reader.h"
#include "run/event_notes.h"

namespace csim {
namespace {

constexpr const char* kScene =
    "csim: 1\ntime: {step: 0.01, end: 0.2}\noutput: {period: 0.01}\n"
    "materials: {m: {}}\n"
    "bodies:\n"
    "  - {name: ground, fixed: true, geometry: [{shape: half_space, material: m}]}\n"
    "  - {name: ball, density: 1000, pose: {xyz: [0, 0, 0.06]}, geometry: [{shape: sphere, radius: 0.05, "
    "material: m}]}\n";

class RunTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "csim_run_" + std::to_string(::getpid()) + "/";
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ + "scene.yaml") << kScene;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  LoadedScene load(const std::vector<std::string>& overrides) const {
    Diagnostics diagnostics;
    auto loaded = load_scene(folder_ + "scene.yaml", overrides, &diagnostics);
    EXPECT_EQ(format_diagnostics(diagnostics), "");
    return std::move(*loaded);
  }
  csim::Run make_run(const std::string& name, const std::vector<std::string>& overrides,
                     bool resume = false) const {
    RunSettings settings;
    settings.output = folder_ + name;
    settings.resume = resume ? ResumeMode::kYes : ResumeMode::kNo;
    return csim::Run(load(overrides), settings);
  }

  std::string folder_;
};

TEST_F(RunTest, GoesOnToTheBitsOfALongerRun) {
  ASSERT_EQ(make_run("long.h5", {}).execute().status, RunStatus::kComplete);
  ASSERT_EQ(make_run("part.h5", {"time.end=0.105"}).execute().status, RunStatus::kComplete);
  csim::Run rest = make_run("part.h5", {}, true);
  rest.find_checkpoint();
  ASSERT_FALSE(rest.is_complete());
  EXPECT_EQ(rest.execute().steps, 20 - 11);
  const ResultFile whole(folder_ + "long.h5"), joined(rest.result_path());
  EXPECT_EQ(joined.rows().frames, whole.rows().frames);
  for (const char* path : {"/trajectory/time", "/trajectory/q", "/trajectory/v", "/stats/step/residual"})
    EXPECT_EQ(joined.real(path), whole.real(path)) << path;
}

// With names, the depth and the time of the first.
TEST(EventWarnings, OfADepthThatNothingExplains) {
  Model model;
  for (const char* name : {"table/top", "robot/thumb"}) {
    model.geometries.emplace_back();
    model.geometries.back().name = name;
  }
  EventTotals events;
  events.add({EventKind::kUnexplainedDepth, 0, 1, 0.4518}, 0.25);
  events.add({EventKind::kUnexplainedDepth, 0, 1, 0.46}, 0.5);
  const Warnings warnings = event_warnings(model, Scene(), State(), events, 100);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].kind, "unexplained depth");
  EXPECT_EQ(warnings[0].time, 0.25);
  EXPECT_NE(
      warnings[0].text.find("'table/top' and 'robot/thumb' were 0.452 m deep in each other at t = 0.25 s"),
      std::string::npos)
      << warnings[0].text;
  EXPECT_NE(warnings[0].text.find("(2 times)"), std::string::npos) << warnings[0].text;
}

TEST_F(RunTest, KnowsThatNothingIsLeft) {
  (void)make_run("done.h5", {}).execute();
  csim::Run again = make_run("done.h5", {}, true);
  again.find_checkpoint();
  EXPECT_TRUE(again.is_complete());
}

TEST_F(RunTest, GoesOnWithItsOwnSceneOnly) {
  (void)make_run("one.h5", {"time.end=0.1"}).execute();
  for (const char* other : {"gravity=[0, 0, -5]", "time.end=0.05"}) {
    csim::Run run = make_run("one.h5", {other}, true);
    EXPECT_THROW(run.find_checkpoint(), InvalidResultError) << other;
  }
  csim::Run missing = make_run("none.h5", {}, true);
  EXPECT_THROW(missing.find_checkpoint(), InvalidResultError);
}

// End and checkpoints may change when a run goes on; nothing else may.
TEST_F(RunTest, HasAnIdentityWithoutItsEnd) {
  const std::string identity = scene_text(load({})).identity;
  EXPECT_EQ(scene_text(load({"time.end=7", "output.checkpoint=1"})).identity, identity);
  EXPECT_NE(scene_text(load({"time.step=0.02"})).identity, identity);
}

TEST_F(RunTest, NeverWritesOverItsInputs) {
  EXPECT_EQ(make_run("a.h5", {}).find_wrong_outputs(""), "");
  EXPECT_NE(make_run("scene.yaml", {}).find_wrong_outputs(""), "");
  EXPECT_NE(make_run("a.h5", {}).find_wrong_outputs(folder_ + "scene.yaml"), "");
  EXPECT_NE(make_run("a.h5", {}).find_wrong_outputs(folder_ + "a.h5"), "");
}

TEST_F(RunTest, NotesAnEndBetweenSteps) {
  EXPECT_TRUE(load({}).notes.empty());
  EXPECT_EQ(load({"time.end=0.105"}).notes.size(), 1u);
}

}  // namespace
}  // namespace csim
