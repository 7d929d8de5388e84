// Measures: rows of a result to a number.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "study/measure.h"
#include "unit/record/synthetic_run.h"

namespace csim::test {
namespace {

using testing::HasSubstr;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr long kFrames = 21;

/// A recorded run in which `change` may spoil frames.
std::string record_run(const std::string& name, const std::function<void(long, Frame*)>& change = {}) {
  const SyntheticRun run;
  const std::string path = fresh_folder("measure_" + name) + name + ".h5";
  const auto recorder = run.create(path);
  for (long f = 0; f < kFrames; ++f) {
    for (long n = (f - 1) * SyntheticRun::kStepsPerFrame + 1; n <= f * SyntheticRun::kStepsPerFrame; ++n) {
      if (n < 1) continue;
      recorder->record_events(run.step(n).time, SyntheticRun::events(n));
      recorder->record_pairs(SyntheticRun::pairs(n));
      recorder->record_step(run.step(n));
    }
    Frame frame = run.frame(f);
    if (change) change(f, &frame);
    recorder->record_frame(frame);
  }
  recorder->finish(RunStatus::kComplete, 0, "", run.state(60), run.memory(60));
  return path;
}

MeasureSpec of_item(const std::string& dataset, const std::string& item, const std::string& component,
                    Reduction reduce) {
  MeasureSpec spec;
  spec.dataset = dataset, spec.item = item, spec.component = component, spec.reduce = reduce;
  return spec;
}

MeasureSpec of_pair(const std::string& dataset, const std::string& a, const std::string& b,
                    const std::string& component, Reduction reduce) {
  MeasureSpec spec;
  spec.dataset = dataset, spec.pair = {a, b}, spec.component = component, spec.reduce = reduce;
  return spec;
}

// t 0 1 2 4 s, a polygon through 1 -3 2 2.
TEST(Reduction, OfAPolygon) {
  Curve curve;
  curve.time = {0.0, 1.0, 2.0, 4.0};
  curve.values = {1.0, -3.0, 2.0, 2.0};
  curve.count = 7;
  const auto reduced = [&](const char* word, double argument = 0.0) {
    return reduce_curve(curve, find_reduction(word).value(), argument);
  };
  EXPECT_EQ(reduced("final"), 2.0);
  EXPECT_EQ(reduced("initial"), 1.0);
  EXPECT_EQ(reduced("max"), 2.0);
  EXPECT_EQ(reduced("min"), -3.0);
  EXPECT_EQ(reduced("max_abs"), 3.0);
  EXPECT_EQ(reduced("mean"), 0.5);
  EXPECT_DOUBLE_EQ(reduced("rms"), std::sqrt(18.0 / 4.0));
  EXPECT_DOUBLE_EQ(reduced("integral"), -1.0 - 0.5 + 4.0);
  EXPECT_EQ(reduced("range"), 5.0);
  EXPECT_EQ(reduced("count"), 7.0);
  EXPECT_DOUBLE_EQ(reduced("crossing", 0.0), 0.25);
  EXPECT_DOUBLE_EQ(reduced("crossing", 1.0), 0.0);  // a row that hits it
  EXPECT_DOUBLE_EQ(reduced("crossing", 1.5), 1.9);  // on the way up
  EXPECT_TRUE(std::isnan(reduced("crossing", 2.5)));
  EXPECT_DOUBLE_EQ(reduced("at", 1.5), -0.5);
  EXPECT_DOUBLE_EQ(reduced("at", 3.0), 2.0);
  EXPECT_EQ(reduced("at", 4.0 + 5e-10), 2.0);
  EXPECT_TRUE(std::isnan(reduced("at", 4.1)));
  EXPECT_TRUE(std::isnan(reduced("at", -0.1)));
}

TEST(Reduction, WithoutRowsAndWithNan) {
  Curve none;
  Curve spoilt;
  spoilt.time = {0.0, 1.0, 2.0};
  spoilt.values = {1.0, kNan, 3.0};
  for (const std::string& word : reduction_names()) {
    const Reduction reduction = *find_reduction(word);
    if (reduction == Reduction::kDifference || reduction == Reduction::kCount) continue;
    EXPECT_TRUE(std::isnan(reduce_curve(none, reduction, 0.5))) << word;
    const bool at_end = reduction == Reduction::kFinal || reduction == Reduction::kInitial;
    EXPECT_EQ(std::isnan(reduce_curve(spoilt, reduction, 0.5)), !at_end) << word;
  }
  EXPECT_EQ(reduce_curve(none, Reduction::kCount, 0.0), 0.0);
}

TEST(Reduction, DifferenceIsTheRmsOfDistances) {
  Curve a, b;
  a.width = b.width = 3;
  a.time = {0.0, 1.0};
  b.time = {0.0, 1.0 + 5e-10};
  a.values = {0, 0, 0, 1, 1, 1};
  b.values = {3, 4, 0, 1, 1, 2};
  EXPECT_DOUBLE_EQ(curve_difference(a, b), std::sqrt((25.0 + 1.0) / 2.0));
  b.time[1] = 1.0 + 2e-9;
  EXPECT_TRUE(std::isnan(curve_difference(a, b)));
  EXPECT_TRUE(std::isnan(curve_difference(a, Curve{})));
  EXPECT_TRUE(std::isnan(curve_difference(Curve{}, Curve{})));
}

TEST(Reduction, DifferenceOfQuaternionsIsTheAngle) {
  const Vector3 axis = Vector3(1, -2, 0.5).normalized();
  const Quaternion start(Eigen::AngleAxisd(0.7, Vector3(0.3, 1, 1).normalized()));
  for (const double angle : {1e-9, 0.3, 3.0}) {
    const Quaternion turned = start * Quaternion(Eigen::AngleAxisd(angle, axis));
    Curve a, b;
    a.width = b.width = 4;
    a.is_quaternion = b.is_quaternion = true;
    a.time = b.time = {0.0};
    a.values = {start.w(), start.x(), start.y(), start.z()};
    for (const double sign : {1.0, -1.0}) {  // q and -q are one rotation
      b.values = {sign * turned.w(), sign * turned.x(), sign * turned.y(), sign * turned.z()};
      EXPECT_NEAR(curve_difference(a, b), angle, 1e-15 + 4e-16 * angle)
          << angle;  // round-off of the products
    }
  }
}

TEST(Measure, TakesTheColumnsOfAnItem) {
  const ResultFile result(record_run("items"));
  const SyntheticRun run;
  const Frame last = run.frame(kFrames - 1);
  EXPECT_EQ(evaluate_measure(of_item("trajectory/position", "ball_1", "y", Reduction::kFinal), result),
            last.position[2].y());
  EXPECT_EQ(evaluate_measure(of_item("/trajectory/position", "ball_1", "1", Reduction::kFinal), result),
            last.position[2].y());
  EXPECT_DOUBLE_EQ(
      evaluate_measure(of_item("trajectory/velocity", "ball_0", "norm", Reduction::kFinal), result),
      last.velocity[1].norm());
  EXPECT_EQ(evaluate_measure(of_item("trajectory/quaternion", "ball_0", "w", Reduction::kFinal), result),
            last.quaternion[1].w());
  // q: none of the ground, 7 of each ball, 1 of the link, 4 of the hand.
  EXPECT_EQ(evaluate_measure(of_item("trajectory/q", "ball_1", "3", Reduction::kFinal), result),
            last.q[7 + 3]);
  EXPECT_EQ(evaluate_measure(of_item("joint/position", "shoulder", "", Reduction::kFinal), result),
            last.joint_position[0]);
  EXPECT_EQ(evaluate_measure(of_item("joint/position", "wrist", "w", Reduction::kFinal), result),
            last.joint_position[1]);
  EXPECT_EQ(evaluate_measure(of_item("joint/effort", "wrist", "z", Reduction::kFinal), result),
            last.joint_effort[3]);
  EXPECT_EQ(evaluate_measure(of_item("energy/total", "", "", Reduction::kFinal), result), last.energy.total);
  EXPECT_EQ(evaluate_measure(of_item("stats/step/iterations", "", "", Reduction::kMax), result), 3.0);
  EXPECT_EQ(evaluate_measure(of_item("stats/step/iterations", "", "", Reduction::kCount), result), 60.0);
}

TEST(Measure, WindowIncludesItsEnds) {
  const ResultFile result(record_run("window"));
  const SyntheticRun run;
  MeasureSpec spec = of_item("energy/kinetic", "", "", Reduction::kMean);
  spec.window = {0.05 + 5e-10, 0.07 - 5e-10};  // frames 5, 6, 7
  const double mean =
      (run.frame(5).energy.kinetic + run.frame(6).energy.kinetic + run.frame(7).energy.kinetic) / 3.0;
  EXPECT_DOUBLE_EQ(evaluate_measure(spec, result), mean);
  spec.window = {0.051, 0.059};
  EXPECT_TRUE(std::isnan(evaluate_measure(spec, result)));
}

TEST(Measure, AddsTheContactsOfAPair) {
  const ResultFile result(record_run("pair"));
  const SyntheticRun run;
  std::vector<double> force, smallest, slip;
  double contacts = 0.0;
  for (long f = 0; f < kFrames; ++f) {
    const ContactRows rows = run.frame(f).contacts;
    double sum = 0.0, phi = std::numeric_limits<double>::infinity(), fastest = -1.0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows.geometry_b[i] != 1) continue;  // ball_0
      sum += rows.force[i].x();
      phi = std::min(phi, rows.phi[i]);
      fastest = std::max(fastest, rows.slip_velocity[i].norm());
      ++contacts;
    }
    force.push_back(sum);
    if (std::isfinite(phi)) smallest.push_back(phi), slip.push_back(fastest);
  }
  ASSERT_EQ(smallest.size(), 16u);  // four of five frames, frame 0 has none
  const auto pair = [&](const std::string& dataset, const std::string& component, Reduction reduce) {
    return evaluate_measure(of_pair("contact/" + dataset, "ground", "ball_0", component, reduce), result);
  };
  const auto mean = [](const std::vector<double>& values) {
    double sum = 0.0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
  };
  EXPECT_NEAR(pair("force", "x", Reduction::kMean), mean(force), 1e-15);
  EXPECT_NEAR(pair("phi", "", Reduction::kMean), mean(smallest), 1e-15);
  EXPECT_NEAR(pair("slip_velocity", "norm", Reduction::kMean), mean(slip), 1e-15);
  EXPECT_EQ(pair("normal_force", "", Reduction::kCount), contacts);
  EXPECT_EQ(pair("normal_force", "", Reduction::kMin), 0.0);  // of a frame without contact
  // The other order turns vectors alone; body/geometry is the same here.
  const auto turned = [&](const std::string& dataset, const std::string& component, Reduction reduce) {
    return evaluate_measure(of_pair("contact/" + dataset, "ball_0/shell", "ground", component, reduce),
                            result);
  };
  EXPECT_NEAR(turned("force", "x", Reduction::kMean), -mean(force), 1e-15);
  EXPECT_EQ(turned("normal", "z", Reduction::kMax), -1.0);
  EXPECT_EQ(turned("normal_force", "", Reduction::kMax), pair("normal_force", "", Reduction::kMax));
  EXPECT_NEAR(turned("phi", "", Reduction::kMean), mean(smallest), 1e-15);
}

