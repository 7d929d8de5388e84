// Comma-separated values with the places of their fields.
#include "core/csv_text.h"

#include <gmock/gmock.h>

namespace csim {
namespace {

TEST(CsvText, HasFieldsWithTheirPlaces) {
  CsvFault fault;
  const auto csv = parse_csv("a,\"b, c\"\r\n\r\n1,\"say \"\"x\"\"\"\r\n", &fault);
  ASSERT_TRUE(csv);
  EXPECT_THAT(csv->names(), testing::ElementsAre("a", "b, c"));
  EXPECT_EQ(csv->columns[1].column, 3);
  ASSERT_EQ(csv->lines.size(), 1u);
  EXPECT_EQ(csv->numbers[0], 3);
  EXPECT_EQ(csv->lines[0][1].text, "say \"x\"");
  EXPECT_EQ(csv->find("b, c"), 1u);
  EXPECT_FALSE(csv->find("c"));
}

TEST(CsvText, LinesHaveAFieldAColumn) {
  CsvFault fault;
  EXPECT_FALSE(parse_csv("a,b\n1,2\n3\n", &fault));
  EXPECT_EQ(fault.line, 3);
  EXPECT_EQ(fault.column, 1);
  EXPECT_EQ(fault.message, "has 1 fields, expected 2");
  EXPECT_FALSE(parse_csv("a,b\n1,2,3,4\n", &fault));
  EXPECT_EQ(fault.column, 5);  // the first too many
}

TEST(CsvText, NumbersAreWholeFields) {
  EXPECT_EQ(csv_number_of("-1.5e3"), -1500.0);
  for (const char* text : {"", " 1", "1 ", "1m", "0x1"}) EXPECT_FALSE(csv_number_of(text)) << text;
}

// What spreadsheets write, and what would be read as something else.
TEST(CsvText, MarksAndFaults) {
  CsvFault fault;
  const auto csv = parse_csv("\xef\xbb\xbftime,x\n1,2\n", &fault);
  ASSERT_TRUE(csv);
  EXPECT_EQ(csv->names(), (std::vector<std::string>{"time", "x"}));
  EXPECT_FALSE(parse_csv("t,z,z\n1,2,3\n", &fault));
  EXPECT_EQ(fault.message, "has two columns 'z', expected each name once");
  EXPECT_EQ(fault.column, 5);
  EXPECT_EQ(parse_csv("\"\"\"\u00fc\"\"\",x\n", &fault)->columns[1].column, 9);  // characters, not bytes
  EXPECT_FALSE(parse_csv("t\n\"0.001\n", &fault));
  EXPECT_EQ(fault.line, 2);
  EXPECT_EQ(fault.message, "has a quote that does not end in the line");
}

}  // namespace
}  // namespace csim
