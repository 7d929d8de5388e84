#include "cli/command.h"

#include <algorithm>

#include "scene/help/synonyms.h"
#include "scene/yaml/strict_values.h"

namespace csim::cli {
namespace {

using Parse = std::optional<double> (*)(const YamlNode&, std::string*);

std::string check(const std::string& text, const Bounds& bounds, Parse parse, const std::string& expected) {
  YamlNode node;
  node.kind = YamlNode::Kind::kScalar;
  node.text = text;
  std::string fault;
  const std::optional<double> number = parse(node, &fault);
  if (number && bounds.contains(*number)) return "";
  return (number ? text : fault) + ", expected " + expected;
}

std::string check_whole_number(const std::string& text, const Bounds& bounds) {
  // As digits: 1e3 is whole in a scene, but no argument.
  const std::string expected = "a whole number" + bounds.text();
  const std::string wrong = check(text, bounds, &parse_whole_number, expected);
  const bool digits = text.find_first_not_of("+-0123456789") == std::string::npos;
  return wrong.empty() && !digits ? text + ", expected " + expected : wrong;
}

std::string check_word(const std::string& text, const std::vector<std::string>& words) {
  if (std::find(words.begin(), words.end(), text) != words.end()) return "";
  std::string expected;
  for (size_t i = 0; i < words.size(); ++i)
    expected += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return "'" + text + "', expected " + expected + did_you_mean_value(text, words);
}

}  // namespace

Check number(const Bounds& bounds, const std::string& expected) {
  const std::string words = expected.empty() ? "a number" + bounds.text() : expected;
  return {[=](const std::string& text) { return check(text, bounds, &parse_number, words); }};
}

Check whole_number(int min, int max) {
  const Bounds bounds{.min = 1.0 * min, .max = 1.0 * max};
  return {[=](const std::string& text) { return check_whole_number(text, bounds); }};
}

Check one_of(const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "{" : ",") + word;
  return {[=](const std::string& text) { return check_word(text, words); }, list + "}"};
}

Option required(Option option) {
  option.required = true;
  return option;
}

Option with_default(Option option) {
  option.shows_default = true;
  return option;
}

Option one_each(Option option) {
  option.one_each = true;
  return option;
}

Option needing(const std::string& other, Option option) {
  option.needs = other;
  return option;
}

std::vector<Option> joined(std::vector<Option> first, const std::vector<Option>& more) {
  first.insert(first.end(), more.begin(), more.end());
  return first;
}

Option overrides_option(std::vector<std::string>* overrides) {
  return one_each({"--set", overrides,
                   "override a key of the scene, e.g. contact.model=sap or bodies.ball.mass=0.2 (elements of "
                   "lists by name or "
                   "index); may be repeated",
                   "KEY=VALUE"});
}

}  // namespace csim::cli
