// Which rows of /trajectory are exported.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace csim {

/// Rows begin, begin + step, … before end, as Python's slices: a negative bound counts from the end, a
/// missing one is the first or the end.
struct FrameRange {
  std::optional<long> begin = {}, end = {};
  long step = 1;  // > 0
};

/// "A:B:STEP", "A:B" or "A" (that row alone); each of A, B and STEP may be left out where a colon stands.
/// None when the text is no such thing.
[[nodiscard]] std::optional<FrameRange> parse_frame_range(const std::string& text);

/// The rows of `num_frames`, ascending; empty when none lies in the range.
[[nodiscard]] std::vector<long> rows_of(const FrameRange& range, long num_frames);

}  // namespace csim
