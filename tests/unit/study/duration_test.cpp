#include "study/duration.h"

#include <gtest/gtest.h>

namespace csim {
namespace {

TEST(Duration, IsReadInSeconds) {
  EXPECT_EQ(parse_duration("90"), 90.0);
  EXPECT_EQ(parse_duration("0.5"), 0.5);
  EXPECT_EQ(parse_duration("90s"), 90.0);
  EXPECT_EQ(parse_duration("1.5m"), 90.0);
  EXPECT_EQ(parse_duration("1h30m5s"), 5405.0);
  EXPECT_EQ(parse_duration("2d"), 172800.0);
  for (const char* text : {"", "s", "0", "0s", "-3", "-3s", "1m1h", "1m1m", "1m30", "30 s", "1x", "inf",
                           "nan", "1e3s", "00:10:00"})
    EXPECT_FALSE(parse_duration(text)) << text;
}

}  // namespace
}  // namespace csim
