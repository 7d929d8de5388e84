#include "mesh/file_cursor.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "geometry/surface_files.h"

namespace csim {

namespace {

constexpr std::string_view kWhiteSpace = " \t\r\n\v\f";

template <typename T>
double decode(const char* bytes, bool reverse) {
  char raw[sizeof(T)];
  std::memcpy(raw, bytes, sizeof(T));
  if (reverse) std::reverse(raw, raw + sizeof(T));
  T value;
  std::memcpy(&value, raw, sizeof(T));
  return static_cast<double>(value);
}

double decode(ScalarType type, const char* bytes, bool reverse) {
  switch (type) {
    case ScalarType::kInt8:
      return decode<std::int8_t>(bytes, reverse);
    case ScalarType::kUint8:
      return decode<std::uint8_t>(bytes, reverse);
    case ScalarType::kInt16:
      return decode<std::int16_t>(bytes, reverse);
    case ScalarType::kUint16:
      return decode<std::uint16_t>(bytes, reverse);
    case ScalarType::kInt32:
      return decode<std::int32_t>(bytes, reverse);
    case ScalarType::kUint32:
      return decode<std::uint32_t>(bytes, reverse);
    case ScalarType::kInt64:
      return decode<std::int64_t>(bytes, reverse);
    case ScalarType::kUint64:
      return decode<std::uint64_t>(bytes, reverse);
    case ScalarType::kFloat:
      return decode<float>(bytes, reverse);
    case ScalarType::kDouble:
      return decode<double>(bytes, reverse);
  }
  return std::nan("");
}

}  // namespace

std::size_t size_of(ScalarType type) {
  switch (type) {
    case ScalarType::kInt8:
    case ScalarType::kUint8:
      return 1;
    case ScalarType::kInt16:
    case ScalarType::kUint16:
      return 2;
    case ScalarType::kInt32:
    case ScalarType::kUint32:
    case ScalarType::kFloat:
      return 4;
    default:
      return 8;
  }
}

bool is_count(double value) {
  return value >= 0.0 && value <= 9007199254740992.0 && value == std::floor(value);
}

bool FileCursor::skip_past(std::string_view text) {
  const std::size_t found = bytes_.find(text, position_);
  if (found == std::string_view::npos) return false;
  position_ = found + text.size();
  return true;
}

bool FileCursor::skip(std::size_t count) {
  if (count > bytes_.size() - position_) return false;
  position_ += count;
  return true;
}

void FileCursor::skip_white_space() {
  position_ = std::min(bytes_.find_first_not_of(kWhiteSpace, position_), bytes_.size());
}

std::string_view FileCursor::line() {
  std::string_view remaining = rest();
  const std::string_view text = next_line(&remaining);
  position_ = bytes_.size() - remaining.size();
  return text;
}

std::string_view FileCursor::word() {
  skip_white_space();
  const std::size_t end = std::min(bytes_.find_first_of(kWhiteSpace, position_), bytes_.size());
  const std::string_view text = bytes_.substr(position_, end - position_);
  position_ = end;
  return text;
}

bool FileCursor::number(ScalarType type, double* value) {
  if (is_text()) return parse_number(word(), value);
  const std::size_t size = size_of(type);
  if (size > bytes_.size() - position_) return false;
  const bool reverse = (encoding_ == Encoding::kBigEndian) != (std::endian::native == std::endian::big);
  *value = decode(type, bytes_.data() + position_, reverse);
  position_ += size;
  return true;
}

bool FileCursor::numbers(ScalarType type, std::size_t count, std::vector<double>* values) {
  values->clear();
  // A number takes at least a digit and a space between two.
  const std::size_t remaining = bytes_.size() - position_;
  if (count > (is_text() ? remaining / 2 + 1 : remaining / size_of(type))) {
    position_ = bytes_.size();
    return false;
  }
  values->resize(count);
  return std::all_of(values->begin(), values->end(), [&](double& value) { return number(type, &value); });
}

bool FileCursor::count(ScalarType type, std::int64_t* value) {
  double read = 0.0;
  if (!number(type, &read) || !is_count(read)) return false;
  *value = static_cast<std::int64_t>(read);
  return true;
}

std::string FileCursor::place() const {
  if (!is_text()) return "byte " + std::to_string(position_);
  // The cursor stands behind what it has read: on the line of that, when the line ended with it.
  const std::string_view done = bytes_.substr(0, position_);
  const auto ends = std::count(done.begin(), done.end(), '\n');
  return "line " + std::to_string(ends + (done.ends_with('\n') ? 0 : 1));
}

}  // namespace csim
