#include "core/json_writer.h"

#include <array>
#include <charconv>
#include <cmath>

#include "core/require.h"

namespace csim {
namespace {

/// Bytes of the UTF-8 sequence at the start of `text`; 0 when there is no valid one (overlong forms and
/// surrogates included).
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xC2 && lead < 0xE0   ? 2
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xF0 && lead < 0xF5 ? 4
                                                           : 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  const bool overlong = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xF0 && byte(1) < 0x90);
  const bool outside = (lead == 0xED && byte(1) >= 0xA0) || (lead == 0xF4 && byte(1) >= 0x90);
  return overlong || outside ? 0 : length;
}

}  // namespace

void JsonWriter::new_line() {
  if (indent_ == 0) return;
  text_ += '\n';
  text_.append(levels_.size() * static_cast<std::size_t>(indent_), ' ');
}

void JsonWriter::before_value() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  CSIM_REQUIRE(levels_.empty() ? text_.empty() : levels_.back().bracket == '[');
  if (levels_.empty()) return;
  if (!levels_.back().empty) text_ += indent_ == 0 ? ", " : ",";
  levels_.back().empty = false;
  new_line();
}

void JsonWriter::open(char bracket) {
  before_value();
  text_ += bracket;
  levels_.push_back({bracket});
}

void JsonWriter::close(char bracket) {
  CSIM_REQUIRE(!levels_.empty() && levels_.back().bracket == bracket && !after_key_);
  const bool empty = levels_.back().empty;
  levels_.pop_back();
  if (!empty) new_line();
  text_ += bracket == '{' ? '}' : ']';
}

JsonWriter& JsonWriter::begin_object() {
  return open('{'), *this;
}
JsonWriter& JsonWriter::end_object() {
  return close('{'), *this;
}
JsonWriter& JsonWriter::begin_array() {
  return open('['), *this;
}
JsonWriter& JsonWriter::end_array() {
  return close('['), *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  CSIM_REQUIRE(!levels_.empty() && levels_.back().bracket == '{' && !after_key_);
  if (!levels_.back().empty) text_ += indent_ == 0 ? ", " : ",";
  levels_.back().empty = false;
  new_line();
  write_string(name);
  text_ += ": ";
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  before_value();
  write_string(text);
  return *this;
}

JsonWriter& JsonWriter::value(double number) {
  if (!std::isfinite(number)) return null();
  before_value();
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  text_.append(digits.data(), end);
  return *this;
}

JsonWriter& JsonWriter::value(std::int64_t number) {
  before_value();
  text_ += std::to_string(number);
  return *this;
}

JsonWriter& JsonWriter::value(bool truth) {
  before_value();
  text_ += truth ? "true" : "false";
  return *this;
}

JsonWriter& JsonWriter::null() {
  before_value();
  text_ += "null";
  return *this;
}

void JsonWriter::write_string(std::string_view text) {
  text_ += '"';
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const char c = text.front();
    if (length == 0) {
      text_ += "\xEF\xBF\xBD";
    } else if (c == '"' || c == '\\') {
      text_ += '\\';
      text_ += c;
    } else if (c == '\n') {
      text_ += "\\n";
    } else if (c == '\t') {
      text_ += "\\t";
    } else if (c == '\r') {
      text_ += "\\r";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      text_ += "\\u00";
      text_ += "0123456789abcdef"[c >> 4];
      text_ += "0123456789abcdef"[c & 15];
    } else {
      text_.append(text.substr(0, length));
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  text_ += '"';
}

std::string JsonWriter::text() const {
  CSIM_REQUIRE(levels_.empty() && !text_.empty());
  return text_ + '\n';
}

}  // namespace csim
