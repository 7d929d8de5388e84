// csim info and csim diff.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "record/report/diff.h"
#include "record/report/diff_rows.h"
#include "record/report/info.h"
#include "synthetic_run.h"

namespace csim::test {
namespace {

using testing::HasSubstr;

/// Records a run in which `change` may spoil frames and steps.
std::string record_run(const std::string& name, const std::function<void(long, Frame*)>& change_frame = {},
                       const std::function<void(long, StepStatistics*)>& change_step = {}, long steps = 120) {
  const SyntheticRun run;
  const std::string path = fresh_folder("summary_" + name) + name + ".h5";
  const auto recorder = run.create(path);
  recorder->record_frame(run.frame(0));
  for (long n = 1; n <= steps; ++n) {
    StepStatistics step = run.step(n);
    if (change_step) change_step(n, &step);
    recorder->record_events(step.time, SyntheticRun::events(n));
    recorder->record_step(step);
    if (n % SyntheticRun::kStepsPerFrame != 0) continue;
    Frame frame = run.frame(n / SyntheticRun::kStepsPerFrame);
    if (change_frame) change_frame(n / SyntheticRun::kStepsPerFrame, &frame);
    recorder->record_frame(frame);
  }
  recorder->finish(RunStatus::kComplete, 0, "done", run.state(steps), run.memory(steps));
  return path;
}

DiffReport diff(const std::string& a, const std::string& b, const DiffOptions& options = {}) {
  return diff_results(ResultFile(a), ResultFile(b), options);
}

DiffOptions tolerances(double rtol, double atol) {
  DiffOptions options;
  options.rtol = rtol, options.atol = atol;
  return options;
}

/// With a dataset that is left out unless it is named.
DiffOptions naming(const std::string& name, double rtol = 0.0, double atol = 0.0) {
  DiffOptions options = tolerances(rtol, atol);
  options.tolerances = {{name, atol, std::nullopt}};
  return options;
}

std::vector<std::string> paths_of(const DiffReport& report) {
  std::vector<std::string> paths;
  for (const auto& quantity : report.quantities) paths.push_back(quantity.path);
  return paths;
}

TEST(Diff, EqualRunsAreEqualWhateverTheirTimingsAndOrigins) {
  const std::string a = record_run("a"), b = record_run("b", {}, [](long n, StepStatistics*step) {
                                           step->seconds.total = 1e-3 * static_cast<double>(n);
                                         });
  const DiffReport report = diff(a, b);
  EXPECT_TRUE(report.equal);
  EXPECT_GT(report.num_compared, 10000);
  EXPECT_THAT(diff_text(report, a, b, {}), HasSubstr("equal:"));
  EXPECT_THAT(diff_json(report, a, b, {}), HasSubstr("\"equal\": true"));
}

TEST(Diff, NamesTheFirstAndTheWorstDifference) {
  const std::string a = record_run("a"), b = record_run("b", [](long f, Frame*frame) {
                                           if (f == 10) frame->position[1].y() *= 1.0 + 1e-6;  // small, early
                                           if (f == 30) frame->contacts.resize(frame->contacts.size());
                                           if (f == 31) frame->contacts.force[2].x() *= 2.0;  // large, late
                                         });
  const DiffReport report = diff(a, b);
  ASSERT_FALSE(report.equal);
  ASSERT_TRUE(report.first && report.worst);
  EXPECT_EQ(report.first->path, "/trajectory/position");
  EXPECT_EQ(report.first->index, (std::vector<long>{10, 1, 1}));
  EXPECT_EQ(report.first->label, "body ball_0");
  EXPECT_NEAR(report.first->time.value(), 0.1, 1e-15);  // 0.01 * 10
  EXPECT_NEAR(report.first->relative, 1e-6, 1e-9);      // 1e-6 up to its square
  EXPECT_EQ(report.worst->path, "/contact/force");
  EXPECT_EQ(report.worst->index, (std::vector<long>{SyntheticRun::contacts_before(31) + 2, 0}));
  EXPECT_EQ(report.worst->label, "geometry ground/shell with link/shell");
  EXPECT_NEAR(report.worst->time.value(), 0.31, 1e-15);
  EXPECT_DOUBLE_EQ(report.worst->relative, 0.5);
  // The worst quantity first, whatever its path.
  ASSERT_EQ(report.quantities.size(), 2u);
  EXPECT_EQ(report.quantities[0].path, "/contact/force");
  EXPECT_DOUBLE_EQ(report.quantities[0].largest_relative, 0.5);
  EXPECT_EQ(report.quantities[1].path, "/trajectory/position");
  EXPECT_THAT(diff_text(report, a, b, {}),
              HasSubstr("first: /trajectory/position[10, 1, 1] (body ball_0) at t = 0.1 s"));
  EXPECT_THAT(diff_json(report, a, b, {}), HasSubstr("\"label\": \"geometry ground/shell with link/shell\""));
}

TEST(Diff, QuantitiesAreOrderedByTheirLargestDifferenceOverTheScale) {
  // Each differs where it is the largest of its unit, so that the ratios are those of the changes.
  const auto record = [](const std::string& name, double energy, double position, double velocity) {
    return record_run(name, [=](long f, Frame* frame) {
      if (f != 5) return;
      frame->energy.kinetic = 1e6 * energy;
      frame->position[0].x() = 1e3 * position;
      frame->velocity[0].x() = 1e3 * velocity;
    });
  };
  const std::string a = record("a", 1.0, 1.0, 1.0);
  const std::string b = record("b", 1.0 + 1e-9, 1.0 + 1e-3, 1.0 + 1e-6);
  const DiffReport report = diff(a, b);
  EXPECT_THAT(paths_of(report),
              testing::ElementsAre("/trajectory/position", "/trajectory/velocity", "/energy/kinetic"));
  const double expected[] = {1e-3 / (1.0 + 1e-3), 1e-6 / (1.0 + 1e-6), 1e-9 / (1.0 + 1e-9)};
  for (std::size_t i = 0; i < 3; ++i)  // round-off of 1 + 1e-9
    EXPECT_NEAR(report.quantities[i].worst.value().over_scale, expected[i], 1e-15);
}

TEST(Diff, RoundingNoiseComesLast) {
  // A position differs by 1e-3. Velocities and slip velocities differ by nine tenths, but at the level of
  // rounding: in a dataset with others, and in one in which all are so small.
  const auto record = [](const std::string& name, double noise, double shift) {
    return record_run(name, [=](long f, Frame* frame) {
      frame->velocity[0].x() = noise;
      for (Vector3& slip : frame->contacts.slip_velocity) slip.setConstant(noise);
      if (f == 10) frame->position[1].y() += shift;
    });
  };
  const std::string a = record("a", 1e-18, 0.0), b = record("b", 1e-17, 1e-3);
  const DiffReport report = diff(a, b);
  ASSERT_EQ(report.quantities.size(), 3U);
  EXPECT_EQ(report.quantities[0].path, "/trajectory/position");
  EXPECT_EQ(report.worst.value().path, "/trajectory/position");
  EXPECT_EQ(report.worst->index, (std::vector<long>{10, 1, 1}));
  // The scale is the largest position, of any body at any time.
  double largest = 0.0;
  const ResultFile file(b);
  for (const double x : file.real("/trajectory/position")) largest = std::max(largest, std::abs(x));
  EXPECT_GE(report.worst->scale, largest);  // contact points have the same unit
  EXPECT_NEAR(report.worst->over_scale, 1e-3 / report.worst->scale, 1e-15);
  for (const std::size_t noise : {1U, 2U}) {
    EXPECT_NEAR(report.quantities[noise].largest_relative, 0.9, 1e-12);
    EXPECT_LT(report.quantities[noise].worst.value().over_scale, 1e-15);
    EXPECT_EQ(report.quantities[noise].worst->unit, "m/s");
  }
  // Bits that differ are a difference all the same.
  DiffOptions options;
  options.only = {"contact/slip_velocity"};
  EXPECT_FALSE(diff(a, b, options).equal);
}

TEST(Diff, TolerancesAreRelativeToTheLargerAndAbsolute) {
  const std::string a = record_run("a"), b = record_run("b", [](long f, Frame*frame) {
                                           if (f == 5) frame->energy.kinetic += 1e-9;
                                         });
  EXPECT_FALSE(diff(a, b).equal);
  EXPECT_TRUE(diff(a, b, tolerances(0.0, 2e-9)).equal);
  EXPECT_FALSE(diff(a, b, tolerances(0.0, 0.5e-9)).equal);
  EXPECT_TRUE(diff(a, b, tolerances(1e-6, 0.0)).equal);
}

TEST(Diff, NanEqualsNanAndNothingElse) {
  const auto spoil = [](long n, StepStatistics* step) {
    if (n == 7) step->condition = std::nan("");
  };
  const std::string a = record_run("a", {}, spoil), b = record_run("b", {}, spoil), c = record_run("c");
  const DiffOptions wide = naming("stats/step/condition", 1.0, 1e9);
  EXPECT_TRUE(diff(a, b, wide).equal);
  const DiffReport report = diff(a, c, wide);
  ASSERT_FALSE(report.equal);
  EXPECT_EQ(report.first->path, "/stats/step/condition");
  EXPECT_NEAR(report.first->time.value(), 0.007, 1e-15);
}

TEST(Diff, NanInOneFileDoesNotStandBeforeNumbers) {
  // The condition of every step is NaN in b, and from t = 0.2 s on a position is another number.
  const std::string a = record_run("a");
  const std::string b = record_run(
      "b",
      [](long f, Frame* frame) {
        if (f >= 20) frame->position[0].x() *= 1.0 + 1e-3;
      },
      [](long, StepStatistics* step) { step->condition = std::nan(""); });
  const DiffOptions options = naming("stats/step/condition");
  const DiffReport report = diff(a, b, options);
  ASSERT_TRUE(report.first && report.worst && report.first_nan);
  EXPECT_EQ(report.first->path, "/trajectory/position");
  EXPECT_NEAR(report.first->time.value(), 0.2, 1e-12);
  EXPECT_EQ(report.worst->path, "/trajectory/position");
  EXPECT_EQ(report.first_nan->path, "/stats/step/condition");
  EXPECT_NEAR(report.first_nan->time.value(), 0.001, 1e-15);
  ASSERT_EQ(report.quantities.size(), 2U);
  EXPECT_EQ(report.quantities[0].path, "/trajectory/position");
  EXPECT_EQ(report.quantities[0].count_nan, 0);
  EXPECT_EQ(report.quantities[1].path, "/stats/step/condition");
  EXPECT_EQ(report.quantities[1].count, 120);
  EXPECT_EQ(report.quantities[1].count_nan, 120);
  EXPECT_EQ(report.quantities[1].largest_relative, 0.0);
  const std::string text = diff_text(report, a, b, {});
  EXPECT_THAT(text, HasSubstr("NaN in one file alone, first: /stats/step/condition[0] at t = 0.001 s"));
  EXPECT_LT(text.find("first: /trajectory/position"), text.find("NaN in one file"));
  EXPECT_THAT(diff_json(report, a, b, {}), HasSubstr("\"nan_in_one\": 120"));
  // Beside NaN in one file, numbers of the same quantity are compared.
  const std::string c = record_run("c", {}, [](long n, StepStatistics* step) {
    if (n == 3) step->condition = std::nan("");
    if (n == 9) step->condition *= 2.0;
  });
  const DiffReport mixed = diff(a, c, options);
  EXPECT_EQ(mixed.quantities.at(0).count, 2);
  EXPECT_EQ(mixed.quantities.at(0).count_nan, 1);
  EXPECT_DOUBLE_EQ(mixed.quantities.at(0).largest_relative, 0.5);
  EXPECT_NEAR(mixed.first->time.value(), 0.009, 1e-15);
}

TEST(Diff, StatisticsAreComparedWhereTheyAreNamed) {
  const std::string a = record_run("a"), b = record_run("b", {}, [](long n, StepStatistics*step) {
                                           if (n != 50) return;
                                           step->iterations += 1, step->gliding_distance += 1.0;
                                           step->seconds.total += 1.0;
                                         });
  EXPECT_TRUE(diff(a, b).equal);
  DiffOptions options;
  options.only = {"stats", "/artefact/"};
  EXPECT_THAT(paths_of(diff(a, b, options)),
              testing::UnorderedElementsAre("/stats/step/iterations", "/artefact/gliding_distance"));
  options.only = {"stats/step/seconds_total"};  // timings by their full names alone
  EXPECT_THAT(paths_of(diff(a, b, options)), testing::ElementsAre("/stats/step/seconds_total"));
  EXPECT_THAT(paths_of(diff(a, b, naming("stats/step/iterations"))),
              testing::ElementsAre("/stats/step/iterations"));
  EXPECT_TRUE(diff(a, b, naming("stats/step/iterations", 0.0, 1.0)).equal);
}

TEST(Diff, OnlyIgnoreUntilAndTolerances) {
  const std::string a = record_run("a"), b = record_run("b", [](long f, Frame*frame) {
                                           if (f == 20) frame->position[1].x() += 1e-3;
                                           if (f == 30) frame->energy.kinetic += 1e-6;
                                           if (f == 30) frame->velocity[1].x() += 1e-6;
                                         });
  const auto found = [&](const DiffOptions& options) { return paths_of(diff(a, b, options)); };
  const auto is = [](const std::vector<std::string>& paths) {
    return testing::UnorderedElementsAreArray(paths);
  };
  const std::string position = "/trajectory/position", velocity = "/trajectory/velocity",
                    kinetic = "/energy/kinetic";
  EXPECT_THAT(found({}), is({position, velocity, kinetic}));
  DiffOptions options;
  options.only = {"trajectory"};
  EXPECT_THAT(found(options), is({position, velocity}));
  options.ignore = {"trajectory/position"};
  EXPECT_THAT(found(options), is({velocity}));
  options.ignore = {"trajectory", "contact"};
  EXPECT_THROW(found(options), InvalidResultError);  // nothing is left
  options = {};
  options.until = 0.2;
  EXPECT_THAT(found(options), is({position}));
  options.until = 0.195;
  EXPECT_THAT(found(options), is({}));
  options = {};
  options.tolerances = {{"trajectory", 1e-2, {}}, {"/trajectory/velocity", 1e-7, 0.0}};
  EXPECT_THAT(found(options), is({velocity, kinetic}));  // the longer name counts
  options.tolerances = {{"trajectory", 1e-2, {}}, {"energy", 0.0, 1e-2}};
  EXPECT_THAT(found(options), is({}));
  options.only = {"trajectroy"};
  try {
    found(options);
    FAIL();
  } catch (const InvalidResultError& error) {
    EXPECT_THAT(error.what(), HasSubstr("did you mean '/trajectory'?"));
  }
}

TEST(Diff, RowsAreMatchedByTime) {
  const auto rows = [](const MatchedRows& matched) {
    std::vector<std::pair<long, long>> pairs;
    for (const RowPair& row : matched.rows) pairs.emplace_back(row.a, row.b);
    return pairs;
  };
  using Rows = std::vector<std::pair<long, long>>;
  const MatchedRows some = match_times({0.0, 0.1, 0.2, 0.3}, {0.0, 0.15, 0.3 + 5e-10, 0.45});
  EXPECT_EQ(rows(some), (Rows{{0, 0}, {3, 2}}));
  EXPECT_FALSE(some.complete);
  const MatchedRows early = match_times({0.0, 0.1, 0.2}, {0.0, 0.1, 0.15}, 0.1);
  EXPECT_EQ(rows(early), (Rows{{0, 0}, {1, 1}}));
  EXPECT_TRUE(early.complete);
  EXPECT_TRUE(match_times({}, {}).complete);
  EXPECT_FALSE(match_times({0.0}, {}).complete);
}

TEST(Diff, ARunThatEndsEarlierIsAMismatch) {
  const std::string a = record_run("a"), b = record_run("b", {}, {}, 90);
  const DiffReport report = diff(a, b);
  EXPECT_FALSE(report.equal);
  EXPECT_THAT(report.mismatches,
              testing::ElementsAre("/trajectory: 41 rows against 31, 31 at common times; one "
                                   "ends at t = 0.4 s, the other at 0.3 s"));
  EXPECT_TRUE(report.quantities.empty());  // the common rows agree
  EXPECT_THAT(report.notes, testing::Contains(HasSubstr("/event")));
  DiffOptions options;
  options.until = 0.3;
  // Pairs of the last frame: all as in the other run. Steps up to there: 90 of them, as in the other run
  // (they are three a frame of 0.01 s, each 1 ms after the other).
  options.ignore = {"event"};
  EXPECT_TRUE(diff(a, b, options).equal);
}

TEST(Diff, ContactsAreComparedWhereTheSameTouch) {
  // In frame 21 one contact touches other bodies, or is not there.
  const std::string a = record_run("a");
  for (const bool fewer : {false, true}) {
    const std::string b = record_run("b", [fewer](long f, Frame* frame) {
      if (f == 21) frame->contacts.force[2].x() *= 2.0;
      if (f == 21 && fewer) frame->contacts.resize(frame->contacts.size() - 1);
      if (f == 21 && !fewer) frame->contacts.geometry_b[1] = 0;
      if (f == 22) frame->contacts.force[0].x() *= 4.0;
    });
    const DiffReport report = diff(a, b);
    EXPECT_FALSE(report.equal);
    // Frame 21 has 3 contacts, of ground with ball_0, ball_1 and link.
    EXPECT_THAT(
        report.mismatches,
        testing::ElementsAre("/contact: others in 1 of 41 frames, first at t = 0.21 s (3 rows against " +
                             std::string(fewer ? "2)" : "3)")));
    ASSERT_EQ(paths_of(report), std::vector<std::string>{"/contact/force"});
    EXPECT_EQ(report.quantities[0].count, fewer ? 1 : 2);
    EXPECT_DOUBLE_EQ(report.worst->relative, 0.75);
  }
}

TEST(Diff, AGroupThatOneFileLacksIsOneMismatch) {
  SyntheticRun run;
  run.options.patches = PatchOutput::kSummary;
  const std::string b = fresh_folder("summary_fewer") + "b.h5";
  {
    const auto recorder = run.create(b);
    run.record(recorder.get(), 0, 120);
    recorder->finish(RunStatus::kComplete, 0, "done", run.state(120), run.memory(120));
  }
  const std::string a = record_run("a", [](long, Frame*) {});
  DiffOptions options;
  options.ignore = {"pair"};  // record_run records none
  EXPECT_THAT(diff(a, b, options).mismatches,
              testing::ElementsAre("/patch/face: only in " + a, "/patch/polygon: only in " + a));
}

TEST(Diff, ContactsWithoutForceAreNoDifference) {
  // Offered in one step alone: the second contact of frame 21, of mode 0 in both files then.
  const auto idle = [](bool there) {
    return [there](long f, Frame* frame) {
      if (f != 21) return;
      for (int& mode : frame->contacts.mode) mode = 2;
      frame->contacts.mode[2] = there ? 0 : 2;
      if (!there) frame->contacts.resize(2);
    };
  };
  EXPECT_TRUE(diff(record_run("a", idle(true)), record_run("b", idle(false))).equal);
}

TEST(Info, PercentilesAreThoseOfTheNearestRank) {
  std::vector<double> values;
  for (int i = 200; i >= 1; --i) values.push_back(i);
  values.push_back(std::nan(""));
  const Percentiles p = percentiles(values);
  EXPECT_EQ(p.count, 200);
  EXPECT_EQ(p.min, 1);
  EXPECT_EQ(p.median, 100);
  EXPECT_EQ(p.p90, 180);
  EXPECT_EQ(p.p99, 198);
  EXPECT_EQ(p.max, 200);
  EXPECT_TRUE(std::isnan(percentiles({std::nan("")}).max));
}

TEST(Info, SaysWhatRanHowItEndedAndWhereTheTimeWent) {
  const std::string path = record_run("info", {}, [](long n, StepStatistics* step) {
    step->gliding_distance = n == 50 ? 0.25 : 0.0;
    step->residual = 1e-7, step->momentum_residual = n == 60 ? 3e-7 : 1e-7;
  });
  const RunInfo info = collect_info(ResultFile(path));
  EXPECT_EQ(info.scene_name, "synthetic");
  EXPECT_EQ(info.rows.steps, 120);
  EXPECT_EQ(info.solver.at("iterations").max, 3);
  EXPECT_EQ(info.status_counts[static_cast<int>(StepStatus::kNoContact)], 30);
  EXPECT_EQ(info.status_counts[static_cast<int>(StepStatus::kConverged)], 90);
  EXPECT_EQ(info.gliding_distance, 0.25);
  EXPECT_NEAR(info.gliding_time, 0.05, 1e-15);
  EXPECT_NEAR(info.momentum_disagreement, 2e-7, 1e-20);
  EXPECT_NEAR(info.total_seconds, 0.12, 1e-12);  // 120 steps of 1 ms
  EXPECT_NEAR(info.stages.at(0).seconds, 0.024, 1e-12);
  const std::string text = info_text(info, true);
  for (const char* part : {": complete, with 3 warnings\n", "120 steps, 41 frames",
                           "1000 steps/s, real-time factor 1", "0.25 m at t = 0.05 s"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
  const std::string json = info_json(info);
  EXPECT_THAT(json, HasSubstr("\"status\": \"complete\""));
  EXPECT_THAT(json, HasSubstr("\"gliding_distance\": 0.25"));
}

TEST(Info, TellsOfTransmittedImpacts) {
  // Three rounds in step 12, one in step 40.
  const std::string path = record_run("rounds", {}, [](long n, StepStatistics* step) {
    step->num_rounds = n == 12 ? 3 : n == 40 ? 1 : 0;
  });
  const RunInfo info = collect_info(ResultFile(path));
  EXPECT_EQ(info.solver.at("num_rounds").max, 3.0);
  EXPECT_THAT(info_text(info, true), testing::ContainsRegex("impacts transmitted +0 +0 +0 +1 +3\n"));
  EXPECT_THAT(info_json(info), testing::ContainsRegex("\"rounds\": \\{[^}]*\"max\": 3"));
  EXPECT_THAT(info_text(collect_info(ResultFile(record_run("calm"))), true),
              testing::Not(HasSubstr("impacts transmitted")));
}

// Rows of /warning, and events that ask for attention and have none: of a run that was killed, say.
TEST(Info, CountsWarningsOnce) {
  const SyntheticRun run;
  const std::string path = fresh_folder("warnings") + "run.h5";
  const std::string long_text(3000, 'x');
  {
    const auto recorder = run.create(path);
    recorder->record_warnings({{kSceneWarning, 0.0, "bodies.ball.pose: a slip"}});
    recorder->record_events(0.1, {{EventKind::kPassage, 0, 1, 1.0}, {EventKind::kFallback, 0, 1, 1.0}});
    recorder->record_events(0.2, {{EventKind::kFastSpin, 0, -1, 0.5}});
    recorder->record_warnings({{"fast spin", 0.2, long_text}});
    recorder->finish(RunStatus::kComplete, 0, "", run.state(0), run.memory(0));
  }
  const RunInfo info = collect_info(ResultFile(path));
  ASSERT_EQ(info.warnings.size(), 3U);
  EXPECT_EQ(info.warnings[0].text, "bodies.ball.pose: a slip");
  EXPECT_EQ(info.warnings[1].time, 0.2);
  EXPECT_THAT(info.warnings[1].text, testing::MatchesRegex("x+\\.\\."));
  EXPECT_GT(info.warnings[1].text.size(), 600U);
  EXPECT_THAT(info.warnings[2].text, testing::StartsWith("passage 1 time, first at t = 0.1 s: "));
  EXPECT_THAT(info_text(info, false), HasSubstr(": complete, with 3 warnings\n"));
}

TEST(Info, ListsEventsByKind) {
  const RunInfo info = collect_info(ResultFile(record_run("events")));
  ASSERT_TRUE(info.has_events);
  EventTotals expected;
  const SyntheticRun run;
  for (long n = 1; n <= info.rows.steps; ++n)
    for (const Event& event : SyntheticRun::events(n)) expected.add(event, run.step(n).time);
  ASSERT_EQ(info.events.size(), 3U);
  EXPECT_EQ(info.events[0].kind, "fast spin");  // the first is told first
  EXPECT_EQ(info.events[1].kind, "passage");
  EXPECT_EQ(info.events[2].kind, "inexact step");
  for (const RunInfo::EventLine& line : info.events) {
    const EventTotal& total = expected[*parse_event_kind(line.kind)];
    EXPECT_EQ(line.count, total.count);
    EXPECT_EQ(line.first_time, total.first_time);
    EXPECT_EQ(line.value, total.value);
  }
  EXPECT_THAT(info_text(info, true),
              testing::ContainsRegex("\n  passage +17 +0.007 s +34   " + info.events[1].subject_a + " with " +
                                     info.events[1].subject_b + "\n"));
  EXPECT_THAT(info_json(info),
              testing::ContainsRegex("\"passage\": \\{[^}]*\"count\": 17,[^}]*\"value\": 34"));
}

TEST(Info, RemarksABalanceErrorThatIsLargeBesideTheEnergyTurnedOver) {
  for (const double error : {-490.0, 490.0, 510.0, -510.0}) {
    const std::string path = record_run("balance", [&](long f, Frame* frame) {
      frame->energy = {};
      frame->energy.total = 300.0 - static_cast<double>(f);  // 40 J less at the end
      frame->energy.dissipated = 250.0 * static_cast<double>(f);
      frame->energy.turned_over = 1250.0 * static_cast<double>(f);  // 50 kJ at the end
      frame->energy.balance_error = f == 7 ? error : 0.0;
    });
    const std::string text = info_text(collect_info(ResultFile(path)), false);
    EXPECT_THAT(text, HasSubstr(error > 0.0 ? " J gained" : " J lost")) << error;
    EXPECT_EQ(text.find("a smaller step reduces it") != std::string::npos, std::abs(error) > 500.0) << error;
  }
}

TEST(Info, KilledRunWithoutStepsHasASummaryToo) {
  const SyntheticRun run;
  const std::string path = fresh_folder("info_killed") + "run.h5";
  { const auto recorder = run.create(path); }
  const std::string text = info_text(collect_info(ResultFile(path + ".part")), false);
  EXPECT_THAT(text, HasSubstr("running, or killed without an end"));
  EXPECT_THAT(text, HasSubstr("0 steps, 0 frames"));
}

}  // namespace
}  // namespace csim::test
