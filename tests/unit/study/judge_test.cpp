// Verdicts of orders, and what they rest on.
#include "study/judge.h"

#include <gmock/gmock.h>

#include <cmath>

#include "study/case_status.h"
#include "study/svg_chart.h"

namespace csim {
namespace {

/// A ladder with the errors of 2^-i to the power `order`, times the factors.
LadderResult ladder_of(double order, const std::vector<double>& factors) {
  static Ladder ladder;
  LadderResult result;
  result.ladder = &ladder;
  std::vector<double> h;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    h.push_back(std::pow(2.0, -static_cast<double>(i)));
    result.errors.push_back(factors[i] * std::pow(h.back(), order));
  }
  result.fit = fit_order(h, result.errors);
  result.falls = true;
  for (std::size_t i = 1; i < h.size(); ++i)
    result.falls = result.falls && result.errors[i] < result.errors[i - 1];
  return result;
}

TEST(JudgeOrder, PassesWithinAndFailsOutside) {
  std::string note;
  EXPECT_EQ(judge_order(ladder_of(1.0, {1, 1, 1}), 0.9, 1.1, &note), Verdict::kPass);
  EXPECT_EQ(judge_order(ladder_of(0.8, {1, 1, 1}), 0.9, 1.1, &note), Verdict::kFail);
  EXPECT_EQ(judge_order(ladder_of(1.2, {1, 1, 1}), 0.9, 1.1, &note), Verdict::kFail);
  EXPECT_THAT(note, testing::HasSubstr("too near"));
}

TEST(JudgeOrder, ErrorsThatDoNotFallAreInconclusiveWhereAnOrderIsAskedFor) {
  std::string note;
  const LadderResult plateau = ladder_of(0.0, {1, 1.02, 0.99});
  EXPECT_EQ(judge_order(plateau, 0.9, 1.1, &note), Verdict::kInconclusive);
  EXPECT_EQ(judge_order(plateau, -0.2, 0.3, &note), Verdict::kPass);
}

TEST(JudgeOrder, DoubtsAreInconclusive) {
  std::string note;
  LadderResult result = ladder_of(1.0, {1, 1, 1});
  result.doubt = "2 rungs";
  EXPECT_EQ(judge_order(result, 0.9, 1.1, &note), Verdict::kInconclusive);
  EXPECT_EQ(note, "2 rungs");
}

TEST(Ranges, AreReadAndWritten) {
  EXPECT_EQ(format_ranges({3, 7, 8, 9, 11}), "3,7-9,11");
  EXPECT_EQ(format_ranges({}), "");
  EXPECT_THAT(parse_ranges("7-9,3,8").value(), testing::ElementsAre(3, 7, 8, 9));
  for (const char* text : {"", "3,", "a", "-1", "9-7", "3;4", "1-2-3", "99999999999"})
    EXPECT_FALSE(parse_ranges(text)) << text;
}

TEST(Chart, IsCompleteAndEscaped) {
  Chart chart;
  chart.title = "a < b & c";
  chart.log_x = chart.log_y = true;
  chart.triangle = 1;
  chart.series = {{"one", {{1e-3, 1e-2}, {1e-4, 1e-3}, {0.0, 1.0}, {1e-2, std::nan("")}}, false, 0}};
  const std::string svg = draw_chart(chart);
  EXPECT_THAT(svg, testing::HasSubstr("a &lt; b &amp; c"));
  EXPECT_THAT(svg, testing::Not(testing::HasSubstr("nan")));
  EXPECT_THAT(svg, testing::Not(testing::HasSubstr("inf")));
  std::size_t marks = 0;
  for (std::size_t at = svg.find("<circle"); at != std::string::npos; at = svg.find("<circle", at + 1))
    ++marks;
  EXPECT_EQ(marks, 2u);
}

}  // namespace
}  // namespace csim
