#include "geometry/file_cursor.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <iterator>

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

/// A type of numbers: its size, how to read it, and what it is called in PLY, legacy VTK and VTK's XML files.
struct ScalarRow {
  std::size_t size;
  double (*decode)(const char* bytes, bool reverse);
  const char* names[3][2];
};
constexpr ScalarRow kScalars[] = {
    // by ScalarType
    {1, decode<std::int8_t>, {{"char", "int8"}, {"CHAR", ""}, {"Int8", ""}}},
    {1, decode<std::uint8_t>, {{"uchar", "uint8"}, {"UNSIGNED_CHAR", ""}, {"UInt8", ""}}},
    {2, decode<std::int16_t>, {{"short", "int16"}, {"SHORT", ""}, {"Int16", ""}}},
    {2, decode<std::uint16_t>, {{"ushort", "uint16"}, {"UNSIGNED_SHORT", ""}, {"UInt16", ""}}},
    {4,
     decode<std::int32_t>,
     {{"int", "int32"}, {"INT", "VTKIDTYPE"}, {"Int32", ""}}},  // ids are written as int
    {4, decode<std::uint32_t>, {{"uint", "uint32"}, {"UNSIGNED_INT", ""}, {"UInt32", ""}}},
    {8, decode<std::int64_t>, {{"", ""}, {"LONG", "VTKTYPEINT64"}, {"Int64", ""}}},
    {8, decode<std::uint64_t>, {{"", ""}, {"UNSIGNED_LONG", "VTKTYPEUINT64"}, {"UInt64", ""}}},
    {4, decode<float>, {{"float", "float32"}, {"FLOAT", ""}, {"Float32", ""}}},
    {8, decode<double>, {{"double", "float64"}, {"DOUBLE", ""}, {"Float64", ""}}},
};

}  // namespace

std::size_t size_of(ScalarType type) {
  return kScalars[static_cast<int>(type)].size;
}

std::optional<ScalarType> scalar_type(TypeNames format, std::string_view name) {
  for (std::size_t type = 0; !name.empty() && type < std::size(kScalars); ++type) {
    for (const char* known : kScalars[type].names[static_cast<int>(format)])
      if (known == name) return static_cast<ScalarType>(type);
  }
  return std::nullopt;
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
  *value = kScalars[static_cast<int>(type)].decode(bytes_.data() + position_, reverse);
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
