// The lines of a text that messages quote. A file of a program may be one line of megabytes with thousands of
// problems: each quotes the neighbourhood of its place, found without a look at the rest of the line.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace csim {

/// The byte at which the character after the one at `byte` begins in UTF-8 text, or its end.
[[nodiscard]] std::size_t next_character(const std::string& text, std::size_t byte);

/// Text of a line to show for a place.
struct SourceExcerpt {
  std::string text;      // UTF-8; "…" stands for what is left out before and after
  int first_column = 1;  // of the first character of `text`, 1-based
};

class SourceLines {
 public:
  SourceLines() = default;
  explicit SourceLines(const std::string& text);  // UTF-8; lines end with \n or \r\n

  /// The line, 1-based, "" where the text has none.
  [[nodiscard]] const std::string& line(int line) const;

  /// The line, of more than 160 characters the 160 about `column` (1-based, in characters). Its time does not
  /// depend on the length of the line.
  [[nodiscard]] SourceExcerpt around(int line, int column) const;

 private:
  struct Line {
    std::string text;
    std::size_t num_characters = 0;
    std::vector<std::size_t> marks;  // the bytes at which every 1024th character begins
  };
  [[nodiscard]] const Line* find(int line) const;

  std::vector<Line> lines_;
};

}  // namespace csim
