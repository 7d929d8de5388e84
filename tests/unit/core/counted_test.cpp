#include "core/counted.h"

#include <gtest/gtest.h>

namespace csim {
namespace {

TEST(CountedTest, OneAndMany) {
  EXPECT_EQ(counted(1, "frame"), "1 frame");
  EXPECT_EQ(counted(0, "frame"), "0 frames");
  EXPECT_EQ(counted(std::size_t{12}, "frame"), "12 frames");
  EXPECT_EQ(counted(1L, "body", "bodies"), "1 body");
  EXPECT_EQ(counted(-1L, "body", "bodies"), "-1 bodies");
}

}  // namespace
}  // namespace csim
