// JSON as a stream: RFC 8259 text, in the order it is written. Of our own: nlohmann-json builds the
// whole tree before it writes, RapidJSON does not replace bytes that are not UTF-8, and both print some
// numbers (by Grisu2) with more digits than are needed.
#pragma once

#include <cstdint>
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

  /// key(name).value(v) in one call.
  template <typename T>
  JsonWriter& member(std::string_view name, const T& v) {
    return key(name).value(v);
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
