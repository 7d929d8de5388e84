// Arithmetic over named numbers: "peak / (mass * 9.81)".
//
//   sum     = product {("+" | "-") product}
//   product = factor {("*" | "/") factor}
//   factor  = ("+" | "-") factor | atom
//   atom    = NUMBER | NAME | 'NAME' | FUNCTION "(" sum {"," sum} ")" | "(" sum ")"
//
// A NAME has letters, digits and '_'; in quotes also '+' and '-'. Functions: sqrt, abs, log (natural) and exp
// of one number, min and max of two or more.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace csim {

/// A step of a stack machine: pushes a number, or replaces the last `count` numbers by what they make.
struct ExpressionStep {
  enum class Kind { kNumber, kName, kNegate, kAdd, kSubtract, kMultiply, kDivide, kCall };
  Kind kind = Kind::kNumber;
  double number = 0.0;  // kNumber
  int index = 0;        // kName: of `names`; kCall: the function
  int count = 0;        // kCall: its numbers
};

struct Expression {
  struct Name {
    std::string text;
    int position = 0;  // bytes before its first place
  };
  std::vector<Name> names;  // each once
  std::vector<ExpressionStep> steps;
};

struct ExpressionFault {
  int position = 0;  // bytes before it
  std::string message;
};

/// Nothing for other text, or more than 100 levels of parentheses; *fault says why.
[[nodiscard]] std::optional<Expression> parse_expression(const std::string& text, ExpressionFault* fault);

/// The number for a value of each name. NaN where an operation gives no finite number (x / 0, log of 0), and
/// of every operation with NaN, also min and max.
[[nodiscard]] double evaluate_expression(const Expression& expression, std::span<const double> values);

}  // namespace csim
