// The command line's `--set KEY=VALUE`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scene/yaml/scene_source.h"

namespace csim {

/// An argument taken apart; `error` says what is wrong with it: no '=', a VALUE that is not YAML.
struct OverrideParts {
  std::string key;
  YamlNode value;
  std::optional<YamlError> error;
};
/// `source` goes into the marks, which point into the argument.
[[nodiscard]] OverrideParts split_override(const std::string& argument, int source);

class Overrides {
 public:
  /// Those of keys below `models`, which decide which elements there are, and the others, which may name
  /// them.
  enum class Part { kModels, kOthers };

  /// Enters the arguments in *source, so that later problems point at them.
  Overrides(std::vector<std::string> arguments, SceneSource* source);

  /// Lays those of a part over source->root, in their order. Mappings on the way are made where they are
  /// missing; elements of lists and materials must be there. Returns what is wrong with the arguments
  /// themselves: no '=', a KEY that leads nowhere, a VALUE that is not YAML.
  [[nodiscard]] Diagnostics apply(Part part) const;

 private:
  std::vector<std::string> arguments_;
  std::vector<int> texts_;  // of the source
  SceneSource* source_;
};

}  // namespace csim
