// Measures and columns in one word.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "study/measure_text.h"
#include "study/result_table.h"

namespace csim::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

MeasureSpec parsed(const std::string& text) {
  std::string fault;
  const std::optional<MeasureSpec> measure = parse_measure(text, &fault);
  EXPECT_TRUE(measure) << text << ": " << fault;
  return measure.value_or(MeasureSpec{});
}

TEST(MeasureText, Parts) {
  const MeasureSpec energy = parsed("energy/total");
  EXPECT_EQ(energy.dataset, "energy/total");
  EXPECT_EQ(energy.reduce, Reduction::kFinal);
  EXPECT_FALSE(energy.window);

  const MeasureSpec place = parsed("/trajectory/position[arm::hand.v2].x@max_abs:0.5:1.0e+1");
  EXPECT_EQ(place.dataset, "/trajectory/position");
  EXPECT_EQ(place.item, "arm::hand.v2");
  EXPECT_EQ(place.component, "x");
  EXPECT_EQ(place.reduce, Reduction::kMaxAbs);
  EXPECT_EQ(place.window, (std::array{0.5, 10.0}));

  const MeasureSpec force = parsed("contact/force[ground,ball/shell].norm@crossing:-2.5");
  EXPECT_THAT(force.pair, ElementsAre("ground", "ball/shell"));
  EXPECT_EQ(force.component, "norm");
  EXPECT_EQ(force.reduce, Reduction::kCrossing);
  EXPECT_EQ(force.argument, -2.5);
  EXPECT_FALSE(force.window);

  const MeasureSpec later = parsed("joint/position[j1]@at:0.5:0:1");
  EXPECT_EQ(later.argument, 0.5);
  EXPECT_EQ(later.window, (std::array{0.0, 1.0}));
  EXPECT_EQ(parsed("trajectory/q[box].3@final").component, "3");
}

TEST(MeasureText, IsWrittenAsItIsRead) {
  for (const char* text :
       {"energy/total@final", "trajectory/position[arm::hand.v2].x@max_abs:0.1:10",
        "trajectory/q[box].3@count", "contact/force[ground,ball/shell].norm@crossing:-2.5",
        "joint/position[j1]@at:0.3333333333333333:0:1", "trajectory/position[box]@difference"})
    EXPECT_EQ(measure_text(parsed(text)), text);
  EXPECT_EQ(measure_text(parsed("/energy/total")), "energy/total@final");
}

TEST(MeasureText, Faults) {
  for (const auto& [text, says] :
       {std::pair{"energy/total@maxx", "unknown reduction 'maxx' (did you mean 'max'?)"},
        {"energy/total@max:1", "expected max, with :FROM:TO"},
        {"energy/total@max:1:2:3", "expected max, with"},
        {"energy/total@crossing", "expected crossing:NUMBER"},
        {"energy/total@at:soon", "expected a number"},
        {"energy/total@", "unknown reduction ''"},
        {"trajectory/position[box", "expected DATASET[ITEM]"},
        {"trajectory/position]box[", "expected DATASET[ITEM]"},
        {"trajectory/position[box]x@max", "'x' behind the item"}}) {
    std::string fault;
    EXPECT_FALSE(parse_measure(text, &fault)) << text;
    EXPECT_THAT(fault, HasSubstr(says)) << text;
  }
}

TEST(Columns, AreSplitAtCommasOutsideOfBrackets) {
  std::string fault;
  const auto columns =
      parse_columns("file,contact.model,vary[0],F=contact/force[a,b].x@max,seconds,energy/total", &fault)
          .value();
  std::vector<std::string> titles;
  std::vector<TableColumn::Kind> kinds;
  for (const TableColumn& column : columns) titles.push_back(column.title), kinds.push_back(column.kind);
  EXPECT_THAT(titles, ElementsAre("file", "contact.model", "vary[0]", "F", "seconds", "energy/total"));
  using Kind = TableColumn::Kind;
  EXPECT_THAT(kinds, ElementsAre(Kind::kFile, Kind::kKey, Kind::kKey, Kind::kMeasure, Kind::kSeconds,
                                 Kind::kMeasure));
  EXPECT_THAT(columns[3].measure.pair, ElementsAre("a", "b"));
  EXPECT_FALSE(parse_columns("file,,status", &fault));
  EXPECT_FALSE(parse_columns("file,energy/total@mx", &fault));
  EXPECT_THAT(fault, HasSubstr("'energy/total@mx': unknown reduction"));
}

TEST(Table, AsText) {
  ResultTable table;
  table.titles = {"file", "F[a,b]", "note"};
  table.units = {"", "N", ""};
  table.rows = {{"a.h5", 1.0 / 3.0, "says \"no\", and|stops"}, {"b.h5", std::nan(""), TableCell()}};
  EXPECT_EQ(table_csv(table),
            "file,\"F[a,b]\",note\na.h5,0.3333333333333333,\"says \"\"no\"\", and|stops\"\nb.h5,nan,\n");
  EXPECT_EQ(table_markdown(table),
            "| file | F[a,b], N | note |\n|---|---|---|\n| a.h5 | 0.333333 | says \"no\", and\\|stops |\n| "
            "b.h5 | nan |  |\n");
  EXPECT_THAT(table_json(table), HasSubstr("\"F[a,b]\": 0.3333333333333333"));
  EXPECT_THAT(table_json(table), HasSubstr("\"F[a,b]\": null"));
}

}  // namespace
}  // namespace csim::test
