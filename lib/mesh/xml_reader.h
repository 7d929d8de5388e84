// As much of XML as VTK writes: elements with attributes and text, read one event after the other. The raw
// bytes that VTK appends to its files are no XML, which is why a general parser does not read them.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace csim {

class XmlReader {
 public:
  enum class Event { kStart, kEnd, kText, kEndOfFile, kError };

  /// Keeps a view of `bytes`, which must outlive it.
  explicit XmlReader(std::string_view bytes) : bytes_(bytes) {}

  /// The next event. Comments and declarations are passed over; <a/> gives a start and an end.
  Event next();

  /// Of the last start or end.
  [[nodiscard]] std::string_view name() const { return name_; }
  /// Of the last start; empty when it has no such attribute. Entities stay as they are written.
  [[nodiscard]] std::string_view attribute(std::string_view name) const;
  /// Of the last text, up to the next '<'.
  [[nodiscard]] std::string_view text() const { return text_; }
  /// What follows the last event.
  [[nodiscard]] std::string_view rest() const { return bytes_.substr(position_); }
  /// What is wrong, after kError.
  [[nodiscard]] const std::string& error() const { return error_; }
  /// The line of the position, from 1.
  [[nodiscard]] long line() const;

 private:
  Event read_tag();
  Event fail(const std::string& what);

  std::string_view bytes_;
  std::size_t position_ = 0;
  // Lines counted so far: line() goes on from there, so that a file of many elements takes one pass.
  mutable std::size_t counted_ = 0;
  mutable long lines_ = 1;
  std::string_view name_, text_;
  std::vector<std::pair<std::string_view, std::string_view>> attributes_;
  bool end_follows_ = false;  // of <a/>
  std::string error_;
};

}  // namespace csim