TEST(Measure, MovesMomentsToTheFirstCentroid) {
  const Vector3 c0(1, 2, 3), c1(-1, 0.5, 4), f0(3, 1, 2), f1(-1, 5, 0.25), m0(0.1, 0.2, 0.3), m1(1, -1, 2);
  const ResultFile result(record_run("moments", [&](long f, Frame* frame) {
    if (f != 2) return;  // two patches
    PatchRows& rows = frame->patches;
    ASSERT_EQ(rows.size(), 2u);
    rows.geometry_b[0] = rows.geometry_b[1] = 1;
    rows.centroid[0] = c0, rows.centroid[1] = c1;
    rows.force[0] = rows.elastic_force[0] = f0, rows.force[1] = f1, rows.elastic_force[1] = 2.0 * f1;
    rows.moment[0] = rows.elastic_moment[0] = m0, rows.moment[1] = rows.elastic_moment[1] = m1;
  }));
  const Vector3 moment = m0 + m1 + (c1 - c0).cross(f1), elastic = m0 + m1 + (c1 - c0).cross(2.0 * f1);
  for (int i = 0; i < 3; ++i) {
    const auto at = [&](const std::string& dataset, const std::string& a, const std::string& b) {
      MeasureSpec spec = of_pair(dataset, a, b, std::to_string(i), Reduction::kAt);
      spec.argument = 0.02;
      return evaluate_measure(spec, result);
    };
    EXPECT_NEAR(at("patch/moment", "ground", "ball_0"), moment[i], 1e-14);
    EXPECT_NEAR(at("patch/moment", "ball_0", "ground"), -moment[i], 1e-14);
    EXPECT_NEAR(at("patch/elastic_moment", "ground", "ball_0"), elastic[i], 1e-14);
  }
}

