#include "core/number_format.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>

#include "core/seconds_text.h"

namespace csim {
namespace {

TEST(FormatNumber, IsShort) {
  EXPECT_EQ(format_number(0.1), "0.1");
  EXPECT_EQ(format_number(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(format_number(1.0), "1");
  EXPECT_EQ(format_number(-9.81), "-9.81");
  EXPECT_EQ(format_number(1e6), "1.0e+06");
  EXPECT_EQ(format_number(1.5e-7), "1.5e-07");
  EXPECT_EQ(format_number(0.0), "0");
  EXPECT_EQ(format_number(-0.0), "-0");
  EXPECT_EQ(format_number(std::numeric_limits<double>::infinity()), ".inf");
  EXPECT_EQ(format_number(-std::numeric_limits<double>::infinity()), "-.inf");
  EXPECT_EQ(format_number(std::numeric_limits<double>::quiet_NaN()), ".nan");
}

TEST(SecondsText, HasThreeDigitsAndNoExponentFromATenthOfAMillisecondOn) {
  EXPECT_EQ(seconds_text(0.00444288), "0.00444 s");
  EXPECT_EQ(seconds_text(0.0001), "0.0001 s");
  EXPECT_EQ(seconds_text(1.23456e-5), "1.23e-05 s");
  EXPECT_EQ(seconds_text(12.3456), "12.3 s");
  EXPECT_EQ(seconds_text(999.4), "999 s");
  EXPECT_EQ(seconds_text(999.6), "1000 s");
  EXPECT_EQ(seconds_text(4210.4), "4210 s");
  EXPECT_EQ(seconds_text(0.0), "0 s");
}

TEST(FormatNumber, ReadsBackToTheSameBits) {
  std::mt19937_64 generator(7);
  for (int i = 0; i < 20000; ++i) {
    const double value = std::bit_cast<double>(generator());
    if (value != value || value - value != 0.0) continue;  // NaN, infinity
    const double back = std::strtod(format_number(value).c_str(), nullptr);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(back), std::bit_cast<std::uint64_t>(value))
        << format_number(value);
  }
}

}  // namespace
}  // namespace csim
