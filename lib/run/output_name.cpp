#include "run/output_name.h"

#include <algorithm>

#include "scene/yaml/scene_source.h"

namespace csim {

std::optional<std::string> output_name(const std::string& pattern, const YamlNode& resolved,
                                       std::string* fault) {
  std::string name;
  for (std::size_t at = 0; at < pattern.size();) {
    const std::size_t open = pattern.find_first_of("{}", at);
    name += pattern.substr(at, open - at);
    if (open == std::string::npos) break;
    const std::size_t close = pattern.find('}', open);
    if (pattern[open] == '}' || close == std::string::npos) {
      *fault = std::string("'") + pattern[open] + "' without the other brace, expected {KEY}";
      return std::nullopt;
    }
    const std::string key = pattern.substr(open + 1, close - open - 1);
    const YamlNode* value = find_value(resolved, key, fault);
    if (value == nullptr) {
      *fault = "{" + key + "}: " + *fault;
      return std::nullopt;
    }
    if (value->kind != YamlNode::Kind::kScalar) {
      *fault = "{" + key + "}: a list or mapping, expected a key with one value";
      return std::nullopt;
    }
    std::string text = value->text;
    std::replace(text.begin(), text.end(), '/', '_');
    name += text;
    at = close + 1;
  }
  return name;
}

}  // namespace csim
