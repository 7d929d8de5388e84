// The command line's `--set KEY=VALUE`.
#pragma once

#include <string>
#include <vector>

#include "scene/yaml/scene_source.h"

namespace csim {

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