TEST(Measure, TakesRowsOfPairsOfBodies) {
  const ResultFile result(record_run("bodies"));
  // The first frames' steps are 1 to 3: impulses on ball_0 in step 2, on ball_1 in steps 1 and 3.
  MeasureSpec spec = of_pair("pair/impulse", "ground", "ball_1", "z", Reduction::kInitial);
  EXPECT_DOUBLE_EQ(evaluate_measure(spec, result), -4.0);
  spec.pair = {"ball_1", "ground"};
  EXPECT_DOUBLE_EQ(evaluate_measure(spec, result), 4.0);
  const Curve curve = read_curve(spec, result);
  EXPECT_EQ(curve.time.size(), static_cast<std::size_t>(kFrames - 1));  // row 0 has none, and is left out
}

TEST(Measure, DifferenceToAReference) {
  const double shift = 0.25;
  const ResultFile a(record_run("a")), b(record_run("b", [&](long f, Frame*frame) {
    if (f % 2 == 0) frame->position[1] += shift * Vector3(0, 0.6, 0.8);
  }));
  const MeasureSpec spec = of_item("trajectory/position", "ball_0", "", Reduction::kDifference);
  EXPECT_NEAR(evaluate_measure(spec, a, &b), shift * std::sqrt(11.0 / 21.0), 1e-15);
  EXPECT_EQ(evaluate_measure(spec, a, &a), 0.0);
  EXPECT_TRUE(std::isnan(evaluate_measure(spec, a)));
  EXPECT_EQ(measure_unit(spec, layout_of(a)), "m");
  EXPECT_EQ(
      measure_unit(of_item("trajectory/quaternion", "ball_0", "", Reduction::kDifference), layout_of(a)),
      "rad");
}

