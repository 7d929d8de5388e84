#include "scene/yaml/strict_values.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <regex>

namespace csim {
namespace {

constexpr size_t kLongestQuote = 60;  // bytes of a value that a message repeats

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// [-+]? (digits [. digits*] | . digits) ([eE] [-+]? digits)?, the numbers of YAML 1.2's core schema; their
/// value (not of those beyond a double's range).
bool is_decimal(const std::string& text, double* value, bool* in_range) {
  const bool plus = text.starts_with('+');
  if (text.find_first_not_of("0123456789+-.eE") != text.npos || text.starts_with("+-")) return false;
  const auto [end, error] = std::from_chars(text.data() + (plus ? 1 : 0), text.data() + text.size(), *value);
  *in_range = error != std::errc::result_out_of_range;
  return error != std::errc::invalid_argument && end == text.data() + text.size();
}

/// Octal in YAML 1.1, decimal in 1.2: refused, so that no reader of the file is misled.
bool has_leading_zero(const std::string& text) {
  const size_t i = text[0] == '-' || text[0] == '+' ? 1 : 0;
  return i + 1 < text.size() && text[i] == '0' && is_digit(text[i + 1]);
}

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// The minus sign of typesetting, which looks like '-'.
constexpr const char* kTypographicMinus = "\xE2\x88\x92";

/// Why text that is no decimal number might have been meant as one, or "".
std::string number_fault(const std::string& text) {
  static const std::regex hexadecimal("[-+]?0[xXoObB][0-9a-fA-F]+");
  static const std::regex underscores("[-+]?[0-9][0-9_.]*_[0-9_.eE+-]*");
  static const std::regex comma("[-+]?[0-9]*,[0-9]+([eE][-+]?[0-9]+)?");
  static const std::regex non_finite("[-+]?\\.?(inf|infinity|nan)");
  static const std::regex with_unit("[-+]?[0-9.]+([eE][-+]?[0-9]+)? *[a-zA-Z%°µ/^*].*");
  if (std::regex_match(text, hexadecimal)) return " is not decimal";
  if (std::regex_match(text, underscores)) return " with underscores";
  if (std::regex_match(text, comma)) return " with a comma for the decimal point";
  if (std::regex_match(lower_case(text), non_finite)) return " is not finite";
  if (std::regex_match(text, with_unit)) return " is not a plain number";
  if (text.starts_with(kTypographicMinus)) return " with the minus sign U+2212 in place of '-'";
  if (text.starts_with("$"))
    return " is not replaced by a value (a scene has no variables; --set KEY=VALUE sets a key)";
  return "";
}

}  // namespace

std::string describe(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::kNull:
      return "nothing";
    case YamlNode::Kind::kSequence:
      return node.items.empty() ? "an empty list" : "a list of " + std::to_string(node.items.size());
    case YamlNode::Kind::kMapping:
      return node.entries.empty() ? "an empty mapping" : "a mapping";
    case YamlNode::Kind::kScalar:
      break;
  }
  std::string text = node.text;
  std::replace(text.begin(), text.end(), '\n', ' ');
  if (text.size() > kLongestQuote) {
    size_t end = kLongestQuote;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
    text = text.substr(0, end) + "…";
  }
  if (node.quoted) return "the text '" + text + "'";
  double value = 0.0;
  bool in_range = true;
  return is_decimal(text, &value, &in_range) || text == "true" || text == "false" ? text : "'" + text + "'";
}

std::optional<double> parse_number(const YamlNode& node, std::string* fault) {
  *fault = describe(node);
  if (node.kind != YamlNode::Kind::kScalar || node.quoted) return std::nullopt;
  const std::string& text = node.text;
  double value = 0.0;
  bool in_range = true;
  if (!is_decimal(text, &value, &in_range)) {
    const std::string why = number_fault(text);
    if (!why.empty()) *fault = text + why;
    return std::nullopt;
  }
  if (has_leading_zero(text)) {
    *fault = text + " with a leading zero";
    return std::nullopt;
  }
  if (!in_range) {
    *fault = text + " is out of the range of a double";
    return std::nullopt;
  }
  return value;
}

std::optional<double> parse_whole_number(const YamlNode& node, std::string* fault) {
  const std::optional<double> value = parse_number(node, fault);
  if (!value || *value != std::floor(*value)) return std::nullopt;
  return value;
}

std::optional<bool> parse_boolean(const YamlNode& node, std::string* fault) {
  *fault = describe(node);
  if (node.kind != YamlNode::Kind::kScalar || node.quoted) return std::nullopt;
  if (node.text == "true") return true;
  if (node.text == "false") return false;
  return std::nullopt;
}

bool is_name(const std::string& text) {
  const auto allowed = [](unsigned char c) {
    return (c < 0x80 && std::isalnum(c)) || c == '_' || c == '+' || c == '-';
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), allowed) &&
         !std::all_of(text.begin(), text.end(), is_digit);
}

bool is_item_name(const std::string& text) {
  const size_t colons = text.find("::");
  return colons != std::string::npos && colons > 0 && colons + 2 < text.size() &&
         text.find("::", colons + 2) == std::string::npos;
}

}  // namespace csim
