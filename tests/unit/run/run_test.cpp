// A run as a library: what a study calls.
#include "run/run.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "record/errors.h"
#include "record/reader.h"
#include "run/event_notes.h"
#include "run/explain.h"
#include "run/start_overlaps.h"

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

// A box that stands on the floor to the last bit but one does not overlap it.
TEST(StartOverlaps, LeaveOutRoundOff) {
  ContactSet contacts;
  contacts.points.resize(1);
  contacts.points[0].p_a = contacts.points[0].p_b = {0.05, 0.0, 0.0};
  for (const auto& [phi, count] : {std::pair{-9.7e-17, 0u}, {-1e-15, 1u}, {0.0, 0u}, {1e-3, 0u}}) {
    contacts.points[0].phi = phi;
    EXPECT_EQ(find_overlaps(contacts).size(), count) << phi;
  }
}

// A solid sphere of radius R on a plane has W = diag(1 + 5/2 r^2/R^2, the same, 1)/m in its contact, at the
// distance r of its centre: half the overlap is the plane's.
TEST_F(RunTest, ExplainsCreepByTheLoadOfAContact) {
  constexpr double kStep = 0.01, kFriction = 0.5, kSigma = 1e-3;
  LoadedScene apart = load({"bodies.ball.pose.xyz=[0, 0, 0.2]"}), near = load({});
  LoadedScene touching = load({"bodies.ball.pose.xyz=[0, 0, 0.0499]"});
  const double mass = apart.model.bodies[1].mass.mass;
  const SceneExplanation before = explain(&apart), coming = explain(&near), resting = explain(&touching);
  ASSERT_EQ(resting.pairs.size(), 1u);
  EXPECT_TRUE(before.pairs[0].is_estimated);
  EXPECT_DOUBLE_EQ(before.pairs[0].delassus, std::sqrt(7.0) / mass);
  // 1 cm above the plane the arm is longer by half of that.
  EXPECT_TRUE(coming.pairs[0].is_estimated);
  const double longer = 1.0 + 2.5 * 1.1 * 1.1;
  EXPECT_NEAR(coming.pairs[0].delassus, std::sqrt(2.0 * longer * longer + 1.0) / 3.0 / mass, 1e-9);
  EXPECT_FALSE(resting.pairs[0].is_estimated);
  const double arm = 0.04995 / 0.05, across = 1.0 + 2.5 * arm * arm;
  const double w = std::sqrt(2.0 * across * across + 1.0) / 3.0 / mass;
  EXPECT_NEAR(resting.pairs[0].delassus, w, 1e-12 * w);  // round-off
  const CreepScale& creep = resting.pairs[0].creep;
  const double force = 1e4;  // N, where sigma's part is the larger one
  EXPECT_NEAR(creep.tolerance(force), kFriction * kSigma * w * kStep * force, 1e-12);
  EXPECT_EQ(creep.tolerance(0.0), 1e-4);

  LoadedScene sap = load({"contact.model=sap"}), plain = load({"contact.regularise_stiction=false"});
  EXPECT_EQ(explain(&sap).pairs[0].creep.floor, 0.0);
  EXPECT_EQ(explain(&plain).pairs[0].creep.per_load, 0.0);
  LoadedScene quasistatic = load({"integrator.type=quasistatic"});
  EXPECT_EQ(explain(&quasistatic).creep, 0.0);
}

// A flat box on a floor that is pulled sideways with 0.4 of the limit of friction: its speed, measured, is
// what explain says. 1 %: the pull acts 1 cm above the floor, which shifts the load of the feet by 0.5 %.
TEST_F(RunTest, CreepsAsExplained) {
  std::ofstream(folder_ + "scene.yaml")
      << "csim: 1\ngravity: [1.962, 0, -9.81]\ntime: {step: 0.001, end: 0.3}\noutput: {period: 0.1}\n"
         "materials: {m: {friction: 0.5}}\nsolver: {tolerance: 1.0e-9}\n"
         "contact: {stiction_tolerance: 1.0e-9}\n"
         "bodies:\n"
         "  - {name: ground, fixed: true, geometry: [{shape: half_space, material: m}]}\n"
         "  - {name: box, mass: 2, inertia: solid, pose: {xyz: [0, 0, 0.00999]}, geometry: [{shape: box, "
         "size: [0.4, 0.4, 0.02], material: m}]}\n";
  constexpr double kPart = 0.4, kLoad = 2.0 * 9.81 / 4.0;  // N, of a foot
  for (const std::string model : {"lagged", "coulomb", "similar", "sap"}) {
    SCOPED_TRACE(model);
    const std::vector<std::string> law = {"contact.model=" + model};
    LoadedScene scene = load(law);
    const double tolerance = explain(&scene).pairs[0].creep.tolerance(kLoad);
    const double expected = tolerance * (model == "sap" ? kPart : kPart / std::sqrt(1.0 - kPart * kPart));
    EXPECT_GT(tolerance, 1e-6);  // sigma's part, a thousand times the stiction tolerance of the scene
    csim::Run run = make_run(model + ".h5", law);
    ASSERT_EQ(run.execute().status, RunStatus::kComplete);
    const std::vector<double> velocity = ResultFile(run.result_path()).real("/trajectory/velocity");
    EXPECT_NEAR(velocity[velocity.size() - 3], expected, 0.01 * expected);
  }
}

}  // namespace
}  // namespace csim
