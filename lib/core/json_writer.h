// JSON as a stream: RFC 8259 text, in the order it is written. Of our own: nlohmann-json builds the
// whole tree before it writes, RapidJSON does not replace bytes that are not UTF-8, and both print some
// numbers (by Grisu2) with more digits than are needed.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

namespace csim {

/// Writes one JSON value. Calls nest as the text does: begin_object, key, value, …, end_object. Reals have
/// the fewest digits that read back to the same bits; NaN and infinities, which JSON does not know, become
/// null. Strings are UTF-8 and are escaped; a byte that is no UTF-8 becomes U+FFFD. Broken nesting is an
/// InternalError.
class JsonWriter {
 public:
  /// `indent` spaces a level; 0: one line.
  explicit JsonWriter(int indent = 2) : indent_(indent) {}

  JsonWriter& begin_object();
  JsonWriter& end_object();
  JsonWriter& begin_array();
  JsonWriter& end_array();
  JsonWriter& key(std::string_view name);

  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(double number);
  JsonWriter& value(std::int64_t number);
  JsonWriter& value(int number) { return value(static_cast<std::int64_t>(number)); }
  JsonWriter& value(bool truth);
  JsonWriter& null();

  /// An array of the values; null for no value.
  template <std::ranges::input_range Range>
  requires(!std::convertible_to<const Range&, std::string_view>) JsonWriter& value(const Range& values) {
    begin_array();
    for (const auto& v : values) value(v);
    return end_array();
  }
  template <typename T>
  JsonWriter& value(const std::optional<T>& v) {
    return v ? value(*v) : null();
  }

  /// key(name).value(v), for each of the pairs (name, v).
  template <typename T, typename... More>
  JsonWriter& member(std::string_view name, const T& v, const More&... more) {
    key(name).value(v);
    if constexpr (sizeof...(more) > 0) member(more...);
    return *this;
  }

  /// The member `name` with an object of the pairs (name, v).
  template <typename... Members>
  JsonWriter& object(std::string_view name, const Members&... members) {
    return key(name).begin_object().member(members...).end_object();
  }

  /// The complete text, with a newline at its end.
  [[nodiscard]] std::string text() const;

 private:
  void open(char bracket);
  void close(char bracket);
  void before_value();
  void new_line();
  void write_string(std::string_view text);

  struct Level {
    char bracket;
    bool empty = true;
  };

  int indent_;
  std::string text_;
  std::vector<Level> levels_;
  bool after_key_ = false;
};

}  // namespace csim
