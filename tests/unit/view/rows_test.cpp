// Selection of frames and curve points.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "view/frame_at.h"
#include "view/view_scene.h"

namespace csim {
namespace {

std::vector<double> times(int count, double step) {
  std::vector<double> all;
  for (int i = 0; i < count; ++i) all.push_back(step * i);
  return all;
}

TEST(RowsTest, EvenlySpaced) {
  const std::vector<double> all = times(1001, 0.01);
  const std::vector<long> rows = choose_rows(all, {.fps = 30.0});
  // Every fourth: the least whole number of rows that takes 1/30 s.
  ASSERT_EQ(rows.size(), 251U);
  for (std::size_t k = 0; k < rows.size(); ++k) EXPECT_EQ(rows[k], static_cast<long>(4 * k));
  // 1/20 s are five rows, although 0.05 is no sum of hundredths to the bit.
  EXPECT_EQ(choose_rows(all, {.fps = 20.0}).size(), 201U);
}

TEST(RowsTest, ThoseBesideThePicturesOfAFilm) {
  // Pictures at 0, 0.25, 0.5, 0.75, 1: a row there or the two around.
  EXPECT_EQ(choose_rows(times(11, 0.1), {.film_step = 0.25}), (std::vector<long>{0, 2, 3, 5, 7, 8, 10}));
  EXPECT_EQ(choose_rows(times(11, 0.1), {.from = 0.2, .to = 0.5, .film_step = 0.25}),
            (std::vector<long>{2, 4, 5}));
  EXPECT_EQ(choose_rows({0.0}, {.film_step = 0.25}), std::vector<long>{0});
  EXPECT_EQ(film_times(0.2, 0.8, 0.3), (std::vector<double>{0.2, 0.5, 0.8}));
  // 1/30 s is no sum of steps to the bit: 2 s have 61 pictures all the same.
  EXPECT_EQ(film_times(0.0, 2.0, 1.0 / 30.0).size(), 61U);
}

TEST(RowsTest, BetweenFramesPosesAreInterpolated) {
  ViewScene scene;
  const Vector3 axis = Vector3(1.0, 2.0, -1.0).normalized();
  const auto pose = [&](double angle, double x) {
    return RigidTransform(Quaternion(Eigen::AngleAxisd(angle, axis)), Vector3(x, 0.0, 0.0));
  };
  const ViewContact contact{{}, {0.0, 0.0, 1.0}, 0, 0, false};
  scene.frames = {{1.0, {pose(0.2, 0.0)}, {}}, {2.0, {pose(1.0, 4.0)}, {contact}}};
  const ViewFrame frame = frame_at(scene, 1.25);
  // A constant turn about one axis: a quarter of the angle.
  EXPECT_LT((frame.X_WB[0].R - pose(0.4, 0.0).R).norm(), 1e-14);
  EXPECT_DOUBLE_EQ(frame.X_WB[0].p.x(), 1.0);
  EXPECT_EQ(frame.time, 1.25);
  EXPECT_TRUE(frame.contacts.empty());
  EXPECT_EQ(frame_at(scene, 1.75).contacts.size(), 1U);
  EXPECT_EQ(frame_at(scene, 0.0).X_WB[0].p.x(), 0.0);
  EXPECT_EQ(frame_at(scene, 9.0).X_WB[0].p.x(), 4.0);
}

TEST(RowsTest, AllRowsWhenThereAreFewer) {
  EXPECT_EQ(choose_rows(times(21, 0.05), {.fps = 30.0}).size(), 21U);
  EXPECT_EQ(choose_rows(times(21, 0.05), {.fps = 1e30}).size(), 21U);
  // As many as a page shows at once are shown, however near.
  EXPECT_EQ(choose_rows(times(301, 0.001), {}).size(), 301U);
  EXPECT_EQ(choose_rows(times(302, 0.001), {}).size(), 10U);
  EXPECT_EQ(choose_rows({0.0}, {}), std::vector<long>{0});
  EXPECT_TRUE(choose_rows({}, {}).empty());
}

TEST(RowsTest, BoundsAreInclusive) {
  const std::vector<double> all = times(101, 0.1);
  const std::vector<long> rows = choose_rows(all, {.fps = 1000.0, .from = 0.3, .to = 0.7});
  EXPECT_EQ(rows, (std::vector<long>{3, 4, 5, 6, 7}));
  EXPECT_TRUE(choose_rows(all, {.from = 11.0}).empty());
  EXPECT_TRUE(choose_rows(all, {.from = 0.5, .to = 0.4}).empty());
  EXPECT_TRUE(choose_rows(all, {.from = 0.51, .to = 0.59}).empty());
}

TEST(RowsTest, TheLastRowAndTheStillAreThereOnce) {
  const std::vector<double> all = times(100, 0.01);
  const std::vector<long> rows = choose_rows(all, {.fps = 3.0, .still = 0.5});
  EXPECT_EQ(rows, (std::vector<long>{0, 34, 50, 68, 99}));
}

TEST(EnvelopeTest, KeepsExtremesAndOrder) {
  ViewCurve curve;
  for (int i = 0; i < 10000; ++i) {
    curve.time.push_back(0.001 * i);
    curve.value.push_back(std::sin(0.1 * i));
  }
  curve.value[4321] = 50.0;
  curve.value[8765] = -70.0;
  const ViewCurve thin = envelope(curve, 500);
  EXPECT_LE(thin.value.size(), 500U);
  EXPECT_EQ(*std::max_element(thin.value.begin(), thin.value.end()), 50.0);
  EXPECT_EQ(*std::min_element(thin.value.begin(), thin.value.end()), -70.0);
  EXPECT_TRUE(std::is_sorted(thin.time.begin(), thin.time.end()));
  // Every point is one of the curve.
  for (std::size_t i = 0; i < thin.value.size(); ++i) {
    const auto row = static_cast<std::size_t>(std::lround(thin.time[i] / 0.001));
    EXPECT_EQ(thin.value[i], curve.value[row]);
  }
}

TEST(EnvelopeTest, DropsWhatIsNoNumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const ViewCurve thin = envelope({"", {0, 1, 2, 3}, {nan, 5.0, INFINITY, 6.0}}, 100);
  EXPECT_EQ(thin.time, (std::vector<double>{1, 3}));
  EXPECT_EQ(thin.value, (std::vector<double>{5, 6}));
}

}  // namespace
}  // namespace csim
