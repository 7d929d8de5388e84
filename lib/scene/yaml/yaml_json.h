// YAML values as JSON.
#pragma once

#include "core/json_writer.h"
#include "scene/yaml/yaml_document.h"

namespace csim {

/// Writes the value: plain numbers and booleans as such, every other scalar as text.
void write_json(const YamlNode& node, JsonWriter* json);

}  // namespace csim
