#include "core/source_lines.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace csim {
namespace {

/// Characters of one, two and three bytes, so that bytes and columns differ: é every third, € every seventh.
std::vector<std::string> mixed_characters(int count) {
  std::vector<std::string> characters;
  for (int i = 0; i < count; ++i)
    characters.push_back(i % 7 == 0   ? "€"
                         : i % 3 == 0 ? "é"
                                      : std::string(1, static_cast<char>('a' + i % 26)));
  return characters;
}

std::string joined(const std::vector<std::string>& characters, int begin, int end) {
  std::string text;
  for (int i = begin; i < end; ++i) text += characters[static_cast<std::size_t>(i)];
  return text;
}

TEST(SourceLines, AreThoseOfTheTextWithoutTheirEnds) {
  const SourceLines lines("one\r\n\ntwo");
  EXPECT_EQ(lines.line(1), "one");
  EXPECT_EQ(lines.line(2), "");
  EXPECT_EQ(lines.line(3), "two");
  EXPECT_EQ(lines.line(4), "");
  EXPECT_EQ(lines.around(3, 2).text, "two");
  EXPECT_EQ(lines.around(3, 2).first_column, 1);
  EXPECT_EQ(lines.around(4, 1).text, "");
}

TEST(SourceLines, ShowLongLinesAboutThePlace) {
  const int n = 5000;
  const std::vector<std::string> characters = mixed_characters(n);
  const SourceLines lines("\n" + joined(characters, 0, n) + "\n");
  for (const int column : {1, 81, 82, 1023, 1024, 1025, 1104, 1105, 2128, 3000, 4920, 4921, 5000, 5001}) {
    const int begin = std::max(0, column - 81), end = std::min(n, begin + 160);
    const SourceExcerpt shown = lines.around(2, column);
    EXPECT_EQ(shown.text, (begin > 0 ? "…" : "") + joined(characters, begin, end) + (end < n ? "…" : ""))
        << column;
    EXPECT_EQ(shown.first_column, begin > 0 ? begin : 1) << column;
  }
}

TEST(SourceLines, ShowLinesOfOneHundredAndSixtyCharactersWhole) {
  const std::string line = joined(mixed_characters(160), 0, 160);
  EXPECT_EQ(SourceLines(line).around(1, 150).text, line);
  EXPECT_NE(SourceLines(line + "x").around(1, 150).text, line + "x");
}

}  // namespace
}  // namespace csim
