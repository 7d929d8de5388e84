#include "scene/help/decimal_comma.h"

#include <algorithm>
#include <regex>

namespace csim {
namespace {

/// Whether `mark` is the place behind a plain scalar and one comma.
bool is_next(const YamlNode& scalar, const Mark& mark) {
  return scalar.mark.source == mark.source && scalar.mark.line == mark.line &&
         mark.column == scalar.mark.column + static_cast<int>(scalar.text.size()) + 1;
}

bool is_plain(const YamlNode& node) {
  return node.kind == YamlNode::Kind::kScalar && !node.quoted;
}

std::string joined(const std::string& whole, const std::string& fraction) {
  static const std::regex digits("[-+]?[0-9]+"), rest("[0-9]+([eE][-+]?[0-9]+)?");
  return std::regex_match(whole, digits) && std::regex_match(fraction, rest) ? whole + "." + fraction : "";
}

}  // namespace

std::string parted_number(const YamlEntry& first, const YamlEntry& second) {
  const bool halves = is_plain(first.value) && second.value.kind == YamlNode::Kind::kNull &&
                      is_next(first.value, second.key_mark);
  return halves ? joined(first.value.text, second.key) : "";
}

std::string parted_number(const YamlNode& list) {
  const std::vector<YamlNode>& items = list.items;
  if (!std::all_of(items.begin(), items.end(), is_plain)) return "";
  std::string number;
  bool spaces = false;
  for (std::size_t i = 1; i < items.size(); ++i) {
    const bool next = is_next(items[i - 1], items[i].mark);
    spaces = spaces || !next;
    if (next && number.empty()) number = joined(items[i - 1].text, items[i].text);
  }
  return spaces ? number : "";
}

std::string with_comma(std::string number) {
  std::replace(number.begin(), number.end(), '.', ',');
  return number;
}

}  // namespace csim