TEST(Measure, Units) {
  const ResultLayout layout = layout_of(ResultFile(record_run("units")));
  const auto unit = [&](const std::string& dataset, Reduction reduce) {
    return measure_unit(of_item(dataset, "", "", reduce), layout);
  };
  EXPECT_EQ(unit("energy/total", Reduction::kMax), "J");
  EXPECT_EQ(unit("energy/total", Reduction::kIntegral), "J s");
  EXPECT_EQ(unit("energy/total", Reduction::kCrossing), "s");
  EXPECT_EQ(unit("energy/total", Reduction::kCount), "1");
  EXPECT_EQ(measure_unit(of_item("trajectory/q", "ball_0", "5", Reduction::kMax), layout), "m");
}

TEST(Measure, FaultsNameTheirPart) {
  const ResultFile result(record_run("faults"));
  const ResultLayout layout = layout_of(result);
  const auto fault = [&](const MeasureSpec& spec) {
    const std::optional<MeasureFault> found = check_measure(spec, layout);
    return found ? found->part + ": " + found->message : "";
  };
  const Reduction max = Reduction::kMax;
  EXPECT_EQ(fault(of_item("energy/total", "", "", max)), "");
  EXPECT_THAT(fault(of_item("energy/totl", "", "", max)), HasSubstr("did you mean 'energy/total'?"));
  EXPECT_THAT(fault(of_item("event/kind", "", "", max)), HasSubstr("dataset: 'event/kind' holds text"));
  EXPECT_THAT(fault(of_item("patch/face/area", "", "", max)), HasSubstr("dataset: "));
  EXPECT_THAT(fault(of_item("contact/row_offset", "", "", max)), HasSubstr("dataset: "));
  EXPECT_THAT(fault(of_item("trajectory/position", "", "x", max)), HasSubstr("item: missing"));
  EXPECT_THAT(fault(of_item("trajectory/position", "ball_2", "x", max)), HasSubstr("item: 'ball_2'"));
  EXPECT_THAT(fault(of_item("trajectory/q", "ground", "", max)), HasSubstr("item: 'ground' has no columns"));
  EXPECT_THAT(fault(of_item("energy/total", "ball_0", "", max)), HasSubstr("item: 'ball_0'"));
  EXPECT_THAT(fault(of_item("trajectory/position", "ball_0", "", max)), HasSubstr("component: missing"));
  EXPECT_THAT(fault(of_item("trajectory/position", "ball_0", "w", max)),
              HasSubstr("component: 'w', expected x, y, z, norm or an index from 0 to 2"));
  EXPECT_THAT(fault(of_item("trajectory/position", "ball_0", "3", max)), HasSubstr("component: '3'"));
  EXPECT_THAT(fault(of_item("trajectory/q", "ball_0", "norm", max)), HasSubstr("several units"));
  EXPECT_THAT(fault(of_item("contact/phi", "", "", max)), HasSubstr("pair: missing"));
  EXPECT_THAT(fault(of_pair("energy/total", "ground", "ball_0", "", max)), HasSubstr("pair: "));
  EXPECT_THAT(fault(of_pair("contact/phi", "ground", "bal_0", "", max)), HasSubstr("did you mean 'ball_0'?"));
  EXPECT_THAT(fault(of_pair("contact/phi", "ball_0", "ball_0/shell", "", max)), HasSubstr("are not two"));
  EXPECT_THAT(fault(of_pair("pair/contact_time", "ground", "ball_0/shell", "", max)),
              HasSubstr("expected a body of"));
  MeasureSpec window = of_item("energy/total", "", "", max);
  window.window = {2.0, 1.0};
  EXPECT_THAT(fault(window), HasSubstr("window: [2, 1]"));
  EXPECT_THROW((void)evaluate_measure(window, result), InvalidResultError);
}

