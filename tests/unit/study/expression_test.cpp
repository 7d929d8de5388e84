// Expressions against the compiler's own arithmetic, and the places of their faults.
#include "study/expression.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace csim {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// The value with a = 3, b = -2 and the others NaN.
double value_of(const std::string& text) {
  ExpressionFault fault;
  const auto expression = parse_expression(text, &fault);
  EXPECT_TRUE(expression) << text << ": " << fault.message;
  if (!expression) return kNone;
  std::vector<double> values;
  for (const auto& name : expression->names)
    values.push_back(name.text == "a" ? 3.0 : name.text == "b" ? -2.0 : name.text == "p-q+1" ? 7.0 : kNone);
  return evaluate_expression(*expression, values);
}

TEST(Expression, IsTheArithmeticOfTheCompiler) {
  const double a = 3.0, b = -2.0;
  EXPECT_EQ(value_of("a / b * a"), a / b * a);
  EXPECT_EQ(value_of("a - b - 1.5e-1"), a - b - 1.5e-1);
  EXPECT_EQ(value_of("a-b-1"), a - b - 1);
  EXPECT_EQ(value_of("a + b * a"), a + b * a);
  EXPECT_EQ(value_of("(a + b) * a"), (a + b) * a);
  EXPECT_EQ(value_of("- a * - b"), -a * -b);
  EXPECT_EQ(value_of("2 - --a"), 2 - a);
  EXPECT_EQ(value_of("1/3+.5"), 1.0 / 3.0 + 0.5);
  EXPECT_EQ(value_of("sqrt(a*a + b*b)"), std::sqrt(a * a + b * b));
  EXPECT_EQ(value_of("log(exp( a ))"), std::log(std::exp(a)));
  EXPECT_EQ(value_of("abs(b) / max(1, a, 2) - min(a, b)"), std::abs(b) / 3.0 - b);
  EXPECT_EQ(value_of("'p-q+1' - 1"), 6.0);
  EXPECT_EQ(value_of("((((a))))"), a);
}

TEST(Expression, WhatIsNoFiniteNumberIsNaN) {
  for (const char* text : {"c", "0 * c", "a / 0", "0 / 0", "1 / (1 / 0)", "log(0)", "log(b)", "sqrt(b)",
                           "exp(1000)", "min(a, c)", "max(c, a)", "abs(c)", "1e300 * 1e300", "-c"})
    EXPECT_TRUE(std::isnan(value_of(text))) << text;
}

TEST(Expression, NamesStandOnceWithTheirFirstPlace) {
  ExpressionFault fault;
  const auto expression = parse_expression("sqrt(max) + max / b", &fault);
  ASSERT_TRUE(expression);
  ASSERT_EQ(expression->names.size(), 2u);
  EXPECT_EQ(expression->names[0].text, "max");
  EXPECT_EQ(expression->names[0].position, 5);
  EXPECT_EQ(expression->names[1].position, 18);
}

TEST(Expression, FaultsHaveTheirPlaces) {
  const std::string deep(101, '(');
  for (const auto& [text, position, message] : std::vector<std::tuple<std::string, int, std::string>>{
           {"", 0, "its end, expected a number, a measure, a function or '('"},
           {"a +", 3, "its end, expected a number"},
           {"a b", 2, "'b', expected an operator or the end"},
           {"a ^ 2", 2, "'^', expected an operator"},
           {"a × 2", 2, "'×', expected an operator"},
           {"a * (b + 1", 10, "its end, expected an operator or ')'"},
           {"(a))", 3, "')', expected an operator or the end"},
           {"2a", 0, "2a is not a plain number, expected a number or a name"},
           {"010 + a", 0, "010 with a leading zero"},
           {"1..2", 0, "'1..2'"},
           {"1e999", 0, "1e999"},
           {"1 + sqr(a)", 4,
            "'sqr', unknown function, expected sqrt, abs, log, exp, min or max (did you mean 'sqrt'?)"},
           {"sqrt(a, b)", 0, "sqrt of 2, expected one in its parentheses"},
           {"2 * min(a)", 4, "min of 1, expected two or more"},
           {"sqrt()", 5, "')', expected a number"},
           {"(a, b)", 2, "',', expected an operator or ')'"},
           {"'a", 0, "expected a name and a second quote"},
           {deep + "a", 100, "more than 100 levels"}}) {
    ExpressionFault fault;
    EXPECT_FALSE(parse_expression(text, &fault)) << text;
    EXPECT_EQ(fault.position, position) << text << ": " << fault.message;
    EXPECT_THAT(fault.message, testing::HasSubstr(message)) << text;
  }
}

}  // namespace
}  // namespace csim
