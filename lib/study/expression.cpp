#include "study/expression.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

#include "core/nearest_name.h"
#include "scene/yaml/strict_values.h"

namespace csim {
namespace {

using Kind = ExpressionStep::Kind;

constexpr int kMostLevels = 100;
constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

enum Function { kSqrt, kAbs, kLog, kExp, kMin, kMax };
const std::vector<std::string> kFunctions{"sqrt", "abs", "log", "exp", "min", "max"};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_of_name(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

class Parser {
 public:
  explicit Parser(const std::string& text) : text_(text) {}

  /// Throws an ExpressionFault.
  Expression parse() {
    read_sum();
    if (next() != '\0') fail(at_, "expected an operator or the end");
    return std::move(result_);
  }

 private:
  /// The next character that is no space; '\0' at the end.
  char next() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool take(char c) {
    if (next() != c) return false;
    ++at_;
    return true;
  }

  /// Throws: what stands at a place, and what was expected.
  [[noreturn]] void fail(std::size_t place, const std::string& expected) const {
    std::size_t end = place;
    while (end < text_.size() && is_of_name(text_[end])) ++end;
    if (end == place && end < text_.size()) ++end;
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0) == 0x80) ++end;  // UTF-8
    const std::string found = end == place ? "its end" : "'" + text_.substr(place, end - place) + "'";
    throw ExpressionFault{static_cast<int>(place), found + ", " + expected};
  }

  void add(Kind kind) { result_.steps.push_back({kind, 0.0, 0, 0}); }

  void read_sum() {
    read_product();
    while (next() == '+' || next() == '-') {
      const Kind kind = text_[at_++] == '+' ? Kind::kAdd : Kind::kSubtract;
      read_product();
      add(kind);
    }
  }

  void read_product() {
    read_factor();
    while (next() == '*' || next() == '/') {
      const Kind kind = text_[at_++] == '*' ? Kind::kMultiply : Kind::kDivide;
      read_factor();
      add(kind);
    }
  }

  void read_factor() {
    bool negative = false;
    while (next() == '+' || next() == '-') negative = (text_[at_++] == '-') != negative;
    read_atom();
    if (negative) add(Kind::kNegate);
  }

  void read_atom() {
    const char c = next();
    if (is_digit(c) || c == '.') {
      read_number();
    } else if (c == '\'') {
      read_quoted_name();
    } else if (is_of_name(c)) {
      read_name_or_call();
    } else if (take('(')) {
      read_inside();
    } else {
      fail(at_, "expected a number, a measure, a function or '('");
    }
  }

  /// What stands in parentheses, behind the first; returns how many sums with commas between them.
  int read_inside(bool is_list = false) {
    if (++level_ > kMostLevels) fail(at_ - 1, "more than 100 levels of parentheses, expected fewer");
    int count = 0;
    do {
      read_sum();
      ++count;
    } while (is_list && take(','));
    if (!take(')')) fail(at_, is_list ? "expected ',' or ')'" : "expected an operator or ')'");
    --level_;
    return count;
  }

  void read_number() {
    const std::size_t begin = at_;
    while (at_ < text_.size()) {
      const bool is_exponent_sign = (text_[at_] == '+' || text_[at_] == '-') && at_ > begin &&
                                    (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E');
      if (!is_of_name(text_[at_]) && text_[at_] != '.' && !is_exponent_sign) break;
      ++at_;
    }
    YamlNode node;
    node.kind = YamlNode::Kind::kScalar;
    node.text = text_.substr(begin, at_ - begin);
    std::string fault;
    const std::optional<double> number = parse_number(node, &fault);
    if (!number) throw ExpressionFault{static_cast<int>(begin), fault + ", expected a number or a name"};
    result_.steps.push_back({Kind::kNumber, *number, 0, 0});
  }

  void read_quoted_name() {
    const std::size_t begin = at_ + 1, end = text_.find('\'', begin);
    if (end == std::string::npos || end == begin) fail(at_, "expected a name and a second quote");
    at_ = end + 1;
    add_name(begin, end);
  }

  void read_name_or_call() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_of_name(text_[at_])) ++at_;
    const std::size_t end = at_;
    if (!take('(')) return add_name(begin, end);
    const std::string word = text_.substr(begin, end - begin);
    const auto found = std::find(kFunctions.begin(), kFunctions.end(), word);
    if (found == kFunctions.end())
      fail(begin,
           "unknown function, expected sqrt, abs, log, exp, min or max" + did_you_mean(word, kFunctions));
    const int function = static_cast<int>(found - kFunctions.begin()), count = read_inside(true);
    const bool of_many = function == kMin || function == kMax;
    if (of_many ? count < 2 : count != 1)
      throw ExpressionFault{static_cast<int>(begin), word + " of " + std::to_string(count) + ", expected " +
                                                         (of_many ? "two or more" : "one") +
                                                         " in its parentheses"};
    result_.steps.push_back({Kind::kCall, 0.0, function, count});
  }

  void add_name(std::size_t begin, std::size_t end) {
    const std::string name = text_.substr(begin, end - begin);
    std::vector<Expression::Name>& names = result_.names;
    const auto found = std::find_if(names.begin(), names.end(),
                                    [&](const Expression::Name& one) { return one.text == name; });
    const int index = static_cast<int>(found - names.begin());
    if (found == names.end()) names.push_back({name, static_cast<int>(begin)});
    result_.steps.push_back({Kind::kName, 0.0, index, 0});
  }

  const std::string& text_;
  std::size_t at_ = 0;
  int level_ = 0;
  Expression result_;
};

double call(int function, std::span<const double> values) {
  if (std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); }))
    return kNotANumber;
  switch (function) {
    case kSqrt:
      return std::sqrt(values[0]);
    case kAbs:
      return std::abs(values[0]);
    case kLog:
      return std::log(values[0]);
    case kExp:
      return std::exp(values[0]);
    case kMin:
      return *std::min_element(values.begin(), values.end());
    default:
      return *std::max_element(values.begin(), values.end());
  }
}

double combine(Kind kind, double a, double b) {
  switch (kind) {
    case Kind::kAdd:
      return a + b;
    case Kind::kSubtract:
      return a - b;
    case Kind::kMultiply:
      return a * b;
    default:
      return a / b;
  }
}

/// How many numbers a step takes from the stack.
std::size_t num_operands(const ExpressionStep& step) {
  if (step.kind == Kind::kNumber || step.kind == Kind::kName) return 0;
  if (step.kind == Kind::kNegate) return 1;
  return step.kind == Kind::kCall ? static_cast<std::size_t>(step.count) : 2;
}

}  // namespace

std::optional<Expression> parse_expression(const std::string& text, ExpressionFault* fault) {
  try {
    return Parser(text).parse();
  } catch (const ExpressionFault& found) {
    *fault = found;
    return std::nullopt;
  }
}

double evaluate_expression(const Expression& expression, std::span<const double> values) {
  std::vector<double> stack;
  for (const ExpressionStep& step : expression.steps) {
    const std::size_t count = num_operands(step);
    const std::span<const double> last = std::span(stack).last(count);
    const double result = step.kind == Kind::kNumber   ? step.number
                          : step.kind == Kind::kName   ? values[static_cast<std::size_t>(step.index)]
                          : step.kind == Kind::kNegate ? -last[0]
                          : step.kind == Kind::kCall   ? call(step.index, last)
                                                       : combine(step.kind, last[0], last[1]);
    stack.resize(stack.size() - count);
    stack.push_back(std::isfinite(result) ? result : kNotANumber);
  }
  return stack.back();
}

}  // namespace csim
