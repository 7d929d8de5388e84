// Rows that are exported: Python's slices.
#include "export/frame_range.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace csim {
namespace {

using Rows = std::vector<long>;

/// A slice by its definition: row r stands for itself, for r - n counted from the end; it is in when it is
/// not before the first bound, before the second, and a multiple of the step from the first row that is in.
Rows slice(const FrameRange& range, long n) {
  const auto resolved = [n](long bound) { return bound < 0 ? bound + n : bound; };
  Rows rows;
  for (long r = 0; r < n; ++r) {
    if (range.begin && r < resolved(*range.begin)) continue;
    if (range.end && r >= resolved(*range.end)) continue;
    if (rows.empty() || (r - rows.front()) % range.step == 0) rows.push_back(r);
  }
  return rows;
}

TEST(FrameRangeTest, RowsAreThoseOfASlice) {
  for (long n = 0; n <= 6; ++n) {
    for (long begin = -9; begin <= 9; ++begin) {
      for (long end = -9; end <= 9; ++end) {
        for (long step = 1; step <= 8; ++step) {
          // The largest bounds stand for none.
          FrameRange range{begin, end, step};
          if (begin == 9) range.begin.reset();
          if (end == 9) range.end.reset();
          ASSERT_EQ(rows_of(range, n), slice(range, n)) << n << ": " << begin << ":" << end << ":" << step;
        }
      }
    }
  }
}

TEST(FrameRangeTest, Texts) {
  const auto rows = [](const char* text) { return rows_of(parse_frame_range(text).value(), 10); };
  EXPECT_EQ(rows("2:8:3"), (Rows{2, 5}));
  EXPECT_EQ(rows("-3:"), (Rows{7, 8, 9}));
  EXPECT_EQ(rows(":2"), (Rows{0, 1}));
  EXPECT_EQ(rows("::4"), (Rows{0, 4, 8}));
  EXPECT_EQ(rows("3"), (Rows{3}));
  EXPECT_EQ(rows("-1"), (Rows{9}));
  EXPECT_EQ(rows("-2"), (Rows{8}));
  EXPECT_EQ(rows("10"), (Rows{}));
  EXPECT_EQ(rows("0::9223372036854775807"), (Rows{0}));
  for (const char* wrong : {"", "a", "1:2:3:4", "1:2:0", "::-1", "1.5", "1: 2", "99999999999999999999"})
    EXPECT_FALSE(parse_frame_range(wrong)) << wrong;
}

}  // namespace
}  // namespace csim
