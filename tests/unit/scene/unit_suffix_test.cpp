#include "scene/help/unit_suffix.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace csim {
namespace {

TEST(UnitSuffix, OfTheKeysUnitIsLeftOut) {
  EXPECT_EQ(number_in_unit("2kg", "kg"), "2");
  EXPECT_EQ(number_in_unit("+1e5 N/m", "N/m"), "1.0e+05");
  EXPECT_EQ(number_in_unit("-9.81 m/s^2", "m/s^2"), "-9.81");
}

TEST(UnitSuffix, OthersAreConverted) {
  EXPECT_EQ(number_in_unit("10 cm", "m"), "0.1");
  EXPECT_EQ(number_in_unit("100mm", "m"), "0.1");
  EXPECT_EQ(number_in_unit("3 µs", "s"), "3.0e-06");
  EXPECT_EQ(number_in_unit("500 g", "kg"), "0.5");
  EXPECT_EQ(number_in_unit("10 MPa", "Pa"), "1.0e+07");
  EXPECT_EQ(number_in_unit("5 N/mm", "N/m"), "5000");
  EXPECT_EQ(number_in_unit("36 km/h", "m/s"), "10");
  EXPECT_EQ(number_in_unit("45°", "degrees"), "45");
  EXPECT_NEAR(std::stod(number_in_unit("45 deg", "rad")), std::numbers::pi / 4.0, 1e-15);
  EXPECT_NEAR(std::stod(number_in_unit("60 rpm", "rad/s")), 2.0 * std::numbers::pi, 1e-15);
  EXPECT_EQ(number_in_unit("50 %", ""), "0.5");
}

TEST(UnitSuffix, ACommaIsADecimalPoint) {
  EXPECT_EQ(number_in_unit("0,5", ""), "0.5");
  EXPECT_EQ(number_in_unit("2,5 cm", "m"), "0.025");
}

TEST(UnitSuffix, WhatIsNotKnownIsNotGuessed) {
  for (const char* text : {"", "1", "010", "cm", "a 1", "1,2,3", "1 inch", "1 kg", "inf", "nan m", "1 m m"})
    EXPECT_EQ(number_in_unit(text, "m"), "") << text;
  EXPECT_EQ(number_in_unit("1 m", ""), "");
  EXPECT_EQ(number_in_unit("1 ms", "kg"), "");
}

}  // namespace
}  // namespace csim
