// The colour map of pressures is perceptually uniform; the colour bar.
#include "view/color_map.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/types.h"

namespace csim {
namespace {

/// sRGB to Oklab, with the matrices of that direction (Ottosson 2020).
Vector3 oklab(const Rgb8& color) {
  Vector3 linear;
  for (int k = 0; k < 3; ++k) {
    const double x = color[k] / 255.0;
    linear[k] = x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
  }
  Matrix3 to_cones, to_lab;
  to_cones << 0.4122214708, 0.5363325363, 0.0514459929, 0.2119034982, 0.6806995451, 0.1073969566,
      0.0883024619, 0.2817188376, 0.6299787005;
  to_lab << 0.2104542553, 0.7936177850, -0.0040720468, 1.9779984951, -2.4285922050, 0.4505937099,
      0.0259040371, 0.7827717662, -0.8086757660;
  return to_lab * (to_cones * linear).unaryExpr([](double x) { return std::cbrt(x); });
}

TEST(ColorMapTest, StepsAreEquallyFarApartAndGrowLighter) {
  // Steps of 15 colours: 8-bit channels move one by less than a twentieth; a bend shortens the chord.
  constexpr int kStep = 15;
  double mean = 0.0;
  std::vector<double> steps;
  for (int i = 0; i + kStep < 256; i += kStep) {
    const Vector3 a = oklab(color_map()[i]), b = oklab(color_map()[i + kStep]);
    EXPECT_GT(b.x(), a.x() + 0.02) << i;
    steps.push_back((b - a).norm());
    mean += steps.back() / 17.0;
  }
  ASSERT_EQ(steps.size(), 17U);
  for (const double step : steps) EXPECT_NEAR(step, mean, 0.12 * mean);
}

TEST(ColorMapTest, PressuresBeyondTakeTheEnds) {
  EXPECT_EQ(color_index(-3.0, 10.0), 0);
  EXPECT_EQ(color_index(0.0, 10.0), 0);
  EXPECT_EQ(color_index(5.0, 10.0), 128);
  EXPECT_EQ(color_index(10.0, 10.0), 255);
  EXPECT_EQ(color_index(11.0, 10.0), 255);
}

std::string labels(const ColorBar& bar) {
  std::string all;
  for (const ColorBar::Tick& tick : bar.ticks) all += tick.label + " ";
  return all + bar.unit + (bar.beyond.empty() ? "" : ", " + bar.beyond);
}

TEST(ColorBarTest, TicksAreRoundAndHaveAPrefix) {
  EXPECT_EQ(labels(make_color_bar({127.0, 127.0})), "0 20 40 60 80 100 120 140 Pa");
  EXPECT_EQ(labels(make_color_bar({10599.0, 10599.0})), "0 2 4 6 8 10 12 kPa");
  EXPECT_EQ(labels(make_color_bar({179.4, 8.7154e6})),
            "0 20 40 60 80 100 120 140 160 180 Pa, up to 8.72 MPa");
  EXPECT_EQ(labels(make_color_bar({2e9, 2e9})), "0 0.5 1 1.5 2 GPa");
  EXPECT_EQ(labels(make_color_bar({0.04, 0.04})), "0 10 20 30 40 mPa");
  EXPECT_EQ(labels(make_color_bar({3.2e-5, 3.2e-5})), "0 5 10 15 20 25 30 35 \u00b5Pa");
}

TEST(ColorBarTest, TheTopIsTheLastTick) {
  for (const double top : {0.9, 1.0, 1.1, 3.99, 4.0, 4.01, 7e5}) {
    const ColorBar bar = make_color_bar({top, top});
    EXPECT_GE(bar.top, top * (1.0 - 1e-9));
    EXPECT_LE(bar.top, 1.25 * top * (1.0 + 1e-9));  // a step is at most a quarter of it
    EXPECT_EQ(bar.ticks.front().at, 0.0);
    EXPECT_EQ(bar.ticks.back().at, 1.0);
    EXPECT_GE(bar.ticks.size(), 5U);
    EXPECT_LE(bar.ticks.size(), 11U);
  }
}

}  // namespace
}  // namespace csim
