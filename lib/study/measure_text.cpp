#include "study/measure_text.h"

#include <vector>

#include "core/nearest_name.h"
#include "core/number_format.h"
#include "scene/yaml/strict_values.h"

namespace csim {
namespace {

std::optional<double> read_number(const std::string& text, std::string* fault) {
  YamlNode node;
  node.kind = YamlNode::Kind::kScalar;
  node.text = text;
  const std::optional<double> number = parse_number(node, fault);
  if (!number) *fault += ", expected a number";
  return number;
}

/// "max:0.5:1" -> reduction, its argument, the window.
bool read_reduction(const std::string& text, MeasureSpec* measure, std::string* fault) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(':', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  const std::optional<Reduction> reduction = find_reduction(parts[0]);
  if (!reduction) {
    *fault = "unknown reduction '" + parts[0] + "'" + did_you_mean(parts[0], reduction_names());
    return false;
  }
  measure->reduce = *reduction;
  std::vector<double> numbers;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::optional<double> number = read_number(parts[i], fault);
    if (!number) return false;
    numbers.push_back(*number);
  }
  const std::size_t num_arguments = has_argument(*reduction) ? 1 : 0;
  if (numbers.size() != num_arguments && numbers.size() != num_arguments + 2) {
    *fault = "'" + text + "', expected " + parts[0] + (num_arguments == 1 ? ":NUMBER" : "") +
             ", with :FROM:TO for a window in time";
    return false;
  }
  if (num_arguments == 1) measure->argument = numbers[0];
  if (numbers.size() > num_arguments) measure->window = {numbers[num_arguments], numbers[num_arguments + 1]};
  return true;
}

}  // namespace

std::optional<MeasureSpec> parse_measure(const std::string& text, std::string* fault) {
  MeasureSpec measure;
  const std::size_t bracket = text.find('['), close = text.rfind(']');
  const bool has_item = bracket != std::string::npos;
  if (has_item != (close != std::string::npos) || (has_item && close < bracket)) {
    *fault = "expected DATASET[ITEM] or DATASET[A,B]";
    return std::nullopt;
  }
  std::string rest = has_item ? text.substr(close + 1) : text;
  if (has_item) {
    measure.dataset = text.substr(0, bracket);
    const std::string item = text.substr(bracket + 1, close - bracket - 1);
    const std::size_t comma = item.find(',');
    if (comma == std::string::npos) {
      measure.item = item;
    } else {
      measure.pair = {item.substr(0, comma), item.substr(comma + 1)};
    }
  }
  const std::size_t at = rest.find('@');
  if (at != std::string::npos && !read_reduction(rest.substr(at + 1), &measure, fault)) return std::nullopt;
  rest = rest.substr(0, at);
  const std::size_t point = rest.find('.');
  if (point != std::string::npos) measure.component = rest.substr(point + 1);
  if (has_item && point != 0 && !rest.empty()) {
    *fault = "'" + rest + "' behind the item, expected .COMPONENT or @REDUCTION";
    return std::nullopt;
  }
  if (!has_item) measure.dataset = rest.substr(0, point);
  return measure;
}

std::string measure_text(const MeasureSpec& measure) {
  std::string text = measure.dataset.substr(measure.dataset.starts_with('/') ? 1 : 0);
  if (!measure.item.empty()) text += "[" + measure.item + "]";
  if (measure.pair.size() == 2) text += "[" + measure.pair[0] + "," + measure.pair[1] + "]";
  if (!measure.component.empty()) text += "." + measure.component;
  text += std::string("@") + to_string(measure.reduce);
  if (has_argument(measure.reduce)) text += ":" + format_number(measure.argument);
  if (measure.window)
    text += ":" + format_number((*measure.window)[0]) + ":" + format_number((*measure.window)[1]);
  return text;
}

}  // namespace csim
