// The complete scene.
#pragma once

#include <string>

#include "scene/scene.h"
#include "scene/yaml/yaml_document.h"

namespace csim {

/// The scene as YAML with every default written out. Reading it gives the same Scene to the bit: numbers in
/// their shortest round-trip form, rotations as the quaternions they became, mesh files by absolute path.
/// Resolving it again gives the same text.
[[nodiscard]] std::string resolved_yaml(const Scene& scene);

/// The same before it is text (`write_yaml`).
[[nodiscard]] YamlNode resolved_tree(const Scene& scene);

}  // namespace csim
