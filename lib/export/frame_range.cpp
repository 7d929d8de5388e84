#include "export/frame_range.h"

#include <algorithm>
#include <charconv>

namespace csim {
namespace {

/// A whole number; an empty text leaves `number` as it is.
bool read_number(const std::string& text, std::optional<long>* number) {
  if (text.empty()) return true;
  long value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end) return false;
  *number = value;
  return true;
}

}  // namespace

std::optional<FrameRange> parse_frame_range(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ':') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  FrameRange range;
  std::optional<long> step = 1;
  if (parts.size() > 3 || text.empty()) return std::nullopt;
  if (!read_number(parts[0], &range.begin)) return std::nullopt;
  if (parts.size() == 1) {
    // The last row is -1, behind which is the end.
    if (*range.begin != -1) range.end = *range.begin + 1;
    return range;
  }
  if (!read_number(parts[1], &range.end)) return std::nullopt;
  if (parts.size() == 3 && !read_number(parts[2], &step)) return std::nullopt;
  if (*step < 1) return std::nullopt;
  range.step = *step;
  return range;
}

std::vector<long> rows_of(const FrameRange& range, long num_frames) {
  const auto place = [&](long row) { return std::clamp(row < 0 ? row + num_frames : row, 0L, num_frames); };
  std::vector<long> rows;
  const long end = place(range.end.value_or(num_frames));
  for (long row = place(range.begin.value_or(0)); row < end; row += range.step) {
    rows.push_back(row);
    if (range.step > num_frames) break;  // so that the sum cannot overflow
  }
  return rows;
}

}  // namespace csim
