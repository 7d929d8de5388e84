#include "cli/check_arguments.h"

#include <algorithm>
#include <cstdio>
#include <optional>

#include "export/frame_range.h"
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

std::string quoted(const std::string& text) {
  return "'" + text + "'";
}

}  // namespace

std::string check_number(const std::string& text, const Bounds& bounds) {
  return check(text, bounds, &parse_number, "a number" + bounds.text());
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
  return quoted(text) + ", expected " + expected + did_you_mean_value(text, words);
}

std::string check_elevation(const std::string& text) {
  return check(text, {.min = -89.9, .max = 89.9}, &parse_number, "degrees from -89.9 to 89.9");
}

std::string check_size(const std::string& text, int* width, int* height) {
  char rest = 0;
  const bool read = std::sscanf(text.c_str(), "%dx%d%c", width, height, &rest) == 2;
  const bool in_range = *width >= 16 && *height >= 16 && *width <= 8192 && *height <= 8192;
  return read && in_range
             ? ""
             : quoted(text) + ", expected WIDTHxHEIGHT in pixels, 16 to 8192 each, such as 1280x800";
}

std::string check_frames(const std::string& text) {
  return parse_frame_range(text)
             ? ""
             : quoted(text) + ", expected A:B:STEP, such as 0:100:10 or -50:, with STEP > 0";
}

std::optional<DiffOptions::Tolerance> parse_tolerance(const std::string& text) {
  const std::size_t equals = text.find('='), comma = text.find(',', equals);
  if (equals == 0 || equals == std::string::npos) return std::nullopt;
  const bool has_both = comma != std::string::npos;
  const auto number = [](const std::string& word) -> std::optional<double> {
    if (!check_number(word, {.min = 0.0}).empty()) return std::nullopt;
    return std::stod(word);
  };
  const auto atol = number(text.substr(equals + 1, has_both ? comma - equals - 1 : comma));
  const auto rtol = has_both ? number(text.substr(comma + 1)) : std::nullopt;
  if (!atol || has_both != rtol.has_value()) return std::nullopt;
  return DiffOptions::Tolerance{text.substr(0, equals), *atol, rtol};
}

std::string check_tolerance(const std::string& text) {
  return parse_tolerance(text) ? ""
                               : quoted(text) +
                                     ", expected PATH=ATOL or PATH=ATOL,RTOL with numbers >= 0, such as "
                                     "contact/phi=1e-6,1e-3";
}

std::string check_folder(const std::string& text) {
  return text.empty() ? "empty text, expected the name of a folder" : "";
}

}  // namespace csim::cli
