#include "core/source_lines.h"

#include <algorithm>
#include <sstream>

namespace csim {
namespace {

constexpr std::size_t kWidest = 160;     // characters of a line that are shown
constexpr std::size_t kInterval = 1024;  // characters from mark to mark

/// The byte at which the character `count` characters after the one at `byte` begins, or the end.
std::size_t advance(const std::string& text, std::size_t byte, std::size_t count) {
  for (; count > 0 && byte < text.size(); --count) byte = next_character(text, byte);
  return byte;
}

}  // namespace

std::size_t next_character(const std::string& text, std::size_t byte) {
  const auto continues = [&](std::size_t i) { return (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80; };
  if (byte < text.size()) ++byte;
  while (byte < text.size() && continues(byte)) ++byte;
  return byte;
}

SourceLines::SourceLines(const std::string& text) {
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    Line& entry = lines_.emplace_back();
    entry.text = std::move(line);
    for (std::size_t byte = 0; byte < entry.text.size(); byte = next_character(entry.text, byte))
      if (entry.num_characters++ % kInterval == 0) entry.marks.push_back(byte);
  }
}

const SourceLines::Line* SourceLines::find(int line) const {
  const auto index = static_cast<std::size_t>(line - 1);
  return index < lines_.size() ? &lines_[index] : nullptr;
}

const std::string& SourceLines::line(int line) const {
  static const std::string kNone;
  const Line* found = find(line);
  return found != nullptr ? found->text : kNone;
}

SourceExcerpt SourceLines::around(int line, int column) const {
  const Line* found = find(line);
  if (found == nullptr) return {};
  if (found->num_characters <= kWidest) return {found->text, 1};
  const std::size_t place = std::min(static_cast<std::size_t>(column - 1), found->num_characters);
  const std::size_t begin = place > kWidest / 2 ? place - kWidest / 2 : 0;
  const std::size_t end = std::min(found->num_characters, begin + kWidest);
  const std::size_t first = advance(found->text, found->marks[begin / kInterval], begin % kInterval);
  const std::string shown = found->text.substr(first, advance(found->text, first, end - begin) - first);
  return {(begin > 0 ? "…" : "") + shown + (end < found->num_characters ? "…" : ""),
          begin > 0 ? static_cast<int>(begin) : 1};
}

}  // namespace csim