TEST(ResultLayout, OfASceneIsThatOfItsResult) {
  SyntheticRun run;
  run.scene.output.iterations = run.options.iterations;
  run.scene.output.patches = run.options.patches;
  const ResultLayout scene = layout_of(run.scene, run.model),
                     file = layout_of(ResultFile(record_run("layout")));
  EXPECT_EQ(scene.geometries, file.geometries);
  EXPECT_EQ(scene.geometry_body, file.geometry_body);
  for (const ColumnOwners ResultLayout::*owners :
       {&ResultLayout::body_q, &ResultLayout::body_v, &ResultLayout::joint_q, &ResultLayout::joint_v,
        &ResultLayout::actuators, &ResultLayout::constraints}) {
    EXPECT_EQ((scene.*owners).names, (file.*owners).names);
    EXPECT_EQ((scene.*owners).offsets, (file.*owners).offsets);
  }
  ASSERT_EQ(scene.columns.size(), file.columns.size());
  for (const auto& [path, column] : scene.columns) {
    ASSERT_TRUE(file.columns.contains(path)) << path;
    const ResultLayout::Column& other = file.columns.at(path);
    EXPECT_EQ(column.table, other.table) << path;
    EXPECT_EQ(column.row_shape, other.row_shape) << path;
    EXPECT_EQ(column.units, other.units) << path;
    EXPECT_EQ(column.is_text, other.is_text) << path;
  }
}

}  // namespace
}  // namespace csim::test
