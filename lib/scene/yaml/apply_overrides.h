// The command line's `--set KEY=VALUE`.
#pragma once

#include <string>
#include <vector>

#include "scene/yaml/scene_source.h"

namespace csim {

/// Lays the overrides over source->root, in their order, and enters them in *source, so that later problems
/// point at the argument. Mappings on the way are made where they are missing; elements of lists and
/// materials must be there. Returns what is wrong with the arguments themselves: no '=', a KEY that leads
/// nowhere, a VALUE that is not YAML.
[[nodiscard]] Diagnostics apply_overrides(const std::vector<std::string>& overrides, SceneSource* source);

}  // namespace csim
